import { readFileSync, writeFileSync } from "node:fs"
import { acceptSwap, type Swap, waitForOutcome } from "../test/support/e2e-orders.ts"
import { type Exchange, startNetworkRecorder } from "../test/support/network-recorder.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  TOKEN,
  writeDaemonConfig,
} from "../test/support/sandbox-process.ts"

/** The local chains of the usual order. */
export const CHAINS = ["base_sepolia", "bitcoin_testnet"] as const

const USUAL: Swap = { from: "base_sepolia:eth", to: "bitcoin_testnet:btc", amount: "0.02" }

type Wanted = { readonly count: number; readonly endpoints: number; readonly swap?: Swap }

/** The requests to nodes from the order to its end. */
export type MeasuredOrder = { readonly asked: readonly Exchange[]; readonly seconds: number }

/** Some orders, one after another. A further endpoint is another proxy of the same node. */
export async function measureOrders(
  local: SandboxProcess,
  { count, endpoints, swap = USUAL }: Wanted,
): Promise<readonly MeasuredOrder[]> {
  const exchanges: Exchange[] = []
  const recorders = await Promise.all(
    Array.from({ length: endpoints }, () => startNetworkRecorder(local, exchanges)),
  )
  const [first] = recorders
  if (first === undefined) throw new Error("no recorder")
  const nodes = new Set(local.chains.map(({ url }) => url))
  const only = [swap.from, swap.to].map((asset) => asset.split(":")[0] ?? "")
  // The comparison of the books with the chains is none of an order's requests.
  const books = { reconcile_every: "1h" }
  const chosen = { only, deposit: "onchain" }
  // Daemons of other chains may run beside it.
  const name = `bench-${only.toSorted().join("-")}`
  const config = await writeDaemonConfig(first.sandbox, name, { books }, chosen)
  giveEndpoints(
    config.file,
    recorders.map(({ sandbox: { chains } }) => chains),
  )
  const daemon = startDaemonProcess(config, { BALLAST_OPS_TOKEN: TOKEN })
  const list = (): readonly Exchange[] => exchanges.filter(({ target }) => nodes.has(target))
  try {
    await daemon.ready()
    const orders: MeasuredOrder[] = []
    for (let turn = 0; turn < count; turn++) {
      const before = list().length
      const startMs = performance.now()
      const { outcome } = await waitForOutcome(daemon, await acceptSwap(daemon, swap), 120_000)
      if (outcome !== "completed") throw new Error(`the order ended as ${outcome}`)
      const seconds = (performance.now() - startMs) / 1_000
      orders.push({ asked: list().slice(before), seconds })
    }
    return orders
  } finally {
    await daemon.stop()
    await Promise.all(recorders.map((recorder) => recorder.stop()))
  }
}

/** Each chain of the configuration gets the addresses that all lists have for it. */
function giveEndpoints(file: string, lists: readonly SandboxProcess["chains"][]): void {
  // CAST: `writeDaemonConfig` wrote it, with one of these keys for each chain.
  const config = JSON.parse(readFileSync(file, "utf8")) as {
    chains: Record<string, { rpc?: string[]; esplora?: string[] }>
  }
  for (const [name, chain] of Object.entries(config.chains)) {
    const urls = lists.flatMap((chains) =>
      chains.filter((one) => one.name === name).map(({ url }) => url),
    )
    if (chain.rpc !== undefined) chain.rpc = urls
    if (chain.esplora !== undefined) chain.esplora = urls
  }
  writeFileSync(file, JSON.stringify(config))
}
