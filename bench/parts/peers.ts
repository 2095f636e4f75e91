import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { hasPostgres, startPostgres } from "../../test/support/start-postgres.ts"
import { measureBareScript, type Step } from "../bare-script.ts"
import type { Part, Row } from "../row.ts"
import { measureOrders } from "../run-orders.ts"

const SIZE = { count: 1_024, atOnce: 256 }
const WARM = { count: 128, atOnce: 64 }
const SDK = join(import.meta.dirname, "../peers/node_modules/@dbos-inc/dbos-sdk/dist/src/index.js")

/**
 * The same swaps on the same fakes by others: the bare script, which polls and keeps nothing, and
 * the script as a workflow of DBOS, which keeps the result of each of its eight calls in
 * PostgreSQL. The processor time of the database is not counted. Without `npm ci` in `bench/peers`
 * or without PostgreSQL there is no row of DBOS.
 */
export const peers: Part = async (quick) => {
  const size = quick ? WARM : SIZE
  await measureOrders(WARM)
  await measureBareScript(WARM)
  const ours = await measureOrders(size)
  const rows = [...rowsOf("Ballast", size, ours)]
  rows.push(...rowsOf("bare script", size, await measureBareScript(size)))
  if (existsSync(SDK) && hasPostgres())
    rows.push(...rowsOf("DBOS on PostgreSQL", size, await measureDurable(size)))
  return rows
}

type Swap = (step: Step) => Promise<void>

type Durable = {
  setConfig(config: Readonly<Record<string, string>>): void
  registerWorkflow(flow: () => Promise<void>, options: { name: string }): () => Promise<void>
  readonly runStep: <Result>(
    act: () => Promise<Result>,
    options: { name: string },
  ) => Promise<Result>
  launch(): Promise<void>
  shutdown(): Promise<void>
}

type Costs = { readonly seconds: number; readonly cpuMs: number }

function rowsOf(peer: string, { count }: typeof SIZE, { seconds, cpuMs }: Costs): readonly Row[] {
  const of = { peer, goal: null }
  return [
    { what: `${peer}: orders a second`, value: count / seconds, unit: "/s", ...of },
    { what: `${peer}: processor time of an order`, value: cpuMs, unit: "ms", ...of },
  ]
}

async function measureDurable(size: typeof SIZE): Promise<Costs> {
  // CAST: the parts of its interface that are used here.
  const { DBOS } = (await import(pathToFileURL(SDK).href)) as unknown as { DBOS: Durable }
  const pair = await startPostgres({ fsync: true })
  pair.demand("")
  try {
    DBOS.setConfig({ name: "bench", systemDatabaseUrl: pair.url, logLevel: "error" })
    let next: Swap = async () => undefined
    const flow = DBOS.registerWorkflow(() => next((name, act) => DBOS.runStep(act, { name })), {
      name: "swap",
    })
    await DBOS.launch()
    const around = (swap: Swap): Promise<void> => {
      next = swap
      return flow()
    }
    await measureBareScript({ ...WARM, around })
    const costs = await measureBareScript({ ...size, around })
    await DBOS.shutdown()
    return costs
  } finally {
    pair.stop()
  }
}
