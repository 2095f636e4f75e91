import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { type Candidate, chooseQuote } from "./choose-quote.ts"

const FROM = parseAssetId("base_sepolia:wbtc")
const TO = parseAssetId("bitcoin_testnet:btc")
const MAX_GAIN = 100n
const COST = { code: "price.cost", message: "too expensive" }

/**
 * A quote for 1 000 000 units. `fiat`: its own value of the payout, in millionths; without it, one
 * fiat unit for each unit.
 */
function quoteOf(
  service: string,
  units: bigint,
  more: Partial<Candidate> & { fiat?: bigint; solver?: string; guarantee?: "contract" } = {},
): Candidate {
  const { fiat = units, solver = "solver", refusals = [], guarantee } = more
  const values = { sourceFiat: 1_000_000n, destinationFiat: fiat }
  const amounts = { from: FROM, to: TO, sourceUnits: 1_000_000n, destinationUnits: units }
  return {
    service,
    quote: {
      ...amounts,
      ...values,
      solverId: solver,
      estimatedSeconds: null,
      ...(guarantee === undefined ? {} : { guarantee }),
    },
    refusals,
  }
}

/** Reference prices have judged the quotes before, unless a test says otherwise. */
const PROVEN = { maxGainBps: MAX_GAIN, cost: null }
/** No reference prices: a swap may cost 1 %. */
const UNPROVEN = { maxGainBps: MAX_GAIN, cost: { maxCost: { kind: "share", bps: 100n } } } as const
const winner = (...candidates: Candidate[]): string | null =>
  chooseQuote(candidates, PROVEN).chosen?.service ?? null
const unproven = (...candidates: Candidate[]): string | null =>
  chooseQuote(candidates, UNPROVEN).chosen?.service ?? null
const codesOf = (service: string, ...candidates: Candidate[]): string[] =>
  chooseQuote(candidates, PROVEN)
    .candidates.filter((one) => one.service === service)
    .flatMap(({ refusals }) => refusals.map(({ code }) => code))

describe("quotes for an exact payout", () => {
  /** Pays 1 000 000 units for `sold`. */
  function payoutFor(service: string, sold: bigint): Candidate {
    const known = quoteOf(service, 1_000_000n)
    return { ...known, quote: { ...known.quote, sourceUnits: sold, sourceFiat: sold } }
  }

  test("are chosen by the least that they sell, and returned as they were given", () => {
    const dear = payoutFor("dear", 1_009_000n)
    const cheap = payoutFor("cheap", 1_003_000n)
    const { chosen, candidates } = chooseQuote([dear, cheap], PROVEN)
    expect(chosen).toEqual(cheap)
    expect(candidates).toEqual([cheap, dear])
  })

  test("that sell far less than the others are too good to be true", () => {
    const honest = [payoutFor("a", 1_003_000n), payoutFor("b", 1_004_000n)]
    const liar = payoutFor("liar", 980_000n)
    expect(winner(...honest, liar)).toBe("a")
    expect(codesOf("liar", ...honest, liar)).toContain("quote.too_good")
  })
})

describe("a quote that the contract guarantees", () => {
  const sure = { guarantee: "contract" } as const
  const par = quoteOf("burn", 1_000_000n, sure)

  test("at par is chosen beside dearer promises, whatever max_gain says", () => {
    for (const maxGainBps of [20n, 50n, 100n]) {
      for (const others of [[9_970n], [9_940n], [9_940n, 9_930n]]) {
        const promises = others.map((share, index) => quoteOf(`service${index}`, share * 100n))
        const { chosen } = chooseQuote([...promises, par], { ...UNPROVEN, maxGainBps })
        expect(chosen?.service).toBe("burn")
      }
    }
  })

  test("measures the promises of services", () => {
    expect(codesOf("liar", quoteOf("liar", 1_020_000n, { fiat: 999_000n }), par)).toEqual([
      "quote.too_good",
    ])
    expect(winner(quoteOf("honest", 1_001_000n, { fiat: 1_000_000n }), par)).toBe("honest")
  })

  test("shows that a service quotes too little under false values", () => {
    const low = quoteOf("low", 900_000n, { fiat: 999_000n })
    expect(unproven(low, par)).toBe("burn")
    expect(chooseQuote([low, par], UNPROVEN).candidates[1]?.refusals[0]?.code).toBe(
      "quote.unproven",
    )
  })

  test("is refused by the other guards as any quote", () => {
    const refused = quoteOf("burn", 1_000_000n, { ...sure, refusals: [COST] })
    expect(winner(refused, quoteOf("honest", 990_000n))).toBe("honest")
  })
})

