import { spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import type { LedgerEntry } from "#domain/ledger.ts"
import { summarizeOrder } from "#engine/orders/summarize-order.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeOrder } from "#order/step.ts"
import { ETH, WBTC } from "../instant-world.ts"
import { atMost, bySpeed, type Part } from "../row.ts"
import { type Bench, openBench, submit } from "../run-orders.ts"
import { BALLAST, createSandboxHome } from "../sandbox-home.ts"
import { sleep } from "../waiting-orders.ts"

/** `ballast report` with many completed orders in the journal. */
export const report: Part = async (quick) => {
  const count = quick ? 10_000 : 100_000
  const home = createSandboxHome()
  mkdirSync(home.dataDir, { mode: 0o700 })
  const bench = openBench({ folder: home.dataDir })
  await submit(bench.engine, ETH, WBTC)
  while (bench.journal.countInFlight() > 0) await sleep(5)
  await copyCompleted(bench, count)
  await bench.close()
  const times = Array.from({ length: 3 }, () => timeReport(home.file, count + 1))
  home.remove()
  return [
    {
      what: `ballast report, ${count} orders`,
      value: Math.min(...times),
      unit: "s",
      goal: bySpeed(atMost(quick ? 0.5 : 2)),
    },
  ]
}

function timeReport(file: string, count: number): number {
  const args = [BALLAST, "report", "--json", "--config", file]
  const startMs = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
  const seconds = (performance.now() - startMs) / 1_000
  // CAST: the form of `ballast report --json`.
  const { total } =
    status === 0
      ? (JSON.parse(stdout) as { total: { counts: { completed?: number } } })
      : { total: null }
  if (total?.counts.completed !== count)
    throw new Error(`the report counts other orders: ${stdout}${stderr}`)
  return seconds
}

/**
 * Copies the completed order of the journal with its entries, as if each copy had come its own way.
 */
async function copyCompleted({ journal, context }: Bench, count: number): Promise<void> {
  const template = mustExist(journal.listOrders({ limit: 1 })[0], "a completed order")
  const event = mustExist(journal.listEvents(template.id).at(-1), "its last event")
  const add: readonly LedgerEntry[] = journal.listEntries({})
  const order = decodeOrder(template.snapshot)
  for (let done = 0; done < count; done++) {
    const id = `copy-${done}`
    const secretHash = `secret-${done}`
    const snapshot = template.snapshot.replaceAll(template.id, id)
    journal.openOrder(
      { ...template, id, secretHash, payoutTx: `payout-${done}`, snapshot },
      event,
      null,
      null,
    )
    const copy = { ...order, data: { ...order.data, id } }
    const summarize = summarizeOrder(context, copy, template.updatedAtMs)
    journal.book({ reversedKeys: [], add }, { orderId: id, atMs: template.updatedAtMs, summarize })
    if (done % 1_000 === 999) await journal.durable()
  }
  await journal.durable()
}
