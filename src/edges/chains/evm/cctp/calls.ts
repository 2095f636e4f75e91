import { type Address, decodeFunctionData, encodeFunctionData, type Hex, isHex, size } from "viem"
import type { Reason } from "#domain/reason.ts"
import { FINALITY, ZERO_WORD } from "#routes/cctp/message.ts"
import { messengerAbi, transmitterAbi } from "./abi.ts"

/** The arguments of `depositForBurn`. Words are lower-case hex of 32 bytes. */
export type BurnCall = {
  readonly amountUnits: bigint
  readonly destinationDomain: number
  readonly mintRecipient: Hex
  readonly burnToken: Address
  readonly destinationCaller: Hex
  readonly maxFeeUnits: bigint
  readonly minFinalityThreshold: number
}

export function encodeBurn(call: BurnCall): Hex {
  return encodeFunctionData({
    abi: messengerAbi,
    functionName: "depositForBurn",
    args: [
      call.amountUnits,
      call.destinationDomain,
      call.mintRecipient,
      call.burnToken,
      call.destinationCaller,
      call.maxFeeUnits,
      call.minFinalityThreshold,
    ],
  })
}

/**
 * Decodes the canonical call of `depositForBurn`; `null` for any other bytes, so also for a burn
 * with a hook.
 */
export function decodeBurn(data: string): BurnCall | null {
  const lower = data.toLowerCase()
  if (lower.length !== BURN_DIGITS || !isHex(lower)) return null
  const args = readArguments(() => decodeFunctionData({ abi: messengerAbi, data: lower }))
  if (args?.functionName !== "depositForBurn") return null
  const [
    amountUnits,
    destinationDomain,
    mintRecipient,
    burnToken,
    destinationCaller,
    maxFeeUnits,
    minFinalityThreshold,
  ] = args.args
  const call: BurnCall = {
    amountUnits,
    destinationDomain,
    mintRecipient,
    burnToken,
    destinationCaller,
    maxFeeUnits,
    minFinalityThreshold,
  }
  return encodeBurn(call) === lower ? call : null
}

/** Prefix, selector and seven words. */
const BURN_DIGITS = 2 + 8 + 64 * 7

/** The terms that an order and the pinned addresses leave no choice about. */
type BurnTerms = Omit<BurnCall, "destinationCaller" | "minFinalityThreshold"> & {
  readonly finality: keyof typeof FINALITY
}

/**
 * Every difference between a decoded burn and the order's terms. After a burn only the mint to this
 * recipient on this domain exists, so no field may differ.
 */
export function checkBurn(call: BurnCall, terms: BurnTerms): Reason[] {
  const expected: BurnCall = {
    amountUnits: terms.amountUnits,
    destinationDomain: terms.destinationDomain,
    mintRecipient: terms.mintRecipient,
    burnToken: terms.burnToken,
    destinationCaller: ZERO_WORD,
    maxFeeUnits: terms.maxFeeUnits,
    minFinalityThreshold: FINALITY[terms.finality],
  }
  const differences = BURN_FIELDS.filter(
    (field) => String(call[field]).toLowerCase() !== String(expected[field]).toLowerCase(),
  ).map((field) => ({
    code: "cctp.burn_differs",
    message: `The burn's ${field} is not the order's`,
    field,
    expected: String(expected[field]),
    found: String(call[field]),
  }))
  return call.maxFeeUnits < call.amountUnits
    ? differences
    : [
        ...differences,
        {
          code: "cctp.fee_above_amount",
          message: "The burn's highest fee is not below its amount, so the contract refuses it",
          maxFee: String(call.maxFeeUnits),
          amount: String(call.amountUnits),
        },
      ]
}

const BURN_FIELDS = [
  "amountUnits",
  "destinationDomain",
  "mintRecipient",
  "burnToken",
  "destinationCaller",
  "maxFeeUnits",
  "minFinalityThreshold",
] as const satisfies readonly (keyof BurnCall)[]

/** The mint: any account may send it, and it pays only the recipient in the message. */
export function encodeMint(message: Hex, attestation: Hex): Hex {
  return encodeFunctionData({
    abi: transmitterAbi,
    functionName: "receiveMessage",
    args: [message, attestation],
  })
}

/** Decodes the canonical call of `receiveMessage`; `null` for any other bytes. */
export function decodeMint(data: string): { message: Hex; attestation: Hex } | null {
  const lower = data.toLowerCase()
  if (!isHex(lower) || size(lower) > LONGEST_MINT_BYTES) return null
  const call = readArguments(() => decodeFunctionData({ abi: transmitterAbi, data: lower }))
  if (call?.functionName !== "receiveMessage") return null
  const [message, attestation] = call.args
  return encodeMint(message, attestation) === lower ? { message, attestation } : null
}

/** A message of 8 KiB and far more signatures than any threshold. */
const LONGEST_MINT_BYTES = 16_384

function readArguments<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null // The bytes are not a call of this contract.
  }
}
