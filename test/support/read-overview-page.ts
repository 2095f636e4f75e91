import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { TOKEN } from "./sandbox-process.ts"

const ARTIFACTS = join(import.meta.dirname, "..", "..", "artifacts", "faults")

/** A page that is logged in to the dashboard of a daemon, and shows its overview. */
export async function openOverviewPage(browser: Browser, port: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.setDefaultTimeout(60_000)
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.getByLabel("Token").fill(TOKEN)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("region", { name: "Verdict" }).waitFor()
  return page
}

export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(ARTIFACTS, { recursive: true })
  await page.screenshot({ path: join(ARTIFACTS, name), fullPage: true })
}

/**
 * Logs in to the dashboard of a daemon, keeps a picture of its overview under this name, and
 * returns the overview's text.
 */
export async function readOverviewPage(
  browser: Browser,
  port: number,
  screenshot: string,
): Promise<string> {
  const page = await openOverviewPage(browser, port)
  const text = await page.locator("main").innerText()
  await keepScreenshot(page, screenshot)
  await page.close()
  return text
}
