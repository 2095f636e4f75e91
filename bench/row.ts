/** One measured value beside its goal. */
export type Row = {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** `null`: there is no goal; the value explains others. */
  readonly goal: { readonly is: "at most" | "at least"; readonly value: number } | null
  /** The best value that raw work alone allows on this machine: the fakes' own time, raw inserts of the same bytes, an empty process. */
  readonly floor?: number
  /** The row is a point of a plot, and not in the table. */
  readonly point?: { readonly line: string; readonly x: number }
}

/** A part of the bench, which runs in a process of its own. `quick` measures with fewer orders. */
export type Part = (quick: boolean) => Promise<readonly Row[]>

export function atMost(value: number): Row["goal"] {
  return { is: "at most", value }
}

export function atLeast(value: number): Row["goal"] {
  return { is: "at least", value }
}

export function isMet({ value, goal }: Row): boolean {
  if (goal === null) return true
  return goal.is === "at most" ? value <= goal.value : value >= goal.value
}

export function formatGoal({ goal, unit }: Row): string {
  return goal === null ? "" : `${goal.is} ${goal.value} ${unit}`.trim()
}

export function formatFloor(row: Row): string {
  return row.floor === undefined ? "" : formatValue({ ...row, value: row.floor })
}

export function formatValue({ value, unit }: Pick<Row, "value" | "unit">): string {
  if (Number.isNaN(value)) return "not measured"
  const size = Math.abs(value)
  return `${value.toFixed(size >= 100 ? 0 : size >= 1 ? 1 : 3)} ${unit}`.trim()
}
