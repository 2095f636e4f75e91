import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { type AppError, toAppError } from "#lib/app-error.ts"
import type { HtlcOutputs } from "#ports/chain/capabilities.ts"
import type { Clocked, HasChains, Remembering } from "../../context.ts"
import type { PayoutFee } from "../../memory.ts"
import { readInTime } from "../observe/read-in-time.ts"

/**
 * An answer serves all orders to its chain for this long, a failure for the shorter time: every
 * quote waits for it.
 */
const KEPT_MS = 30_000
const FAILED_MS = 15_000

/**
 * The most that the redeemer's own network fee may take from a payout of this asset; 0 where the
 * HTLC pays the whole amount. Throws the errors of the chain's port.
 */
export async function readPayoutFee(
  context: HasChains & Clocked & Remembering,
  to: AssetId,
): Promise<bigint> {
  const port = context.chains.get(chainOf(to))
  if (port?.outputs === undefined) return 0n
  const answers = context.memory.payoutFees
  const known = answers.get(port.chain)
  if (known !== undefined && isFresh(known, context.clock.now()))
    return known.ok ? known.units : fail(known.error)
  const answer = await ask(context, port.chain, port.outputs)
  answers.set(port.chain, answer)
  return answer.ok ? answer.units : fail(answer.error)
}

async function ask(
  context: Clocked & Remembering,
  chain: ChainId,
  outputs: HtlcOutputs,
): Promise<PayoutFee> {
  try {
    const units = await readInTime(context, `${chain} payout fee`, () =>
      outputs.estimatePayoutFee(),
    )
    return { ok: true, units, atMs: context.clock.now() }
  } catch (error) {
    const known = toAppError(error, { code: "chain.unreadable", disposition: "transient" })
    return { ok: false, error: known, atMs: context.clock.now() }
  }
}

function isFresh({ ok, atMs }: PayoutFee, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < (ok ? KEPT_MS : FAILED_MS)
}

function fail(error: AppError): never {
  throw error
}
