import type { OrderAnswer } from "../answers.ts"
import { plain } from "../format.ts"

/** One stage of an order's way. `at` is the time at which it was reached; `null` before that. */
export type Stage = {
  readonly name: string
  readonly at: string | null
  readonly state: "done" | "now" | "open" | "failed"
}

/** One thing that either side says about an order, and what the other one says. */
export type Testimony = {
  readonly what: string
  readonly chain: string
  /** The transactions that the service names, as our own nodes write them. */
  readonly service: readonly string[]
  readonly seen: { readonly tx: string; readonly final: boolean; readonly at: string } | null
}

/** The stages of an order, from the first quote to its end. */
export function listStages({
  events,
  seen,
  outcome,
  state,
  approval,
  updatedAt,
  createdAt,
  route,
}: OrderAnswer): readonly Stage[] {
  const first = (...types: readonly string[]): string | null =>
    events.find(({ type }) => types.includes(type))?.at ?? null
  const waits = state === "awaiting-approval" || approval !== null
  const goesBack =
    seen["sourceRefunded"] != null || state.startsWith("refund") || outcome === "refunded"
  const known: readonly Known[] = [
    { name: "Requested", at: createdAt },
    { name: "Quoted", at: first("quote.accepted") },
    { name: "Ordered", at: first("order.created") },
    { name: "Verified", at: first("deposit.verified") },
    ...(waits ? [{ name: "Approved", at: approval?.at ?? null }] : []),
    { name: wordOf(route?.deposit, "Deposited"), at: seen["sourceInitiated"]?.at ?? null },
    ...(goesBack
      ? [{ name: "Refunded", at: seen["sourceRefunded"]?.at ?? null }]
      : listPayoutStages(route, seen)),
    {
      name: outcome === null ? "Final" : capital(outcome),
      at: outcome === null ? null : updatedAt,
    },
  ]
  const reached = known.findLastIndex(({ at, passed = false }) => at !== null || passed)
  const failed = outcome === "rejected" || outcome === "abandoned"
  return known
    .map((stage, index): Stage => {
      if (failed && index === known.length - 1) return { ...stage, state: "failed" }
      // A later stage proves the earlier ones, also where one was never seen by itself.
      if (index <= reached && !(failed && stage.at === null)) return { ...stage, state: "done" }
      const isNext = index === reached + 1
      return {
        ...stage,
        state: isNext && outcome === null ? (state === "held" ? "failed" : "now") : "open",
      }
    })
    .filter(({ at, state: shown }) => !(outcome !== null && at === null && shown === "open"))
}

type Known = { readonly name: string; readonly at: string | null; readonly passed?: boolean }

function listPayoutStages(
  route: OrderAnswer["route"] | undefined,
  seen: OrderAnswer["seen"],
): readonly Known[] {
  return [
    route === undefined
      ? { name: "Solver deposited", at: seen["destinationInitiated"]?.at ?? null }
      : { name: capital(route.voucher), at: null, passed: route.nonce !== null },
    { name: wordOf(route?.payout, "Paid out"), at: seen["destinationRedeemed"]?.at ?? null },
  ]
}

/** The service's word and the chain's word about each transaction of the route. */
export function listTestimonies(order: OrderAnswer): readonly Testimony[] {
  const source = order.from.split(":")[0] ?? ""
  const destination = order.to.split(":")[0] ?? ""
  type Part = keyof OrderAnswer["reportedTxs"]
  const about = (part: Part, what: string, chain: string): Testimony => ({
    what,
    chain,
    service: order.reportedTxs[part],
    seen: order.seen[part] ?? null,
  })
  const { route } = order
  if (route !== undefined)
    return [
      about("sourceInitiated", `Our ${route.deposit}`, source),
      about("destinationRedeemed", `The ${route.payout} to us`, destination),
    ]
  return [
    about("sourceInitiated", "Our deposit", source),
    about("destinationInitiated", "The solver's deposit", destination),
    about("destinationRedeemed", "The payout to us", destination),
    about("sourceRedeemed", "The solver takes our deposit", source),
    about("sourceRefunded", "The refund to us", source),
  ]
}