describe("two services", () => {
  test("the better of two quotes that agree wins", () => {
    expect(winner(quoteOf("a", 997_000n), quoteOf("b", 998_000n))).toBe("b")
  })

  test("a quote may be better by exactly max_gain, and by no unit more", () => {
    expect(winner(quoteOf("a", 900_000n), quoteOf("b", 909_000n))).toBe("b")
    expect(winner(quoteOf("a", 900_000n), quoteOf("b", 909_001n))).toBe("a")
  })

  test("a promise of half as much again loses, also under false values", () => {
    expect(winner(quoteOf("honest", 997_000n), quoteOf("liar", 1_495_500n))).toBe("honest")
    expect(
      winner(quoteOf("honest", 997_000n), quoteOf("liar", 1_495_500n, { fiat: 997_000n })),
    ).toBe("honest")
  })

  test(
    "a service that quotes too little, and fails the cost limit, does not make the other look " +
      "too good",
    () => {
      expect(
        winner(quoteOf("honest", 997_000n), quoteOf("low", 500_000n, { refusals: [COST] })),
      ).toBe("honest")
    },
  )

  test("a too expensive honest quote does not leave the field to a liar", () => {
    const honest = quoteOf("honest", 985_000n, { refusals: [COST] })
    expect(winner(honest, quoteOf("liar", 1_495_500n))).toBe(null)
    expect(winner(honest, quoteOf("liar", 1_495_500n, { fiat: 997_000n }))).toBe(null)
    expect(codesOf("liar", honest, quoteOf("liar", 1_495_500n, { fiat: 997_000n }))).toEqual([
      "quote.too_good",
    ])
  })

  test("a quote that other guards refuse on other grounds is no measure", () => {
    const denied = quoteOf("denied", 500_000n, {
      refusals: [{ code: "limit.solver", message: "denied" }],
    })
    expect(winner(quoteOf("honest", 997_000n), denied)).toBe("honest")
    for (const refusals of [denied.refusals, [COST, ...denied.refusals]]) {
      const lying = quoteOf("denied", 500_000n, { fiat: 997_000n, refusals })
      expect(winner(quoteOf("honest", 997_000n), lying)).toBe("honest")
    }
  })
})

