import { join } from "node:path"
import type { Config } from "#config/config.ts"
import type { LoadedConfig } from "#config/load.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { Journal } from "#ports/journal.ts"
import { journalFile } from "../start/journal-file.ts"
import type { KeySource } from "../start/key-source.ts"
import { openGrouped } from "../start/open-grouped.ts"
import { readRuntimeFile } from "../start/runtime-file.ts"
import { openPaperBook } from "./paper-book.ts"
import { watchOnly } from "./watch-only.ts"

/** The data directory of the shadow of the daemon with this one. */
export function shadowDir(followedDir: string): string {
  return join(followedDir, "shadow")
}

/**
 * The configuration of a shadow: it observes, with a journal of its own beside that of the followed
 * daemon, and sends no message. All that would meet the followed daemon's files, ports or
 * receivers is left out.
 */
export function toShadow(loaded: LoadedConfig, followedDir: string): LoadedConfig {
  const { config } = loaded
  const shadow: Config = {
    ...config,
    mode: "observe",
    dataDir: shadowDir(followedDir),
    journal: null,
    secrets: { key: null },
    signer: { ...config.signer, isApart: false },
    ops: { ...config.ops, listen: null, tls: null },
    alerts: { ...config.alerts, receivers: [], escalateTo: [], heartbeat: null },
    telemetry: { otlp: null },
  }
  return { ...loaded, config: shadow }
}

/**
 * The wallets and the journal of a shadow, from the followed daemon's public keys and books. Opens
 * no key. Throws `shadow.not_followed` (transient) while that daemon does not run.
 */
export function openShadow(
  config: Pick<Config, "dataDir">,
  followedDir: string,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): { readonly keys: KeySource; readonly journal: Journal; readonly end: () => void } {
  const wallets = readRuntimeFile(followedDir)?.wallets
  if (wallets === undefined) throw notFollowed(followedDir)
  const followed = openJournal(journalFile({ dataDir: followedDir }))
  const own = openGrouped(journalFile(config), log)
  const { journal, unitsOf } = openPaperBook(own, followed, clock.now())
  return { keys: watchOnly(wallets, unitsOf), journal, end: () => followed.close() }
}

function notFollowed(dataDir: string): AppError {
  return new AppError({
    code: "shadow.not_followed",
    disposition: "transient",
    message: `No daemon runs in ${dataDir}, and a shadow follows one; start it, then the shadow`,
    details: { dataDir },
  })
}
