import { privateKeyToAccount } from "viem/accounts"
import { chainOf } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { mustExist } from "#lib/assert.ts"
import { BENCH_KEY, BTC, createInstantWorld, ETH, type WorldOptions } from "./instant-world.ts"

const NOTHING_RESERVED: ReadonlySet<string> = new Set()

/**
 * The same swaps without Ballast: the same calls, signatures by viem as in most scripts, no
 * journal, no check and no way back after a crash. Its throughput is the floor that Ballast is
 * compared with.
 */
export async function measureBareScript({
  count,
  atOnce,
  ...options
}: WorldOptions & { readonly count: number; readonly atOnce: number }): Promise<{
  seconds: number
  cpuMs: number
}> {
  const { chains, service } = createInstantWorld({
    ...options,
    account: privateKeyToAccount(BENCH_KEY),
  })
  const source = mustExist(chains.get(chainOf(ETH)), "the source")
  const destination = mustExist(chains.get(chainOf(BTC)), "the destination")
  let nonces = 0
  let deposits = 0
  const swap = async (): Promise<void> => {
    const request = { from: ETH, to: BTC, sourceUnits: 10_000n, affiliateBps: 0 }
    const quote = mustExist((await service.fetchQuotes(request))[0], "a quote")
    const owners = { sourceOwner: source.account, destinationOwner: destination.account }
    const extras = { sourceExtras: {}, affiliateFees: [], nonce: String(nonces++) }
    const { orderId, depositRequest } = await service.submitOrder({ quote, ...owners, ...extras })
    const order = await service.fetchOrder(orderId)
    // CAST: the script checks nothing.
    const deposit = source.decodeDeposit(depositRequest, order, ETH) as VerifiedDeposit
    const plan = await source.planTransaction(
      { action: "initiate", asset: ETH, deposit },
      NOTHING_RESERVED,
    )
    if ("refused" in plan) throw new Error("refused")
    const signed = await source.signTransaction({ ...plan, resources: [`nonce:${deposits++}`] })
    await source.broadcastTransaction(signed)
    while ((await source.observeTransaction(signed)).status !== "mined") await pause()
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
    while ((await destination.observeLeg(leg)).redeemed === null) await pause()
  }
  const startMs = performance.now()
  const cpu = process.cpuUsage()
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) await swap()
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane))
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - startMs) / 1_000, cpuMs: (user + system) / 1_000 / count }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
