import { z } from "zod"
import {
  assetId,
  duration,
  fiatAmount,
  flag,
  integer,
  list,
  ownAmount,
  text,
} from "#schema/leaves.ts"
import { required, section } from "#schema/section.ts"

const SIGNED = text(
  /^-?\d{1,60}(\.\d{1,60})?$/,
  'a decimal in the asset\'s own unit, in quotes, such as "-0.05"',
)
const NAME = text(/^.{1,200}$/, "a name of at most 200 characters")
const WORD = text(/^[\w-]{1,64}$/, "the id of a rule")
const CODE = text(/^[a-z_]+(\.[a-z_]+)?$/, "a reason code such as policy.too_dear")

const amounts = z.record(assetId, ownAmount, { error: "expected a map of asset ids and amounts" })
const prices = z.record(assetId, fiatAmount, {
  error: 'expected a map of asset ids and prices such as "100000 usd"',
})

const costKeys = {
  available: flag.optional().describe("Whether the service has an offer."),
  fixed: fiatAmount.optional().describe("The fixed cost of an order."),
  bps: integer(0, 9_999, "basis points")
    .optional()
    .describe("The share of an order that it costs."),
  least: fiatAmount.optional().describe("The least that one order may sell."),
  most: fiatAmount.optional().describe("The most that one order may sell."),
}

const span = {
  after: duration(0).optional().describe("From the start of the scenario. Default 0s."),
  for: duration(1).optional().describe("Default: until the end."),
}

const fault = z.discriminatedUnion(
  "fault",
  [
    section({ fault: z.literal("pair"), from: assetId, to: assetId, ...span }).describe(
      "The service has no offer.",
    ),
    section({ fault: z.literal("pause"), scope: WORD.optional(), ...span }).describe(
      "An operator paused everything, or the chain or rule of `scope`.",
    ),
    section({ fault: z.literal("balance"), asset: assetId, ...span }).describe(
      "No node returns the balance.",
    ),
    section({ fault: z.literal("price"), asset: assetId, ...span }).describe(
      "No source has a price.",
    ),
    section({ fault: z.literal("service"), ...span }).describe("The service declines every order."),
  ],
  { error: "expected fault: pair, pause, balance, price or service" },
)

const given = section({
  at: z
    .string({ error: "expected a time such as 2026-03-02T08:00:00Z" })
    .refine((written) => Number.isFinite(Date.parse(written)), {
      error: "expected a time such as 2026-03-02T08:00:00Z",
    })
    .optional()
    .describe("The time of the start. Default 2026-01-01T00:00:00Z."),
  balances: amounts.optional().describe("The wallets. An asset that is left out holds nothing."),
  prices: prices.optional().describe("Prices of a whole unit; fixed in a scenario."),
  costs: section({
    ...costKeys,
    pairs: list(section({ from: assetId, to: assetId, ...costKeys }), "a list of pairs").optional(),
  })
    .optional()
    .describe("The quotes of the service."),
  payout_after: duration(0)
    .optional()
    .describe("The time from a deposit to its payout. Default 5m."),
  under_way: list(
    section({ rule: WORD, from: assetId, to: assetId, amount: ownAmount, arrives: duration(1) }),
    "a list of orders",
  )
    .optional()
    .describe(
      "Orders whose deposit left the wallet before the start; `balances` lacks their amounts.",
    ),
  flows: list(section({ after: duration(0), asset: assetId, amount: SIGNED }), "a list of flows")
    .optional()
    .describe("Deposits and withdrawals by others; a withdrawal is negative."),
  faults: list(fault, "a list of faults").optional(),
})

const within = { at_least: ownAmount.optional(), at_most: ownAmount.optional() }
const fiatWithin = section({ at_least: fiatAmount.optional(), at_most: fiatAmount.optional() })

const then = section({
  orders: list(
    section({
      rule: WORD.optional(),
      from: assetId,
      to: assetId,
      amount: ownAmount.optional(),
      ...within,
    }),
    "a list of orders",
  )
    .optional()
    .describe("All orders, in their order. `[]` means none. The amount is that of `from`."),
  refused: list(section({ rule: WORD.optional(), code: CODE }), "a list of refusals")
    .optional()
    .describe("Refusals that must occur; others may."),
  sold: fiatWithin.optional().describe("The value of everything sold."),
  cost: fiatWithin.optional().describe("Service fees, spreads and network fees."),
  balances: z
    .record(assetId, section(within), { error: "expected a map of asset ids" })
    .optional()
    .describe("The wallets at the end."),
}).refine((keys) => Object.keys(keys).length > 0, {
  error: "expected at least one key, such as orders",
})

const scenario = section({
  name: required(NAME, "What the scenario shows."),
  given: given.optional().describe("The world before the rules run."),
  run: duration(1_000)
    .optional()
    .describe("How long the rules run. Default 1m: one evaluation, and a second a minute later."),
  // biome-ignore lint/suspicious/noThenProperty: the key of the file; its value is a map, so no await calls it.
  then: required(then, "What the rules must do."),
})

const property = z.union(
  [
    z.string({ error: 'expected a line such as "never below 0.2 btc on base"' }),
    section({
      property: z.string({ error: 'expected a line such as "never below 0.2 btc on base"' }),
      worlds: integer(1, 100_000, "a number of worlds")
        .optional()
        .describe("How many random worlds to try."),
      days: integer(1, 366, "a number of days").optional().describe("The longest world."),
    }),
  ],
  {
    error: 'expected a line such as "never below 0.2 btc on base", or a map with the key property',
  },
)

/** A file of policy tests. docs/POLICY-TESTS.md explains each key. */
export const testFileSchema = section({
  usual: amounts
    .optional()
    .describe("The usual balances, around which the random worlds of properties lie."),
  prices: prices
    .optional()
    .describe("Prices of a whole unit at the start, for scenarios and properties."),
  scenarios: list(scenario, "a list of scenarios").optional(),
  properties: list(property, "a list of properties").optional(),
})

export type TestFile = z.output<typeof testFileSchema>
export type ScenarioFile = NonNullable<TestFile["scenarios"]>[number]
export type PropertyEntry = NonNullable<TestFile["properties"]>[number]

/**
 * The text of `config/policy-test.schema.json`. Editors use it to check and complete test files.
 */
export function formatTestSchema(): string {
  const schema = z.toJSONSchema(testFileSchema, { io: "input" })
  return `${JSON.stringify({ ...schema, title: "Ballast policy tests" }, null, 2)}\n`
}
