import { SANDBOX_WALLETS } from "../src/lab/sandbox/sandbox-wallets.ts"
import { chainOf, openClient } from "../test/chains/interop/open-client.ts"
import { createDestination } from "../test/chains/interop/plain-chain.ts"
import { type Garden, orderbook, unwrap } from "../test/chains/interop/published-client.ts"
import { type Exchange, startNetworkRecorder } from "../test/support/network-recorder.ts"
import type { SandboxProcess } from "../test/support/sandbox-process.ts"
import { firstSendingMs, type MeasuredOrder } from "./measure-orders.ts"
import { watchPayout } from "./watch-payout.ts"

/** The pace of the daemon that it stands beside. */
const POLL_MS = 1_000

/**
 * One order of the published client on the same chains: quote, order and deposit as an app makes
 * them, then a poll of the service until it tells the payout. It reads no chain for itself, keeps
 * nothing on disk, and believes the service. `units`: of the source, in its smallest unit.
 */
export async function measureClient(
  local: SandboxProcess,
  { from, to, units }: { readonly from: string; readonly to: string; readonly units: number },
): Promise<MeasuredOrder> {
  const exchanges: Exchange[] = []
  const recorder = await startNetworkRecorder(local, exchanges)
  const nodes = new Set(local.chains.map(({ url }) => url))
  const client = openClient(recorder.sandbox)
  const garden = client.gardenFor(from)
  const destinationAddress = await createDestination({ sandbox: local, client }, to)
  const asked = (): readonly Exchange[] => exchanges.filter(({ target }) => nodes.has(target))
  try {
    const before = asked().length
    const startMs = performance.now()
    const payout = watchPayout(local.service, exchanges, exchanges.length)
    const quote = unwrap(await garden.quote.getQuote(from, to, units, false)).at(-1)
    if (quote === undefined) throw new Error(`no quote from ${from} to ${to}`)
    // CAST: the families of the sandbox's chains are the keys of its wallets.
    const family = chainOf(local, from).family as keyof typeof SANDBOX_WALLETS
    const created = unwrap(
      await garden.createSwap({
        fromAsset: from,
        toAsset: to,
        sendAmount: quote.source.amount,
        receiveAmount: quote.destination.amount,
        solverId: quote.solver_id,
        sourceAddress: SANDBOX_WALLETS[family],
        destinationAddress,
      }),
    )
    // CAST: the id, or for a deposit by the app's own wallet the answer of the client.
    const order = created as string | { order_id: string; to: string; amount: string }
    const id = typeof order === "string" ? order : order.order_id
    if (typeof order !== "string") await client.bitcoin.wallet.send(order.to, Number(order.amount))
    await untilRedeemed(garden, id)
    const endMs = performance.now()
    const own = asked().slice(before)
    return {
      asked: own,
      seconds: (endMs - startMs) / 1_000,
      depositMs: firstSendingMs(own) - startMs,
      lateMs: endMs - (await payout),
    }
  } finally {
    await recorder.stop()
  }
}

async function untilRedeemed(garden: Garden, id: string): Promise<void> {
  while (unwrap(await garden.getOrder(id)).status !== orderbook.OrderStatus["Redeemed"])
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
}
