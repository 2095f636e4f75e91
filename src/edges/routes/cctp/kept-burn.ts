import { z } from "zod"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { AppError } from "#lib/app-error.ts"
import { type BurnMessage, decodeBurnMessage, type Hex } from "./message.ts"
import { CCTP } from "./quote-burns.ts"

/** The arguments of `depositForBurn` in every family. A word has 32 bytes, in lower-case hex. */
export type BurnCallWords = {
  readonly amountUnits: bigint
  readonly destinationDomain: number
  readonly mintRecipient: Hex
  readonly burnToken: Hex
  readonly destinationCaller: Hex
  readonly maxFeeUnits: bigint
  readonly minFinalityThreshold: number
}

/** The terms of a burn as an order keeps them. The families differ only in how they sign them. */
export type KeptBurn = {
  readonly call: BurnCallWords
  /** The call as EVM chains take it, in every family. */
  readonly data: Hex
  readonly source: number
  /** Words: the messenger and the account of the source. */
  readonly sourceMessenger: Hex
  readonly depositor: Hex
  /** Of a burn that was found on chain. */
  readonly txid?: string
}

/** Seven words behind the selector of `depositForBurn`. */
export function encodeBurnWords(call: BurnCallWords): Hex {
  const words = [
    call.amountUnits,
    BigInt(call.destinationDomain),
    BigInt(call.mintRecipient),
    BigInt(call.burnToken),
    BigInt(call.destinationCaller),
    call.maxFeeUnits,
    BigInt(call.minFinalityThreshold),
  ]
  return `0x${SELECTOR}${words.map((word) => word.toString(16).padStart(64, "0")).join("")}`
}

const SELECTOR = "8e0250ee"

/** `null` for any other bytes. Hostile input never throws. */
function decodeBurnWords(data: string): BurnCallWords | null {
  if (!/^0x8e0250ee[0-9a-f]{448}$/.test(data)) return null
  const wordAt = (at: number): Hex => `0x${data.slice(10 + 64 * at, 74 + 64 * at)}`
  const call = {
    amountUnits: BigInt(wordAt(0)),
    destinationDomain: Number(BigInt(wordAt(1)) & HIGHEST_NUMBER),
    mintRecipient: wordAt(2),
    burnToken: wordAt(3),
    destinationCaller: wordAt(4),
    maxFeeUnits: BigInt(wordAt(5)),
    minFinalityThreshold: Number(BigInt(wordAt(6)) & HIGHEST_NUMBER),
  }
  return encodeBurnWords(call) === data ? call : null
}

const HIGHEST_NUMBER = 0xffff_ffffn

/** Reads the burn of a stored deposit. Throws `cctp.deposit` (hold) for another kind of deposit. */
export function burnOf({ kind, extras }: DecodedDeposit): KeptBurn {
  const kept = kind === CCTP ? keptSchema.safeParse(extras).data : undefined
  const call = kept === undefined ? null : decodeBurnWords(kept.data)
  if (kept !== undefined && call !== null) return { ...kept, call }
  throw new AppError({
    code: "cctp.deposit",
    disposition: "hold",
    message: "The order's deposit is no burn of CCTP; inspect the order",
    details: { kind: kind ?? "htlc" },
  })
}

/** Is this message of our burn, with any values of its attesters? */
export function isMessageOf(
  { call, source, sourceMessenger, depositor }: KeptBurn,
  message: BurnMessage,
): boolean {
  return (
    message.sourceDomain === source &&
    message.destinationDomain === call.destinationDomain &&
    message.sender === sourceMessenger &&
    message.messageSender === depositor &&
    message.destinationCaller === call.destinationCaller &&
    message.minFinalityThreshold === call.minFinalityThreshold &&
    message.burnToken === call.burnToken &&
    message.mintRecipient === call.mintRecipient &&
    message.amountUnits === call.amountUnits &&
    message.maxFeeUnits === call.maxFeeUnits &&
    message.hookData === "0x"
  )
}

type MintBytes = {
  readonly message: BurnMessage
  readonly bytes: Hex
  readonly attestation: Hex
}

/** `null` for a voucher whose fields are no attested message. */
export function readMintBytes({ fields }: RouteVoucher): MintBytes | null {
  const { message: bytes = "", attestation = "" } = fields
  const message = decodeBurnMessage(bytes)
  if (message === null || !/^0x[0-9a-f]+$/.test(attestation)) return null
  return { message, bytes: `0x${bytes.slice(2)}`, attestation: `0x${attestation.slice(2)}` }
}

/** The attested message of our own burn; `null` for other bytes. `messenger`: of the payout. */
export function readOwnMint(
  burn: KeptBurn,
  messenger: Hex,
  voucher: RouteVoucher,
): MintBytes | null {
  const mint = readMintBytes(voucher)
  const isOurs =
    mint !== null &&
    mint.message.nonce === voucher.nonce &&
    mint.message.recipient === messenger &&
    isMessageOf(burn, mint.message)
  return isOurs ? mint : null
}

const hex = z
  .string()
  .regex(/^0x[0-9a-f]*$/)
  .transform((text): Hex => `0x${text.slice(2)}`)

const keptSchema = z.object({
  data: hex,
  source: z.int().min(0),
  sourceMessenger: hex,
  depositor: hex,
  txid: z.string().exactOptional(),
})
