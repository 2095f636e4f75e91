import type { Brand } from "#lib/brand.ts"
import type { AssetId, ChainId, Family } from "./asset.ts"

/** The service's answer to `POST /v2/orders`: how it asks to be paid, one shape per family. Nothing in it is proven. */
export type DepositRequest =
  | { readonly family: "bitcoin"; readonly to: string; readonly units: bigint }
  | {
      readonly family: "evm"
      readonly transaction: EvmCallRequest
      /** Newer services add one. It is never signed: approvals are ours, and exact. */
      readonly approval: EvmCallRequest | null
      readonly typedData: unknown
    }
  | { readonly family: "solana" /** base64; the wire may use hex */; readonly transaction: string }
  | {
      readonly family: "starknet"
      readonly transaction: { readonly to: string; readonly selector: string; readonly calldata: readonly string[] }
      readonly typedData: unknown
    }

export type EvmCallRequest = {
  readonly to: string
  readonly valueUnits: bigint
  readonly data: string
  readonly gasLimit: bigint
  readonly chainId: bigint
}

export type CreatedOrder = { readonly orderId: string; readonly depositRequest: DepositRequest }

/** The deposit request as decoded by our own code, in one shape for all families. */
export type DecodedDeposit = {
  readonly chain: ChainId
  readonly family: Family
  /** Contract, program or (Bitcoin) address that takes the funds. */
  readonly htlc: string
  /** The asset that the HTLC or call transfers; `null` when it is not a configured asset. */
  readonly asset: AssetId | null
  readonly units: bigint
  readonly redeemer: string
  readonly refundTo: string
  /** Lower-case hex, 32 bytes, no `0x`. */
  readonly secretHash: string
  /** In the chain's own unit. */
  readonly timelock: bigint
  /** Family-specific values that the signer needs and `verifyDeposit` does not compare. JSON-able. */
  readonly extras: Readonly<Record<string, unknown>>
  /** Family-specific findings, each a reason to refuse: wrong selector, foreign program, typed data that differs, … */
  readonly findings: readonly Finding[]
}

export type Finding = {
  readonly code: string
  readonly message: string
  readonly expected: string
  readonly found: string
}

/** A deposit that was compared field by field with the order's terms. Only `guards/verify-deposit.ts` makes one. */
export type VerifiedDeposit = Brand<DecodedDeposit, "VerifiedDeposit">
