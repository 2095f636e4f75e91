import { leaveOnlyIf, type MayLeave, wasKeptHere } from "#domain/may-leave.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Durability } from "#ports/journal/durability.ts"
import type { ServicePort } from "#ports/service.ts"
import type {
  Chains,
  Clocked,
  HasChains,
  HasJournal,
  HasServices,
  Leased,
  Services,
  Solving,
  WorkContext,
} from "../context.ts"
import { deferWork, type Job, reasonOf } from "./observe/job.ts"
import { isSafeAlone } from "./safe-alone.ts"
import type { WorkResult } from "./stepper.ts"

/**
 * The calls that leave the process with something that the journal must know first. All others only
 * read.
 */
const CHAIN_CALLS: readonly (keyof ChainPort)[] = [
  "signTransaction",
  "signTypedData",
  "broadcastTransaction",
]
const SERVICE_CALLS: readonly (keyof ServicePort)[] = [
  "submitOrder",
  "submitSignature",
  "revealSecret",
]

/**
 * The context with ports whose outgoing calls wait until every write of the journal so far is
 * durable, and then for the proof of the lease if the treasury has one. A call fails with the error
 * of the write or of the proof, and with `engine.kept_here` where its `MayLeave` says no.
 */
export function withDurableCalls(
  context: HasJournal<Durability> & HasServices & HasChains & Clocked & Leased,
): WorkContext & Solving {
  const chains = memoize((ports: Chains) => guardAll(ports, CHAIN_CALLS, context))
  const services = memoize((ports: Services) => guardAll(ports, SERVICE_CALLS, context))
  // A reload replaces parts of the context, so all others come from the given one at the moment of
  // use.
  return Object.create(context, {
    chains: { get: () => chains(context.chains) },
    services: { get: () => services(context.services) },
  })
}

/**
 * Resolves when nothing of the journal waits for this machine's disk, also nothing written
 * meanwhile. The call that follows waits for the log too, so the log is asked for at once.
 */
export async function untilHere(journal: Durability): Promise<void> {
  journal.durable().catch(() => undefined)
  do await journal.durableHere()
  while (journal.isPendingHere())
}

type Judgement = {
  readonly answerStop: () => WorkResult | null
  /** What the work has read no longer counts. */
  readonly isOld: () => boolean
}

/**
 * Sends something once: nothing while `answerStop` has an answer, and nothing before `job.begin()`
 * has recorded the try. Stops are asked again when the call leaves, because an alarm of another
 * order may pause everything while the journal is written, and the process may stand still.
 */
export async function leaveOnce(
  job: Job,
  { answerStop, isOld }: Judgement,
  send: (mayLeave: MayLeave) => Promise<WorkResult>,
): Promise<WorkResult> {
  const stopped = answerStop()
  if (stopped !== null) return stopped
  await job.begin()
  try {
    return await send(() => answerStop() === null && !isOld())
  } catch (error) {
    if (!wasKeptHere(error)) throw error
    return answerStop() ?? deferWork([reasonOf(error)])
  }
}

type Gate = HasJournal<Durability> & Clocked & Leased

function guardAll<Key, Port extends object>(
  ports: ReadonlyMap<Key, Port>,
  names: readonly (keyof Port)[],
  gate: Gate,
): ReadonlyMap<Key, Port> {
  return new Map([...ports].map(([key, port]) => [key, guard(port, names, gate)]))
}

function guard<Port extends object>(port: Port, names: readonly (keyof Port)[], gate: Gate): Port {
  const { journal, proveLease } = gate
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== "function" || !names.some((name) => name === key)) return value
      return (...given: unknown[]): unknown => {
        const act = (): unknown => {
          leaveOnlyIf(mayLeaveOf(given))
          return Reflect.apply(value, target, given)
        }
        if (proveLease)
          return passCluster(gate, proveLease, () => isSafeAlone(journal, String(key), given)).then(
            act,
          )
        return journal.isPending() ? journal.durable().then(act) : act()
      }
    },
  })
}

/** The last argument of a call that asks once more; see `MayLeave`. */
function mayLeaveOf(given: readonly unknown[]): MayLeave {
  const last = given.at(-1)
  // CAST: the only functions among the arguments of these calls are of this kind.
  return typeof last === "function" ? (last as MayLeave) : () => true
}

/**
 * PostgreSQL may restart, and its standby may take over, within this time. The lease of a daemon
 * that waits so long has ended.
 */
const SILENT_MS = 10_000
const RETRY_MS = 500

/**
 * Resolves when the log has every write and the lease is proven. If PostgreSQL stays silent, a call
 * that is safe without the log (`safe-alone.ts`) waits for this machine's disk only, and any other
 * one fails: it has not happened.
 */
async function passCluster(
  { journal, clock, countProofs }: Gate,
  proveLease: (since?: number) => Promise<void>,
  isSafe: () => boolean,
): Promise<void> {
  const late = new AbortController()
  const silent = clock.sleep(SILENT_MS, late.signal).then(() => "silent" as const)
  // One lost answer is no silence, so a safe call asks again. A proof from before that pause counts
  // no more.
  const prove = async (): Promise<void> => {
    const since = countProofs?.()
    try {
      await journal.durable()
      await proveLease(since)
    } catch (error) {
      if (!isUnreachable(error) || !isSafe() || late.signal.aborted) throw error
      await clock.sleep(RETRY_MS, late.signal)
      await prove()
    }
  }
  const proof = prove()
  try {
    const answer = await Promise.race([proof, silent])
    if (answer !== "silent") return
  } finally {
    // A reason of its own: without one each call would build an exception with its stack.
    late.abort("over")
  }
  // Without a reader a late refusal must not end the process; a lost lease does so by itself.
  proof.catch(() => undefined)
  if (!isSafe()) throw silentLog()
  await journal.durableHere()
}

function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && error.code === "cluster.unreachable"
}

function silentLog(): AppError {
  return new AppError({
    code: "cluster.silent",
    disposition: "transient",
    message:
      "PostgreSQL does not answer, so the journal's log is behind and nothing new leaves; " +
      "repair PostgreSQL",
  })
}

function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    const found = known.get(key) ?? make(key)
    known.set(key, found)
    return found
  }
}
