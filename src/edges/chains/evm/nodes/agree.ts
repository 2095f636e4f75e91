import { plainJson } from "#lib/json.ts"
import {
  type Conclusion,
  concludeAnswers,
  reportNow,
  requireAgreed,
  requireReached,
} from "#nodes/quorum/conclude.ts"
import { disagreement } from "#nodes/quorum/reasons.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import type { AskAt, EvmRpc, Reading, ReadOptions } from "../rpc.ts"

/**
 * Compares the answers of one reading. Without an agreed block nothing is agreed, because the
 * answers are about different blocks.
 */
export function conclude<T>(
  { needed }: Pick<EvmRpc, "needed">,
  { answers, isBlockAgreed, doubts }: Reading<T>,
  keyOf: (value: T) => string,
): Conclusion<T> {
  const found = concludeAnswers(answers, { needed, keyOf, doubts })
  return found.status === "agreed" && !isBlockAgreed ? { ...found, status: "split" } : found
}

/**
 * The value that enough endpoints give about one block. Throws `evm.disagreement` and
 * `evm.agreement_short` (transient).
 */
export async function readAgreed<T>(rpc: EvmRpc, ask: AskAt<T>, options?: ReadOptions): Promise<T> {
  return requireAgreed(rpc, conclude(rpc, await rpc.readEach(ask, options), plainJson))
}

/**
 * The same for work that goes on with any living endpoint, such as a refund: too few answers
 * suffice if they are equal. Throws `evm.disagreement` (transient).
 */
export async function readAnyway<T>(rpc: EvmRpc, ask: AskAt<T>, options?: ReadOptions): Promise<T> {
  const { status, value, doubts } = conclude(rpc, await rpc.readEach(ask, options), plainJson)
  if (status !== "split" && value !== null) return value
  throw disagreement(rpc.codes.split, doubts)
}

/**
 * The height that enough endpoints have reached; while some of them claim an impossible one, the
 * highest of the others, so that watching goes on. Throws `evm.agreement_short` (transient).
 */
export async function readAgreedHeight(rpc: EvmRpc): Promise<bigint> {
  const heads = await rpc.readHeads()
  return heads.isShort ? requireReached(rpc, heads) : heads.height
}

/** How many endpoints have the chosen block now, and why the others do not. Never throws. */
export function fetchAgreement(rpc: EvmRpc): Promise<AgreementReport> {
  return reportNow(rpc, async () => {
    const { height, heads, ...how } = await rpc.readHeads()
    const isUsual = (index: number): boolean => {
      const head = heads[index]
      return head?.ok === true && height - head.value.height <= USUAL_LAG
    }
    return { ...how, keyOf: ({ hash }) => hash, isUsual }
  })
}

/**
 * Endpoints of one chain are rarely more blocks apart; a nearer one is no news while enough others
 * agree.
 */
const USUAL_LAG = 20n
