import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { Need, Partner } from "../need.ts"
import {
  findBalance,
  type PairCosts,
  type PairView,
  readPrice,
  type TreasuryView,
} from "../treasury-view.ts"
import type { BlockedPair } from "./limits.ts"
import { findPairs, type Place, type Route, routeKey } from "./route.ts"

/** `other`: the need of the partner's own rule, where that is the cause. */
export type BlockedNeed = { readonly need: Need; readonly reason: Reason; readonly other?: Need }

type FoundRoutes = {
  readonly routes: readonly Route[]
  /** For each need, the reasons why one of its partners cannot be used. */
  readonly blocked: readonly BlockedNeed[]
}

/**
 * Every usable pair that a need lists. Both ends must be readable and priced, and the pair must
 * have a quote. An unreadable partner blocks only its own pair, and a pair that admission refuses
 * for one rule serves only the others. Routes are sorted by key, so the order of rules does not
 * matter.
 */
export function findRoutes(
  needs: readonly Need[],
  view: TreasuryView,
  refused: readonly BlockedPair[] = [],
): FoundRoutes {
  const routes = new Map<string, Route>()
  const blocked: BlockedNeed[] = []
  for (const need of needs) {
    for (const [rank, partner] of need.partners.entries()) {
      const ends = endsOf(need, partner)
      const other = findRival(need, partner, needs)
      const refusals = reasonsAgainst(refused, ends, need.rule)
      if (refusals.length > 0) {
        blocked.push(...refusals.map((refusal) => ({ need, reason: refusal })))
        continue
      }
      if (other !== null) {
        blocked.push({ need, reason: partnerNeeds(need, other), other })
        continue
      }
      const lines = openRoutes(ends, view)
      const found = lines.flatMap((line) => (line.ok ? [line] : []))
      // A line that cannot be used matters only where the pair has no other.
      if (found.length === 0) {
        blocked.push(...lines.flatMap((line) => (line.ok ? [] : [{ need, reason: line.reason }])))
        continue
      }
      const shared = sharedNeeds(ends, needs, refused)
      for (const { ok: _, ...line } of found) {
        const key = routeKey(ends.from, ends.to, ends.destination, line.kind)
        const first = { ...line, ...shared, lossLists: null, gainLists: null, rank: 0 }
        const base: Omit<Route, "key" | "destination"> = routes.get(key) ?? first
        routes.set(key, {
          ...base,
          key,
          destination: ends.destination,
          lossLists: need.kind === "lose" ? partner : base.lossLists,
          gainLists: need.kind === "gain" ? partner : base.gainLists,
          rank: base.rank + rank,
        })
      }
    }
  }
  const sorted = [...routes.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  return { routes: sorted, blocked }
}

type Ends = { readonly from: AssetId; readonly to: AssetId; readonly destination: string | null }

function endsOf(need: Need, { asset, destination }: Partner): Ends {
  if (need.kind === "lose") return { from: need.asset, to: asset, destination }
  return { from: asset, to: need.asset, destination: null }
}

/** A partner that needs a change in the same direction cannot help. */
function findRival(need: Need, partner: Partner, needs: readonly Need[]): Need | null {
  if (partner.destination !== null) return null
  return needs.find(({ asset, kind }) => asset === partner.asset && kind === need.kind) ?? null
}

function partnerNeeds({ kind }: Need, { asset, rule }: Need): Reason {
  const what = kind === "gain" ? "refilled" : "drained"
  const message = `${asset} is itself to be ${what} by ${rule}`
  return { code: "policy.partner_needs", message, asset, rule }
}

/** Why admission refuses the pair for this rule. */
export function reasonsAgainst(
  refused: readonly BlockedPair[],
  { from, to }: Pick<Ends, "from" | "to">,
  rule: string,
): readonly Reason[] {
  return refused
    .filter(
      (pair) => pair.from === from && pair.to === to && (pair.rule === null || pair.rule === rule),
    )
    .flatMap(({ reasons }) => reasons)
}

function sharedNeeds(
  ends: Ends,
  needs: readonly Need[],
  refused: readonly BlockedPair[],
): { loss: Need | null; gain: Need | null } {
  const open = needs.filter((need) => reasonsAgainst(refused, ends, need.rule).length === 0)
  const loss = open.find(({ asset, kind }) => kind === "lose" && asset === ends.from) ?? null
  const gain = open.find(({ asset, kind }) => kind === "gain" && asset === ends.to) ?? null
  return { loss, gain: ends.destination === null ? gain : null }
}

type Line =
  | { ok: true; from: Place; to: Place; quote: PairCosts; kind?: RouteKind }
  | { ok: false; reason: Reason }

/** One line for each kind of route that the pair has. */
function openRoutes(ends: Ends, view: TreasuryView): readonly Line[] {
  const from = placeOf(ends.from, view)
  if (!from.ok) return [from]
  const to = placeOf(ends.to, view)
  if (!to.ok) return [to]
  const pairs = findPairs(view.pairs, ends.from, ends.to).filter(
    ({ ownOnly }) => ends.destination === null || ownOnly !== true,
  )
  if (pairs.length === 0) {
    const message = `There is no quote from ${ends.from} to ${ends.to}`
    const numbers = { from: ends.from, to: ends.to }
    return [{ ok: false, reason: { code: "policy.quote_missing", message, ...numbers } }]
  }
  return pairs.map((pair) => openLine(pair, from.place, to.place))
}

function openLine(pair: PairView, from: Place, to: Place): Line {
  const numbers = { from: pair.from, to: pair.to }
  const name = `from ${pair.from} to ${pair.to}`
  if (!pair.quote.readable) {
    const { code: cause, message: detail } = pair.quote.cause
    const message = `The quote ${name} cannot be read: ${detail}`
    return {
      ok: false,
      reason: { code: "policy.quote_missing", message, ...numbers, cause, detail },
    }
  }
  if (!pair.quote.available || pair.quote.bps >= 10_000n) {
    return { ok: false, reason: pairUnavailable(pair.from, pair.to, pair.quote.closed) }
  }
  // A quote with a negative cost counts as free, so a plan never relies on a profit.
  const quote = pair.quote.bps < 0n ? { ...pair.quote, bps: 0n } : pair.quote
  return { ok: true, from, to, quote, ...(pair.kind === undefined ? {} : { kind: pair.kind }) }
}

export function pairUnavailable(from: AssetId, to: AssetId, closed: boolean = false): Reason {
  if (closed) {
    const message = `The service closed the pair from ${from} to ${to}`
    return { code: "policy.pair_closed", message, from, to }
  }
  const message = `The service swaps nothing from ${from} to ${to} at present`
  return { code: "policy.pair_unavailable", message, from, to }
}

function placeOf(
  id: AssetId,
  view: TreasuryView,
): { ok: true; place: Place } | { ok: false; reason: Reason } {
  const read = findBalance(view, id)
  if (!read.ok) return read
  const price = readPrice(read.asset)
  if (!price.ok) return price
  return { ok: true, place: { asset: read.asset, priceFiat: price.priceFiat } }
}
