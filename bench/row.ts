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
  readonly goal: Goal | null
  /** The goal that the row had once; ADR 56 says why it left the table. */
  readonly left?: Goal
  /**
   * The best value that raw work alone allows on this machine: the fakes' own time, raw inserts of
   * the same bytes, an empty process.
   */
  readonly floor?: number
}

export type Goal = {
  readonly is: "at most" | "at least"
  readonly value: number
  /**
   * Only where the machine's speed decides: how many times longer than on the machine of the goals
   * the same fixed work, or the start of a process, takes here. Until it is measured it is 1.
   */
  readonly slowness?: number
}

/** A part of the bench, which runs in a process of its own. `quick` measures with fewer orders. */
export type Part = (quick: boolean) => Promise<readonly Row[]>

export function atMost(value: number): Goal {
  return { is: "at most", value }
}

export function atLeast(value: number): Goal {
  return { is: "at least", value }
}

/** The goal is for the reference machine, and the speed of this one scales it. */
export function bySpeed(goal: Goal): Goal {
  return { ...goal, slowness: 1 }
}

/** A bare start of Node on the machine that the goals are for. */
const REFERENCE_START_MS = 41

/** The start of a process decides: `startMs` is that of a bare one here. */
export function byStart(goal: Goal, startMs: number): Goal {
  return { ...goal, slowness: Math.max(1, startMs / REFERENCE_START_MS) }
}

/** The row with its goal as it is on a machine that is so many times slower. */
export function scaleGoal<One extends Measured>(row: One, slowness: number): One {
  const { goal } = row
  return goal?.slowness === 1 ? { ...row, goal: { ...goal, slowness } } : row
}

/** The value that a measurement here is compared with. */
function boundOf({ is, value, slowness = 1 }: Goal): number {
  return is === "at most" ? value * slowness : value / slowness
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
  return goal.is === "at most" ? value <= boundOf(goal) : value >= boundOf(goal)
}

/** False for a part that failed: it has no values to tell. */
export function isMeasured({ value, two }: Row): boolean {
  return ![value, two?.value].some(Number.isNaN)
}

/** The goal that the row has, or had. */
export function formatGoal({ goal: own, left, unit, two }: Row): string {
  const goal = own ?? left
  if (goal === undefined) return ""
  const other = two?.goal ?? goal
  const isSame = boundOf(other) === boundOf(goal)
  return (
    `${goal.is} ${round(goal.value)} ${unit}`.trim() +
    formatSlowness(goal) +
    (isSame ? "" : `; with two ${round(other.value)}${formatSlowness(other)}`)
  )
}

function formatSlowness({ is, slowness = 1 }: Goal): string {
  return slowness === 1 ? "" : ` ${is === "at most" ? "×" : "÷"} ${slowness.toFixed(2)}`
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
