import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import { type Checker, type Violation, violation } from "./checker.ts"
import { judgePair } from "./coverage.ts"
import type { FaultProfile } from "./fault-profile.ts"
import type { Operator } from "./operator.ts"
import type { Random } from "./random.ts"
import type { RunCounts } from "./run-counts.ts"
import type { SignatureRecorder } from "./signature-recorder.ts"
import type { Daemon, SimulatedWorld } from "./simulated-world.ts"

/**
 * More calls and commits than this at one instant are a busy loop. Hundreds of orders may go their
 * whole way in one instant.
 */
const MAX_CALLS = 3_000
const MAX_CALLS_FOR_EACH = 60

/**
 * Watches the calls and commits of the engine: it lets the operator act during a call, checks
 * spends and finds busy loops.
 */
export type CallWatch = {
  readonly onCall: (port: string, method: string, args: readonly unknown[]) => void
  readonly onStep: (before: OrderRow, step: StepRow) => void
  /** A write is on disk. */
  readonly onWrite: (method: string, args: readonly unknown[], before: OrderRow | null) => void
  /** The engine looks for due work. */
  readonly onPoll: () => void
}

type Deps = {
  readonly world: SimulatedWorld
  readonly profile: FaultProfile
  readonly recorder: SignatureRecorder
  readonly operator: Operator
  readonly checkers: Required<Checker>
  readonly counts: RunCounts
  readonly random: Random
  readonly isHostile: () => boolean
  readonly live: () => Daemon | null
  /** The present call is made by a daemon of a cluster that does not lead any more. */
  readonly isOfFormer: () => boolean
  readonly stop: () => void
  readonly report: (violations: readonly Violation[]) => void
}

export function createCallWatch(deps: Deps): CallWatch {
  const { world, recorder, checkers, counts, report } = deps
  const { clock, log } = world
  const broadcasts = new Set<string>()
  let isStopped = false
  let calls = { atMs: clock.now(), count: 0 }

  function countCall(): void {
    if (calls.atMs !== clock.now()) calls = { atMs: clock.now(), count: 0 }
    calls.count++
    if (isStopped || calls.count < Math.max(MAX_CALLS, MAX_CALLS_FOR_EACH * recorder.rows.size))
      return
    isStopped = true
    report([
      violation("no busy loop", `${calls.count} calls, commits and polls while no time passed`),
    ])
    deps.stop()
  }

  return {
    onCall: (port, method, args) => {
      log.add(port, method)
      operateDuringCall(deps, method)
      countCall()
      report(checkers.onCall(port, method, args))
      if (method !== "broadcastTransaction" && method !== "submitSignature") return
      // CAST: the first argument of broadcastTransaction is the signed transaction, of
      // submitSignature the order's id.
      const subject =
        method === "submitSignature" ? String(args[0]) : (args[0] as { txid: string }).txid
      const signature = recorder.signatures.find(({ txid }) => txid === subject)
      if (!broadcasts.has(subject))
        report(
          checkers.onSpend(
            signature?.orderId ?? subject,
            signature?.purpose ?? "gasless",
            deps.isOfFormer() ? "former call" : "call",
          ),
        )
      broadcasts.add(subject)
    },
    onPoll: countCall,
    onWrite: (...write) => report(checkers.onWrite(...write)),
    onStep: (before, step) => {
      countCall()
      counts.countTransition(before.state, step.event.type, step.order.state)
      report(judgePair(`${before.state} ${step.event.type}`))
      report(checkers.onCommit(before, step))
    },
  }
}

/** Lets the operator act during a call of a port. */
function operateDuringCall(
  { profile, operator, counts, random, isHostile, live }: Deps,
  method: string,
): void {
  const isDirected = profile.target !== null
  const chance = !isDirected ? 0.02 : /^planBump|^signTyped/.test(method) ? 0.5 : 0.1
  if (!isHostile() || !profile.enabled.has("operator at work") || !random.chance(chance)) return
  const process = live()
  if (process === null) return
  counts.countFault("operator at work")
  // A transaction planned during a pause waits for its signature.
  const pauses =
    profile.enabled.has("paused") &&
    /^planTransaction|^findMissing|^signTyped/.test(method) &&
    random.chance(0.5)
  if (pauses) operator.requestPause(process, random)
  else if (isDirected) operator.interveneAtTarget(process, random)
  else operator.operate(process, random)
}
