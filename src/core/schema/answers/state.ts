import { z } from "zod"
import {
  amount,
  amountOrNull,
  assetId,
  count,
  mode,
  number,
  reason,
  reasons,
  scopes,
  text,
  textOrNull,
  time,
  timeOrNull,
  units,
  unitsOrNull,
} from "./leaves.ts"
import { pause } from "./overview.ts"

export const health = z.object({ status: z.enum(["ok", "ready", "starting", "standby"]) })

const member = z.object({ holder: text, version: text, seq: count })
export const handOver = z.object({ standbys: z.array(member) })

export const caller = z.object({ name: text, scopes })
export const login = caller.extend({ csrf: text, until: time })
export const nothing = z.object({})

const chain = z.object({
  chain: text,
  family: text,
  account: text,
  paused: z.boolean(),
  endpoints: count.nullable(),
  agree: count.nullable(),
  /** `null` before the first report. */
  agreeing: count.nullable(),
  agreementReasons: reasons,
  finality: z.object({ seen: text, reveal: text, ending: text }).nullable(),
  warning: textOrNull,
})

/** A swap service, or a route by its kind. */
export const service = z.object({
  name: text,
  inFlight: count,
  /** Ballast asks the service for no quotes until then. */
  rest: z.object({ until: time, failures: count, cause: reason }).nullable(),
})

export const status = z.object({
  mode,
  paused: z.boolean(),
  pause: pause.nullable(),
  inFlight: count,
  held: count,
  alerts: z.array(z.object({ atMs: count, orderId: textOrNull, reason })),
  clockJump: reason.nullable(),
  chains: z.array(chain),
  services: z.array(service),
  configHash: text,
  startedAt: time,
  now: time,
})

const balance = z.object({
  asset: text,
  account: text,
  amount: amountOrNull,
  amountUnits: unitsOrNull,
  spendable: amountOrNull,
  spendableUnits: unitsOrNull,
  error: reason.nullable(),
})

export const balances = z.object({ balances: z.array(balance) })

export const comparison = z.object({
  asset: text,
  state: z.enum(["agrees", "unsettled", "surplus", "difference", "unreadable"]),
  ledger: amountOrNull,
  ledgerUnits: unitsOrNull,
  chain: amountOrNull,
  chainUnits: unitsOrNull,
  difference: amountOrNull,
  differenceUnits: unitsOrNull,
  at: time,
  since: time,
})

/** `accepted` and `units` answer a request with `accept`. */
export const reconciliation = z.object({
  assets: z.array(comparison),
  accepted: text.exactOptional(),
  units: units.exactOptional(),
})

/** `closed` is `null` while the cause lasts. */
const alarm = z.object({ at: time, order: textOrNull, reason, closed: timeOrNull })

const openAlert = z.object({
  id: text,
  kind: text,
  code: text,
  level: text,
  sentence: text,
  order: textOrNull,
  opened: timeOrNull,
  acknowledgedBy: textOrNull,
  escalated: timeOrNull,
})

const receiver = z.object({
  name: text,
  kind: text,
  waiting: count,
  delivered: timeOrNull,
  error: textOrNull,
})

const posting = z.object({
  account: text,
  asset: text,
  amount,
  units,
  fiat: amountOrNull,
})

/** A balanced entry of the ledger; `reverses` is the id of the one that it takes back. */
const booking = z.object({
  id: count,
  at: time,
  order: textOrNull,
  kind: text,
  key: text,
  tx: textOrNull,
  note: textOrNull,
  reverses: count.nullable(),
  postings: z.array(posting),
})

export const bookings = z.object({ bookings: z.array(booking), next: textOrNull })

const call = z.object({
  at: time,
  caller: text,
  source: text,
  action: text,
  subject: textOrNull,
  body: text,
})

export const audit = z.object({ calls: z.array(call), next: textOrNull })

export const alerts = z.object({
  alerts: z.array(alarm),
  next: textOrNull,
  open: z.array(openAlert),
  receivers: z.array(receiver),
})

const booksLine = z.object({
  group: text,
  orders: count,
  /** The orders by outcome. */
  counts: z.record(text, count),
  volume: amount,
  swapCost: amount,
  networkFees: amount,
  costBps: number.nullable(),
  /** Swaps and fees without a known price, which no sum includes. */
  unpriced: count,
})

/** The balance by the books at the end of each step, the last one now. */
const curve = z.object({
  asset: assetId,
  points: z.array(z.object({ at: time, amount })),
})

/** The books for plots. Amounts are in the reference currency, or in the asset's own unit. */
export const books = z.object({
  at: time,
  /** The oldest first; a week begins on Monday, 00:00 UTC. Weeks without orders are in it. */
  weeks: z.array(booksLine),
  rules: z.array(booksLine),
  total: booksLine,
  balances: z.array(curve),
})

const settingsChain = z.object({
  chain: text,
  family: text,
  nativeCoin: z.object({ symbol: text, decimals: count }),
  endpoints: count,
  agree: count,
  explorer: z.object({ tx: text, address: text }).nullable(),
})

/** `seq` counts the lines since the start of the process; `newest` is that of the last one. */
export const log = z.object({
  lines: z.array(
    z.object({
      seq: count,
      at: text,
      level: z.enum(["debug", "info", "warn", "error", "fatal"]),
      message: text,
      order: text.nullable(),
      fields: z.record(text, z.unknown()),
    }),
  ),
  newest: count,
})

/** Sentences with units. Nodes and services are hosts, because a URL may hold a key. */
export const settings = z.object({
  treasury: text,
  mode,
  configHash: text,
  settings: z.array(z.object({ name: text, means: text })),
  guards: z.array(z.object({ guard: text, means: text })),
  services: z.array(z.object({ name: text, host: text })),
  chains: z.array(settingsChain),
  assets: z.array(z.object({ id: text, decimals: count })),
  /** The address book, for people. */
  payees: z.array(z.object({ name: text, address: text })),
  tokens: z.array(z.object({ name: text, scopes: z.array(text) })),
})

const pauseScope = z.union([
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("chain"), chain: text }),
  z.object({ kind: z.literal("rule"), rule: text }),
])

export const paused = z.object({ paused: z.boolean(), scope: pauseScope })
export const confirmed = z.object({ confirmed: time })
export const acknowledged = z.object({ acknowledged: count })

const difference = z.object({
  key: text,
  change: z.enum(["added", "removed", "changed"]),
  from: textOrNull,
  to: textOrNull,
})

export const reloaded = z.object({
  changed: z.boolean(),
  configHash: text,
  differences: z.array(difference),
})

/** RFC 9457, with every reason of the refusal. */
export const problem = z.object({
  type: text.meta({ description: "urn:ballast: and the code of the first reason" }),
  title: text,
  status: count,
  detail: text,
  reasons: z.array(reason).min(1),
})

/** Of a tool that an agent called. */
export const agentAnswer = z.object({
  isError: z.boolean(),
  body: z.record(text, z.unknown()),
})
