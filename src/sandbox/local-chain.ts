/**
 * One real local chain with a funded solver on it, as the sandbox's swap service sees it. One implementation per family.
 *
 * Nothing here is shared with `service/` or `chains/`: a fake that used our own schemas would be wrong together with us.
 */
export interface LocalChain {
  /** The chain part of asset ids, such as `bitcoin_testnet`. */
  readonly name: string
  readonly family: "bitcoin" | "evm" | "solana" | "starknet"
  readonly assets: readonly LocalAsset[]
  /** What a client configures: the Esplora base URL or the JSON-RPC URL. */
  readonly url: string
  /** Relative timelocks in the chain's own unit (blocks, slots), as field-notes give them for this chain. Settable for tests. */
  readonly timelocks: { source: number; destination: number }
  readonly requiredConfirmations: number
  /** EIP-155 id on EVM, `SN_SEPOLIA` on Starknet, `null` elsewhere. */
  readonly chainId: number | string | null

  height(): Promise<bigint>
  balance(address: string, assetId: string): Promise<bigint>
  /** The faucet: resolves with the transaction when the funds are spendable. */
  fund(address: string, assetId: string, units: bigint): Promise<string>
  isAddress(text: string): boolean

  /** The HTLC that a depositing user is to fund, and the family's fields of the create-order response for it. */
  describeSource(request: SwapRequest): Promise<{ swap: LocalSwap; response: Record<string, unknown> }>
  /** The HTLC that the solver will fund for a receiving user. */
  describeDestination(request: SwapRequest): Promise<LocalSwap>

  /** What the chain shows of this swap. Amount and party mismatches are reported as they are: the service judges. */
  look(swap: LocalSwap): Promise<SwapOnChain>
  /** The solver funds a destination swap. Resolves with the transaction id once the node took it. */
  initiate(swap: LocalSwap): Promise<string>
  /** Relays a user's typed-data signature (EVM, Starknet). Rejects with the contract's reason. */
  initiateWithSignature(swap: LocalSwap, signature: string): Promise<string>
  /** Reveals the secret: a source swap pays the solver, a destination swap pays `swap.owner` the full amount. */
  redeem(swap: LocalSwap, secret: string): Promise<string>
  /** After the timelock: pays whoever initiated. */
  refund(swap: LocalSwap): Promise<string>

  /** Mines or waits until the chain is `blocks` (slots) further. For tests of timelocks. */
  advance(blocks: number): Promise<void>
  /**
   * Makes no more blocks and writes the chain down, so that it can be killed in any way and started again from there. What waits for a
   * block is lost, as when a real node dies. Absent where the state lives and dies with the process.
   */
  save?(): Promise<void>
  stop(): Promise<void>
}

export type LocalAsset = {
  readonly id: string
  readonly decimals: number
  /** Token address, `null` for the native asset. */
  readonly token: string | null
  /** HTLC contract or program of this asset, `null` on Bitcoin. */
  readonly htlc: string | null
}

export type SwapRequest = {
  readonly assetId: string
  readonly units: bigint
  /** Source: the depositing user's address. Destination: the receiving address. */
  readonly owner: string
  /** 32 bytes, lower-case hex, no `0x`. */
  readonly secretHash: string
  readonly timelock: number
  /** Bitcoin source only: the user's x-only key for the refund leaf, when the client gave one. */
  readonly delegate?: string
}

/** The plain data of one HTLC; JSON-able (the service stores it). Names as in the service interface's Swap. */
export type LocalSwap = {
  readonly side: "source" | "destination"
  readonly chain: string
  readonly asset: string
  readonly units: string
  readonly owner: string
  readonly swapId: string
  readonly initiator: string
  readonly redeemer: string
  /** Bitcoin only. */
  readonly delegate?: string
  /** Bitcoin only. */
  readonly instantRefundTx?: string
  readonly timelock: number
  readonly secretHash: string
  /** Anything else that the family needs to find or spend the HTLC again (such as the HTLC contract's address). */
  readonly extra: Readonly<Record<string, string>>
}

export type SwapOnChain = {
  readonly initiated: (Seen & { readonly filledUnits: bigint }) | null
  readonly redeemed: (Seen & { readonly secret: string }) | null
  readonly refunded: Seen | null
}

export type Seen = {
  /** In the wire's form: on Bitcoin `<txid>:<block height>` for an initiation. */
  readonly txHash: string
  readonly blockNumber: bigint
  readonly confirmations: number
  /** Milliseconds since the epoch. */
  readonly timestampMs: number
}
