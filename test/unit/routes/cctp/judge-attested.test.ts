import { describe, expect, test } from "vitest"
import { type Attested, judgeAttested } from "#routes/cctp/judge-attested.ts"
import { type BurnMessage, encodeBurnMessage, ZERO_WORD } from "#routes/cctp/message.ts"
import type { WireMessage } from "#routes/cctp/wire.ts"
import { LIVE_ATTESTATION, LIVE_FIELDS, LIVE_MESSAGE } from "./live-mint.ts"

const EMITTED: BurnMessage = {
  ...LIVE_FIELDS,
  nonce: ZERO_WORD,
  finalityThresholdExecuted: 0,
  feeExecutedUnits: 0n,
  expirationBlock: 0n,
}
const COMPLETE: WireMessage = {
  message: LIVE_MESSAGE,
  attestation: LIVE_ATTESTATION,
  eventNonce: LIVE_FIELDS.nonce,
  cctpVersion: 2,
  status: "complete",
  delayReason: null,
}
const attested = (change: Partial<BurnMessage>): WireMessage => ({
  ...COMPLETE,
  message: encodeBurnMessage({ ...LIVE_FIELDS, ...change }),
})
const judge = (...messages: readonly WireMessage[]): string => {
  const found = judgeAttested(EMITTED, messages)
  const codes = found.status === "ready" ? [] : found.reasons.map(({ code }) => code)
  return [found.status, ...codes].join(" ")
}

describe("an attested message", () => {
  test("of our burn is ready with its bytes", () => {
    const expected: Attested = {
      message: LIVE_FIELDS,
      bytes: LIVE_MESSAGE,
      attestation: LIVE_ATTESTATION,
    }
    expect(judgeAttested(EMITTED, [COMPLETE])).toEqual({ status: "ready", attested: expected })
  })

  test("is found among those of other burns of the transaction", () => {
    const foreign = attested({ amountUnits: 1n, messageSender: ZERO_WORD })
    const found = judgeAttested(EMITTED, [foreign, COMPLETE])
    expect(found).toMatchObject({ status: "ready", attested: { bytes: LIVE_MESSAGE } })
  })

  test.each<[string, WireMessage[], string]>([
    ["nothing yet", [], "waiting"],
    ["pending", [{ ...COMPLETE, status: "pending_confirmations" }], "waiting"],
    ["complete without bytes", [{ ...COMPLETE, message: null }], "waiting"],
    ["complete with 0x", [{ ...COMPLETE, message: "0x" }], "waiting"],
    ["complete with PENDING", [{ ...COMPLETE, attestation: "PENDING" }], "waiting"],
    ["of version 1", [{ ...COMPLETE, cctpVersion: 1 }], "waiting"],
    [
      "a fast burn that falls back",
      [{ ...COMPLETE, status: "pending_confirmations", delayReason: "insufficient_fee" }],
      "waiting cctp.fell_to_standard",
    ],
    [
      "delayed for another reason",
      [{ ...COMPLETE, status: "pending_confirmations", delayReason: "review" }],
      "waiting cctp.delayed",
    ],
    ["of another recipient", [attested({ mintRecipient: ZERO_WORD })], "broken cctp.bytes_differ"],
    ["of another amount", [attested({ amountUnits: 1n })], "broken cctp.bytes_differ"],
    ["with a hook", [attested({ hookData: "0x01" })], "broken cctp.bytes_differ"],
    [
      "with a fee above ours",
      [attested({ feeExecutedUnits: 1_001n })],
      "broken cctp.fee_above_max",
    ],
    ["without a nonce", [attested({ nonce: ZERO_WORD })], "broken cctp.nonce_missing"],
    [
      "of a foreign burn, while ours is pending",
      [attested({ amountUnits: 1n }), { ...COMPLETE, status: "pending_confirmations" }],
      "waiting",
    ],
  ])("%s is judged", (_name, messages, expected) => {
    expect(judge(...messages)).toBe(expected)
  })

  test("whose fee is the whole amount is broken, though our burn allowed it", () => {
    const { amountUnits } = EMITTED
    const emitted = { ...EMITTED, maxFeeUnits: amountUnits }
    const change = { maxFeeUnits: amountUnits, feeExecutedUnits: amountUnits }
    expect(judgeAttested(emitted, [attested(change)])).toMatchObject({
      status: "broken",
      reasons: [{ code: "cctp.fee_above_max" }],
    })
  })

  test("that differs names the fields of the nearest one", () => {
    const found = judgeAttested(EMITTED, [attested({ burnToken: ZERO_WORD })])
    expect(found).toMatchObject({ reasons: [{ fields: "burnToken" }] })
  })
})
