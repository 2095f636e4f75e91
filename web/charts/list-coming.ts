import type { Overview } from "../answers.ts"

/** What is known to come within 24 hours: a run of the schedule, or the end of an order's time. */
export type Coming = { readonly at: string; readonly kind: "run" | "end"; readonly words: string }

const DAY_MS = 86_400_000

export function listComing(
  runs: readonly string[],
  flights: Overview["orders"],
  nowMs = Date.now(),
): readonly Coming[] {
  const ends = flights.flatMap(({ id, deadline, ends: words }): Coming[] =>
    deadline === null ? [] : [{ at: deadline, kind: "end", words: `${id.slice(0, 8)}: ${words}` }],
  )
  return [...runs.map((at): Coming => ({ at, kind: "run", words: "run" })), ...ends]
    .filter(({ at }) => Date.parse(at) >= nowMs && Date.parse(at) <= nowMs + DAY_MS)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
