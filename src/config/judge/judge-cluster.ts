import type { ConfigFinding, Judged } from "./finding.ts"

/** Several machines are for test networks only, until every failure that docs/CLUSTER.md lists as open is handled. */
export function judgeCluster({ config, isReal, mains }: Judged): ConfigFinding[] {
  if (!isReal || config.journal === null) return []
  return [
    {
      code: "config.cluster_main_network",
      severity: "refuse",
      path: ["journal"],
      message: `a journal in PostgreSQL is not ready for real money (docs/CLUSTER.md), and ${mains.join(", ")} is a main network`,
      todo: "remove journal, or use test networks only",
    },
  ]
}
