import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Work } from "#order/work.ts"
import { type Candidate, chooseWork, type Running, urgencyOf } from "./choose-work.ts"

const ETH = parseAssetId("base:eth")
const BTC = parseAssetId("bitcoin:btc")
const ARB = parseAssetId("arbitrum:eth")
const OBSERVE: Work = { kind: "observeOrder" }
const SEND: Work = { kind: "broadcastTransaction", purpose: "approve" }
const REFUND: Work = { kind: "broadcastTransaction", purpose: "refund" }
const PLAN_DEPOSIT: Work = { kind: "planTransaction", purpose: "deposit" }
const PLAN_REFUND: Work = { kind: "planTransaction", purpose: "refund" }
const SIGN: Work = { kind: "signTransaction", purpose: "refund" }
const SIGN_DEPOSIT: Work = { kind: "signTransaction", purpose: "deposit" }
const ALLOWANCE: Work = { kind: "checkAllowance" }
const QUOTE: Work = { kind: "fetchQuote" }

const bindsLate = (chain: string): boolean => chain === "base"

let nextId = 1
function due(work: Work, from = ETH, to = BTC, dueAtMs = 0, service = "main"): Candidate {
  const id = nextId++
  const row = {
    id,
    orderId: `order-${id}`,
    body: "",
    dueAtMs,
    begun: 0,
    isAhead: false,
    from,
    to,
    service,
  }
  return { row, work, lock: null }
}
const many = (count: number, make: () => Candidate): readonly Candidate[] =>
  Array.from({ length: count }, make)
const startedOf = (
  candidates: readonly Candidate[],
  running: readonly Running[] = [],
  slots = 16,
): readonly Candidate[] => chooseWork(candidates, running, { count: () => slots, bindsLate })

