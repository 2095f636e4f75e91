import type { Path } from "#schema/problem.ts"
import type { Config } from "../config.ts"
import { FINDING_KINDS, type FindingKind, type FindingName } from "./finding-kinds.ts"

/**
 * A value that has the right form and is dangerous. `refuse`: the daemon does not start with it.
 * `fail`: `check` and `doctor` fail. `warn`: both say so. `path` is the line to change; of a
 * missing key, the section that it belongs to.
 */
export type ConfigFinding = FindingKind & Particulars

type Particulars = {
  readonly severity: "refuse" | "fail" | "warn"
  readonly path: Path
  /** The chains, assets, rules or hosts that it is about; none where `path` says enough. */
  readonly subjects: readonly string[]
  /** What is wrong here, with its numbers, as a sentence without a full stop at the end. */
  readonly message: string
  /** The line to write. */
  readonly todo: string
}

/** A finding with its place in the file, `file:line:column: path`. */
export type PlacedFinding = Omit<ConfigFinding, "path"> & {
  readonly place: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly path: string
}

/**
 * The configuration, and whether real money is at stake: `live` mode with at least one main
 * network.
 */
export type Judged = {
  readonly config: Config
  readonly written: unknown
  readonly isReal: boolean
  readonly mains: readonly string[]
}

/** A finding of a kind, by default a warning that `path` alone describes. */
export function findingOf(
  name: FindingName,
  particulars: Pick<Particulars, "path" | "message" | "todo"> & Partial<Particulars>,
): ConfigFinding {
  return { ...FINDING_KINDS[name], severity: "warn", subjects: [], ...particulars }
}
