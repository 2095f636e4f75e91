import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Page } from "playwright-core"

const FILE = join(import.meta.dirname, "../../web/site/recording.json.gz")
const VIEWS = ["", "orders", "treasury", "books", "rules", "decisions", "plan", "limits"]
const MORE = ["alarms", "settings", "rules/hot-wallet", "rules/weekly-btc"]

/** Visits each view of a logged-in desk, and keeps the answers that it got, for the site. */
export async function recordDesk(page: Page, orders: readonly string[]): Promise<void> {
  const answers: Record<string, unknown> = {}
  const reads: Promise<void>[] = []
  page.on("response", (response) => {
    const [, path = ""] = /\/api\/v1\/(.*)$/.exec(response.url()) ?? []
    if (path === "" || path === "events" || response.status() !== 200) return
    const keep = async (): Promise<void> => {
      answers[path.replace(/[?&]since=[^&]*/, "")] = await response.json()
    }
    reads.push(keep().catch(() => undefined))
  })
  await page.reload()
  for (const view of [...VIEWS, ...MORE, ...orders.map((id) => `orders/${id}`)]) {
    await page.evaluate(`location.hash = "#/${view}"`)
    await page.waitForTimeout(2_500)
  }
  await Promise.all(reads)
  const text = JSON.stringify({ at: Date.now(), answers })
  writeFileSync(FILE, gzipSync(text, { level: 9 }))
}