describe("without reference prices", () => {
  const low = quoteOf("low", 900_000n, { fiat: 997_000n })
  const high = quoteOf("high", 1_495_500n, { fiat: 997_000n })

  test("a service that quotes too little under false values does not win; neither quote is proven", () => {
    const honest = quoteOf("honest", 997_000n)
    expect(unproven(honest, low)).toBe(null)
    const { candidates } = chooseQuote([honest, low], UNPROVEN)
    expect(
      candidates.map(({ service, refusals }) => [service, refusals.map(({ code }) => code)]),
    ).toEqual([
      ["honest", ["quote.too_good"]],
      ["low", ["quote.unproven"]],
    ])
  })

  test("a promise under true values is refuted by itself, so the other service wins", () => {
    expect(unproven(quoteOf("honest", 997_000n), quoteOf("liar", 1_495_500n))).toBe("honest")
  })

  test("a third service decides, whichever way the liar lies", () => {
    const two = [quoteOf("a", 996_000n), quoteOf("b", 997_000n)]
    expect(unproven(...two, low)).toBe("b")
    expect(unproven(...two, high)).toBe("b")
    expect(unproven(quoteOf("a", 996_000n), low, high)).toBe("a")
  })

  test("the cost limit holds at the rate of the better quote to the basis point", () => {
    // The better quote costs 30 bps, so the other one may pay 0.7 % less.
    const honest = quoteOf("honest", 997_000n, {
      refusals: [{ code: "limit.in_flight_service", message: "full" }],
    })
    expect(unproven(honest, quoteOf("other", 990_000n, { fiat: 999_000n }))).toBe("other")
    expect(unproven(honest, quoteOf("other", 989_999n, { fiat: 999_000n }))).toBe(null)
  })

  test("a service that may take no further order still says the price", () => {
    const full = { refusals: [{ code: "limit.in_flight_service", message: "full" }] }
    expect(unproven(quoteOf("honest", 997_000n, full), low)).toBe(null)
    expect(winner(quoteOf("honest", 997_000n, full), high)).toBe(null)
    const wide = { refusals: [{ code: "limit.order", message: "too large" }] }
    expect(unproven(quoteOf("honest", 997_000n, wide), low)).toBe(null)
  })

  test("the quotes of one service say nothing about each other", () => {
    const high = quoteOf("a", 997_000n, { solver: "x" })
    const low = quoteOf("a", 900_000n, { solver: "y", fiat: 997_000n })
    const { candidates } = chooseQuote([low, high], UNPROVEN)
    expect(candidates.map(({ quote, refusals }) => [quote.solverId, refusals])).toEqual([
      ["x", []],
      ["y", []],
    ])
  })

  test("a solver that is not allowed stops no other quote", () => {
    const denied = { fiat: 997_000n, refusals: [{ code: "limit.solver", message: "denied" }] }
    expect(unproven(quoteOf("honest", 997_000n), quoteOf("liar", 1_495_500n, denied))).toBe(
      "honest",
    )
  })
})

test(
  "beside one honest quote no other quote ever wins that costs more than max_cost by honest " +
    "values",
  () => {
    const other = fc.record({
      service: fc.constantFrom("a", "b", "c"),
      units: fc.bigInt({ min: 1n, max: 2_000_000n }),
      sourceFiat: fc.bigInt({ min: 1n, max: 2_000_000n }),
      costBps: fc.bigInt({ min: -100n, max: 100n }),
      limited: fc.boolean(),
    })
    const limits = [{ code: "limit.in_flight_service", message: "full" }]
    fc.assert(
      fc.property(
        fc.bigInt({ min: 990_000n, max: 1_009_000n }),
        fc.boolean(),
        other,
        (units, isFull, lie) => {
          const honest = quoteOf("honest", units, { refusals: isFull ? limits : [] })
          const plain = quoteOf(lie.service, lie.units, { refusals: lie.limited ? limits : [] })
          // The liar chooses values with which its quote passes its own cost limit.
          const destinationFiat = (lie.sourceFiat * (10_000n - lie.costBps)) / 10_000n
          const liar = {
            ...plain,
            quote: { ...plain.quote, sourceFiat: lie.sourceFiat, destinationFiat },
          }
          const { chosen } = chooseQuote([honest, liar], UNPROVEN)
          // By honest values one unit is worth one fiat unit, and the source 1 000 000.
          if (chosen !== null)
            expect(chosen.quote.destinationUnits).toBeGreaterThanOrEqual(990_000n)
        },
      ),
      { numRuns: 500 },
    )
  },
)

test("a lone answer is refused when it pays more than it takes by its own values", () => {
  expect(winner(quoteOf("liar", 1_495_500n))).toBe(null)
  expect(winner(quoteOf("honest", 997_000n))).toBe("honest")
})

