import type { Clock } from "#lib/clock.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { SignatureClaim } from "#ports/signing-record.ts"
import type { EventLog } from "./event-log.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { FaultProfile } from "./fault-profile.ts"
import type { Life } from "./faulty-port.ts"
import type { Random } from "./random.ts"
import type { SignatureRecorder, Times } from "./signature-recorder.ts"

type Deps = {
  readonly log: EventLog
  readonly random: Random
  readonly profile: FaultProfile
  readonly recorder: SignatureRecorder
  /** The clock of the daemon's machine. */
  readonly clock: Clock
  readonly isHostile: () => boolean
  readonly countFault: (kind: FaultKind) => void
  readonly outage: (port: string) => FaultKind | null
  readonly keptSpace: KeptSpace
  readonly onStep: (before: OrderRow, step: StepRow) => void
  readonly onWrite: (method: string, args: readonly unknown[], before: OrderRow | null) => void
  /** The engine looks for due work. */
  readonly onPoll: () => void
  /** In a cluster a group counts as written when it is in the log. Absent: at once. */
  readonly hold?: (report: () => void) => void
}

/** The space that the journal has kept for a full disk, in writes. */
export type KeptSpace = { writes: number }

/**
 * Far more writes than the orders in flight need to their ends, and far fewer than the longest
 * outage has time for.
 */
const KEPT_WRITES = 400

export type GroupWatcher = {
  /** Throws when the disk refuses the group. */
  readonly beforeCommit: () => void
  readonly onCommit: () => void
  readonly onFailure: () => void
}

const WRITES: ReadonlySet<string> = new Set<keyof Journal>([
  "openOrder",
  "commit",
  "beginWork",
  "postponeWork",
  "claimSignature",
  "decideSecret",
  "storeSignature",
  "settleSignatures",
  "settleOccurrence",
  "recordDecision",
  "writeFlag",
])

/**
 * A journal with a disk that can be full, in a process that can die just before or just after a
 * write, and just before or just after a group of writes reaches the disk. A write counts as done
 * when its group is on disk.
 */
export function createCrashingJournal(
  journal: Journal,
  life: Life,
  deps: Deps,
): { readonly journal: Journal; readonly watcher: GroupWatcher } {
  const draws = (kind: FaultKind, factor = 1): boolean => {
    if (!deps.isHostile() || !deps.profile.enabled.has(kind)) return false
    if (!deps.random.chance(deps.profile.rate * factor)) return false
    deps.countFault(kind)
    return true
  }
  const die = (how: FaultKind, where: string): void => {
    deps.log.add("process", how, where)
    life.die(how)
  }
  const crash = (how: FaultKind, where: string): never => {
    die(how, where)
    throw new Error("the process died")
  }
  /** As `Journal.keepSpace`, which no run without secrets of our own asks for. */
  const keepSpace = (): boolean => {
    if (deps.outage("disk") === null) deps.keptSpace.writes = KEPT_WRITES
    return deps.keptSpace.writes >= KEPT_WRITES
  }
  /** Takes one write from the kept space of a full disk. */
  const takeSpace = (): boolean => {
    if (deps.keptSpace.writes === 0) return false
    deps.keptSpace.writes--
    return true
  }
  let reports: (() => void)[] = []
  let hasStep = false
  const take = (): readonly (() => void)[] => {
    const taken = reports
    reports = []
    return taken
  }
  const watcher: GroupWatcher = {
    beforeCommit: () => {
      if (!draws("commit fails", 0.2)) return
      deps.log.add("journal", "the disk refuses a group")
      throw new Error("database or disk is full")
    },
    onCommit: () => {
      const told = take()
      const tell = (): void => {
        for (const one of told) one()
      }
      if (deps.hold === undefined) tell()
      else deps.hold(tell)
      const isStep = hasStep
      hasStep = false
      if (!life.isAlive()) return
      if (draws("killed at a write", 0.5)) die("killed at a write", "after its group")
      else if (isStep && killsAfterCommit(deps)) {
        deps.countFault("restart after every commit")
        die("restart after every commit", "after commit")
      }
    },
    onFailure: () => void take(),
  }
  const crashing = wrapMethods(journal, (method, real) => {
    const isWrite = WRITES.has(method)
    return (...args) => {
      if (!life.isAlive()) throw new Error("the process is dead")
      if (method === "listDueWork") deps.onPoll()
      if (method === "keepSpace") return keepSpace()
      if (!isWrite) return real(...args)
      if (deps.outage("disk") !== null && !takeSpace()) {
        deps.log.add("journal", `${method}: disk full`)
        throw new Error("database or disk is full")
      }
      // A state registers a signature only once, so a directed seed fails this write more often.
      if (
        draws("commit fails", deps.profile.target !== null && method === "claimSignature" ? 5 : 1)
      ) {
        deps.log.add("journal", `${method}: commit fails`)
        throw new Error("database or disk is full")
      }
      if (draws("killed at a write", 0.5)) crash("killed at a write", `before ${method}`)
      const before = method === "commit" ? beforeOf(journal, args) : null
      const result = real(...args)
      hasStep ||= method === "commit"
      const at = deps.recorder.readTimes(deps.clock)
      // CAST: the arguments of claimSignature.
      const judged =
        method === "claimSignature"
          ? deps.recorder.judgeRegistration((args as [SignatureClaim])[0])
          : null
      reports.push(() => {
        report(deps, { method, args, before, at })
        judged?.()
      })
      if (draws("killed at a write", 0.5)) crash("killed at a write", `after ${method}`)
      return result
    }
  })
  return { journal: crashing, watcher }
}

