import type { Config } from "#config/config.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"

export type SeriesSources = {
  readonly journal: Pick<Journal, "listSamples" | "findLastSample" | "readFlag">
  readonly config: Pick<Config, "assets">
  readonly nowMs: number
}

type Beside = Pick<AnswerOf<"Series">, "bands" | "without" | "joined">

/** The beginning of a series: `since`, or so long ago, and never after now. */
export function startOf(nowMs: number, since: string | null, usualMs: number): number {
  return Math.min(nowMs, since === null ? nowMs - usualMs : Date.parse(since))
}

export function showSeries(
  asset: string,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
  points: readonly { readonly atMs: number; readonly amount: string | null }[],
  { bands = [], without = [], joined = [] }: Partial<Beside> = {},
): AnswerOf<"Series"> {
  return {
    asset,
    from: timeOf(fromMs),
    to: timeOf(nowMs),
    points: points.map(({ atMs, amount }) => ({ at: timeOf(atMs), amount })),
    bands,
    without,
    joined,
  }
}

export function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
