import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { Quote } from "#domain/quote.ts"
import { mustExist } from "#lib/assert.ts"
import type { AttestationService } from "#routes/cctp/attestation-service.ts"
import { readBurnRequest } from "#routes/cctp/burn-request.ts"
import { createCctpRoute } from "#routes/cctp/create-route.ts"
import { feeShareOf, parseFeeRate } from "#routes/cctp/fee-rate.ts"
import { encodeBurnMessage, ZERO_WORD } from "#routes/cctp/message.ts"
import type { BurnSide } from "#routes/cctp/quote-burns.ts"
import type { WireMessage } from "#routes/cctp/wire.ts"
import { createManualClock } from "../../../support/manual-clock.ts"
import { LIVE_ATTESTATION, LIVE_FIELDS, LIVE_MESSAGE } from "./live-mint.ts"

const FROM = parseAssetId("arbitrum:usdc")
const TO = parseAssetId("optimism:usdc")
const side = (asset: AssetId, domain: number, hasFast = true): BurnSide => ({
  asset,
  family: "evm",
  domain: {
    domain,
    network: "test",
    token: ZERO_WORD,
    messenger: ZERO_WORD,
    transmitter: ZERO_WORD,
    written: { token: "", messenger: "", transmitter: "" },
    pinnable: [],
    fastMs: hasFast ? { typical: 8_000, late: 600_000 } : null,
    standardMs: { typical: 1_140_000, late: 3_600_000 },
  },
  payee: "0xaa6816876280c5a685baf3d9c214a092c7f3f6ef",
  mintRecipient: LIVE_FIELDS.mintRecipient,
})

type Change = {
  readonly hasFast?: boolean
  readonly maxFee?: string
  readonly maxWaitMs?: number
}

function openRoute({ maxWaitMs, ...change }: Change = {}) {
  const clock = createManualClock(0)
  const answers = {
    fees: { fast: 1_300n, standard: 0n } as Awaited<ReturnType<AttestationService["fetchFees"]>>,
    allowance: 10n ** 12n,
    messages: [] as readonly WireMessage[],
    polls: 0,
    renewed: [] as string[],
  }
  const dropped: string[] = []
  const route = createCctpRoute({
    sides: [side(FROM, 3, change.hasFast), side(TO, 2), side(parseAssetId("polygon:usdc"), 7)],
    service: {
      host: "test",
      fetchFees: async () => answers.fees,
      fetchFastAllowance: async () => answers.allowance,
      fetchMessages: async () => {
        answers.polls++
        return answers.messages
      },
      requestReattestation: async (nonce) => {
        answers.renewed.push(nonce)
        return true
      },
    },
    speeds: ["fast", "standard"],
    maxFeeRate: parseFeeRate(change.maxFee ?? "2"),
    ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
    clock,
    onDroppedQuote: ({ code }) => dropped.push(code),
  })
  const quote = (sourceUnits: bigint, to: AssetId = TO) =>
    route.fetchQuotes({ from: FROM, to, sourceUnits, affiliateBps: 0 })
  return { route, clock, answers, dropped, quote }
}

const brief = (quotes: readonly Quote[]) =>
  quotes.map(({ solverId, destinationUnits }) => [solverId, destinationUnits])

describe("the quotes of a burn", () => {
  test("promise the amount without the highest fee, for both speeds", async () => {
    const { quote } = openRoute()
    const quotes = await quote(1_000_000_000n)
    expect(quotes[0]).toMatchObject({ sourceFiat: 1_000_000_000n, destinationFiat: 999_843_000n })
    // 1.3 bps with a fifth on top is 156 000, and the tag of an order is below 1 000.
    expect(brief(quotes)).toEqual([
      ["fast", 999_843_000n],
      ["standard", 999_999_000n],
    ])
    expect(quotes[0]).toMatchObject({
      kind: "cctp",
      guarantee: "contract",
      estimatedSeconds: 8,
      worstSeconds: 600,
    })
  })

  test("lack the fast one with its reason: an empty pool, a dear fee, a slow chain", async () => {
    const empty = openRoute()
    empty.answers.allowance = 999n
    expect(brief(await empty.quote(1_000_000n))).toEqual([["standard", 999_000n]])
    const dear = openRoute({ maxFee: "1.5" })
    expect(brief(await dear.quote(1_000_000_000n))).toEqual([["standard", 999_999_000n]])
    const slow = openRoute({ hasFast: false })
    expect(brief(await slow.quote(1_000_000n))).toEqual([["standard", 999_000n]])
    expect([empty.dropped, dear.dropped, slow.dropped]).toEqual([
      ["cctp.fast_pool_short"],
      ["cctp.fee_above_cap"],
      ["cctp.no_speed"],
    ])
  })

  test("that are missing are explained by the latest question for their pair", async () => {
    const { route, answers, quote } = openRoute({ maxFee: "0.1" })
    const pair = { from: FROM, to: TO }
    const explained = () => route.explainNone?.(pair)?.map(({ code }) => code)
    expect(explained()).toEqual([])
    answers.allowance = 999n
    await quote(1_000_000n)
    expect(explained()).toEqual(["cctp.fast_pool_short"])
    answers.allowance = 10n ** 15n
    await quote(1_000_000_000n)
    expect(explained()).toEqual(["cctp.fee_above_cap"])
    expect(route.explainNone?.({ from: FROM, to: FROM })).toBeNull()
  })

  test("lack those that usually wait longer than the configured time", async () => {
    const urgent = openRoute({ maxWaitMs: 600_000 })
    expect(brief(await urgent.quote(1_000_000_000n))).toEqual([["fast", 999_843_000n]])
    expect(urgent.dropped).toEqual(["cctp.too_slow"])
    const exact = openRoute({ maxWaitMs: 1_140_000 })
    expect(await exact.quote(1_000_000_000n)).toHaveLength(2)
  })

  test("are none for an amount that the fee could take, and for a foreign pair", async () => {
    const { quote, dropped } = openRoute()
    expect(await quote(1_000n)).toEqual([])
    expect(dropped).toEqual(["cctp.amount_small", "cctp.amount_small"])
    expect(await quote(1_000_000n, parseAssetId("optimism:usdt"))).toEqual([])
    expect(await quote(1_000_000n, FROM)).toEqual([])
  })

  test("have the live arithmetic of Circle's fee", () => {
    // Circle rounds down: 1 308 279 391 at 1.3 bps paid 170 076.
    expect(feeShareOf(1_308_279_391n, parseFeeRate("1.3"))).toBe(170_077n)
  })
})

