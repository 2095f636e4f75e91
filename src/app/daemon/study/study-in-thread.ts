import { parentPort, workerData } from "node:worker_threads"
import type { Period } from "#books/period.ts"
import type { Config } from "#config/config.ts"
import type { Reason } from "#domain/reason.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { toAppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { plainJson } from "#lib/json.ts"
import type { OrdersFilter } from "#ports/journal/ledger.ts"
import type { Journal } from "#ports/journal.ts"
import type { SimulationQuery } from "#schema/requests.ts"
import { type ExportFormat, exportSwaps } from "./export-swaps.ts"
import { type Grouping, readAffiliateReport, readReport } from "./read-report.ts"
import { readWhy } from "./read-why.ts"

export type Study =
  | {
      readonly kind: "report"
      readonly period: Period
      readonly by: Grouping
      readonly filter: OrdersFilter
    }
  | { readonly kind: "why"; readonly rule: string }
  | { readonly kind: "affiliate"; readonly period: Period }
  | { readonly kind: "export"; readonly period: Period; readonly format: ExportFormat }
  | { readonly kind: "advise" }
  | ({ readonly kind: "simulate" } & SimulationQuery)

/**
 * `config`: a copy without the values of its secrets, which no study needs. `written`: the plain
 * data of its file.
 */
export type StudyTask = {
  readonly study: Study
  readonly config: Config
  readonly written: unknown
  readonly file: string
  readonly nowMs: number
  /** The thread is ended then, so a study that can be shorter takes less. */
  readonly longestMs: number
}
export type StudyReply =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: Reason }

/** The other half is left for the start of the thread, and for other work of the machine. */
const SIMULATED_SHARE = 0.5

async function answer({ longestMs, ...task }: StudyTask): Promise<string> {
  const { study, config, written, file, nowMs } = task
  if (study.kind === "simulate") {
    // The others start faster without the backtest.
    const { simulateRules } = await import("./simulate-rules.ts")
    const time = { now: systemClock.now, mostMs: longestMs * SIMULATED_SHARE }
    return plainJson(await simulateRules(config, written, study, time))
  }
  const journal = openJournal(file)
  try {
    if (study.kind === "export") return exportSwaps(journal, config, study.period, study.format)
    if (study.kind === "advise") {
      const { readAdvice } = await import("./read-advice.ts")
      return plainJson(await readAdvice({ journal, config, nowMs }))
    }
    return plainJson(reportOf(study, { journal, config, nowMs }))
  } finally {
    journal.close()
  }
}

type Sources = { readonly journal: Journal; readonly config: Config; readonly nowMs: number }

function reportOf(
  study: Exclude<Study, { kind: "simulate" | "export" | "advise" }>,
  sources: Sources,
): object {
  if (study.kind === "report") return readReport(sources, study.period, study.by, study.filter)
  if (study.kind === "affiliate") return readAffiliateReport(sources, study.period)
  const { journal, config, nowMs } = sources
  const rule = config.rules.find(({ id }) => id === study.rule)
  return readWhy(journal, config, mustExist(rule, "the rule of the question"), nowMs)
}

async function reply(task: StudyTask): Promise<StudyReply> {
  try {
    return { ok: true, text: await answer(task) }
  } catch (error) {
    const { code, message } = toAppError(error, {
      code: "ops.internal",
      disposition: "bug",
    })
    return { ok: false, reason: { code, message } }
  }
}

// CAST: `createStudies` starts this thread with its task.
parentPort?.postMessage(await reply(workerData as StudyTask))
