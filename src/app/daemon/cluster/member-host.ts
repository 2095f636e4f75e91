import { hostname } from "node:os"
import { openClusterDatabase } from "#cluster/open-cluster-database.ts"
import type { Logger } from "#lib/log.ts"
import type { Secret } from "#lib/secret.ts"
import { openGrouped } from "../start/open-grouped.ts"
import type { MemberHost } from "./join-cluster.ts"
import { publishSnapshot } from "./publish-snapshot.ts"

/** A member in this process, with its journal in `file`. */
export function openMemberHost(parts: {
  readonly url: Secret
  readonly file: string
  readonly log: Logger
  readonly afterCommit?: () => void
}): MemberHost {
  return {
    holder: `${hostname()}:${process.pid}`,
    monotonicMs: () => performance.now(),
    openDatabase: (onUnreplicated) => openClusterDatabase(parts.url, onUnreplicated),
    openJournal: (groupLog) => openGrouped(parts.file, parts.log, parts.afterCommit, groupLog),
    publishSnapshot,
  }
}
