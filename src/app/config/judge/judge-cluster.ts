import { type ConfigFinding, findingOf, type Judged } from "./finding.ts"
import { judgeWay } from "./judge-endpoints.ts"

/**
 * A connection to PostgreSQL that others can read and change: a new leader follows the log. An
 * empty URL belongs to a shell without the daemon's environment, and says nothing.
 */
export function judgeCluster({ config, isReal }: Judged): ConfigFinding[] {
  const url = config.journal?.reveal() ?? ""
  if (!URL.canParse(url)) return []
  const { hostname, searchParams } = new URL(url)
  const host = searchParams.get("host") ?? hostname
  // A path is a socket of this machine.
  const isProven =
    host === "" || host.startsWith("/") || searchParams.get("sslmode") === "verify-full"
  const severity = isProven ? null : judgeWay(host, isReal)
  if (severity === null) return []
  return [
    findingOf("plainJournal", {
      severity,
      path: ["journal"],
      message:
        `the connection to PostgreSQL at ${host} does not prove the server: everyone on the ` +
        "way can read and change the log",
      todo: "add ?sslmode=verify-full to the URL of journal",
    }),
  ]
}
