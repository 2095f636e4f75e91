import type { LocalSolanaCctp } from "./cctp/attested-chain.ts"

/**
 * A local chain with a funded solver, as the sandbox's swap service uses it. Each family has one
 * implementation.
 *
 * The sandbox shares no code with the rooms `service/` and `chains/`: with shared schemas, an error
 * in Ballast would be the same error in the sandbox, and no test would find it.
 */
export interface LocalChain {
  /** The chain part of asset ids, such as `bitcoin_testnet`. */
  readonly name: string
  readonly family: "bitcoin" | "evm" | "solana" | "starknet"
  readonly assets: readonly LocalAsset[]
  /** The URL for clients: the Esplora base URL or the JSON-RPC URL. */
  readonly url: string
  /**
   * Relative timelocks in the chain's own unit (blocks, slots); by default those of the field notes
   * for this chain.
   */
  readonly timelocks: { source: number; destination: number }
  readonly requiredConfirmations: number
  /** EIP-155 id on EVM, `SN_SEPOLIA` on Starknet, `null` elsewhere. */
  readonly chainId: number | string | null
  /**
   * The version of the chain's HTLC contracts, which an order shows as its `version`. Absent where
   * contracts have no version.
   */
  readonly contracts?: ContractsVersion

  height(): Promise<bigint>
  balance(address: string, assetId: string): Promise<bigint>
  /** The faucet. Resolves with the transaction id when the funds are spendable. */
  fund(address: string, assetId: string, units: bigint): Promise<string>
  isAddress(text: string): boolean

  /** The HTLC that a user must fund, and the family's fields of the create answer for it. */
  describeSource(
    request: SwapRequest,
  ): Promise<{ swap: LocalSwap; response: Record<string, unknown> }>
  /** The HTLC that the solver will fund for a receiving user. */
  describeDestination(request: SwapRequest): Promise<LocalSwap>

  /**
   * Reads the swap's transactions from the chain. It reports a wrong amount or party unchanged; the
   * service judges it.
   */
  observeSwap(swap: LocalSwap): Promise<SwapObservation>
  /**
   * The solver funds a destination swap. Resolves with the transaction id when the node has
   * accepted it.
   */
  initiate(swap: LocalSwap): Promise<string>
  /**
   * Relays a user's signature over typed data (EVM, Starknet). Rejects with the contract's reason.
   */
  initiateWithSignature(swap: LocalSwap, signature: string): Promise<string>
  /**
   * Reveals the secret: a source swap pays the solver, a destination swap pays `swap.owner` the
   * full amount.
   */
  redeem(swap: LocalSwap, secret: string): Promise<string>
  /** Refunds the initiator after the timelock. */
  refund(swap: LocalSwap): Promise<string>

  /** Opens the stand-ins for CCTP; absent where `cctp/deploy-cctp.ts` does, or none are there. */
  openCctp?(domain: number, attesters: readonly string[]): Promise<LocalSolanaCctp>

  /** Mines or waits until the chain has advanced by `blocks` (slots). For tests of timelocks. */
  advance(blocks: number): Promise<void>
  /**
   * Stops block production and saves the chain's state, so that a test can kill the process and
   * start the chain again from this state. Transactions in the mempool are lost, as in a crash of a
   * real node. Chains that cannot keep their state do not have this method.
   */
  save?(): Promise<void>
  /** Makes the node hang, or go on. */
  freeze?(frozen: boolean): void
  stop(): Promise<void>
}

/**
 * The generation of the HTLC contracts, which is the `version` of an order on the wire. Live
 * deployments run `v3`; the older ones are variants for tests.
 */
export const CONTRACTS_VERSIONS = ["v1", "v2", "v3"] as const
export type ContractsVersion = (typeof CONTRACTS_VERSIONS)[number]

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
  /** The depositing address of a source, the receiving address of a destination. */
  readonly owner: string
  /** 32 bytes, lower-case hex, no `0x`. */
  readonly secretHash: string
  readonly timelock: number
  /**
   * Bitcoin only: the user's x-only key for the refund leaf of a source or the redeem leaf of a
   * destination, if the client sent one.
   */
  readonly delegate?: string
  /**
   * EVM source with contracts v3 only: hex with `0x` that the deposit request carries and the
   * contract logs.
   */
  readonly destinationData?: string
}

/**
 * The terms of one HTLC, as JSON that the service stores. The names are those of Swap in the
 * service interface.
 */
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
  /**
   * Other fields that the family needs to find or spend the HTLC, such as the address of the HTLC
   * contract and its version.
   */
  readonly extra: Readonly<Record<string, string>>
}

/** The transactions of one swap that the chain shows. */
export type SwapObservation = {
  readonly initiated: (ObservedTransaction & { readonly filledUnits: bigint }) | null
  readonly redeemed: (ObservedTransaction & { readonly secret: string }) | null
  readonly refunded: ObservedTransaction | null
}

export type ObservedTransaction = {
  /** In the form of the wire: `<txid>:<block height>` for an initiation on Bitcoin. */
  readonly txHash: string
  readonly blockNumber: bigint
  readonly confirmations: number
  /** Milliseconds since the epoch. */
  readonly timestampMs: number
}
