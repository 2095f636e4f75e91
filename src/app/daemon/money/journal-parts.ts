import { type Answer, type Steps, wait } from "#engine/rules/decide/steps.ts"
import type { BooksSum, Ledger } from "#ports/journal/ledger.ts"

/** A pause of a long computation, in which other work goes first; absent: it has none. */
export type Turn = (() => Answer<unknown>) | undefined

type Span = { readonly fromMs: number; readonly untilMs: number }

const DAY_MS = 86_400_000
const MOST_PARTS = 400
/** Orders between two pauses: a few milliseconds. */
const AT_ONCE = 500

/** A span in parts of `partMs`, and longer ones where there were too many. */
export function* inParts({ fromMs, untilMs }: Span, partMs = DAY_MS): Generator<Span> {
  const stepMs = Math.max(partMs, Math.ceil((untilMs - fromMs) / MOST_PARTS))
  for (let at = fromMs; at < untilMs; at += stepMs)
    yield { fromMs: at, untilMs: Math.min(untilMs, at + stepMs) }
}

/** Pauses after each few hundred orders: no month of a busy treasury holds the engine. */
export function createPauses(turn: Turn): (orders: number) => Steps<void> {
  let counted = 0
  return function* pause(orders) {
    counted += orders
    if (turn === undefined || counted < AT_ONCE) return
    counted = 0
    yield* wait(turn())
  }
}

/** The sums of `Ledger.sumBooks`, day by day. */
export function* sumInSteps(
  journal: Pick<Ledger, "sumBooks">,
  span: Span & { readonly spanMs: number },
  turn: Turn,
): Steps<readonly BooksSum[]> {
  const pause = createPauses(turn)
  const sums: BooksSum[] = []
  for (const part of inParts(span)) {
    const found = journal.sumBooks(span.fromMs, span.spanMs, part)
    sums.push(...found)
    yield* pause(found.reduce((sum, one) => sum + one.orders, 0))
  }
  return sums
}