describe("the choice of due work", () => {
  test("lets a crowd that touches a chain take no slot of work that does not", () => {
    const crowd = many(60, () => due(OBSERVE, ETH, ARB))
    const others = [
      due(OBSERVE, ETH, BTC),
      due(REFUND, ETH, ARB),
      due(OBSERVE, BTC, ETH),
      due(QUOTE, ARB, ETH),
    ]
    expect(startedOf([...crowd, ...others]).filter((one) => others.includes(one))).toEqual(others)
    expect(startedOf(others, crowd)).toEqual(others)
  })

  test("gives services slots of their own", () => {
    const crowd = many(60, () => due({ kind: "createOrder" }, ETH, BTC, 0, "slow"))
    const other = due({ kind: "createOrder" }, ETH, BTC, 0, "main")
    expect(startedOf([...crowd, other]).at(-1)).toBe(other)
  })

  test("starts the next work of a lane when the one before has left it, and counts its slot", () => {
    const first = due(SIGN)
    const next = due(SIGN)
    expect(startedOf([next], [first])).toEqual([])
    const left = [{ ...first, hasLeftLane: true }]
    expect(startedOf([next], left)).toEqual([next])
    expect(startedOf([next], Array(16).fill(left[0]))).toEqual([])
  })

  test("starts no more than the slots of one kind of place, and counts those that run", () => {
    expect(startedOf(many(60, () => due(OBSERVE)))).toHaveLength(16)
    expect(
      startedOf(
        many(60, () => due(OBSERVE)),
        many(10, () => due(OBSERVE)),
      ),
    ).toHaveLength(6)
  })

  test("gives each place its own number of slots", () => {
    const wide = many(60, () => due(OBSERVE, ETH, ARB))
    const narrow = many(60, () => due(OBSERVE, ETH, BTC))
    const slots = { count: (key: string) => (key.includes("arbitrum") ? 40 : 16), bindsLate }
    const started = chooseWork([...wide, ...narrow], [], slots)
    expect(started.filter((one) => wide.includes(one))).toHaveLength(40)
    expect(started.filter((one) => narrow.includes(one))).toHaveLength(16)
  })

  test("keeps a quarter of the slots for refunds, voids and watching", () => {
    const sends = startedOf(many(60, () => due(SEND)))
    expect(sends).toHaveLength(12)
    expect(
      startedOf(
        many(60, () => due(REFUND)),
        sends,
      ),
    ).toHaveLength(4)
    expect(
      startedOf([due({ kind: "observeTransaction", purpose: "deposit" })], sends),
    ).toHaveLength(1)
    expect(
      startedOf(
        many(300, () => due(SEND)),
        [],
        256,
      ),
    ).toHaveLength(192)
  })

  test("prefers refunds to work that was due earlier, and for a minute only", () => {
    const running = many(15, () => due(REFUND))
    const early = due(REFUND, ETH, BTC, 10_000)
    const late = due({ kind: "observeTransaction", purpose: "approve" }, ETH, BTC, 20_000)
    expect(startedOf([early, late], running)).toEqual([early])
    const deposit = due(PLAN_DEPOSIT, BTC, ETH, 0)
    const plan: Work = { kind: "planTransaction", purpose: "void" }
    const soon = due(plan, BTC, ETH, 59_999)
    expect(startedOf([deposit, soon])).toEqual([soon])
    const waited = due(plan, BTC, ETH, 60_001)
    expect(startedOf([deposit, waited])).toEqual([deposit])
  })

  test.each(["redeem", "refund"] as const)("lets no deposit go before a %s", (purpose) => {
    const sign: Work = { kind: "signTransaction", purpose }
    const rescue = due(sign, ETH, purpose === "redeem" ? ETH : ARB, 3_600_000)
    for (const work of [SIGN_DEPOSIT, ALLOWANCE])
      expect(startedOf([due(work), rescue])).toEqual([rescue])
  })

  test.each(["redeem", "refund"] as const)(
    "gives a %s no lane where the HTLC is all that it takes",
    (purpose) => {
      const [from, to] = purpose === "redeem" ? [ETH, BTC] : [BTC, ETH]
      const deposits = [due(PLAN_DEPOSIT, BTC, ETH)]
      for (const kind of ["planTransaction", "signTransaction", "bumpTransaction"] as const) {
        const crowd = many(8, () => due({ kind, purpose }, from, to))
        expect(startedOf(crowd, deposits)).toEqual(crowd)
      }
    },
  )

  test.each(["redeem", "refund"] as const)(
    "gives a higher fee of a %s no lane, and its first signature one",
    (purpose) => {
      const to = purpose === "redeem" ? ETH : ARB
      const sign = (): Candidate => due({ kind: "signTransaction", purpose }, ETH, to)
      const waiting = [sign(), sign()]
      const bump = (): Candidate => due({ kind: "bumpTransaction", purpose }, ETH, to)
      const raised = [bump(), { ...sign(), isBump: true }, bump(), { ...sign(), isBump: true }]
      expect(startedOf([...waiting, ...raised], [sign()])).toEqual(raised)
      expect(startedOf(waiting)).toEqual([waiting[0]])
    },
  )

  test("keeps a higher fee of a deposit in its lane", () => {
    const bump: Work = { kind: "bumpTransaction", purpose: "deposit" }
    expect(startedOf([due(bump), due(bump)])).toHaveLength(1)
    expect(startedOf([{ ...due(SIGN_DEPOSIT), isBump: true }], [due(SIGN_DEPOSIT)])).toEqual([])
  })

  test("does one piece of work per account, and any number of quotes", () => {
    const quotes = [due(QUOTE), due(QUOTE, ARB, BTC)]
    const all = [due(SIGN_DEPOSIT), due(SIGN_DEPOSIT), due(SIGN_DEPOSIT, ARB, ETH), ...quotes]
    expect(startedOf(all)).toEqual([all[0], all[2], all[3], all[4]])
    expect(startedOf([due(SIGN_DEPOSIT)], [due(SIGN_DEPOSIT)])).toEqual([])
  })

  test("makes plans at once where the nonce comes later, and one after another elsewhere", () => {
    const late = [due(PLAN_DEPOSIT), due(PLAN_DEPOSIT), due(PLAN_REFUND), due(PLAN_REFUND)]
    expect(startedOf(late)).toEqual(late)
    const early = [due(PLAN_DEPOSIT, BTC, ETH), due(PLAN_DEPOSIT, BTC, ETH)]
    expect(startedOf(early)).toHaveLength(1)
  })

  test.each(["void", "revoke"] as const)("makes a plan to %s alone on every chain", (purpose) => {
    const plan: Work = { kind: "planTransaction", purpose }
    expect(startedOf([due(plan), due(plan)])).toHaveLength(1)
  })

  test("lets one order at a time try for a lock that is free", () => {
    const waiting = many(3, () => ({ ...due(SEND), lock: "lock/a" }))
    expect(startedOf(waiting)).toEqual([waiting[0]])
  })

  test("does not sort work that has no free place", () => {
    let idsRead = 0
    const crowd = many(1_000, () => {
      const candidate = due(OBSERVE)
      const { id } = candidate.row
      const get = (): number => {
        idsRead += 1
        return id
      }
      return { ...candidate, row: Object.defineProperty({ ...candidate.row }, "id", { get }) }
    })
    const running = many(16, () => due(OBSERVE))
    const free = due(OBSERVE, ARB, BTC)
    expect(startedOf([...crowd, free], running)).toEqual([free])
    expect(idsRead).toBe(0)
  })

  test("starts in the order in which the work was due", () => {
    const mixed = [due(SEND, ETH, BTC, 1), due(REFUND, ETH, BTC, 2), due(SEND, ARB, BTC, 3)]
    expect(startedOf(mixed)).toEqual(mixed)
  })
})

describe("the questions of work", () => {
  const secret = { nonce: "1", hash: "00", revealedAt: null, isTold: false } as const
  const BUMP: Work = { kind: "bumpTransaction", purpose: "deposit" }

  // What holds a lane holds up the redemptions that wait for it.
  test.each([
    ["a look", OBSERVE, "look", "told"],
    ["a quote", QUOTE, "look", "effect"],
    ["a plan without a lane", PLAN_DEPOSIT, "look", "effect"],
    ["an allowance", ALLOWANCE, "effect", "effect"],
    ["a bump", BUMP, "effect", "effect"],
    ["the plan of a refund", PLAN_REFUND, "effect", "effect"],
    ["a sending", SEND, "effect", "effect"],
    ["a signature", SIGN, "effect", "effect"],
  ] as const)("%s", (_name, work, urgency, afterwards) => {
    const urgencyWith = (ownSecret: Parameters<typeof urgencyOf>[1]["ownSecret"]) =>
      urgencyOf(due(work), { ownSecret }, bindsLate)
    expect(urgencyWith(null)).toBe(urgency)
    expect(urgencyWith({ ...secret, status: "unknown" })).toBe(urgency)
    expect(urgencyWith({ ...secret, status: "revealed" })).toBe(afterwards)
  })

  test("a plan in a lane that no redemption needs", () => {
    expect(urgencyOf(due(PLAN_DEPOSIT, BTC, ETH), { ownSecret: null }, bindsLate)).toBe("look")
  })
})
