import { z } from "zod"

/*
 * The bodies and queries of requests. The router parses them with these schemas, and the document
 * describes them by these.
 */

const LIMIT = "limit is a whole number from 1 to 1000"
const TRIO = "Expected {from, to, amount} as strings, the amount in the asset's own unit"
const trio = z.string({ error: TRIO })
const AMOUNTS = "Expected {from, to} and either amount, or toAmount with or without maxAmount"

const SWAP = { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.001" }

const swapShape = z.object({
  from: trio.meta({ examples: [SWAP.from] }),
  to: trio.meta({ examples: [SWAP.to] }),
  amount: trio
    .exactOptional()
    .meta({ description: "sold, in the unit of `from`", examples: [SWAP.amount] }),
  toAmount: trio
    .exactOptional()
    .meta({ description: "paid out exactly, in place of `amount`, in the unit of `to`" }),
  maxAmount: trio.exactOptional().meta({ description: "the most to sell for `toAmount`" }),
  deposit: z
    .enum(["auto", "gasless", "onchain"], { error: "deposit is auto, gasless or onchain" })
    .exactOptional(),
  destination: z.string({ error: "destination is an address, as a string" }).exactOptional(),
})

type Amounts = Pick<z.output<typeof swapShape>, "amount" | "toAmount" | "maxAmount">
const hasOneAmount = ({ amount, toAmount, maxAmount }: Amounts): boolean =>
  amount === undefined ? toAmount !== undefined : (toAmount ?? maxAmount) === undefined

export const quoteQuery = swapShape.refine(hasOneAmount, { error: AMOUNTS })

const EXACT = { from: SWAP.from, to: SWAP.to, toAmount: "0.001", maxAmount: "0.0011" }
export const swapBody = swapShape
  .extend({ dryRun: z.boolean({ error: "dryRun is true or false" }).exactOptional() })
  .refine(hasOneAmount, { error: AMOUNTS })
  .meta({ examples: [SWAP, { ...SWAP, dryRun: true }, EXACT] })
/**
 * The amount in the asset's own unit. `deposit` overrides the chain's configured way; `destination`
 * pays to an allow-listed address. `dryRun`: the answer has the signatures that the swap would
 * need, and no order is opened.
 */
export type SubmitRequest = z.output<typeof swapBody>

/** The header that makes a request safe to repeat. */
export const keyHeader = z.object({
  "Idempotency-Key": z
    .string()
    .exactOptional()
    .meta({
      description: [
        "1 to 255 visible ASCII characters, quoted or not. The same request under one key opens " +
          "one order, or acts once, also after a restart.",
        "A refusal does nothing, and the next request under the key is judged anew.",
      ].join(" "),
    }),
})

export const lastEventHeader = z.object({
  "Last-Event-ID": z
    .string()
    .exactOptional()
    .meta({ description: "the id of the last event that was read" }),
})

const PAUSE = "Expected nothing, {}, {chain} or {rule}"
const RESUME = "Expected nothing, {}, {chain}, {rule} or {acknowledge: [alarm ids]}"

/** A misspelt key must not pause or resume everything. */
function scopeBody<More extends z.ZodRawShape>(more: More, error: string) {
  const name = z.string({ error })
  return z.union(
    [
      z.strictObject({ chain: name, ...more }),
      z.strictObject({ rule: name, ...more }),
      z.strictObject(more),
    ],
    {
      error,
    },
  )
}

export const pauseBody = scopeBody({}, PAUSE).meta({ examples: [{}, { rule: "stock" }] })
export const resumeBody = scopeBody(
  { acknowledge: z.array(z.string()).exactOptional() },
  RESUME,
).meta({ examples: [{}, { rule: "stock" }] })

const RECONCILE = "Expected {}, or {accept: asset id, as: outside or unexplained}"

export const reconcileBody = z
  .object({
    accept: z.string({ error: RECONCILE }).exactOptional(),
    as: z.enum(["outside", "unexplained"], { error: RECONCILE }).default("outside"),
  })
  .meta({ examples: [{}, { accept: SWAP.from, as: "outside" }] })

export const recoverBody = z
  .object({ adopt: z.boolean({ error: "Expected {adopt: true or false}" }) })
  .meta({ examples: [{ adopt: false }] })

/** The other changes of an order need no word. */
export const anyBody = z.object({ intent: z.undefined().optional() })

/** An approval without an intent could approve a later one, which no person has read. */
export const approveBody = z
  .object({
    intent: z.string({ error: "Expected {intent}, the hash that the order shows, as a string" }),
  })
  .meta({ examples: [{ intent: "5f0c6e2b" }] })

export const loginBody = z
  .object({ token: z.string({ error: "Expected {token} as a string" }) })
  .meta({ examples: [{ token: "a-token-of-24-characters" }] })

const page = {
  limit: z.coerce.number({ error: LIMIT }).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(100),
  cursor: z.string().exactOptional().meta({ description: "the `next` of the page before" }),
}

export const decisionsQuery = z.object({ rule: z.string().exactOptional(), ...page })
export const auditQuery = z.object({
  subject: z
    .string()
    .exactOptional()
    .meta({ description: "only the requests about this order, chain, rule or asset" }),
  ...page,
})

const SINCE = "since is a time such as 2026-01-31T08:00:00Z"
const since = z.iso.datetime({ error: SINCE }).exactOptional()
const until = z.iso
  .datetime({ error: "until is a time such as 2026-01-31T08:00:00Z" })
  .exactOptional()
const filter = {
  open: z
    .enum(["true", "false"], { error: "open is true or false" })
    .transform((text) => text === "true")
    .default(false),
  state: z
    .string()
    .exactOptional()
    .meta({ description: "only the orders in this state, such as held or completed" }),
  rule: z.string().exactOptional().meta({ description: "only the orders that serve this rule" }),
  service: z.string().exactOptional().meta({ description: "only the orders with this service" }),
  from: z
    .string()
    .exactOptional()
    .meta({ description: "only the orders that send this asset", examples: ["ethereum:usdc"] }),
  to: z
    .string()
    .exactOptional()
    .meta({ description: "only the orders that receive this asset", examples: ["base:usdc"] }),
  text: z
    .string()
    .max(100)
    .exactOptional()
    .meta({ description: "a part of the id, the rule or an asset" }),
}
export const ordersQuery = z.object({
  ...page,
  ...filter,
  since: since.meta({ description: "only the orders requested since then" }),
  until: until.meta({ description: "only the orders requested before" }),
  external_id: z
    .string()
    .exactOptional()
    .meta({ description: "only the order that was opened under this Idempotency-Key" }),
})
export type OrdersQuery = z.output<typeof ordersQuery>
export const summaryQuery = z.object({
  since: since.meta({ description: "absent: 24 hours ago" }),
})
export const flowsQuery = z.object({
  since: since.meta({ description: "absent: 7 days ago; at most 31 days ago" }),
})
export const seriesQuery = z.object({ since: since.meta({ description: "absent: 7 days ago" }) })

export const logQuery = z.object({
  limit: page.limit,
  after: z.coerce
    .number({ error: "after is the number of a line" })
    .int()
    .min(0)
    .exactOptional()
    .meta({ description: "only later lines: the `newest` of the answer before" }),
  level: z
    .enum(["debug", "info", "warn", "error"], { error: "level is debug, info, warn or error" })
    .exactOptional(),
  order: z.string().exactOptional().meta({ description: "only lines of this order" }),
})
export type LogQuery = z.output<typeof logQuery>
const period = { since, until }

export const alertsQuery = z.object(page)
export type PageQuery = z.output<typeof alertsQuery>
export const bookingsQuery = z.object({
  order: z.string().exactOptional().meta({ description: "only the entries of this order" }),
  ...period,
  ...page,
})

const BY = ["pair", "rule", "period", "kind", "service", "solver"] as const
export const reportQuery = z.object({
  ...period,
  ...filter,
  by: z.enum(BY, { error: `by is one of ${BY.join(", ")}` }).default("pair"),
})
export type ReportQuery = z.output<typeof reportQuery>
export const affiliateQuery = z.object(period)
export type PeriodQuery = z.output<typeof affiliateQuery>
const FORMATS = ["csv", "ledger", "koinly", "cointracker"] as const
export const exportQuery = z.object({
  ...period,
  format: z.enum(FORMATS, { error: `format is one of ${FORMATS.join(", ")}` }).default("csv"),
})

const whole = (name: string, least: number, most: number) => {
  const error = `${name} is a whole number from ${least} to ${most}`
  return z.coerce.number({ error }).int(error).min(least, error).max(most, error)
}
export const simulateQuery = z.object({
  days: whole("days", 1, 365).default(30),
  seeds: whole("seeds", 1, 20).default(5),
  seed: whole("seed", 0, 1_000_000).default(1),
  rule: z.string().exactOptional().meta({ description: "compare with this rule changed" }),
  change: z
    .string()
    .regex(/^[a-z_]+=[^,=]+(,[a-z_]+=[^,=]+)*$/, "change is key=value,…")
    .exactOptional()
    .meta({ description: "keys of the rule with other texts, such as `min=0.5,target=1`" }),
})
export type SimulationQuery = z.output<typeof simulateQuery>

/** One call of an agent's tool; each tool judges its arguments. */
export const agentCallBody = z
  .strictObject(
    { agent: z.string(), tool: z.string(), arguments: z.unknown().optional() },
    { error: 'expected {"agent": …, "tool": …, "arguments": {…}}' },
  )
  .meta({ examples: [{ agent: "desk", tool: "status", arguments: {} }] })
