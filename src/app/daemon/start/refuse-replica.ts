import { readReplica } from "#journal/disk/replay-groups.ts"
import { AppError } from "#lib/app-error.ts"

/**
 * Without the log no other member would learn of this daemon's writes, and another one may hold the
 * lease. Throws `cluster.journal_is_copy` (fatal).
 */
export function refuseReplica(file: string): void {
  const position = readReplica(file)?.position ?? null
  if (position === null) return
  throw new AppError({
    code: "cluster.journal_is_copy",
    disposition: "fatal",
    message:
      `${file} is a copy of a cluster's journal, and the configuration has no journal any ` +
      "more; set journal again, or see docs/CLUSTER.md to leave the cluster",
    details: { file, seq: position.seq },
  })
}
