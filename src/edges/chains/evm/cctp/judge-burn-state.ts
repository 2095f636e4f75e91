import type { Hex } from "viem"
import type { Reason } from "#domain/reason.ts"
import { sameAddress } from "../htlc.ts"
import type { CctpContracts } from "./presets.ts"
import type { DestinationState, SourceState } from "./read-burn-state.ts"

/** Every reason of the source against a burn: it would revert, or never be minted. Pure. */
export function judgeSource(
  state: SourceState,
  pinned: CctpContracts,
  burn: {
    readonly amountUnits: bigint
    readonly maxFeeUnits: bigint
    readonly destinationMessenger: Hex
  },
): readonly Reason[] {
  const { minter } = pinned
  return [
    ...judgePin("the domain of the transmitter", pinned.domain, state.localDomain),
    ...judgePin("the transmitter of the messenger", pinned.transmitter, state.transmitter),
    ...(minter === null ? [] : judgePin("the minter of the messenger", minter, state.minter)),
    ...judgePin(
      "the messenger of the destination",
      burn.destinationMessenger,
      state.remoteMessenger,
    ),
    ...judgePauses(state),
    ...(state.isDenylisted || state.isBlacklisted ? [blocked("Our own account")] : []),
    ...(burn.amountUnits <= state.burnLimitUnits
      ? []
      : [
          {
            code: "cctp.burn_limit",
            message: "The amount is above the limit of one burn; 0 means that it is not the token",
            amount: String(burn.amountUnits),
            limit: String(state.burnLimitUnits),
          },
        ]),
    ...(burn.maxFeeUnits >= state.minFeeUnits
      ? []
      : [
          {
            code: "cctp.fee_below_min",
            message: "The highest fee of the burn is below the least one of the contract",
            maxFee: String(burn.maxFeeUnits),
            least: String(state.minFeeUnits),
          },
        ]),
  ]
}

/** Every reason of the destination against a mint, which must be judged before the burn. Pure. */
export function judgeDestination(
  state: DestinationState,
  pinned: CctpContracts,
  { amountUnits, sourceMessenger }: { readonly amountUnits: bigint; readonly sourceMessenger: Hex },
): readonly Reason[] {
  return [
    ...judgePin("the domain of the transmitter", pinned.domain, state.localDomain),
    ...judgePin("the messenger of the source", sourceMessenger, state.remoteMessenger),
    ...judgePin("the token of the mint", pinned.token, state.localToken),
    ...judgePauses(state),
    ...(state.isBlacklisted ? [blocked("The recipient or the minter")] : []),
    ...(amountUnits <= state.allowanceUnits
      ? []
      : [
          {
            code: "cctp.minter_allowance",
            message: "The minter may not mint as much now",
            amount: String(amountUnits),
            allowance: String(state.allowanceUnits),
          },
        ]),
  ]
}

function judgePauses(state: {
  readonly isTransmitterPaused: boolean
  readonly isMinterPaused: boolean
  readonly isTokenPaused: boolean
}): readonly Reason[] {
  const paused = [
    ...(state.isTransmitterPaused ? ["transmitter"] : []),
    ...(state.isMinterPaused ? ["minter"] : []),
    ...(state.isTokenPaused ? ["token"] : []),
  ]
  if (paused.length === 0) return []
  const message = "Circle has paused a contract of the route; it can be used again after that"
  return [{ code: "cctp.paused", message, contracts: paused.join() }]
}

function blocked(account: string): Reason {
  return {
    code: "cctp.blocked",
    message: `${account} is on a list of blocked accounts; ask Circle, the issuer of the token`,
  }
}

function judgePin(
  what: string,
  expected: string | number,
  found: string | number,
): readonly Reason[] {
  const isSame =
    typeof expected === "number" || typeof found === "number"
      ? expected === found
      : expected.toLowerCase() === found.toLowerCase() || sameAddress(expected, found)
  if (isSame) return []
  return [
    {
      code: "cctp.pin_differs",
      message: `On this chain ${what} is not the pinned one; nothing is burnt`,
      expected: String(expected),
      found: String(found),
    },
  ]
}
