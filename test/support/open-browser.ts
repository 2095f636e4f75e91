import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/**
 * The program of a Chromium on this machine; `null` without one. `.ci/run` installs Debian's and
 * sets `BALLAST_NEEDS_CHROMIUM`: then its absence is an error.
 */
export function findChromium(): string | null {
  const found = [process.env["BALLAST_CHROMIUM"] ?? "", ...PLACES].find(
    (path) => path !== "" && existsSync(path),
  )
  if (found === undefined && process.env["BALLAST_NEEDS_CHROMIUM"] === "1")
    throw new Error("No Chromium was found: apt-get install chromium, or set BALLAST_CHROMIUM")
  if (found === undefined)
    console.warn(
      "SKIPPED: no Chromium was found, so no browser test runs (apt-get install chromium)",
    )
  return found ?? null
}

/**
 * Root has no user namespaces to build Chromium's own sandbox from; the pages of these tests are
 * ours.
 */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
    timeout: 120_000,
  })
}
