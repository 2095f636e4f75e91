import type { Abi } from "./describe-abi.ts"
import { formatFelt, selectorOf } from "./felt.ts"
import { require } from "./revert.ts"
import type { Storage } from "./storage.ts"

/**
 * A contract of the devnet: TypeScript functions replace the Cairo entry points and read the same
 * calldata.
 */
export type Contract = {
  readonly classHash: bigint
  readonly entryPoints: ReadonlyMap<bigint, EntryPoint>
  /** Published with the class. It describes the entry points that clients read it for. */
  readonly abi: Abi
}

/**
 * Returns the felts of the Cairo function. Throws `starknet.reverted` if an assertion of the Cairo
 * function would fail.
 */
export type EntryPoint = (frame: Frame, calldata: Calldata) => readonly bigint[]

/** One call: the called contract, the caller, and the transaction. */
export type Frame = {
  readonly self: bigint
  readonly caller: bigint
  readonly storage: Storage
  readonly chainId: bigint
  readonly blockNumber: number
  emit(keys: readonly bigint[], data: readonly bigint[]): void
  call(to: bigint, selector: bigint, calldata: readonly bigint[]): readonly bigint[]
}

export function defineContract(
  classHash: bigint,
  entryPoints: Record<string, EntryPoint>,
  abi: Abi,
): Contract {
  const entries = Object.entries(entryPoints).map(([name, run]) => [selectorOf(name), run] as const)
  return { classHash, entryPoints: new Map(entries), abi }
}

/** Reads calldata from front to back as Cairo's `Serde` does, with the same range checks. */
export type Calldata = {
  felt(): bigint
  address(): bigint
  u32(): bigint
  u128(): bigint
  u256(): bigint
  words(count: number): readonly bigint[]
  /** A Cairo array: its length, then the elements. */
  array(read?: () => bigint): readonly bigint[]
  end(): void
}

export function readCalldata(felts: readonly bigint[]): Calldata {
  let at = 0
  const felt = (): bigint => {
    const value = felts[at++]
    require(value !== undefined, "Failed to deserialize: calldata is too short")
    return value
  }
  const below = (bits: bigint): bigint => {
    const value = felt()
    require(value < 1n << bits, `Failed to deserialize: ${formatFelt(value)} is not a u${bits}`)
    return value
  }
  const times = (count: number, read: () => bigint): readonly bigint[] =>
    Array.from({ length: count }, read)
  return {
    felt,
    address: () => below(251n),
    u32: () => below(32n),
    u128: () => below(128n),
    u256: () => below(128n) + (below(128n) << 128n),
    words: (count) => times(count, () => below(32n)),
    array: (read = felt) => {
      const count = Number(below(32n))
      require(count <= felts.length, "Failed to deserialize: array is longer than the calldata")
      return times(count, read)
    },
    end: () => require(at === felts.length, "Input too long for arguments"),
  }
}

/** A u256 as two felts, low half first. */
export function splitU256(value: bigint): [low: bigint, high: bigint] {
  return [value & ((1n << 128n) - 1n), value >> 128n]
}
