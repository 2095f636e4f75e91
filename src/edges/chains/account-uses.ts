import type { AccountUses } from "#ports/account-uses.ts"

/** The most nonces of one answer. A lying endpoint must not make a list without end. */
const MOST = 1_000n

/**
 * The nonces below `count` that an earlier answer did not have. `mark` is its count, as text;
 * `null` starts at the present one. Pure.
 */
export function listUsedNonces(mark: string | null, count: bigint): AccountUses {
  // A reorganisation, or an endpoint that is behind, may show a lower count for a while.
  if (mark === null || count <= BigInt(mark)) return { mark: mark ?? count.toString(), used: [] }
  const from = BigInt(mark)
  const length = count - from < MOST ? count - from : MOST
  const used = Array.from({ length: Number(length) }, (_, index) => ({
    resource: `nonce:${from + BigInt(index)}`,
    txid: null,
  }))
  return { mark: (from + length).toString(), used }
}
