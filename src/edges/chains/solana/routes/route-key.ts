import type { AssetId, ChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import type { RouteRules, SigningScope } from "#ports/key-holder.ts"
import type { ReadInstruction } from "../legs/read-transaction.ts"

/** The calls of one kind of route that the key of one chain may sign. */
export type RouteKey = {
  /** `null`: the program is none of the kind's. */
  readonly read: (
    plan: Pick<TransactionPlan, "account" | "resources">,
    call: ReadInstruction,
  ) => RouteCall | { readonly problem: string } | null
}

/** A call that pays only us, in the one transaction that its kind makes of it. */
export type RouteCall = {
  readonly action: "initiate" | "redeem"
  /** Of compute units: one of them. */
  readonly unitLimits: readonly bigint[]
  /** Our key is the first. */
  readonly signers: number
  /** Accounts may come from a table of addresses. */
  readonly takesTable: boolean
  readonly spends: readonly { readonly asset: AssetId; readonly units: bigint }[]
  readonly deposit: SigningScope["deposit"]
  readonly resources: readonly string[]
  /** Where the account stands that the call opens, and whose rent it keeps. */
  readonly opensAt: number
  /** The most that the transaction costs beside the fee of one signature. */
  readonly rentUnits: bigint
}

/** `null`: the kind has no asset or no programs on this chain. */
export type OpenRouteKey = (rules: RouteRules, place: RoutePlace) => RouteKey | null

/** `preset`: the name of the chain's preset, or nothing. */
export type RoutePlace = { readonly chain: ChainId; readonly preset: string }

/** The call as the first kind that knows its program reads it. */
export function readRouteCall(
  routes: readonly RouteKey[] | undefined,
  ...[plan, call]: Parameters<RouteKey["read"]>
): ReturnType<RouteKey["read"]> {
  for (const route of routes ?? []) {
    const read = route.read(plan, call)
    if (read !== null) return read
  }
  return null
}
