import type { Address, Hex } from "viem"
import type { AssetId } from "#domain/asset.ts"
import type { PinnedContract } from "#domain/contract-identity.ts"
import { TAG_UNITS } from "#routes/cctp/burn-request.ts"
import type { FeeRate } from "#routes/cctp/fee-rate.ts"
import { feeShareOf } from "#routes/cctp/fee-rate.ts"
import { decodeBurnMessage, FINALITY, ZERO_WORD } from "#routes/cctp/message.ts"
import { sameAddress } from "../htlc.ts"
import type { RouteCall } from "../routes/route-key.ts"
import { decodeBurn, decodeMint } from "./calls.ts"
import { type CctpContracts, wordOf } from "./presets.ts"

/** What the key of one chain may burn and mint. */
export type BurnPermissions = {
  readonly contracts: CctpContracts
  /** The asset that the token of the contracts is here. */
  readonly asset: AssetId
  /** Our own accounts by Circle's number of their chain, as messages have them. */
  readonly recipients: ReadonlyMap<number, readonly Hex[]>
  /** The messengers of the route's chains, by the same number. */
  readonly messengers: ReadonlyMap<number, Hex>
  /** No burn may allow a higher share of its amount as the fee. */
  readonly maxFeeRate: FeeRate
  /** The reviewed identities of contracts here. */
  readonly pinned?: readonly PinnedContract[]
}

/**
 * The amount of a burn that the key may sign; `null` for any other call. It pays one of our own
 * accounts, any account may mint it, it has no hook, and its fee is bounded: nothing after the
 * burn could change that.
 */
export function readOwnBurn(burns: BurnPermissions, call: RouteCall): bigint | null {
  if (call.to !== burns.contracts.messenger || call.value !== 0n) return null
  const burn = decodeBurn(call.data)
  if (burn === null) return null
  const own = burns.recipients.get(burn.destinationDomain) ?? []
  const isPermitted =
    own.includes(burn.mintRecipient) &&
    burn.destinationDomain !== burns.contracts.domain &&
    sameAddress(burn.burnToken, burns.contracts.token) &&
    burn.destinationCaller === ZERO_WORD &&
    SPEEDS.includes(burn.minFinalityThreshold) &&
    burn.maxFeeUnits < burn.amountUnits &&
    burn.maxFeeUnits <= feeShareOf(burn.amountUnits, burns.maxFeeRate) + TAG_UNITS
  return isPermitted ? burn.amountUnits : null
}

const SPEEDS: readonly number[] = Object.values(FINALITY)

/**
 * A mint of a message that pays our own account on this chain; a watchtower's key has another one.
 * It costs gas and nothing else.
 */
export function isOwnMint(burns: BurnPermissions, { to, value, data }: RouteCall): boolean {
  if (to !== burns.contracts.transmitter || value !== 0n) return false
  const mint = decodeMint(data)
  const message = mint === null ? null : decodeBurnMessage(mint.message)
  return (
    message !== null &&
    burns.recipients.get(burns.contracts.domain)?.includes(message.mintRecipient) === true &&
    message.destinationDomain === burns.contracts.domain &&
    message.recipient === wordOf(burns.contracts.messenger)
  )
}

/** May this spender get an exact allowance of this token? */
export function isBurner(burns: BurnPermissions, token: Address | null, spender: string): boolean {
  return (
    token !== null &&
    sameAddress(token, burns.contracts.token) &&
    sameAddress(spender, burns.contracts.messenger)
  )
}
