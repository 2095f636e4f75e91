import type { Path } from "#schema/problem.ts"
import type { Config } from "../config.ts"

/**
 * A value that has the right form and is dangerous. `refuse`: the daemon does not start with it. `fail`: `check` and `doctor` fail. `warn`: both
 * say so. `path` is the line to change; of a missing key, the section that it belongs to.
 */
export type ConfigFinding = {
  readonly code: string
  readonly severity: "refuse" | "fail" | "warn"
  readonly path: Path
  /** What is wrong, as a sentence without a full stop at the end. */
  readonly message: string
  /** The line to write. */
  readonly todo: string
}

/** A finding with its place in the file, `file:line:column: path`. */
export type PlacedFinding = Omit<ConfigFinding, "path"> & { readonly place: string; readonly line: number }

/** The configuration, and whether real money is at stake: `live` mode with at least one main network. */
export type Judged = {
  readonly config: Config
  readonly written: unknown
  readonly isReal: boolean
  readonly mains: readonly string[]
}
