import type { Journal, OrderRow, SignatureClaim, StepRow } from "#journal/port.ts"
import type { EventLog } from "./event-log.ts"
import type { Life } from "./faulty-port.ts"
import type { Random } from "./random.ts"
import type { FaultKind, Swarm } from "./swarm.ts"
import type { Witness } from "./witness.ts"

type Deps = {
  readonly log: EventLog
  readonly random: Random
  readonly swarm: Swarm
  readonly witness: Witness
  readonly isHostile: () => boolean
  readonly strike: (kind: FaultKind) => void
  readonly outage: (port: string) => FaultKind | null
  readonly onStep: (before: OrderRow, step: StepRow) => void
}

const WRITES: readonly (keyof Journal)[] = [
  "openOrder",
  "commit",
  "beginWork",
  "postponeWork",
  "claimSignature",
  "settleOccurrence",
  "recordDecision",
  "writeFlag",
]

/** A journal whose disk may be full, and whose process may die with a write on disk or just before it. */
export function createMortalJournal(journal: Journal, life: Life, deps: Deps): Journal {
  const draws = (kind: FaultKind, factor = 1): boolean => {
    if (!deps.isHostile() || !deps.swarm.on.has(kind)) return false
    if (!deps.random.chance(deps.swarm.rate * factor)) return false
    deps.strike(kind)
    return true
  }
  const perish = (how: FaultKind, where: string): never => {
    deps.log.add("process", how, where)
    life.die(how)
    throw new Error("the process died")
  }
  return new Proxy(journal, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== "function") return value
      const method = String(key)
      const isWrite = WRITES.some((name) => name === method)
      return (...args: unknown[]) => {
        if (!life.isAlive()) throw new Error("the process is dead")
        if (!isWrite) return Reflect.apply(value, target, args)
        if (deps.outage("disk") !== null) {
          deps.log.add("journal", `${method}: disk full`)
          throw new Error("database or disk is full")
        }
        // A claim is written once in a state's short life.
        if (draws("commit fails", deps.swarm.quarry !== null && method === "claimSignature" ? 5 : 1)) {
          deps.log.add("journal", `${method}: commit fails`)
          throw new Error("database or disk is full")
        }
        if (draws("killed at a write", 0.5)) perish("killed at a write", `before ${method}`)
        const before = method === "commit" ? beforeOf(target, args) : null
        const result = Reflect.apply(value, target, args)
        report(deps, method, args, before)
        if (draws("killed at a write", 0.5)) perish("killed at a write", `after ${method}`)
        if (method === "commit" && deps.isHostile() && deps.swarm.on.has("amnesia")) {
          deps.strike("amnesia")
          perish("amnesia", "after commit")
        }
        return result
      }
    },
  })
}

function beforeOf(journal: Journal, args: readonly unknown[]): OrderRow | null {
  // CAST: the arguments of commit.
  return journal.findOrder((args as [StepRow])[0].order.id)
}

function report(
  { log, witness, onStep }: Deps,
  method: string,
  args: readonly unknown[],
  before: OrderRow | null,
): void {
  if (method === "openOrder") {
    // CAST: the arguments of openOrder.
    const [row, , , occurrence] = args as Parameters<Journal["openOrder"]>
    witness.onOpen(row, occurrence)
    log.add(row.id, "opened", `${row.sourceUnits} ${row.from} → ${row.to}`)
  }
  if (method === "claimSignature") {
    // CAST: the arguments of claimSignature.
    const [claim] = args as [SignatureClaim]
    witness.onClaim(claim)
    log.add(claim.orderId, "claims", `${claim.purpose} ${claim.attempt} ${claim.resources.join(" ")}`)
  }
  if (method === "commit" && before !== null) {
    // CAST: the arguments of commit.
    const [step] = args as [StepRow]
    witness.onCommit(step)
    onStep(before, step)
    log.add(step.order.id, step.event.type, `${before.state} → ${step.order.state}`)
  }
  if (method === "settleOccurrence") {
    // CAST: the arguments of settleOccurrence.
    const [occurrence, decision] = args as Parameters<Journal["settleOccurrence"]>
    witness.onSettle(occurrence, decision)
    log.add(occurrence.rule, "settled", `${new Date(occurrence.atMs).toISOString()} ${decision}`)
  }
  if (method === "writeFlag") witness.onFlag(String(args[0]))
  if (method === "writeFlag") log.add("journal", "flag", args.map(String).join(" "))
}
