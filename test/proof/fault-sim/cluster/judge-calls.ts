import type { Clock } from "#lib/clock.ts"
import type { LoggedGroup } from "#ports/journal/durability.ts"
import { type Violation, violation } from "../checker.ts"
import type { Process } from "./machine.ts"
import type { SimulatedServers } from "./simulated-servers.ts"
import { listLog, type Tables } from "./tables.ts"

export type CallJudge = {
  /** A leader calls a port. */
  readonly onCall: (
    process: Process,
    method: string,
    args: readonly unknown[],
  ) => readonly Violation[]
  /** ADR 37: PostgreSQL has been silent for long, and the call is safe without the log. */
  readonly isAlone: (process: Process, method: string, args: readonly unknown[]) => boolean
  readonly onLead: (process: Process) => readonly Violation[]
  /** A commit has become visible. */
  readonly onCommit: (tables: Tables) => readonly Violation[]
  readonly onTurn: () => readonly Violation[]
}

const OUTGOING = new Set([
  "signTransaction",
  "signTypedData",
  "broadcastTransaction",
  "submitOrder",
  "submitSignature",
  "revealSecret",
])
const SAFE_ALONE = new Set(["refund", "redeem", "void"])
/** ADR 37: without an answer for so long, the safe calls go on alone. */
const SILENT_MS = 10_000

/**
 * The promises of the cluster, by the servers' own tables: each effect follows a proof that was
 * made at the same instant, by the one who leads; the log has one chain of groups; and the log has
 * every group that it acknowledged.
 */
export function createCallJudge({
  clock,
  servers,
  acknowledged,
}: {
  readonly clock: Clock
  readonly servers: SimulatedServers
  readonly acknowledged: readonly LoggedGroup[]
}): CallJudge {
  let judged = 0

  function isAlone(process: Process, method: string, args: readonly unknown[]): boolean {
    const nowMs = clock.now()
    // An answer that waits for a frozen process comes at the end of its silence.
    const hasSlept = process.thawedAtMs === nowMs && nowMs - process.frozenAtMs >= SILENT_MS
    // A former primary still answers reads, and gives no proof.
    const silentSinceMs = Math.min(process.answeredAtMs, process.unprovenSinceMs ?? nowMs)
    return (
      OUTGOING.has(method) &&
      (hasSlept || nowMs - silentSinceMs >= SILENT_MS) &&
      isSafe(method, args)
    )
  }

  function judgeCall(
    process: Process,
    method: string,
    args: readonly unknown[],
  ): readonly Violation[] {
    const nowMs = clock.now()
    const epoch = servers.tables().lease.get("t")?.epoch ?? 0
    const isFresh = process.provenAtMs === nowMs
    if (process.isLate || isAlone(process, method, args)) return []
    if (!isFresh)
      return [
        violation("an effect has its proof", `${method} by epoch ${process.epoch} without a proof`),
      ]
    if (epoch === process.epoch) return []
    return [
      violation("one leader", `${method} by epoch ${process.epoch}, and epoch ${epoch} leads`),
    ]
  }

  /**
   * The groups that were acknowledged since the last look are in the log or in its snapshot, and
   * all others still are.
   */
  function judgeLog(): readonly Violation[] {
    const tables = servers.tables()
    const rows = listLog(tables, "t")
    const first = tables.snapshot.get("t")?.seq ?? 0
    const lost = acknowledged.filter(
      ({ seq, hash }) => seq > first && tables.log.get(`t/${seq}`)?.hash !== hash,
    )
    const after = rows.filter(({ seq }) => seq > first)
    const gap = after.find(({ seq }, index) => seq !== first + index + 1)
    const older = rows.find(
      ({ epoch }, index) => index > 0 && epoch < (rows[index - 1]?.epoch ?? 0),
    )
    return [
      ...(lost.length === 0
        ? []
        : [violation("nothing acknowledged is lost", `group ${lost[0]?.seq} is gone`)]),
      ...(gap === undefined
        ? []
        : [violation("the log has no gap", `group ${gap.seq} has no group before it`)]),
      ...(older === undefined
        ? []
        : [violation("epochs follow each other", `group ${older.seq} is of epoch ${older.epoch}`)]),
    ]
  }

  return {
    isAlone,
    onCall: (process, method, args) =>
      OUTGOING.has(method) ? judgeCall(process, method, args) : [],
    onLead: judgeLog,
    onCommit: (tables) => {
      const epoch = tables.lease.get("t")?.epoch ?? 0
      const late = [...tables.log.values()].find(
        (row) => row.version === tables.version && row.epoch < epoch,
      )
      if (late === undefined) return []
      return [
        violation(
          "no append of an older epoch",
          `group ${late.seq} of epoch ${late.epoch} follows epoch ${epoch}`,
        ),
      ]
    },
    onTurn: () => {
      const { version } = servers.tables()
      if (version === judged) return []
      judged = version
      return judgeLog()
    },
  }
}

function isSafe(method: string, args: readonly unknown[]): boolean {
  if (method === "revealSecret") return true
  // CAST: a plan, or a signed transaction with its plan.
  const [first] = args as [
    { readonly action?: string; readonly plan?: { readonly action: string } },
  ]
  return SAFE_ALONE.has(first.plan?.action ?? first.action ?? "")
}
