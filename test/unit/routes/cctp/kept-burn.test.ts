import { describe, expect, test } from "vitest"
import { isMessageOf, type KeptBurn, readOwnMint } from "#routes/cctp/kept-burn.ts"
import { type BurnMessage, encodeBurnMessage } from "#routes/cctp/message.ts"
import { LIVE_ATTESTATION, LIVE_FIELDS, LIVE_MESSAGE } from "./live-mint.ts"

const { amountUnits, destinationDomain, mintRecipient, burnToken } = LIVE_FIELDS
const { destinationCaller, maxFeeUnits, minFinalityThreshold } = LIVE_FIELDS
/** The burn of the live message. */
const BURN: KeptBurn = {
  call: {
    amountUnits,
    destinationDomain,
    mintRecipient,
    burnToken,
    destinationCaller,
    maxFeeUnits,
    minFinalityThreshold,
  },
  data: "0x",
  source: LIVE_FIELDS.sourceDomain,
  sourceMessenger: LIVE_FIELDS.sender,
  depositor: LIVE_FIELDS.messageSender,
}
const OTHER = `0x${"55".repeat(32)}` as const

describe("the message of our burn", () => {
  test.each<[string, Partial<BurnMessage>]>([
    ["source", { sourceDomain: 7 }],
    ["destination", { destinationDomain: 7 }],
    ["messenger", { sender: OTHER }],
    ["depositor", { messageSender: OTHER }],
    ["only caller", { destinationCaller: OTHER }],
    ["finality", { minFinalityThreshold: 2_000 }],
    ["token", { burnToken: OTHER }],
    ["recipient", { mintRecipient: OTHER }],
    ["amount", { amountUnits: amountUnits + 1n }],
    ["highest fee", { maxFeeUnits: maxFeeUnits + 1n }],
    ["hook", { hookData: "0x01" }],
  ])("has no other %s", (_what, change) => {
    expect(isMessageOf(BURN, { ...LIVE_FIELDS, ...change })).toBe(false)
  })

  test("has any values of its attesters", () => {
    const attested = { nonce: OTHER, finalityThresholdExecuted: 2_000, feeExecutedUnits: 9n }
    const message = { ...LIVE_FIELDS, ...attested, expirationBlock: 1n }
    expect(isMessageOf(BURN, message)).toBe(true)
  })
})

describe("the voucher of our burn", () => {
  const mintOf = (change: Partial<BurnMessage> = {}, nonce = LIVE_FIELDS.nonce) => {
    const message = encodeBurnMessage({ ...LIVE_FIELDS, ...change })
    const fields = { message, attestation: LIVE_ATTESTATION }
    return readOwnMint(BURN, LIVE_FIELDS.recipient, { kind: "cctp", nonce, fields })
  }

  test("is its message with the nonce that it names, for the messenger of the payout", () => {
    expect(mintOf()).toMatchObject({ bytes: LIVE_MESSAGE, attestation: LIVE_ATTESTATION })
    expect(mintOf({}, OTHER)).toBeNull()
    expect(mintOf({ recipient: OTHER })).toBeNull()
    expect(mintOf({ amountUnits: 1n })).toBeNull()
  })
})
