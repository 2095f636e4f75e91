import { Worker } from "node:worker_threads"
import type { Config } from "#config/config.ts"
import type { Reason } from "#domain/reason.ts"
import type { Clock } from "#lib/clock.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import type { Operations } from "#ops/operations.ts"
import type { Answer } from "#schema/answers/answers.ts"
import { ANSWERS } from "#schema/answers/answers.ts"
import type { PeriodQuery } from "#schema/requests.ts"
import { journalFile } from "../start/journal-file.ts"
import { readEarnings } from "./read-earnings.ts"
import type { Study, StudyReply, StudyTask } from "./study-in-thread.ts"

export type Studies = Pick<
  Operations,
  "why" | "report" | "affiliateReport" | "earnings" | "exportBooks" | "simulate" | "advise"
>

/** The configuration in force, and the plain data of its file. */
export type StudySource = { readonly config: Config; readonly written: unknown }

const DAY_MS = 86_400_000
const REPORT_SPAN_MS = 30 * DAY_MS
const LONGEST_MS = 60_000
const MOST_MEMORY_MIB = 768

/**
 * Answers that need the whole journal or many computations. Each has a thread of its own, which
 * ends with the answer or at a limit, so the engine never waits for one. `paces`: those of the
 * calls to the services.
 */
export function createStudies(
  source: () => StudySource,
  clock: Clock,
  { longestMs = LONGEST_MS, paces = createPaces(clock) }: StudyOptions = {},
): Studies {
  let last: Promise<unknown> = Promise.resolve()
  const ask = (study: Study): Promise<StudyReply> => {
    // One at a time, whichever way they are asked.
    const turn = last.then(() => start(study))
    last = turn.catch(() => undefined)
    return turn
  }
  const start = (study: Study): Promise<StudyReply> => {
    const { config, written } = source()
    const task = { study, config: plainCopy(config), written, file: journalFile(config) }
    return askThread({ ...task, nowMs: clock.now(), longestMs }, clock)
  }
  const periodOf = (
    { since, until }: { readonly [end in keyof PeriodQuery]: string | undefined },
    fromMs: number,
  ) => ({
    fromMs: since === undefined ? fromMs : Date.parse(since),
    untilMs: until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until),
  })
  return {
    why: async (rule) =>
      source().config.rules.some(({ id }) => id === rule)
        ? read(await ask({ kind: "why", rule }), (text) => ANSWERS.Why.parse(JSON.parse(text)))
        : null,
    report: async ({ by, since, until, ...filter }) => {
      const period = periodOf({ since, until }, clock.now() - REPORT_SPAN_MS)
      const asked = await ask({ kind: "report", period, by, filter })
      return read(asked, (text) => ANSWERS.Report.parse(JSON.parse(text)))
    },
    affiliateReport: async (span) => {
      const asked = await ask({ kind: "affiliate", period: periodOf(span, 0) })
      return read(asked, (text) => ANSWERS.AffiliateReport.parse(JSON.parse(text)))
    },
    earnings: async () => {
      const own = read(await ask({ kind: "affiliate", period: periodOf({}, 0) }), (text) =>
        ANSWERS.AffiliateReport.parse(JSON.parse(text)),
      )
      return own.ok
        ? { ok: true, body: await readEarnings(source().config, own.body, clock, paces) }
        : own
    },
    exportBooks: async ({ format, ...span }) =>
      read(await ask({ kind: "export", format, period: periodOf(span, 0) }), (text) => text),
    advise: async () =>
      read(await ask({ kind: "advise" }), (text) => ANSWERS.Advice.parse(JSON.parse(text))),
    simulate: async (query) =>
      read(await ask({ kind: "simulate", ...query }), (text) =>
        ANSWERS.Simulation.parse(JSON.parse(text)),
      ),
  }
}

type StudyOptions = { readonly longestMs?: number; readonly paces?: Paces | undefined }

type Read<Body> =
  | { readonly ok: true; readonly body: Body }
  | Extract<Answer<"Report">, { ok: false }>

function read<Body>(reply: StudyReply, parse: (text: string) => Body): Read<Body> {
  return reply.ok ? { ok: true, body: parse(reply.text) } : { ok: false, reasons: [reply.reason] }
}

/** A copy for another thread carries no secret: their values are private to their objects. */
function plainCopy(config: Config): Config {
  return structuredClone(config)
}

async function askThread(task: StudyTask, clock: Pick<Clock, "sleep">): Promise<StudyReply> {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js"
  const thread = new Worker(new URL(`./study-in-thread.${ending}`, import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MIB },
  })
  thread.unref()
  const over = new AbortController()
  const answered = new Promise<StudyReply>((resolve) => {
    thread.once("message", resolve)
    thread.once("error", () => resolve({ ok: false, reason: TOO_LARGE }))
    thread.once("exit", () => resolve({ ok: false, reason: TOO_LARGE }))
  })
  const late = clock.sleep(task.longestMs, over.signal).then(
    (): StudyReply => ({ ok: false, reason: TOO_LARGE }),
    (): StudyReply => ({ ok: false, reason: TOO_LARGE }),
  )
  try {
    return await Promise.race([answered, late])
  } finally {
    over.abort()
    void thread.terminate()
  }
}

const TOO_LARGE: Reason = {
  code: "ops.study_limit",
  message:
    `The answer needs more than ${LONGEST_MS / 1_000} s or ${MOST_MEMORY_MIB} MiB; ask for a ` +
    "shorter span or fewer runs, or use the command line",
}
