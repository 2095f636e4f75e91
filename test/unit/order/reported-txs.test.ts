import { describe, expect, test } from "vitest"
import { FAMILIES } from "#chains/families.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { ReportedLeg } from "#domain/leg.ts"
import type { OrderData } from "#order/data.ts"
import { type OrderView, viewOrder } from "#order/view.ts"
import { judgeTestimony, listTestimonies } from "../../../web/orders/order-stages.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const DIGITS = "00ab".repeat(16)
const UPPER = DIGITS.toUpperCase()
const SIGNATURE =
  "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
const STRANGE = "cd".repeat(32)

/**
 * By family: the id as our own node shows it, texts of the service for it, and those for another
 * one.
 */
const TEXTS: Readonly<Record<string, { own: string; same: string[]; other: string[] }>> = {
  bitcoin: {
    own: DIGITS,
    same: [
      DIGITS,
      `${DIGITS}:840000`,
      `0x${UPPER}:7`,
      `${STRANGE}:1,${DIGITS}:2`,
      ` ${DIGITS}:1 ,`,
    ],
    other: [`${STRANGE}:840000`, `${STRANGE}:1,${"ef".repeat(32)}:2`, "unknown:1"],
  },
  evm: {
    own: `0x${DIGITS}`,
    same: [DIGITS, `0x${DIGITS}`, `0x${UPPER}`, UPPER, `0x${STRANGE},0x${UPPER}`, `${DIGITS}:12`],
    other: [STRANGE, `0x${STRANGE}`, `${STRANGE},unknown`],
  },
  starknet: {
    own: `0x${DIGITS.slice(2)}`,
    same: [DIGITS, `0x${DIGITS}`, DIGITS.slice(2), `0x${UPPER}`],
    other: [STRANGE, `0x${STRANGE}`],
  },
  solana: {
    own: SIGNATURE,
    same: [SIGNATURE, `${SIGNATURE}:300000000`, `${SIGNATURE},${SIGNATURE.replace("5V", "6V")}`],
    other: [SIGNATURE.toLowerCase(), SIGNATURE.replace("5V", "6V"), STRANGE],
  },
}

const PARTS: readonly {
  seen:
    | "sourceInitiated"
    | "sourceRedeemed"
    | "sourceRefunded"
    | "destinationInitiated"
    | "destinationRedeemed"
  leg: "source" | "destination"
  hash: keyof Pick<ReportedLeg, "initiateTx" | "redeemTx" | "refundTx">
  about: string
}[] = [
  { seen: "sourceInitiated", leg: "source", hash: "initiateTx", about: "Our deposit" },
  {
    seen: "sourceRedeemed",
    leg: "source",
    hash: "redeemTx",
    about: "The solver takes our deposit",
  },
  { seen: "sourceRefunded", leg: "source", hash: "refundTx", about: "The refund to us" },
  {
    seen: "destinationInitiated",
    leg: "destination",
    hash: "initiateTx",
    about: "The solver's deposit",
  },
  { seen: "destinationRedeemed", leg: "destination", hash: "redeemTx", about: "The payout to us" },
]

test("every family has texts", () => {
  expect(Object.keys(TEXTS).sort()).toEqual(FAMILIES.map(({ name }) => name).sort())
})

describe.each(FAMILIES.map(({ name, traits }) => ({ name, traits })))(
  "on $name",
  ({ name, traits }) => {
    const { own, same, other } = TEXTS[name] ?? { own: "", same: [], other: [] }
    const asset = parseAssetId("chain:coin")

    test("the page says that both agree, in every notation of the service", () => {
      for (const part of PARTS)
        for (const text of same) {
          for (const formOf of [() => traits.txidForm, () => null]) {
            const view = viewPart(part, { text, own, asset, formOf })
            expect(view.reportedTxs[part.seen]?.[0], `${part.seen} ${text}`).toBe(own)
            expect(judge(view, part.about), `${part.seen} ${text}`).toBe("agree")
          }
        }
    })

    test("the page warns of a transaction that is truly another one", () => {
      for (const part of PARTS)
        for (const text of other) {
          for (const formOf of [() => traits.txidForm, () => null])
            expect(judge(viewPart(part, { text, own, asset, formOf }), part.about), text).toBe(
              "another transaction",
            )
        }
    })

    test("a hash that only the service names is written, and so linked, as a node writes it", () => {
      for (const part of PARTS)
        for (const text of same.filter((one) => !/,./.test(one))) {
          const view = viewPart(part, { text, own: null, asset, formOf: () => traits.txidForm })
          expect(view.reportedTxs[part.seen], text).toEqual([own])
          expect(judge(view, part.about)).toBe("only reported")
          if (part.seen === "destinationRedeemed") expect(view.reported?.redeemTx).toBe(own)
        }
    })
  },
)

test("a service that names nothing and a chain that shows nothing are no warning", () => {
  const view = viewOrder({ state: "funded", data: sampleData() }, new Map(), 0)
  for (const { about } of PARTS) expect(judge(view, about)).toBe("not yet")
})

type Said = {
  readonly text: string
  readonly own: string | null
  readonly asset: AssetId
  readonly formOf: Parameters<typeof viewOrder>[3]
}

function viewPart(
  { seen, leg, hash }: (typeof PARTS)[number],
  { text, own, asset, formOf }: Said,
): OrderView {
  const data: OrderData = sampleData(
    {},
    {
      request: { ...SAMPLE.input.request, from: asset, to: asset },
      serviceOrder: { ...SAMPLE.order, [leg]: { ...SAMPLE.order[leg], [hash]: text } },
      seen: {
        ...NOTHING_SEEN,
        [seen]: own === null ? null : { txid: own, height: 7n, final: true, at: 1 },
      },
      reportedAt: 1,
    },
  )
  return viewOrder({ state: "funded", data }, new Map(), 0, formOf)
}

function judge(view: OrderView, about: string): string | undefined {
  const order = { ...view, nextAsk: null, usual: null, events: [], calls: [] }
  const testimony = listTestimonies(order).find(({ what }) => what === about)
  return testimony === undefined ? undefined : judgeTestimony(testimony, false).says
}
