import type { Standby } from "#cluster/members.ts"
import { type ClusterState, readCluster } from "#cluster/read-cluster.ts"
import type { Level } from "#health/problem.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../../define-command.ts"
import { withCluster } from "../../open/open-cluster.ts"
import { LEVEL_EXIT } from "./show-status.ts"

const FREE = "Nobody holds the lease: start a daemon, and read its log if it does not lead."

/** Shows the lease, the log and the standbys, as PostgreSQL has them. */
export async function showCluster(context: CommandContext): Promise<number> {
  return withCluster(context, async (database, { treasury }) => {
    const state = await readCluster(database, treasury)
    const { level, advice } = judge(state)
    if (context.json) context.print(plainJson({ treasury, level, advice, ...state }, 2))
    else
      for (const text of [`treasury   ${treasury}`, ...format(state), ...advice])
        context.print(text)
    return LEVEL_EXIT[level]
  })
}

function judge({ lease, standbys, synchronous }: ClusterState): {
  level: Level
  advice: readonly string[]
} {
  if (lease === null || lease.leftMs <= 0) return { level: "trouble", advice: [FREE] }
  const advice = [
    ...(standbys.length === 0
      ? ["No standby follows: the treasury stands still when the leader's machine does."]
      : []),
    ...(synchronous
      ? []
      : [
          "PostgreSQL has no synchronous standby: the loss of its disk may lose what was acted on.",
        ]),
  ]
  return { level: advice.length === 0 ? "ok" : "attention", advice }
}

function format({ lease, seq, snapshot, standbys, synchronous }: ClusterState): readonly string[] {
  const left = lease === null ? 0 : lease.leftMs / 1_000
  const term = left > 0 ? `${left.toFixed(1)} s left` : `ended ${(-left).toFixed(1)} s ago`
  return [
    "lease      " +
      `${lease === null ? "never taken" : `${lease.holder}, epoch ${lease.epoch}, ${term}`}`,
    "log        " +
      `${seq === null ? "empty" : `group ${seq}`}${snapshot === null ? "" : `, snapshot at group ${snapshot.seq} (schema ${snapshot.schema})`}`,
    "standbys   " +
      `${standbys.length === 0 ? "none" : standbys.map((one) => formatStandby(one, seq)).join("\n           ")}`,
    "database   " +
      `${synchronous ? "commits wait for a synchronous standby" : "no synchronous standby"}`,
  ]
}

function formatStandby({ holder, version, seq, ageMs }: Standby, last: number | null): string {
  const behind = last === null || last <= seq ? "up to date" : `${last - seq} groups behind`
  return (
    `${holder} at group ${seq} (${behind}), version ${version}, seen ` +
    `${(ageMs / 1_000).toFixed(1)} s ago`
  )
}
