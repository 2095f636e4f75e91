import { isFinal } from "#order/states.ts"
import { settle } from "../../support/manual-clock.ts"
import { type AdversaryBill, billOf } from "./adversary/bill.ts"
import type { Violation } from "./checker.ts"
import { type BurnCounts, countBurns } from "./checkers/burns.ts"
import { countDeposited, type HeldPlace, listHeldPlaces, listTaken } from "./checkers/losses.ts"
import { liveOf } from "./configuration.ts"
import { createRun, type Run } from "./create-run.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { FaultProfile } from "./fault-profile.ts"
import { isResting, listFills } from "./ground-truth.ts"
import { actHostile } from "./hostile-turn.ts"
import type { Lie } from "./lying-endpoint.ts"
import type { SimCase } from "./sim-case.ts"

export type SimOptions = SimCase & {
  readonly lastEvents?: number
}

export type SimResult = {
  readonly seed: number
  readonly profile: FaultProfile
  readonly hash: string
  readonly events: number
  readonly simulatedMs: number
  readonly orders: number
  readonly rules: number
  readonly kills: number
  readonly checks: number
  readonly faults: ReadonlyMap<FaultKind, number>
  readonly outcomes: readonly string[]
  /** Orders with a deposit on their chain. */
  readonly deposited: number
  /** Its burns and mints; `null` without an issuer. */
  readonly burns: BurnCounts | null
  /** Deposits that the solver redeemed without a payout. */
  readonly taken: number
  /** The bill of a spending adversary; `null` without one. */
  readonly bill: AdversaryBill | null
  /** Where the money of each held order is. */
  readonly held: readonly HeldPlace[]
  /** How often a colluding endpoint told each lie. */
  readonly lies: ReadonlyMap<Lie, number>
  readonly states: ReadonlySet<string>
  /** The transitions that orders took, as `state event`. */
  readonly transitions: ReadonlySet<string>
  /** How often a daemon of a cluster took the lease after another holding of it. */
  readonly takeOvers: number
  readonly violations: readonly Violation[]
  /** The last events as a table for a terminal. */
  readonly table: string
}

const QUIET_STEP_MS = 5_000
/** A run with many orders has no short-lived states to watch, so it takes longer steps. */
const LONG_STEP_MS = 15_000
/**
 * Turns of the quiet time in which the rules settle their due occurrences before the operator
 * removes them. An occurrence that waits for a free place, or that failed to read, takes minutes.
 */
const RULE_TURNS = 60
const RULE_STEP_MS = 15_000
const CLUSTER_STEP_MS = 1_000
/** Longer than any skew of the clock, and than the longest lock. */
const QUIET_MS = 150 * 60_000
/** A held order can still continue by itself within this time. */
const HELD_MS = 20 * 60_000
const TABLE_LINES = 60

/**
 * Runs one seed: a hostile time with faults, then a long quiet time. Every checker runs after every
 * step; the first violation ends the run.
 */
export async function simulate(options: SimOptions): Promise<SimResult> {
  const run = createRun(options)
  const { profile, world, host } = run
  const isBroken = (): boolean => run.violations.length > 0
  try {
    for (let turn = 0; turn < profile.activeSteps && !isBroken(); turn++) {
      const { stepMs, jumpMs } = actHostile(run, turn)
      await advance(run, stepMs + jumpMs, stepMs)
    }
    await beginQuietTime(run)
    for (let turn = 0; turn < RULE_TURNS && !isBroken() && !isCaughtUp(run); turn++)
      await takeQuietTurn(run, RULE_STEP_MS)
    retireRules(run)
    const untilMs = world.clock.now() + QUIET_MS + heldMsOf(run) - HELD_MS
    const stepMs = hasLongSteps(profile) ? LONG_STEP_MS : QUIET_STEP_MS
    while (!isBroken() && world.clock.now() < untilMs && !isAtRest(run))
      await takeQuietTurn(run, stepMs)
    if (!isBroken()) run.report(run.checkers.atEnd())
    return toResult(run, options.lastEvents ?? TABLE_LINES)
  } finally {
    host.stop()
    run.tower?.stop()
    host.close?.()
    world.close()
  }
}

function hasLongSteps({ mode, hasIssuer, isCrowded }: FaultProfile): boolean {
  return mode === "collusion" || mode === "busy" || (hasIssuer === true && isCrowded === true)
}

/** Lets `ms` pass. The chains grow for `elapsedMs` only: a jump of the clock brings no blocks. */
async function advance(run: Run, ms: number, elapsedMs: number): Promise<void> {
  const { world, environment, host, counts, checkers, report } = run
  const { clock } = world
  // A commit takes milliseconds, so what was written before a jump of the clock is on disk before
  // it.
  await writeOpen(run)
  run.tower?.turn()
  if (host.turn !== undefined || run.adversary !== null) {
    host.turn?.()
    await passSlowly(run, elapsedMs)
    clock.set(clock.now() + ms - elapsedMs)
  } else clock.set(clock.now() + ms)
  environment.turn(elapsedMs)
  noteMoment(run)
  await settle()
  // A process that died in this turn and restarts at once continues in the same turn.
  if (noteMoment(run)) await settle()
  await writeOpen(run)
  if (!isWritten(run)) return
  counts.countCheck()
  report(checkers.afterTurn())
}

