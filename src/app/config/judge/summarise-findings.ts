import type { PlacedFinding } from "./finding.ts"

/** Equal findings together, as every printer shows them. */
export type Notice = Pick<PlacedFinding, "code" | "severity" | "sentence" | "step" | "explain"> & {
  readonly subjects: readonly string[]
  readonly paths: readonly string[]
  readonly places: readonly string[]
  /** `file:line:column` of the first finding, and `line:column` of the next ones. */
  readonly where: string
  /** The subjects, or else the paths, as far as they fit into `MOST_WORDS`. */
  readonly who: string
  /** The whole line: at most `MOST_WORDS` words. */
  readonly text: string
  /** One long line for each finding, with its numbers and the line to write. */
  readonly details: readonly string[]
}

export const MOST_WORDS = 20
const MOST_PLACES = 3

/** One notice for each sentence, in the order of the findings. Pure. */
export function summariseFindings(findings: readonly PlacedFinding[]): readonly Notice[] {
  const groups = Map.groupBy(findings, ({ severity, code, sentence }) =>
    [severity, code, sentence].join(" "),
  )
  return [...groups.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [summarise(first, [first, ...rest])],
  )
}

function summarise(first: PlacedFinding, group: readonly PlacedFinding[]): Notice {
  const { code, severity, sentence, step, explain } = first
  const paths = unique(group.map(({ path }) => path))
  const shown = group.flatMap(({ subjects, isJoint, path }) => {
    if (subjects.length === 0) return [path]
    return isJoint ? [subjects.join("+")] : subjects
  })
  const where = formatWhere(first, group)
  const rest = `${sentence} (${code}); ${step}`
  const who = formatNames(unique(shown), MOST_WORDS - countWords(rest) - 1)
  return {
    code,
    severity,
    sentence,
    step,
    explain,
    subjects: unique(group.flatMap(({ subjects }) => subjects)),
    paths,
    places: unique(group.map(({ place }) => place)),
    where,
    who,
    text: `${where}: ${who}: ${rest}`,
    details: group.map(({ place, message, todo }) => `${place}: ${message}; ${todo}`),
  }
}

function formatWhere({ file }: PlacedFinding, group: readonly PlacedFinding[]): string {
  const positions = unique(group.map(({ line, column }) => `${line}:${column}`))
  const more = positions.length > MOST_PLACES ? ["…"] : []
  return `${file}:${[...positions.slice(0, MOST_PLACES), ...more].join(",")}`
}

/** At least the first name, and as many as fit. */
function formatNames(names: readonly string[], most: number): string {
  if (names.length <= most) return names.join(", ")
  const fitting = Math.max(1, most - 2)
  return `${names.slice(0, fitting).join(", ")}, ${names.length - fitting} more`
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
