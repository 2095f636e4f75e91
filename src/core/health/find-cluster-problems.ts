import { describeClusterSilence } from "./error-remedies.ts"
import { formatSpan } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { ClusterReading, Readings } from "./readings.ts"

/** PostgreSQL may restart, and a standby may too, before a person hears of it. */
const SILENT_MS = 5_000
const ALONE_MS = 60_000

/** The problems of a treasury with several machines. Pure. */
export function findClusterProblems({
  cluster,
  nowMs,
}: Pick<Readings, "cluster" | "nowMs">): readonly Problem[] {
  if (cluster === undefined) return []
  return [...findSilence(cluster, nowMs), ...findLoneliness(cluster, nowMs)]
}

function findSilence(
  { role, answeredMs, error, advice }: ClusterReading,
  nowMs: number,
): readonly Problem[] {
  if (nowMs - answeredMs < SILENT_MS) return []
  const isLeader = role === "leader"
  const meaning = isLeader
    ? "No order, no deposit and no first reveal leaves until PostgreSQL answers; refunds and " +
      "begun redemptions go on."
    : "This standby cannot take over, because only PostgreSQL can give it the lease."
  const { what, why, todo } = describeClusterSilence(error, advice)
  return [
    problem({
      level: isLeader ? "trouble" : "attention",
      code: "cluster.silent",
      meaning,
      sentence: `PostgreSQL ${what} for ${formatSpan(nowMs - answeredMs)}${why}`,
      todo,
      command: "ballast cluster status",
      needsPerson: true,
    }),
  ]
}

function findLoneliness({ role, aloneSinceMs }: ClusterReading, nowMs: number): readonly Problem[] {
  if (role !== "leader" || aloneSinceMs === null || nowMs - aloneSinceMs < ALONE_MS) return []
  return [
    problem({
      level: "attention",
      code: "cluster.alone",
      sentence: `No standby has followed the log for ${formatSpan(nowMs - aloneSinceMs)}`,
      todo:
        "Start the standby, or read its log: without one the treasury stands still with this " +
        "machine.",
      command: "ballast cluster status",
      needsPerson: true,
    }),
  ]
}
