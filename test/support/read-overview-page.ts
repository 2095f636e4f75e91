import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { TOKEN } from "./sandbox-process.ts"

const ARTIFACTS = join(import.meta.dirname, "..", "..", "artifacts", "faults")

/** Logs in to the dashboard of a daemon, keeps a picture of its overview under this name, and returns the overview's text. */
export async function readOverviewPage(browser: Browser, port: number, screenshot: string): Promise<string> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.setDefaultTimeout(60_000)
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.getByLabel("Token").fill(TOKEN)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("region", { name: "Verdict" }).waitFor()
  const text = await page.locator("main").innerText()
  mkdirSync(ARTIFACTS, { recursive: true })
  await page.screenshot({ path: join(ARTIFACTS, screenshot), fullPage: true })
  await page.close()
  return text
}