/** The journal and its log gather what no call waits for, and the checkers compare with both. */
async function writeOpen({ world, host }: Run): Promise<void> {
  if (!host.isRunning() || !world.journal.isPending()) return
  world.journal.durable().catch(() => undefined)
  await settle()
}

/** Notes that a process can evaluate its rules now, by its own machine's clock. */
function noteMoment({ host, schedule }: Run): boolean {
  const process = host.live()
  if (process !== null) schedule.note(process.now())
  return process !== null
}

/**
 * A lease is renewed each second, and the requests to a slow node follow each other, so time passes
 * in small steps there. The quiet time of a cluster has no need of them.
 */
async function passSlowly(run: Run, ms: number): Promise<void> {
  const {
    world: { clock },
    phase,
  } = run
  const untilMs = clock.now() + ms
  while (clock.now() < untilMs) {
    clock.set(
      phase.quietSinceMs > 0 && run.adversary === null
        ? untilMs
        : Math.min(untilMs, clock.now() + CLUSTER_STEP_MS),
    )
    noteMoment(run)
    await settle()
  }
}

async function beginQuietTime({
  phase,
  environment,
  world,
  configured,
  host,
  schedule,
}: Run): Promise<void> {
  phase.isHostile = false
  environment.endFaults()
  world.log.add("world", "begins the quiet time")
  configured.next = liveOf(configured.inForce)
  if (configured.inForce.mode === "observe") host.stop()
  phase.quietSinceMs = world.clock.now()
  schedule.beginQuietTime(phase.quietSinceMs)
  host.rest?.()
  host.startNow()
  // A process that was frozen goes on before time passes.
  if (host.rest !== undefined) await settle()
}

/**
 * The operator lifts pauses and reviews orders; there are no faults. Once no order has a leg on
 * chain any more, the operator follows the remedy for nodes without estimates: what is left would
 * wait for one for good.
 */
async function takeQuietTurn(run: Run, ms: number): Promise<void> {
  const { host, environment, operator, streams, recorder, adversary } = run
  const isOver = ({ state }: { readonly state: string }): boolean =>
    isFinal(state) || state.startsWith("revoke-")
  if ([...recorder.rows.values()].every(isOver)) adversary?.giveEstimates()
  const process = host.live()
  environment.fillNonceGaps()
  if (process !== null) {
    if (operator.hasPaused()) operator.liftPause(process, null)
    operator.review(process, streams.review)
    operator.giveUpOpen(process)
  }
  await advance(run, ms, ms)
}

/** Removes the rules, because a daemon with rules never comes to rest. */
function retireRules({ schedule, world, host }: Run): void {
  if (schedule.all.length + schedule.standing().length === 0) return
  schedule.retire(world.clock.now())
  world.log.add("operator", "removes the rules")
  host.stop()
}

function heldMsOf({ simCase }: Run): number {
  return simCase.heldMinutes === undefined ? HELD_MS : simCase.heldMinutes * 60_000
}

/**
 * A cluster has a journal only while a daemon leads, and what its log lacks ends with that daemon.
 */
function isWritten({ host, world }: Run): boolean {
  return host.turn === undefined || (host.isRunning() && !world.journal.isPending())
}

/** Every occurrence before the quiet time has ended. */
function isCaughtUp(run: Run): boolean {
  return isWritten(run) && run.schedule.isCaughtUp(run.world.journal)
}

function isAtRest(run: Run): boolean {
  const { recorder, world, phase } = run
  if (!isWritten(run)) return false
  const isHeldLong = world.clock.now() - phase.quietSinceMs > heldMsOf(run)
  for (const { state } of recorder.rows.values())
    if (!isFinal(state) && !(isHeldLong && isResting(state))) return false
  // The fee of a fill is booked when a block shows it, which no order waits for. One that no block
  // takes is waited for as long as a held order.
  const fills = listFills(recorder)
  const unbooked = fills.filter(
    ({ txid }) => world.journal.listEntries({ key: `fee:${txid}` }).length === 0,
  )
  const isMined = ({ chain, txid }: (typeof fills)[number]): boolean =>
    world.ledgers.get(chain)?.state().txs.has(txid) === true
  return !unbooked.some((fill) => !isHeldLong || isMined(fill))
}

function toResult(run: Run, lines: number): SimResult {
  const { simCase, profile, world, recorder, schedule, counts, violations, startMs } = run
  const { log, clock } = world
  return {
    seed: simCase.seed,
    profile,
    hash: log.hash(),
    events: log.count(),
    ...counts.read(),
    orders: recorder.rows.size,
    rules: schedule.all.length,
    outcomes: [...recorder.rows.values()].map(({ state }) => state),
    deposited: countDeposited(run.groundTruth),
    burns: run.groundTruth.issuer === null ? null : countBurns(run.groundTruth),
    taken: listTaken(run.groundTruth).length,
    bill: billOf(run.groundTruth),
    takeOvers: run.host.takeOvers?.() ?? 0,
    held: listHeldPlaces(run.groundTruth),
    violations,
    simulatedMs: clock.now() - startMs,
    table: log.format(lines),
  }
}
