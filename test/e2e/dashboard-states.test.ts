import type { Browser, CDPSession, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { findAxeProblems } from "../support/find-axe-problems.ts"
import { findRawText } from "../support/find-raw-text.ts"
import { findChromium, openBrowser } from "../support/open-browser.ts"
import { keepPicture, openDesk, SCREENS } from "../support/open-desk.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
} from "../support/sandbox-process.ts"

const WAIT = { timeout: 60_000 }
const HOUR_MS = 3_600_000
/** Of the DevTools protocol. */
const CONTROL = 2
const SWAP = { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc" }
/** Neither has anything to do within a day of the test. */
const RULES = [
  { id: "weekly", kind: "recurring", schedule: "0 9 29 2 *", ...SWAP, amount: "0.001" },
]
/** Each view, and what it says where there is nothing yet. */
const VIEWS: readonly (readonly [view: string, empty: RegExp])[] = [
  ["", /Nothing (is in flight|needs you|happened)|No (swap|order)|nothing/i],
  ["orders", /No order/],
  ["treasury", /No order in this time/],
  ["books", /No order in these weeks/],
  ["rules", /It has not decided yet/],
  ["decisions", /No decision yet/],
  ["plan", /Nothing to swap now/],
  ["limits", /sold|Limits/],
  ["alarms", /Nothing needs you here/],
  ["settings", /Settings/],
  ["simulate", /The change[\s\S]*Amount now 0\.001/],
]
const program = findChromium()

describe.skipIf(program === null)("the states of the desk", () => {
  let sandbox: SandboxProcess
  let config: E2eConfig
  let daemon: DaemonProcess
  let browser: Browser

  beforeAll(async () => {
    sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
    config = await writeE2eConfig(sandbox, "quiet", { rules: RULES })
    daemon = startDaemonProcess(config)
    await daemon.ready()
    browser = await openBrowser(program ?? "")
  }, 400_000)
  afterAll(async () => {
    await browser?.close()
    await daemon?.stop()
    await sandbox?.stop()
  })

  const url = (view: string): string => `http://127.0.0.1:${config.port}/#/${view}`
  const content = (page: Page): Promise<string> => page.locator("main").innerText()

  test.each(SCREENS)(
    "each view is loading, empty and not live in words, %s and %s",
    async (size, scheme) => {
      const page = await openDesk(browser, config.port, [size, scheme])
      const keep = (name: string): Promise<void> => keepPicture(page, name, [size, scheme])
      const found: string[] = []
      for (const [view, empty] of VIEWS) {
        await page.goto(url(view))
        await expect.poll(() => content(page), { ...WAIT, message: view }).toMatch(empty)
        await expect.poll(() => page.locator("main .skeleton").count(), WAIT).toBe(0)
        const raw = await findRawText(page)
        found.push(...raw.map((text) => `${view || "overview"}: ${text}`))
        if (view === "" || view === "orders") await keep(`empty-${view || "overview"}`)
      }
      // Answers that never come: the frame and grey blocks, and no figure.
      await page.route("**/api/v1/**", (route) =>
        route.request().url().endsWith("/session") ? route.continue() : undefined,
      )
      for (const [view] of VIEWS) {
        await page.goto(url(view))
        await page.reload()
        await page.locator("main .skeleton").first().waitFor(WAIT)
        if (/\$\d/.test(await content(page))) found.push(`${view} has a figure while it loads`)
      }
      await keep("loading")
      found.push(...(await findAxeProblems(page)))
      await page.unrouteAll({ behavior: "ignoreErrors" })
      await page.goto(url("rules"))
      await page.reload()
      await page.locator("main .sentence").waitFor(WAIT)
      await page.route("**/api/v1/**", (route) => route.abort())
      for (const [view] of VIEWS) {
        await page.goto(url(view))
        await page.locator(".stale").waitFor(WAIT)
        expect(await page.locator(".stale").innerText()).toMatch(/This is not live/)
        const pause = page.getByRole("banner").getByRole("button", { name: "Pause" })
        if (await pause.isEnabled()) found.push(`${view} can act while it is not live`)
      }
      await keep("not-live")
      found.push(...(await findAxeProblems(page)))
      await page.unrouteAll({ behavior: "wait" })
      await page.getByRole("button", { name: "Try now" }).click()
      await expect.poll(() => page.locator(".stale").count(), { timeout: 2_500 }).toBe(0)
      expect(found).toEqual([])
      await page.context().close()
    },
    400_000,
  )

  test("a visit lasts as long as its tab", async () => {
    const page = await openDesk(browser, config.port, ["wide", "light"])
    const marks: string[] = []
    page.on("request", (request) => {
      const since = /summary\?since=([^&]+)/.exec(request.url())?.[1]
      if (since !== undefined) marks.push(since)
    })
    for (const visit of [1, 2]) {
      const before = marks.length
      await page.reload()
      await expect.poll(() => marks.length, WAIT).toBeGreaterThan(before)
      expect(new Set(marks).size, `visit ${visit}`).toBe(1)
    }
    const next = await page.context().newPage()
    const asked = next.waitForRequest(/summary\?since=/)
    await next.goto(url(""))
    const [first = ""] = marks
    const [, mark = ""] = /since=([^&]+)/.exec((await asked).url()) ?? []
    expect(mark > first, "another tab is another visit").toBe(true)
    await page.context().close()
  }, 120_000)

  test("24 hours end now, also on a desk that stays open for days", async () => {
    const page = await openDesk(browser, config.port, ["wide", "light"])
    await page.clock.install()
    const starts: number[] = []
    page.on("request", (request) => {
      const since = /flows\?since=([^&]+)/.exec(request.url())?.[1]
      if (since !== undefined) starts.push(Date.parse(decodeURIComponent(since)))
    })
    await page.reload()
    await page.getByRole("heading", { name: "Flows" }).waitFor(WAIT)
    await expect.poll(() => starts.length, WAIT).toBeGreaterThan(0)
    const first = starts[0] ?? 0
    await page.clock.fastForward(50 * HOUR_MS)
    const moved = (): number => Math.round(((starts.at(-1) ?? 0) - first) / HOUR_MS)
    await expect.poll(moved, WAIT).toBe(50)
    await page.context().close()
  }, 120_000)

  /** Within one frame the browser tells of the first close after the second key. */
  test("a dialogue gives way to the next one, and the focus goes back", async () => {
    const page = await openDesk(browser, config.port, ["wide", "light"])
    const cdp = await page.context().newCDPSession(page)
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: 10 })
    const palette = page.getByRole("dialog", { name: "Find or do" })
    const combobox = palette.getByRole("combobox")
    const top = page.getByRole("banner")
    await top.getByRole("button", { name: "Pause" }).click()
    await top.getByRole("button", { name: "Undo" }).waitFor(WAIT)
    await page.reload()
    const note = page.getByRole("region", { name: "Paused" })
    const resume = note.getByRole("button", { name: "Resume" })
    await resume.waitFor(WAIT)
    for (const [name, keys] of [
      ["Keys", ["?"]],
      ["Find or do", ["Control+k"]],
      ["Resume?", ["Enter"]],
    ] as const) {
      await resume.focus()
      for (const key of keys) await page.keyboard.press(key)
      await page.getByRole("dialog", { name }).waitFor(WAIT)
      await Promise.all([
        ...pressAtOnce(cdp, { key: "Escape", windowsVirtualKeyCode: 27 }),
        ...pressAtOnce(cdp, { key: "k", windowsVirtualKeyCode: 75, modifiers: CONTROL }),
      ])
      await page.keyboard.type("go")
      await page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))",
      )
      expect(await page.getByRole("dialog").count(), name).toBe(1)
      expect(await combobox.inputValue(), name).toBe("go")
      await page.keyboard.press("Escape")
      await expect.poll(() => page.getByRole("dialog").count(), WAIT).toBe(0)
      const focused = "document.activeElement.textContent"
      expect(await page.evaluate(focused), `the focus after ${name}`).toBe("Resume")
    }
    await page.keyboard.press("Enter")
    await page.getByLabel(/^Type/).fill("resume")
    await page.keyboard.press("Enter")
    await top.getByRole("button", { name: "Pause" }).waitFor(WAIT)
    await page.context().close()
  }, 180_000)
})

/** Down and up, without a wait for the page between them. */
function pressAtOnce(
  cdp: CDPSession,
  key: { key: string; windowsVirtualKeyCode: number; modifiers?: number },
): readonly Promise<unknown>[] {
  return (["rawKeyDown", "keyUp"] as const).map((type) =>
    cdp.send("Input.dispatchKeyEvent", { type, ...key }),
  )
}
