import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { makeSite } from "../../scripts/site/make-site.ts"
import { findAxeProblems } from "../support/find-axe-problems.ts"
import { findChromium, openBrowser } from "../support/open-browser.ts"

/** The site of the docs, opened from the disk as a reader would: no server answers. */

const OUT = mkdtempSync(join(tmpdir(), "ballast-site-"))
const program = findChromium()

beforeAll(() => makeSite(OUT))
afterAll(() => rmSync(OUT, { recursive: true, force: true }))

test("each link of each page leads to a file and a heading of the site", () => {
  const pages = globSync("*.html", { cwd: OUT }).filter((name) => name !== "demo.html")
  expect(pages.length).toBeGreaterThan(60)
  const texts = new Map(pages.map((name) => [name, readFileSync(join(OUT, name), "utf8")]))
  const broken = pages.flatMap((name) => {
    const links = [...(texts.get(name) ?? "").matchAll(/ (?:href|src)="([^"]+)"/g)]
    return links
      .map(([, link = ""]) => link)
      .filter((link) => !/^\w+:/.test(link) && !isThere(link, name, texts))
      .map((link) => `${name}: ${link}`)
  })
  expect(broken).toEqual([])
})

describe.skipIf(program === null)("in a browser", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser(program ?? "")
  }, 150_000)
  afterAll(() => browser?.close())

  async function open(name: string, colorScheme: "light" | "dark" = "light"): Promise<Page> {
    const page = await (await browser.newContext({ colorScheme })).newPage()
    page.on("pageerror", (error) => expect.unreachable(String(error)))
    await page.goto(pathToFileURL(join(OUT, name)).href)
    return page
  }

  test("the menu leads to a page, and the search to a heading", async () => {
    const page = await open("index.html")
    await page.getByRole("link", { name: "Run Ballast" }).first().click()
    await expect.poll(() => page.title()).toBe("Run Ballast · Ballast")
    // Its script listens once the page is loaded.
    await page.waitForLoadState()
    await page.keyboard.press("/")
    await page.keyboard.type("alarm.refund_watch")
    await page.getByRole("link", { name: "Runbook: alarm.refund_watch" }).waitFor()
    await page.keyboard.type(" solver filled")
    await page.keyboard.press("Enter")
    await expect.poll(() => page.url()).toMatch(/html#/)
  })

  test.each(["light", "dark"] as const)("pages are readable for all, %s", async (theme) => {
    for (const name of ["index.html", "RUN.html", "adr-README.html"]) {
      const page = await open(name, theme)
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await findAxeProblems(page), name).toEqual([])
      const width = await page.evaluate("document.documentElement.scrollWidth")
      expect(width, name).toBe(390)
    }
  })

  test("the desk shows its recorded treasury, and does nothing", async () => {
    const page = await open("demo.html")
    await page.getByRole("region", { name: "Verdict" }).waitFor()
    for (const view of [
      "orders",
      "treasury",
      "books",
      "rules",
      "simulate",
      "limits",
      "alarms",
      "settings",
    ]) {
      await page.evaluate(`location.hash = "#/${view}"`)
      await page.waitForTimeout(300)
      expect(await page.locator("main").innerText(), view).not.toContain("recorded answers")
    }
    await page.getByRole("button", { name: "Pause" }).first().click()
    await page.getByText("nothing was done").first().waitFor()
  })
})

function isThere(link: string, from: string, texts: ReadonlyMap<string, string>): boolean {
  const [path = "", anchor] = link.split("#")
  const text = texts.get(path === "" ? from : path)
  if (anchor !== undefined) return text?.includes(`id="${decodeURIComponent(anchor)}"`) ?? false
  return text !== undefined || existsSync(join(OUT, path))
}
