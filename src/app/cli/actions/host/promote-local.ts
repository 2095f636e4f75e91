import { openClusterDatabase } from "#cluster/open-cluster-database.ts"
import { readCluster } from "#cluster/read-cluster.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { lockInstance } from "#daemon/start/instance-lock.ts"
import { journalFile } from "#daemon/start/journal-file.ts"
import { readStopFile } from "#daemon/start/stop-file.ts"
import { writePause } from "#engine/watches/pause.ts"
import { endReplica, readReplica } from "#journal/disk/replay-groups.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import type { Secret } from "#lib/secret.ts"
import type { ReplicaPosition } from "#ports/journal.ts"
import { confirmChange } from "../../confirm.ts"
import type { CommandContext } from "../../define-command.ts"
import { openClusterConfig } from "../../open/open-cluster.ts"

const REASON =
  "promoted without PostgreSQL: compare the open orders with their chains before you resume"

type Choices = { readonly local: boolean; readonly yes: boolean }

/**
 * Takes this machine's journal out of the cluster, for good and paused, after PostgreSQL was lost.
 * While PostgreSQL answers it refuses: another daemon may lead, and two leaders with the same keys
 * spend the same coins.
 */
export async function promoteLocal(
  context: CommandContext,
  { local, yes }: Choices,
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
      writePause({ ...pausing, journal }, { kind: "all" }, { by: "operator", reason: REASON })
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
