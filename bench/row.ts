/** One measured value beside its goal. */
export type Row = Measured & {
  readonly what: string
  readonly unit: string
  /** The same with two endpoints a chain that must agree. Absent for a part that asks no node. */
  readonly two?: Measured
  /** The program of the row, in a table of several programs. */
  readonly peer?: string
  /** The row is a point of a plot, and not in the table. */
  readonly point?: {
    readonly plot: "in-flight" | "assets"
    readonly line: string
    readonly x: number
  }
}

export type Measured = {
  readonly value: number
  /** `null`: there is no goal; the value explains others. */
  readonly goal: { readonly is: "at most" | "at least"; readonly value: number } | null
  /**
   * The best value that raw work alone allows on this machine: the fakes' own time, raw inserts of
   * the same bytes, an empty process.
   */
  readonly floor?: number
}

/** A part of the bench, which runs in a process of its own. `quick` measures with fewer orders. */
export type Part = (quick: boolean) => Promise<readonly Row[]>

export function atMost(value: number): Row["goal"] {
  return { is: "at most", value }
}

export function atLeast(value: number): Row["goal"] {
  return { is: "at least", value }
}

/**
 * The rows of one endpoint a chain, each with its values of the run with two. A row that the other
 * run does not have counts as not measured there.
 */
export function pairRows(one: readonly Row[], two: readonly Row[]): readonly Row[] {
  return one.map((row) => {
    const other = two.find(({ what }) => what === row.what)
    return {
      ...row,
      two: other === undefined ? { value: Number.NaN, goal: row.goal } : measuredOf(other),
    }
  })
}

function measuredOf({ value, goal, floor }: Measured): Measured {
  return { value, goal, ...(floor === undefined ? {} : { floor }) }
}

/** Is the goal met with one endpoint a chain, and with two? */
export function isMet({ two, ...one }: Row): boolean {
  return meetsGoal(one) && (two === undefined || meetsGoal(two))
}

export function meetsGoal({ value, goal }: Measured): boolean {
  if (goal === null) return true
  return goal.is === "at most" ? value <= goal.value : value >= goal.value
}

/** False for a part that failed: it has no values to tell. */
export function isMeasured({ value, two }: Row): boolean {
  return ![value, two?.value].some(Number.isNaN)
}

export function formatGoal({ goal, unit, two }: Row): string {
  if (goal === null) return ""
  const other = two?.goal ?? goal
  return (
    `${goal.is} ${round(goal.value)} ${unit}`.trim() +
    (other.value === goal.value ? "" : `; with two ${round(other.value)}`)
  )
}

/** A goal that another measurement sets has many digits. */
function round(value: number): number {
  return Math.round(value * 100) / 100
}

export function formatFloor({ unit, floor }: Pick<Row, "unit" | "floor">): string {
  return floor === undefined ? "" : formatValue({ unit, value: floor })
}

/** The value with two endpoints a chain. */
export function formatTwo({ unit, two }: Row): string {
  return two === undefined ? "" : formatValue({ unit, value: two.value })
}

export function formatFloorOfTwo({ unit, two }: Row): string {
  return two === undefined ? "" : formatFloor({ unit, ...two })
}

export function formatValue({ value, unit }: Pick<Row, "value" | "unit">): string {
  if (Number.isNaN(value)) return "not measured"
  const size = Math.abs(value)
  return `${value.toFixed(size >= 100 ? 0 : size >= 1 ? 1 : 3)} ${unit}`.trim()
}
