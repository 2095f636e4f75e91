import type { Reason } from "#domain/reason.ts"
import { HTLC } from "#domain/route/route-kind.ts"
import type { PairView } from "#policy/treasury-view.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Clocked, HasJournal, HasServices } from "../../context.ts"
import { findPairRest, findRest } from "../../watches/service-conduct.ts"
import { NO_QUOTE } from "../offer.ts"

type Unquoted = NonNullable<PairView["unquoted"]>

/** The kinds of routes that join the pair and have no line of costs, with the reasons. */
export function findUnquoted(
  context: HasJournal<FlagStore> & HasServices & Clocked,
  pair: Pick<PairView, "from" | "to">,
  lines: readonly Pick<PairView, "kind">[],
): Unquoted {
  if (context.routes === undefined) return []
  const routes = [...context.routes].flatMap(([kind, route]): Unquoted => {
    if (lines.some((line) => line.kind === kind)) return []
    const dropped = route.explainNone?.(pair) ?? null
    if (dropped === null) return []
    const rest = findPairRest(context, kind, pair)
    const causes = rest === null ? dropped : [rest.cause]
    return [{ kind, causes: [...new Map(causes.map((one) => [one.message, one])).values()] }]
  })
  if (lines.some(({ kind }) => kind === undefined)) return routes
  const rests = [...context.services.keys()].flatMap((name) => findRest(context, name)?.cause ?? [])
  return [{ kind: HTLC, causes: rests.length === 0 ? [NO_QUOTE] : rests }, ...routes]
}

/** The cause of a pair without any quote also says why its other kinds of routes gave none. */
export function withUnquoted(cause: Reason, unquoted: Unquoted): Reason {
  const told = unquoted.flatMap(({ kind, causes }) =>
    causes.map(({ code, message }) => `; ${kind}: ${message} [${code}]`),
  )
  return told.length === 0 ? cause : { ...cause, message: `${cause.message}${told.join("")}` }
}
