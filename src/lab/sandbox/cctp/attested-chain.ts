import type { PublicKey } from "@solana/web3.js"

/** A local chain as the attestation service reads it. */
export type AttestedChain = {
  readonly domain: number
  height(): Promise<bigint>
  /** An address of this chain as the service writes it; a message has 32 bytes of it. */
  addressOf(word: `0x${string}`): string
  /** The burns of a transaction that succeeded; `null` for an unknown one. */
  findBurns(txid: string): Promise<readonly AttestedBurn[] | null>
}

/** `place`: of its message among those of all transactions. */
export type AttestedBurn = {
  readonly emitted: `0x${string}`
  readonly place: number
  readonly depth: number
}

/** The contracts of CCTP on a local Solana, and the changes that a test asks for. */
export type LocalSolanaCctp = {
  readonly domain: number
  readonly mint: PublicKey
  readonly messenger: string
  readonly transmitter: string
  /** As messages have them. */
  readonly words: Readonly<Record<"messenger" | "mint", string>>
  readonly lookupTable: string
  readonly attested: AttestedChain
  setPaused(part: "transmitter" | "minter", isPaused: boolean): Promise<void>
  setBurnLimit(units: bigint): Promise<void>
  setDenylisted(account: PublicKey): Promise<void>
  /** Makes a chain's burns mintable here, and burns here mintable there. */
  link(remote: { domain: number; messenger: string; token: string }): Promise<void>
}
