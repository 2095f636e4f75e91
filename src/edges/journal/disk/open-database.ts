import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { makeFolder } from "#lib/make-folder.ts"
import { initial } from "../migrations/0001-initial.ts"
import { reservedFees } from "../migrations/0002-reserved-fees.ts"
import { ledger } from "../migrations/0003-ledger.ts"
import { decisions } from "../migrations/0004-decisions.ts"
import { signedDigests } from "../migrations/0005-signed-digests.ts"
import { services } from "../migrations/0006-services.ts"
import { signingRecord } from "../migrations/0007-signing-record.ts"
import { payouts } from "../migrations/0008-payouts.ts"
import { operatorCalls } from "../migrations/0009-operator-calls.ts"
import { indexes } from "../migrations/0010-indexes.ts"
import { fewerIndexes } from "../migrations/0011-fewer-indexes.ts"
import { secondRule } from "../migrations/0012-second-rule.ts"
import { secretDecisions } from "../migrations/0013-secret-decisions.ts"
import { endedOrders } from "../migrations/0014-ended-orders.ts"
import { orderChanges } from "../migrations/0015-order-changes.ts"
import { orderSummaries } from "../migrations/0016-order-summaries.ts"
import { decisionInputs } from "../migrations/0017-decision-inputs.ts"
import { countedOrders } from "../migrations/0018-counted-orders.ts"
import { requestKeys } from "../migrations/0019-request-keys.ts"

/** Forward only; a released migration is never edited. */
export const MIGRATIONS: readonly string[] = [
  initial,
  reservedFees,
  ledger,
  decisions,
  signedDigests,
  services,
  signingRecord,
  payouts,
  operatorCalls,
  indexes,
  fewerIndexes,
  secondRule,
  secretDecisions,
  endedOrders,
  orderChanges,
  orderSummaries,
  decisionInputs,
  countedOrders,
  requestKeys,
]

export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Opens the journal's database and brings its schema up to date.
 *
 * Throws `journal.future_schema` (fatal) when a newer Ballast wrote it, `journal.open` (fatal)
 * when it cannot be opened or is damaged, and `system.*` (transient) for trouble of the machine.
 */
export function openDatabase(file: string): DatabaseSync {
  try {
    if (file !== ":memory:") makeFolder(dirname(file))
    const db = new DatabaseSync(file, { timeout: 5_000 })
    db.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on")
    // The pages of a thousand open orders fit into the cache (KiB), and a page that changes often
    // is copied into the database file more rarely (pages).
    db.exec("pragma cache_size = -32768; pragma wal_autocheckpoint = 4000")
    // Each step of a group is a savepoint, which keeps the pages as they were before it: in memory,
    // else they are two thirds of all written bytes.
    db.exec("pragma temp_store = memory")
    migrate(db)
    return db
  } catch (error) {
    throw cannotOpen(file, error)
  }
}

/**
 * `system.*` (transient) for trouble of the machine, else `journal.open` (fatal); an error with a
 * code of its own stays.
 */
export function cannotOpen(file: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  const fault = findEnvironmentFault(error, file)
  if (fault !== null) return fault
  return new AppError({
    code: "journal.open",
    disposition: "fatal",
    message:
      "The journal cannot be opened; check that data_dir is writable and the file undamaged, " +
      "else restore a backup",
    details: { file },
    cause: error,
  })
}

function migrate(db: DatabaseSync): void {
  const version = Number(db.prepare("pragma user_version").get()?.["user_version"] ?? 0)
  if (version > SCHEMA_VERSION) {
    throw new AppError({
      code: "journal.future_schema",
      disposition: "fatal",
      message:
        `The journal has schema ${version}, written by a newer Ballast; this one knows up to ` +
        `${SCHEMA_VERSION}`,
      details: { version, supported: SCHEMA_VERSION },
    })
  }
  MIGRATIONS.slice(version).forEach((sql, index) => {
    db.exec(`begin immediate; ${sql}; pragma user_version = ${version + index + 1}; commit`)
  })
}
