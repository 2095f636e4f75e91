import type { Brand } from "#lib/brand.ts"
import type { AssetId, ChainId, Family } from "./asset.ts"

/** What the service answered to `POST /v2/orders`: how it wants to be paid. Claims, in four shapes. */
export type DepositRequest =
  | { readonly family: "bitcoin"; readonly to: string; readonly units: bigint }
  | {
      readonly family: "evm"
      readonly transaction: EvmCallRequest
      /** Newer services add one. It is never signed: approvals are ours, and exact. */
      readonly approval: EvmCallRequest | null
      readonly typedData: unknown
    }
  | { readonly family: "solana" /** base64, whatever the wire used */; readonly transaction: string }
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

/** The deposit as decoded by our own code from what the service returned. One shape for all families. */
export type DecodedDeposit = {
  readonly chain: ChainId
  readonly family: Family
  /** Contract, program or (Bitcoin) address that takes the funds. */
  readonly htlc: string
  /** The asset that moves, found by what the HTLC or call says; `null` when it is none of ours. */
  readonly asset: AssetId | null
  readonly units: bigint
  readonly redeemer: string
  readonly refundTo: string
  /** Lower-case hex, 32 bytes, no `0x`. */
  readonly secretHash: string
  /** In the chain's own unit. */
  readonly timelock: bigint
  /** Family-specific facts that the judge does not compare but the signer needs. JSON-able. */
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

/** A deposit that the judge compared field by field with the order's terms. Only `guards/verify-deposit.ts` makes one. */
export type VerifiedDeposit = Brand<DecodedDeposit, "VerifiedDeposit">