describe("the burn of an order", () => {
  test("never allows a higher fee than its quote, and rarely the same as another order", async () => {
    const { route, quote } = openRoute()
    const [fast] = await quote(1_000_000_000n)
    const chosen = mustExist(fast, "a fast quote")
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (key) => {
        const { depositRequest } = route.open({
          orderId: "1",
          dealKey: key.toString(16).padStart(64, "0"),
          terms: {
            from: FROM,
            to: TO,
            sourceUnits: chosen.sourceUnits,
            destinationUnits: chosen.destinationUnits,
            sourceOwner: "",
            destinationOwner: "",
          },
          quote: chosen,
        })
        const burn = mustExist(readBurnRequest(depositRequest), "a burn")
        expect(burn.amountUnits - burn.maxFeeUnits).toBeGreaterThan(chosen.destinationUnits)
        expect(burn.maxFeeUnits).toBe(156_000n + (key % 1_000n))
        expect(burn).toMatchObject({ destinationDomain: 2, finality: "fast" })
      }),
    )
  })
})

describe("the voucher of a burn", () => {
  const emitted = encodeBurnMessage({
    ...LIVE_FIELDS,
    nonce: ZERO_WORD,
    finalityThresholdExecuted: 0,
    feeExecutedUnits: 0n,
    expirationBlock: 0n,
  })
  // CAST: the route reads no other field of a deposit.
  const deposit = { asset: FROM } as unknown as DecodedDeposit
  const seen = {
    txid: "0xab",
    height: 1n,
    confirmations: 1,
    seen: true,
    revealable: true,
    final: true,
    units: 500_000n,
    evidence: { message: emitted },
  }

  test("is asked for less often the longer it waits, and is late after its worst time", async () => {
    const { route, clock, answers } = openRoute()
    for (let second = 0; second <= 3_600; second++) {
      clock.set(second * 1_000)
      const { status } = await route.readVoucher(deposit, seen)
      if (second <= 600) expect([second, status]).toEqual([second, "waiting"])
      if (second > 660) expect([second, status]).toEqual([second, "late"])
    }
    // Each 5 seconds at first, and each minute after ten of them.
    expect(answers.polls).toBeGreaterThan(60)
    expect(answers.polls).toBeLessThan(100)
  })

  test("is the attested message, as soon as the service has it", async () => {
    const { route, clock, answers } = openRoute()
    expect(await route.readVoucher(deposit, seen)).toEqual({ status: "waiting", reasons: [] })
    answers.messages = [
      { message: LIVE_MESSAGE, attestation: LIVE_ATTESTATION, status: "complete" },
    ]
    clock.set(5_000)
    expect(await route.readVoucher(deposit, seen)).toEqual({
      status: "ready",
      voucher: {
        kind: "cctp",
        nonce: LIVE_FIELDS.nonce,
        fields: { message: LIVE_MESSAGE, attestation: LIVE_ATTESTATION },
      },
    })
    const voucher = { kind: "cctp", nonce: LIVE_FIELDS.nonce, fields: {} }
    await route.renewVoucher(voucher, [{ code: "cctp.paused", message: "paused" }])
    expect(answers.renewed).toEqual([])
    const over = [{ code: "cctp.expired", message: "over" }]
    for (const atMs of [5_000, 64_000, 65_000]) {
      clock.set(atMs)
      await route.renewVoucher(voucher, over)
    }
    expect(answers.renewed).toEqual([LIVE_FIELDS.nonce, LIVE_FIELDS.nonce])
  })

  test("needs the message that our own node shows", async () => {
    const { route } = openRoute()
    await expect(
      route.readVoucher(deposit, { ...seen, evidence: { message: "0x" } }),
    ).rejects.toMatchObject({ code: "cctp.pair", disposition: "hold" })
  })
})