test("a service that offers the same lie under many solvers does not shift the median", () => {
  const lies = ["x", "y", "z"].map((solver) =>
    quoteOf("liar", 1_300_000n, { fiat: 997_000n, solver }),
  )
  expect(winner(quoteOf("a", 996_000n), quoteOf("b", 997_000n), ...lies)).toBe("b")
})

test("among three services one that quotes too little under false values does not stop the others", () => {
  const low = quoteOf("low", 500_000n, { fiat: 997_000n })
  expect(winner(quoteOf("a", 996_000n), quoteOf("b", 997_000n), low)).toBe("b")
})

test("a service counts with its best quote, whichever comes first", () => {
  const own = [quoteOf("a", 990_000n, { solver: "x" }), quoteOf("a", 997_000n, { solver: "y" })]
  // 0.35 % above the best quote of the other service, and 1.06 % above its worst.
  for (const others of [own, own.toReversed()])
    expect(winner(...others, quoteOf("b", 1_000_500n))).toBe("b")
})

test("nothing to choose from", () => {
  expect(chooseQuote([], PROVEN)).toEqual({ chosen: null, candidates: [] })
})

const honest = fc.array(fc.bigInt({ min: 993_000n, max: 999_000n }), { minLength: 1, maxLength: 6 })
const lie = fc.record({
  units: fc.bigInt({ min: 1_495_500n, max: 10_000_000n }),
  isValueTrue: fc.boolean(),
  place: fc.nat({ max: 6 }),
})

test("one liar that quotes at least half as much again never wins, and the best honest quote does", () => {
  fc.assert(
    fc.property(honest, lie, (amounts, { units, isValueTrue, place }) => {
      const candidates = amounts.map((amount, index) => quoteOf(`honest-${index}`, amount))
      candidates.splice(place, 0, quoteOf("liar", units, isValueTrue ? {} : { fiat: 997_000n }))
      const { chosen } = chooseQuote(candidates, PROVEN)
      const best = amounts.reduce((a, b) => (a > b ? a : b))
      expect(chosen?.quote.destinationUnits).toBe(best)
    }),
  )
})

test("one service that quotes too little under true values never stops the best honest quote", () => {
  fc.assert(
    fc.property(honest, fc.bigInt({ min: 1n, max: 980_000n }), (amounts, units) => {
      const low = quoteOf("low", units, { refusals: [COST] })
      const { chosen } = chooseQuote(
        [low, ...amounts.map((amount, i) => quoteOf(`honest-${i}`, amount))],
        PROVEN,
      )
      expect(chosen?.quote.destinationUnits).toBe(amounts.reduce((a, b) => (a > b ? a : b)))
    }),
  )
})

const anyCandidate = fc
  .record({
    service: fc.constantFrom("a", "b", "c", "d"),
    units: fc.bigInt({ min: 1n, max: 2_000_000n }),
    fiat: fc.bigInt({ min: 0n, max: 2_000_000n }),
    solver: fc.constantFrom("x", "y"),
    refused: fc.constantFrom<Candidate["refusals"]>(
      [],
      [],
      [COST],
      [{ code: "limit.solver", message: "denied" }],
    ),
  })
  .map(({ service, units, fiat, solver, refused }) =>
    quoteOf(service, units, { fiat, solver, refusals: refused }),
  )

test("the order of the answers does not matter, and a refused quote never wins", () => {
  const distinct = fc.uniqueArray(anyCandidate, {
    maxLength: 8,
    selector: ({ service, quote }) => `${service} ${quote.solverId} ${quote.destinationUnits}`,
  })
  fc.assert(
    fc.property(distinct, fc.infiniteStream(fc.nat()), (candidates, keys) => {
      const shuffled = candidates
        .map((candidate) => ({ candidate, key: keys.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ candidate }) => candidate)
      expect(chooseQuote(shuffled, UNPROVEN)).toEqual(chooseQuote(candidates, UNPROVEN))
      expect(chooseQuote(candidates, UNPROVEN).chosen?.refusals ?? []).toEqual([])
    }),
  )
})
