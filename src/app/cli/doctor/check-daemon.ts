import type { Overview, ShownProblem } from "#health/describe-overview.ts"
import type { ProblemKind } from "#health/problem-kind.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

/**
 * `doctor` asks nodes, price sources and the disk itself. A service may fail the calls that only
 * the daemon makes.
 */
const ASKED_BY_DOCTOR: readonly string[] = ["node", "prices", "disk"] satisfies ProblemKind[]

/** The problems of a daemon that runs, in the words of `status`. Pure. */
export function checkDaemon({
  problems,
  daemon,
}: Pick<Overview, "problems" | "daemon">): Diagnosis[] {
  const found = problems.filter(({ kind }) => !ASKED_BY_DOCTOR.includes(kind)).map(describe)
  return found.length === 0 ? [healthy("daemon", `process ${daemon.pid} names no problem`)] : found
}

function describe({ level, sentence, code, todo, command }: ShownProblem): Diagnosis {
  const remedy = command === null ? todo : `${todo} -> ${command}`
  return (level === "trouble" ? broken : doubtful)("daemon", `${sentence} (${code})`, remedy)
}
