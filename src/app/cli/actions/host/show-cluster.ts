import type { Standby } from "#cluster/members.ts"
import { openClusterDatabase } from "#cluster/open-cluster-database.ts"
import { type ClusterState, readCluster, readHolder } from "#cluster/read-cluster.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { lockInstance } from "#daemon/start/instance-lock.ts"
import { journalFile } from "#daemon/start/journal-file.ts"
import { readStopFile } from "#daemon/start/stop-file.ts"
import { writePause } from "#engine/watches/pause.ts"
import type { Level } from "#health/problem.ts"
import { endReplica, readReplica } from "#journal/disk/replay-groups.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import type { Secret } from "#lib/secret.ts"
import type { ReplicaPosition } from "#ports/journal/durability.ts"
import { callDaemon } from "../../call-daemon.ts"
import { confirmChange } from "../../confirm.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { openClusterConfig, withCluster } from "../../open/open-cluster.ts"
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
  const holder = lease === null ? "never taken" : `${lease.holder}, epoch ${lease.epoch}, ${term}`
  const group = seq === null ? "empty" : `group ${seq}`
  const copy =
    snapshot === null ? "" : `, snapshot at group ${snapshot.seq} (schema ${snapshot.schema})`
  const copies = standbys.length === 0 ? ["none"] : standbys.map((one) => formatStandby(one, seq))
  const commits = synchronous ? "commits wait for a synchronous standby" : "no synchronous standby"
  return [
    `lease      ${holder}`,
    `log        ${group}${copy}`,
    `standbys   ${copies.join(`\n${" ".repeat(11)}`)}`,
    `database   ${commits}`,
  ]
}

function formatStandby({ holder, version, seq, ageMs }: Standby, last: number | null): string {
  const behind = last === null || last <= seq ? "up to date" : `${last - seq} groups behind`
  return (
    `${holder} at group ${seq} (${behind}), version ${version}, seen ` +
    `${(ageMs / 1_000).toFixed(1)} s ago`
  )
}

/** A daemon finishes its running work before it gives the lease away. */
const LONGEST_MS = 60_000
const POLL_MS = 100

/** Asks the leader on this machine for the hand-over, and waits for the next leader. */
export async function handOver(context: CommandContext, yes: boolean): Promise<number> {
  return withCluster(context, async (database, config) => {
    const before = await readHolder(database, config.treasury)
    await confirmChange(
      context,
      `Give the lease of ${config.treasury} to a standby? This machine's daemon ends.`,
      yes,
    )
    const askedMs = performance.now()
    const answer = await callDaemon(
      config,
      "POST",
      "/api/v1/cluster/hand-over",
      {},
      { repeat: "harmless" },
    )
    if (answer.status !== 200) return printRefusal(context, answer.body)
    while (performance.now() - askedMs < LONGEST_MS) {
      const { holder, epoch } = await readHolder(database, config.treasury)
      if (holder !== null && epoch !== before.epoch) {
        const tookMs = Math.round(performance.now() - askedMs)
        context.print(
          context.json
            ? plainJson({ from: before.holder, to: holder, epoch, tookMs })
            : `${holder} leads now (epoch ${epoch}), ${(tookMs / 1_000).toFixed(1)} s after ` +
                "the request",
        )
        return EXIT.ok
      }
      await context.clock.sleep(POLL_MS)
    }
    const message =
      "The daemon was asked to give the lease away, and no other member has it after " +
      `${LONGEST_MS / 1_000} s; see \`ballast cluster status\``
    throw new AppError({ code: "cluster.no_successor", disposition: "transient", message })
  })
}

const PROMOTED =
  "promoted without PostgreSQL: compare the open orders with their chains before you resume"

type PromotionChoices = { readonly local: boolean; readonly yes: boolean }

/**
 * Takes this machine's journal out of the cluster, for good and paused, after PostgreSQL was lost.
 * While PostgreSQL answers it refuses: another daemon may lead, and two leaders with the same keys
 * spend the same coins.
 */
export async function promoteLocal(
  context: CommandContext,
  { local, yes }: PromotionChoices,
): Promise<number> {
  if (!local)
    throw refused(
      "cluster.not_local",
      "Only a journal of this machine can be promoted; give --local",
    )
  const { dataDir, journal: url, treasury } = openClusterConfig(context)
  const file = journalFile({ dataDir })
  const position = readReplica(file)?.position ?? null
  if (position === null)
    throw refused("cluster.no_copy", `${file} is no copy of a cluster's journal`)
  const lock = lockInstance(dataDir)
  try {
    await refuseLivingCluster(url, treasury, position)
    const question =
      `Is PostgreSQL lost for good, and is every other daemon of ${treasury} stopped for good? ` +
      `The journal ends at group ${position.seq}; orders after it are unknown here.`
    await confirmChange(context, question, yes)
    const pausing = {
      clock: context.clock,
      log: silentLogger,
      readStopFile: () => readStopFile(dataDir),
    }
    endReplica(file)
    const journal = openJournal(file)
    try {
      writePause({ ...pausing, journal }, { kind: "all" }, { by: "operator", reason: PROMOTED })
    } finally {
      journal.close()
    }
    const todo =
      "Remove journal from the configuration, start the daemon, run `ballast recover`, then resume."
    context.print(
      context.json
        ? plainJson({ promoted: true, group: position.seq, paused: true })
        : `Promoted at group ${position.seq}, and paused. ${todo}`,
    )
    return EXIT.ok
  } finally {
    lock.release()
  }
}

async function refuseLivingCluster(
  url: Secret,
  treasury: string,
  position: ReplicaPosition,
): Promise<void> {
  const database = await openClusterDatabase(url, () => undefined).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "cluster.unreachable") return null
    throw error
  })
  if (database === null) return
  try {
    const { lease, seq } = await readCluster(database, treasury)
    const holder = lease !== null && lease.leftMs > 0 ? `, and ${lease.holder} holds the lease` : ""
    const behind =
      seq !== null && seq > position.seq
        ? `, and its log has ${seq - position.seq} groups more`
        : ""
    const message =
      `PostgreSQL answers${holder}${behind}; start the daemon with journal instead of a ` +
      "promotion"
    throw refused("cluster.alive", message)
  } finally {
    await database.close()
  }
}

function refused(code: string, message: string): AppError {
  return new AppError({ code, disposition: "refused", message })
}