/** What both sides together tell. The service may name several deposits to one address. */
export function judgeTestimony(
  { service, seen }: Pick<Testimony, "service" | "seen">,
  isOver: boolean,
): { readonly tone: "good" | "warn" | "calm"; readonly says: string } {
  if (seen !== null && service.includes(seen.tx)) return { tone: "good", says: "agree" }
  if (seen !== null && service.length > 0) return { tone: "warn", says: "another transaction" }
  if (seen !== null) return { tone: "good", says: "proven" }
  // Ballast asks the chain no more about an order that is over.
  if (service.length > 0) return { tone: isOver ? "calm" : "warn", says: "only reported" }
  return { tone: "calm", says: "not yet" }
}

/** `cctp: burn, attested, mint`. */
export function sayRoute(route: NonNullable<OrderAnswer["route"]>): string {
  return `${route.kind}: ${route.deposit}, ${route.voucher}, ${route.payout}`
}

/** The route's own word for a part, else that of two HTLCs. */
function wordOf(own: string | undefined, usual: string): string {
  return own === undefined ? usual : capital(own)
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + plain(word).slice(1)
}

/** An event as a person says it, and the party that it comes from. */
export function describeEvent(
  type: string,
  { route }: Pick<OrderAnswer, "route"> = {},
): { readonly who: string; readonly says: string } {
  const events = route === undefined ? EVENTS : { ...EVENTS, ...eventsOf(route) }
  const [known] = Object.entries(events).filter(([name]) => name === type)
  if (known !== undefined) return { who: known[1][0], says: known[1][1] }
  const who = type.startsWith("operator.") ? "operator" : "Ballast"
  return { who, says: type.replaceAll(/[._]/g, " ") }
}

type Events = Readonly<Record<string, readonly [who: string, says: string]>>

/** No service opens an order of a route, and its two parts are no HTLCs. */
function eventsOf({ kind, deposit, payout }: NonNullable<OrderAnswer["route"]>): Events {
  return {
    "quote.accepted": ["Ballast", `takes a quote of ${kind} that all guards accept`],
    "order.created": ["Ballast", `builds the ${deposit}`],
    "deposit.verified": ["Ballast", `compared the ${deposit} with the request and the chains`],
    "order.observed": ["chain", `shows the state of ${deposit} and ${payout}`],
    "order.unfunded": ["chain", `proves that the ${deposit} never landed`],
  }
}

const EVENTS: Events = {
  "order.opened": ["Ballast", "opens the order"],
  "work.deferred": ["Ballast", "waits and looks again later"],
  "quote.accepted": ["service", "quotes a price that all guards accept"],
  "quote.outdated": ["service", "no longer accepts the quote; Ballast asks again"],
  "order.created": ["service", "creates the order"],
  "order.declined": ["Ballast", "declines to go on"],
  "deposit.verified": ["Ballast", "compared the deposit with the order; every field agrees"],
  "operator.approved": ["operator", "approves the order"],
  "operator.rejected": ["operator", "rejects the order"],
  "operator.retried": ["operator", "asks to try again"],
  "operator.abandoned": ["operator", "gives the order up"],
  "operator.refunded": ["operator", "asks for a refund"],
  "operator.redeemed": ["operator", "asks for the redemption of the payout"],
  "approval.expired": ["Ballast", "ends the wait for an approval"],
  "allowance.ready": ["chain", "shows the allowance that the deposit needs"],
  "transaction.planned": ["Ballast", "plans a transaction"],
  "transaction.signed": ["Ballast", "signs a transaction and stores it"],
  "transaction.sent": ["Ballast", "sends the transaction"],
  "transaction.mined": ["chain", "shows the transaction in a block"],
  "transaction.pending": ["chain", "shows the transaction as pending"],
  "transaction.unseen": ["chain", "does not show the transaction; it is sent again"],
  "transaction.stuck": ["chain", "does not take the transaction up"],
  "transaction.excluded": ["chain", "shows that the transaction can never land"],
  "transaction.late": ["Ballast", "finds that the time for the transaction is over"],
  "gasless.signed": ["Ballast", "signs the typed data for the relay"],
  "gasless.submitted": ["service", "takes the signature for its relay"],
  "gasless.initiated": ["chain", "shows the deposit of the relay"],
  "gasless.missing": ["chain", "does not show the deposit of the relay yet"],
  "order.observed": ["chain", "shows the state of both HTLCs"],
  "order.unfunded": ["chain", "proves that the HTLC never had the deposit"],
}
