import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { TOKEN } from "./sandbox-process.ts"

const ARTIFACTS = join(import.meta.dirname, "..", "..", "artifacts", "dashboard")

/** The sizes and colours in which each state of the desk is looked at. */
export const SCREENS = [
  ["wide", "light"],
  ["wide", "dark"],
  ["phone", "light"],
  ["phone", "dark"],
] as const
export const SIZES = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const
export type Screen = (typeof SCREENS)[number]

/** The desk of the daemon on this port in a context of its own, logged in. */
export async function openDesk(
  browser: Browser,
  port: number,
  [size, colorScheme]: Screen,
): Promise<Page> {
  const options = { viewport: SIZES[size], colorScheme, locale: "en-GB", timezoneId: "UTC" }
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.getByLabel("Token").fill(TOKEN)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("region", { name: "Verdict" }).waitFor()
  return page
}

/** A picture of a state, small enough for a hundred of them. */
export async function keepPicture(page: Page, name: string, [size, scheme]: Screen): Promise<void> {
  mkdirSync(ARTIFACTS, { recursive: true })
  const path = join(ARTIFACTS, `${name}-${scheme}-${size}.jpg`)
  await page.screenshot({ path, type: "jpeg", quality: 60 })
}
