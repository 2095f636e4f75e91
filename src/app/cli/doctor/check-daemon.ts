import type { Overview, ShownProblem } from "#health/describe-overview.ts"
import type { ProblemKind } from "#health/problem-kind.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

/**
 * `doctor` asks nodes, price sources and the disk itself. A service may fail the calls that only
 * the daemon makes.
 */
const ASKED_BY_DOCTOR: readonly string[] = ["node", "prices", "disk"] satisfies ProblemKind[]
/** These show over time, or beside another endpoint or file: doctor looks once at each. */
const SEEN_BY_DAEMON: readonly string[] = ["node.failing", "node.behind", "disk.memory"]

/** The problems of a daemon that runs, in the words of `status`. Pure. */
export function checkDaemon({
  problems,
  daemon,
}: Pick<Overview, "problems" | "daemon">): Diagnosis[] {
  const found = problems
    .filter(({ kind, code }) => !ASKED_BY_DOCTOR.includes(kind) || SEEN_BY_DAEMON.includes(code))
    .map(describe)
  return found.length === 0 ? [healthy("daemon", `process ${daemon.pid} names no problem`)] : found
}

function describe({ level, sentence, code, todo, command }: ShownProblem): Diagnosis {
  const remedy = command === null ? todo : `${todo} -> ${command}`
  return (level === "trouble" ? broken : doubtful)("daemon", `${sentence} (${code})`, remedy)
}
