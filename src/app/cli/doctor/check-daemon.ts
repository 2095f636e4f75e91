import type { Overview, ShownProblem } from "#health/describe-overview.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

/** These show over time, or beside another endpoint or file: doctor looks once at each. */
const SEEN_BY_DAEMON: readonly string[] = ["node.failing", "node.behind", "disk.memory"]

/**
 * The problems of a daemon that runs, in the words of `status`, without those of nodes, prices and
 * the disk that doctor's own checks (`others`) have found too. Pure.
 */
export function checkDaemon(
  { problems, daemon }: Pick<Overview, "problems" | "daemon">,
  others: readonly Diagnosis[] = [],
): Diagnosis[] {
  if (problems.length === 0) return [healthy("daemon", `process ${daemon.pid} names no problem`)]
  const failed = others.filter(({ status }) => status !== "ok")
  return problems.filter((one) => !failed.some((other) => isSame(one, other))).map(describe)
}

function isSame({ kind, code, about, sentence }: ShownProblem, other: Diagnosis): boolean {
  if (SEEN_BY_DAEMON.includes(code)) return false
  const { check, found } = other
  if (kind === "disk") return check === (CHECK_OF_DISK[code] ?? code)
  if (kind === "prices") {
    const asset = /^price (.+)$/.exec(check)?.[1]
    return asset === undefined
      ? found.includes(`(${code})`)
      : about === asset || sentence.includes(asset) || (about !== null && found.includes(about))
  }
  if (kind !== "node" || about === null) return false
  const isOfChain = check.startsWith(`${about} `)
  const place = check.slice(about.length + 1)
  const isSilent = found.startsWith("no usable answer") || sentence.includes(place)
  return check === about || (isOfChain && isSilent)
}

const CHECK_OF_DISK: Readonly<Record<string, string>> = {
  "disk.low": "disk",
  "system.disk_full": "disk",
  "system.disk_read_only": "data_dir",
}

function describe({ level, sentence, code, todo, command }: ShownProblem): Diagnosis {
  const remedy = command === null ? todo : `${todo} -> ${command}`
  return (level === "trouble" ? broken : doubtful)("daemon", `${sentence} (${code})`, remedy)
}