type Method = (...args: unknown[]) => unknown

/** The journal with each method wrapped once. */
function wrapMethods(journal: Journal, wrap: (name: string, real: Method) => Method): Journal {
  const wrapped = Object.entries(journal).map(([name, value]) => [
    name,
    typeof value === "function"
      ? wrap(name, (...args) => Reflect.apply(value, journal, args))
      : value,
  ])
  // CAST: the same methods as the journal itself.
  return Object.fromEntries(wrapped) as Journal
}

function killsAfterCommit({ isHostile, profile }: Deps): boolean {
  return (
    profile.killsEachCommit === true ||
    (isHostile() && profile.enabled.has("restart after every commit"))
  )
}

type Written = {
  readonly method: string
  readonly args: readonly unknown[]
  readonly before: OrderRow | null
  readonly at: Times
}

function beforeOf(journal: Journal, args: readonly unknown[]): OrderRow | null {
  // CAST: the arguments of commit.
  return journal.findOrder((args as [StepRow])[0].order.id)
}

function report(
  { log, recorder, onStep, onWrite }: Deps,
  { method, args, before, at }: Written,
): void {
  if (method === "openOrder") {
    // CAST: the arguments of openOrder.
    const [row, , , occurrence] = args as Parameters<Journal["openOrder"]>
    recorder.onOpen(row, occurrence, at)
    log.add(row.id, "opened", `${row.sourceUnits} ${row.from} → ${row.to}`)
  }
  if (method === "claimSignature") {
    // CAST: the arguments of claimSignature.
    const [registered, companion] = args as [SignatureClaim, SignatureClaim?]
    for (const claim of companion === undefined ? [registered] : [companion, registered]) {
      recorder.onRegister(claim, at)
      log.add(
        claim.orderId,
        "claims",
        `${claim.purpose} ${claim.attempt} ${claim.resources.join(" ")}`,
      )
    }
  }
  if (method === "commit" && before !== null) {
    // CAST: the arguments of commit.
    const [step] = args as [StepRow]
    recorder.onCommit(step)
    onStep(before, step)
    log.add(step.order.id, step.event.type, `${before.state} → ${step.order.state}`)
  }
  if (method === "settleOccurrence") {
    // CAST: the arguments of settleOccurrence.
    const [occurrence, decision] = args as Parameters<Journal["settleOccurrence"]>
    recorder.onSettle(occurrence, decision, at)
    log.add(occurrence.rule, "settled", `${new Date(occurrence.atMs).toISOString()} ${decision}`)
  }
  if (method === "writeFlag") recorder.onFlag(String(args[0]), at)
  if (method === "writeFlag") log.add("journal", "flag", args.map(String).join(" "))
  onWrite(method, args, before)
}
