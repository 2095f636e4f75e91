import type { AssetId, Family } from "#domain/asset.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { ContractsVersion, LocalChain } from "#sandbox/local-chain.ts"

/** One family on its real local chain: the suite's only knowledge of a family. */
export type Bench = {
  readonly family: Family
  readonly variants: readonly Variant[]
  start(): Promise<World>
}

/** A family with contracts of an older generation. The suite's tests of legs run over each. */
export type OlderBench = Bench & { readonly contracts: ContractsVersion }

/** One way to use a family. The whole suite runs over each. */
export type Variant =
  | "bitcoin p2wpkh"
  | "bitcoin p2tr"
  | "evm token"
  | "evm native"
  | "solana"
  | "solana token"
  | "starknet"
  | "starknet words"

export type World = {
  readonly local: LocalChain
  /**
   * A new key with funds: some deposits of `units` in `asset`, and native coins for the fees. The
   * bench makes the blocks that this needs.
   */
  openWallet(variant: Variant): Promise<Wallet>
  stop(): Promise<void>
}

export type Wallet = {
  readonly port: ChainPort
  /** The wallet's key as configured. No output may contain it. */
  readonly secret: string
  /** The deposited asset, and the asset that pays the fees: the same on a native variant. */
  readonly asset: AssetId
  readonly native: AssetId
  /**
   * The amount of one deposit; the wallet holds enough for at least two, and less than a hundred.
   */
  readonly units: bigint
  /**
   * Units that the network holds besides amount and fee until the HTLC is closed (Solana's rent).
   */
  readonly heldUnits: bigint
  /**
   * A relative lock: short enough for a test to wait, long enough for a refund to come too early.
   */
  readonly shortTimelock: number
  /** The same wallet behind another node, with a time-out of 20 s by default. */
  portAt(url: string, timeoutMs?: number): ChainPort
  /**
   * The same wallet with a fee cap that is about `times` below what the chain asks for, default 10;
   * where it asks for nothing, `null`.
   */
  openFrugal: ((times?: bigint) => Promise<ChainPort>) | null
  /** Other spellings of the account's address. */
  readonly spellings: readonly string[]
  /** Texts that resemble an address of this chain and are none. */
  readonly notAddresses: readonly string[]
}

/** Makes blocks until `work` is done, because the sandbox's faucet waits for a block. */
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
