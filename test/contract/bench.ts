import type { ChainPort } from "#chains/port.ts"
import type { AssetId, Family } from "#domain/asset.ts"
import type { LocalChain } from "#sandbox/local-chain.ts"

/** One family on its real local chain. The suite knows nothing of a family but this. */
export type Bench = {
  readonly family: Family
  readonly variants: readonly Variant[]
  start(): Promise<World>
}

/** One way in which a family is used, each run through the whole suite. */
export type Variant = "bitcoin p2wpkh" | "bitcoin p2tr" | "evm token" | "evm native" | "solana" | "starknet"

export type World = {
  readonly local: LocalChain
  /** A new key with funds: some deposits of `units` in `asset`, and native coins for the fees. Blocks are made as needed. */
  openWallet(variant: Variant): Promise<Wallet>
  stop(): Promise<void>
}

export type Wallet = {
  readonly port: ChainPort
  /** The wallet's key as configured: what must never show. */
  readonly secret: string
  /** What is deposited, and what pays the fees: the same on a native variant. */
  readonly asset: AssetId
  readonly native: AssetId
  /** The amount of one deposit; the wallet holds enough for at least two, and less than a hundred. */
  readonly units: bigint
  /** What the network holds besides amount and fee until the HTLC is closed (Solana's rent). */
  readonly heldUnits: bigint
  /** A relative lock short enough to wait for, long enough to be early. */
  readonly shortTimelock: number
  /** The same wallet behind another node; 1500 ms for an answer unless told. */
  portAt(url: string, timeoutMs?: number): ChainPort
  /** Other spellings of the account that mean the same. */
  readonly spellings: readonly string[]
  /** What looks like an address here and is none. */
  readonly notAddresses: readonly string[]
}

/** Repeats a block until `work` is done: where no blocks come by themselves, the sandbox's faucet waits for one. */
export async function untilMined<T>(local: LocalChain, work: Promise<T>): Promise<T> {
  const state = { done: false }
  const settled = work.finally(() => {
    state.done = true
  })
  while (!state.done) {
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 30))])
    if (!state.done) await local.advance(1)
  }
  return settled
}
