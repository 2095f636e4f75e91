/**
 * Blocks of one difficulty period, and the seconds that they should take (Bitcoin Core
 * `nPowTargetTimespan`).
 */
export const PERIOD_BLOCKS = 2016
const PERIOD_SECONDS = 14 * 24 * 60 * 60

/**
 * The target of a compact number; `null` for a negative, empty or overflowing one (Bitcoin Core
 * `arith_uint256::SetCompact`).
 */
export function readTarget(bits: number): bigint | null {
  const size = bits >>> 24
  const word = BigInt(bits & 0x7f_ffff)
  if ((bits & 0x80_0000) !== 0 || word === 0n) return null
  const target = size <= 3 ? word >> BigInt(8 * (3 - size)) : word << BigInt(8 * (size - 3))
  return target === 0n || target >= 1n << 256n ? null : target
}

/**
 * The compact form of a target, rounded down as Bitcoin Core rounds (`arith_uint256::GetCompact`).
 */
export function writeTarget(target: bigint): number {
  let size = Math.ceil(target.toString(16).length / 2)
  let word = Number(size <= 3 ? target << BigInt(8 * (3 - size)) : target >> BigInt(8 * (size - 3)))
  // The highest bit of the word is a sign, so a word that needs it moves by one byte.
  if ((word & 0x80_0000) !== 0) {
    word >>= 8
    size += 1
  }
  return ((size << 24) | word) >>> 0
}

/** The expected number of hashes for a block with this target (Bitcoin Core `GetBlockProof`). */
export function workOf(target: bigint): bigint {
  return (1n << 256n) / (target + 1n)
}

/** Is the hash, as explorers show it, at or below the target of its own header? */
export function hasWork(hash: string, bits: number): boolean {
  const target = readTarget(bits)
  return target !== null && BigInt(`0x${hash}`) <= target
}

/**
 * The compact target of the period that follows (Bitcoin Core `CalculateNextWorkRequired`). `first`
 * and `last` are the first and the last header of the old period; a period counts as at least a
 * quarter and at most four times of two weeks.
 */
export function nextBits(
  first: { readonly time: number },
  last: { readonly time: number; readonly bits: number },
  limit: bigint,
): number | null {
  const old = readTarget(last.bits)
  if (old === null) return null
  const took = Math.min(Math.max(last.time - first.time, PERIOD_SECONDS / 4), PERIOD_SECONDS * 4)
  const target = (old * BigInt(took)) / BigInt(PERIOD_SECONDS)
  return writeTarget(target > limit ? limit : target)
}
