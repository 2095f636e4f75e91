import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { type Urgency, withUrgency } from "#ports/urgency.ts"
import type { Clocked, Logged, Remembering } from "../context.ts"
import { forgetFault, noteFault } from "./part-faults.ts"

/**
 * A question that no order asks. It asks in rounds: one about everything, or one about each of its
 * chains. A round that fails is logged, and the next one comes at its usual time.
 */
export type Watch = {
  readonly name: string
  /** The time from the begin of a round to the next one. */
  readonly everyMs: number
  /** The wait before the first round; absent for none. */
  readonly firstMs?: number
  /** Whether a round may sign or send: a pause answers only after such a round has ended. */
  readonly spends?: boolean
  /** Absent for `look`. */
  readonly urgency?: Urgency
} & (
  | { readonly run: () => Ended }
  | {
      readonly ports: () => Iterable<ChainPort>
      readonly ask: (port: ChainPort) => Ended
    }
)

/** The time from the round's end to the next one, where that is another one than `everyMs`. */
type Ended = Promise<number> | Promise<void>

export type Rounds = {
  /** Begins the rounds that are due. Returns the time of the next one; `null` without one. */
  readonly poll: () => number | null
  /** Resolves when the running rounds have ended. */
  readonly idle: () => Promise<void>
  /** Resolves when the running rounds that may sign or send have ended. */
  readonly spendingIdle: () => Promise<void>
}

/** A clock that runs well is set back by less. */
const CORRECTION_MS = 10_000

/**
 * Runs all watches. No chain has two rounds of one watch at the same time. A chain that is listed
 * again, or that a reload has opened again, is asked at once.
 */
export function createRounds(
  { clock, log, memory }: Clocked & Logged & Partial<Remembering<"faults">>,
  watches: readonly Watch[],
  wake: () => void,
): Rounds {
  const table = watches.map((watch) => ({ watch, subjects: new Map<string, Subject>() }))

  function pollWatch(watch: Watch, subjects: Map<string, Subject>): number {
    const nowMs = clock.now()
    const asked: readonly (ChainPort | null)[] = "run" in watch ? [null] : [...watch.ports()]
    let nextMs = Number.POSITIVE_INFINITY
    for (const port of asked) {
      const subject = subjectOf(subjects, port, { nowMs, firstMs: watch.firstMs ?? 0 })
      if (subject.running === null && isDue(subject, nowMs)) {
        putOff(subject, nowMs, watch.everyMs)
        subject.running = run(watch, subject)
      } else if (subject.running === null) nextMs = Math.min(nextMs, subject.dueMs)
    }
    for (const [name, { port, running }] of subjects)
      if (running === null && !asked.includes(port)) subjects.delete(name)
    return nextMs
  }

  async function run(watch: Watch, subject: Subject): Promise<void> {
    const { port } = subject
    const part = `watch ${watch.name}${port === null ? "" : ` of ${port.chain}`}`
    try {
      const waitMs = await withUrgency(watch.urgency ?? "look", () =>
        "run" in watch ? watch.run() : watch.ask(mustExist(port, "its chain")),
      )
      if (typeof waitMs === "number") putOff(subject, clock.now(), waitMs)
      if (memory !== undefined) forgetFault({ memory }, part)
    } catch (error) {
      const fields = { watch: watch.name, chain: port?.chain ?? null, err: error }
      log.warn(fields, "A watch has failed; its next round tries again")
      if (memory !== undefined) noteFault({ memory, clock }, part, error)
    }
    subject.running = null
    wake()
  }

  async function idle(pick: (watch: Watch) => boolean): Promise<void> {
    const picked = table.filter(({ watch }) => pick(watch))
    const subjects = picked.flatMap((one) => [...one.subjects.values()])
    await Promise.all(subjects.map(({ running }) => running))
  }

  return {
    poll: () => {
      const nextMs = Math.min(...table.map(({ watch, subjects }) => pollWatch(watch, subjects)))
      return Number.isFinite(nextMs) ? nextMs : null
    },
    idle: () => idle(() => true),
    spendingIdle: () => idle(({ spends = false }) => spends),
  }
}

type Subject = {
  /** `null`: the watch asks about everything at once. */
  readonly port: ChainPort | null
  /** The time at which `dueMs` was set: an earlier present means that the clock was set back. */
  setMs: number
  dueMs: number
  running: Promise<void> | null
}

/** The known subject, unless a reload has opened its chain again. */
function subjectOf(
  subjects: Map<string, Subject>,
  port: ChainPort | null,
  { nowMs, firstMs }: { readonly nowMs: number; readonly firstMs: number },
): Subject {
  const name = port?.chain ?? ""
  const known = subjects.get(name)
  if (known !== undefined && (known.port === port || known.running !== null)) return known
  const subject = { port, setMs: nowMs, dueMs: nowMs + firstMs, running: null }
  subjects.set(name, subject)
  return subject
}

function isDue({ setMs, dueMs }: Subject, nowMs: number): boolean {
  return nowMs >= dueMs || nowMs < setMs - CORRECTION_MS
}

function putOff(subject: Subject, nowMs: number, waitMs: number): void {
  subject.setMs = nowMs
  subject.dueMs = nowMs + waitMs
}
