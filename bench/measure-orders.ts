import { readFileSync, writeFileSync } from "node:fs"
import { acceptSwap, type Swap } from "../test/support/e2e-orders.ts"
import { type Exchange, startNetworkRecorder } from "../test/support/network-recorder.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  TOKEN,
  writeDaemonConfig,
} from "../test/support/sandbox-process.ts"
import { watchPayout } from "./watch-payout.ts"

/** The local chains of the usual order. */
export const CHAINS = ["base_sepolia", "bitcoin_testnet"] as const

export const USUAL: Swap = { from: "base_sepolia:eth", to: "bitcoin_testnet:btc", amount: "0.02" }

/** `deposit`: the way of the deposits, by default a transaction of our own. */
type Wanted = {
  readonly endpoints: number
  readonly swap?: Swap
  readonly deposit?: "onchain" | "gasless"
}

/**
 * The requests to nodes by any part, from the order's request to its end; the time from the
 * order to its first transaction on the wire, and from the payout, as the service tells it, to the
 * order's end.
 */
export type MeasuredOrder = {
  readonly asked: readonly Exchange[]
  readonly seconds: number
  readonly depositMs: number
  readonly lateMs: number
}

/**
 * Some orders, one after another. The first one is asked for once the daemon's start asks nothing
 * any more: the comparison of accounts, assets and books is made without an order too.
 */
export async function measureOrders(
  local: SandboxProcess,
  { count, endpoints, swap = USUAL, deposit = "onchain" }: Wanted & { readonly count: number },
): Promise<readonly MeasuredOrder[]> {
  const watched = await startWatched(local, { endpoints, deposit, only: chainsOf(swap) })
  const { daemon, exchanges, asked } = watched
  try {
    await untilQuiet(asked)
    const orders: MeasuredOrder[] = []
    for (let turn = 0; turn < count; turn++) {
      const startMs = performance.now()
      const payout = watchPayout(local.service, exchanges, exchanges.length)
      const before = asked().length
      const beforeAll = exchanges.length
      const ended = acceptSwap(daemon, swap).then((id) => endOrder(daemon, id))
      const [paidMs, endMs] = await Promise.all([payout, ended.then(() => performance.now())])
      const own = asked().slice(before)
      orders.push({
        asked: own,
        seconds: (endMs - startMs) / 1_000,
        depositMs: firstSendingMs(exchanges.slice(beforeAll)) - startMs,
        lateMs: endMs - paidMs,
      })
    }
    return orders
  } finally {
    await watched.stop()
  }
}

/** The requests to nodes for each of some orders that run side by side. */
export async function measureCrowd(
  local: SandboxProcess,
  { count, endpoints, swap = USUAL }: Wanted & { readonly count: number },
): Promise<number> {
  const watched = await startWatched(local, { endpoints, only: chainsOf(swap) })
  const { daemon, asked } = watched
  try {
    const before = asked().length
    const ids = await Promise.all(Array.from({ length: count }, () => acceptSwap(daemon, swap)))
    await Promise.all(ids.map((id) => endOrder(daemon, id, CROWD_POLL_MS)))
    return (asked().length - before) / count
  } finally {
    await watched.stop()
  }
}

/** The requests of a day to each endpoint of a chain, by a daemon that has nothing to do. */
export async function measureIdleDay(
  local: SandboxProcess,
  { endpoints, settleMs, watchMs }: { endpoints: number; settleMs: number; watchMs: number },
): Promise<ReadonlyMap<string, number>> {
  const watched = await startWatched(local, { endpoints, only: local.chains.map(nameOf) })
  try {
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    const before = watched.asked().length
    await new Promise((resolve) => setTimeout(resolve, watchMs))
    const since = watched.asked().slice(before)
    return new Map(
      local.chains.map(({ name, url }) => {
        const own = since.filter(({ target }) => target === url).length
        return [name, (own / endpoints) * (DAY_MS / watchMs)]
      }),
    )
  } finally {
    await watched.stop()
  }
}

const DAY_MS = 86_400_000
const MOST_NAME = 40
const nameOf = ({ name }: { readonly name: string }): string => name
const chainsOf = ({ from, to }: Swap): readonly string[] =>
  [from, to].map((asset) => asset.split(":")[0] ?? "")

type Watched = {
  readonly daemon: DaemonProcess
  readonly exchanges: readonly Exchange[]
  /** Of these, the requests to nodes. */
  readonly asked: () => readonly Exchange[]
  readonly stop: () => Promise<void>
}

/** A daemon behind recorders. A further endpoint is another recorder of the same node. */
async function startWatched(
  local: SandboxProcess,
  {
    endpoints,
    only,
    deposit = "onchain",
  }: Pick<Wanted, "endpoints"> & {
    readonly only: readonly string[]
    readonly deposit?: Wanted["deposit"]
  },
): Promise<Watched> {
  const exchanges: Exchange[] = []
  const recorders = await Promise.all(
    Array.from({ length: endpoints }, () => startNetworkRecorder(local, exchanges)),
  )
  const [first] = recorders
  if (first === undefined) throw new Error("no recorder")
  const nodes = new Set(local.chains.map(({ url }) => url))
  // The comparison of the books with the chains is none of an order's requests.
  const books = { reconcile_every: "1h" }
  const chosen = { only, deposit }
  // Daemons of other chains may run beside it; a socket's path is short.
  const name = `bench-${only.toSorted().join("-").slice(0, MOST_NAME)}`
  const config = await writeDaemonConfig(first.sandbox, name, { books }, chosen)
  giveEndpoints(
    config.file,
    recorders.map(({ sandbox: { chains } }) => chains),
  )
  const daemon = startDaemonProcess(config, { BALLAST_OPS_TOKEN: TOKEN })
  const stop = async (): Promise<void> => {
    await daemon.stop()
    await Promise.all(recorders.map((recorder) => recorder.stop()))
  }
  await daemon.ready().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const asked = (): readonly Exchange[] => exchanges.filter(({ target }) => nodes.has(target))
  return { daemon, exchanges, asked, stop }
}

/** Longer than an answer serves another read, unless it never changes. */
const QUIET_MS = 6_000

/** Waits until no node is asked for a while. */
async function untilQuiet(asked: Watched["asked"]): Promise<void> {
  const giveUpMs = performance.now() + 120_000
  for (;;) {
    const quietMs = performance.now() - (asked().at(-1)?.atMs ?? 0)
    if (quietMs >= QUIET_MS) return
    if (performance.now() > giveUpMs) throw new Error("the daemon's start asks on and on")
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS - quietMs))
  }
}

/** Looks often, so that the time of the end is exact. */
async function endOrder(daemon: DaemonProcess, id: string, pollMs = POLL_MS): Promise<void> {
  const giveUpMs = performance.now() + 120_000
  for (;;) {
    const { outcome, reasons } = await daemon.order(id)
    if (outcome === "completed") return
    if (outcome !== null || performance.now() > giveUpMs)
      throw new Error(`the order ended as ${outcome}: ${JSON.stringify(reasons)}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

const POLL_MS = 20
/** A caller of the API has a budget of requests. */
const CROWD_POLL_MS = 1_000

/**
 * The time of `performance.now()` of the first transaction that goes to a node, or of the first
 * signature that goes to a relay.
 */
export function firstSendingMs(asked: readonly Exchange[]): number {
  const first = asked.find(({ request }) => SENDING.test(request))
  if (first === undefined) throw new Error("no transaction was sent")
  return first.atMs
}

const SENDING =
  /eth_sendRawTransaction|"sendTransaction"|addInvokeTransaction|^POST \/tx |^PATCH .*=initiate/

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
