import { privateKeyToAccount } from "viem/accounts"
import { chainOf } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { mustExist } from "#lib/assert.ts"
import { BENCH_KEY, BTC, createInstantWorld, ETH, type WorldOptions } from "./instant-world.ts"

const NOTHING_RESERVED: ReadonlySet<string> = new Set()

/** Runs one call of a swap; an engine for durable execution keeps its result. */
export type Step = <Result>(name: string, act: () => Promise<Result>) => Promise<Result>

const PLAIN: Step = (_name, act) => act()

/**
 * The same swaps without Ballast: the same calls, signatures by viem as in most scripts, no
 * journal, no check and no way back after a crash. Its throughput is the floor that Ballast is
 * compared with. `around` runs a whole swap, given how to run it.
 */
export async function measureBareScript({
  count,
  atOnce,
  around = (swap) => swap(PLAIN),
  ...options
}: WorldOptions & {
  readonly count: number
  readonly atOnce: number
  readonly around?: (swap: (step: Step) => Promise<void>) => Promise<void>
}): Promise<{
  seconds: number
  cpuMs: number
}> {
  const swap = createSwap(options)
  const startMs = performance.now()
  const cpu = process.cpuUsage()
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) await around(swap)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane))
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - startMs) / 1_000, cpuMs: (user + system) / 1_000 / count }
}

function createSwap(options: WorldOptions): (step: Step) => Promise<void> {
  const { chains, service } = createInstantWorld({
    ...options,
    account: privateKeyToAccount(BENCH_KEY),
  })
  const source = mustExist(chains.get(chainOf(ETH)), "the source")
  const destination = mustExist(chains.get(chainOf(BTC)), "the destination")
  let nonces = 0
  let deposits = 0
  return async (step) => {
    const request = { from: ETH, to: BTC, sourceUnits: 10_000n, affiliateBps: 0 }
    const quotes = await step("quote", () => service.fetchQuotes(request))
    const quote = mustExist(quotes[0], "a quote")
    const owners = { sourceOwner: source.account, destinationOwner: destination.account }
    const extras = { sourceExtras: {}, affiliateFees: [], nonce: String(nonces++) }
    const { orderId, depositRequest } = await step("create", () =>
      service.submitOrder({ quote, ...owners, ...extras }),
    )
    const order = await step("read", () => service.fetchOrder(orderId))
    // CAST: the script checks nothing.
    const deposit = source.decodeDeposit(depositRequest, order, ETH) as VerifiedDeposit
    const plan = await step("plan", () =>
      source.planTransaction({ action: "initiate", asset: ETH, deposit }, NOTHING_RESERVED),
    )
    if ("refused" in plan) throw new Error("refused")
    const signed = await step("sign", () =>
      source.signTransaction({ ...plan, resources: [`nonce:${deposits++}`] }),
    )
    await step("send", () => source.broadcastTransaction(signed))
    await step("confirm", async () => {
      while ((await source.observeTransaction(signed)).status !== "mined") await pause()
    })
    const leg = {
      asset: BTC,
      htlc: order.destination.swapId,
      secretHash: deposit.secretHash,
      side: "destination" as const,
      units: quote.destinationUnits,
      owner: destination.account,
      initiator: null,
      redeemer: null,
      timelock: null,
      hints: { initiateTx: null, redeemTx: null, refundTx: null },
      fromHeight: 0n,
    }
    await step("payout", async () => {
      while ((await destination.observeLeg(leg)).redeemed === null) await pause()
    })
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
