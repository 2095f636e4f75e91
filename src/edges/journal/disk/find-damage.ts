import { existsSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { AppError } from "#lib/app-error.ts"

/**
 * The damage of a journal's file as SQLite's `quick_check` finds it: every page is read, without a
 * comparison of the indexes with their tables (sqlite.org/pragma.html). `null` for a sound file,
 * and for none. The journal may be in use.
 *
 * Throws SQLite's own error where the file cannot be opened.
 */
export function findDamage(file: string): AppError | null {
  if (!existsSync(file)) return null
  // A connection that only reads leaves a log and its index behind, which its user owns.
  const db = new DatabaseSync(file, { timeout: 5_000 })
  try {
    const [first] = db.prepare("pragma quick_check(1)").all()
    const found = String(first?.["quick_check"] ?? "no answer")
    return found === "ok" ? null : damaged(found, file)
  } catch (error) {
    const fault = findJournalDamage(error, file)
    if (fault === null) throw error
    return fault
  } finally {
    db.close()
  }
}

/** The same in a thread of its own, because a large file takes seconds. */
export function findDamageApart(file: string): Promise<AppError | null> {
  const { promise, resolve, reject } = Promise.withResolvers<AppError | null>()
  const task: Task = { damageOf: file }
  const thread = new Worker(new URL(import.meta.url), { workerData: task, execArgv: [] })
  // The check of a daemon that stops is not awaited.
  thread.unref()
  thread.once("message", (found: string | null) =>
    resolve(found === null ? null : damaged(found, file)),
  )
  thread.once("error", reject)
  thread.once("exit", () => reject(new Error("The check of the journal ended without an answer")))
  return promise
}

type Task = { readonly damageOf: string }

// CAST: `findDamageApart` wrote it, or another file's thread has other data.
const task = isMainThread ? null : (workerData as Partial<Task> | null)
if (task?.damageOf !== undefined)
  parentPort?.postMessage(findDamage(task.damageOf)?.details["found"] ?? null)

/** Primary result codes of SQLite for a damaged file (sqlite.org/rescode.html). */
const DAMAGED = [11, 26]

/**
 * `journal.damaged_file` (fatal) for an error of SQLite that says so, also when it is the cause of
 * another error; else `null`.
 */
export function findJournalDamage(error: unknown, file: string | null): AppError | null {
  if (!(error instanceof Error)) return null
  const errcode = "errcode" in error ? error.errcode : null
  if (typeof errcode === "number" && DAMAGED.includes(errcode & 0xff))
    return damaged(error.message, file)
  return findJournalDamage(error.cause, file)
}

function damaged(found: string, file: string | null): AppError {
  return new AppError({
    code: "journal.damaged_file",
    disposition: "fatal",
    message:
      `The journal${file === null ? "" : ` ${file}`} is damaged (${found}); stop the daemon, ` +
      "keep a copy of data_dir, put the newest backup in its place, and run `ballast recover`; " +
      "without a backup see a lost journal in docs/RECOVER.md",
    details: { file, found },
  })
}
