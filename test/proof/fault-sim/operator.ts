import { chainOf } from "#domain/asset.ts"
import { decodeAlarms, readPause, ruleAlarmsFlag } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import type { PauseScope } from "#engine/watches/pause.ts"
import type { Intent } from "#guards/intent.ts"
import { mustExist } from "#lib/assert.ts"
import { isFinal } from "#order/states.ts"
import { decodeOrder } from "#order/step.ts"
import { isPayoutOpen } from "#order/update.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { FakeService } from "../../support/fake-service.ts"
import type { EventLog } from "./event-log.ts"
import type { FaultProfile } from "./fault-profile.ts"
import type { Random } from "./random.ts"
import { readOrder } from "./read-order.ts"
import { ROUTES } from "./routes.ts"
import type { SignatureRecorder } from "./signature-recorder.ts"
import type { Daemon } from "./simulated-world.ts"
import type { SpendMoment } from "./spend-moment.ts"
import { isTargeted, routesOf } from "./steering.ts"

/**
 * The simulated operator: requests swaps, pauses and resumes, approves the intents that it has
 * seen, and acts on held orders.
 */
export type Operator = {
  /**
   * A pause with this flag (`pause`, `pause/chain/…`, `pause/rule/…`) is confirmed and not lifted.
   */
  readonly isPauseOn: (flag: string, moment: SpendMoment) => boolean
  readonly countSubmitted: () => number
  /** The intents that the operator approved for an order, also if the answer was lost. */
  readonly listApproved: (orderId: string) => readonly Intent[]
  /** A group of writes is on disk. */
  readonly noteCommit: () => void
  /** Reads the pauses from the journal, as a new process does. */
  readonly recall: () => void
  readonly submit: (daemon: Daemon, random: Random) => void
  readonly requestPause: (daemon: Daemon, random: Random) => void
  /** Lifts each pause with a chance of a half; without `random`, all. */
  readonly liftPause: (daemon: Daemon, random: Random | null) => void
  readonly hasPaused: () => boolean
  /** Follows the remedy of each attested burn that never lands. */
  readonly giveUpOpen: (daemon: Daemon) => void
  /** An attested burn has lost its block. */
  readonly hasOrphan: () => boolean
  readonly operate: (daemon: Daemon, random: Random) => void
  readonly interveneAtTarget: (daemon: Daemon, random: Random) => void
  /**
   * Reads the intent of an order that waits for approval, or approves or rejects one that it has
   * read before.
   */
  readonly review: (daemon: Daemon, random: Random) => void
}

type Deps = {
  readonly journal: Journal
  readonly log: EventLog
  readonly profile: FaultProfile
  readonly recorder: SignatureRecorder
  readonly service: FakeService
}

export function createOperator({ journal, log, profile, recorder, service }: Deps): Operator {
  /** By flag: the scope, and whether the daemon confirmed the pause. */
  const pauses = new Map<string, { readonly scope: PauseScope; isOn: boolean }>()
  /** Every pause that was ever asked for. */
  const asked = new Map<string, PauseScope>()
  const shown = new Map<string, Intent>()
  const approved = new Map<string, Intent[]>()
  let submitted = 0
  /** An alarm stops everything as soon as it is on disk. */
  let isStoppedOnDisk = false

  function submit({ engine }: Daemon, random: Random): void {
    const routes = profile.routes ?? (random.chance(0.8) ? routesOf(profile) : ROUTES)
    const [from, to] = mustExist(routes[random.below(routes.length)], "a route")
    const sourceUnits = BigInt(1_000 + random.below(30_000))
    const ways = [{}, { way: "auto" }, { way: "gasless" }, { way: "onchain" }] as const
    submitted++
    log.add("operator", "asks", `${sourceUnits} ${from} → ${to}`)
    engine
      .submit({
        from,
        to,
        sourceUnits,
        ...(profile.way === null ? random.pick(ways) : { way: profile.way }),
      })
      .then(
        (answer) =>
          log.add(
            "operator",
            "is answered",
            answer.ok ? answer.id : answer.reasons.map(({ code }) => code).join(" "),
          ),
        (error: unknown) => log.add("operator", "is answered", String(error)),
      )
  }

  function drawScope(random: Random): PauseScope {
    const kind = random.pick(["all", "all", "chain", "rule"] as const)
    if (kind === "chain") return { kind, chain: chainOf(random.pick(ROUTES)[0]) }
    return kind === "rule" ? { kind, rule: random.pick(["manual", "rule-1", "rule-2"]) } : { kind }
  }

  /** A pause is on from the daemon's answer until it is lifted. */
  function requestPause(process: Daemon, random: Random): void {
    const scope = drawScope(random)
    const flag = flagOf(scope)
    if (pauses.has(flag)) return
    const pause = { scope, isOn: false }
    pauses.set(flag, pause)
    asked.set(flag, scope)
    log.add("operator", "pauses", flag)
    process.engine.pause(scope).then(
      () => {
        if (process.isAlive()) pause.isOn = true
      },
      (error: unknown) => log.add("operator", "pause failed", String(error)),
    )
  }

  function liftPause(process: Daemon, random: Random | null): void {
    for (const [flag, { scope }] of [...pauses, ...readStopped()]) {
      if (random?.chance(0.5)) continue
      pauses.delete(flag)
      const repeatLater = (error: unknown): void => {
        log.add("operator", "resume failed", String(error))
        pauses.set(flag, { scope, isOn: journal.readFlag(flag) !== null })
      }
      try {
        process.engine.resume(scope, alarmsOf(scope))
        log.add("operator", "resumes", flag)
      } catch (error) {
        repeatLater(error)
        continue
      }
      // The operator's answer waits for the disk.
      journal.durable().catch(repeatLater)
    }
  }

  const findOrphan = (): OrderRow | undefined => [...recorder.rows.values()].find(isOrphan)

  function operate(process: Daemon, random: Random): void {
    const rows = [...recorder.rows.values()]
    const open = rows.filter(({ state }) => !isFinal(state))
    const chosen = random.chance(0.8)
      ? open[random.below(open.length)]
      : rows[random.below(rows.length)]
    const orphan = findOrphan()
    const row = orphan ?? chosen
    const drawn = random.pick(["approve", "reject", "retry", "abandon", "refund"] as const)
    if (row === undefined) return
    // Only an order that waits for its approval takes a rejection, and none with a told secret is
    // abandoned.
    const isVain =
      (drawn === "reject" && row.state !== "awaiting-approval") ||
      (drawn === "abandon" && isTold(row.state))
    const verb = orphan !== undefined ? "abandon" : isVain ? "redeem" : drawn
    if (verb === "approve") {
      const { intent } = decodeOrder(row.snapshot).data
      if (intent) shown.set(row.id, intent)
    }
    answer(process, row.id, verb)
  }

  /**
   * Sends an order the verb that fits its state: a watched order is refunded, a held one retried,
   * any other one abandoned.
   */
  function interveneAtTarget(process: Daemon, random: Random): void {
    const open = [...recorder.rows.values()].filter(({ state }) => !isFinal(state))
    const targeted = open.filter((row) => isTargeted(profile, row))
    const among = targeted.length > 0 && random.chance(0.4) ? targeted : open
    const row = among[random.below(among.length)]
    if (row === undefined) return
    const isWatched = ["funded", "redeem-reported", "refund-watch"].includes(row.state)
    if (row.state === "held")
      answer(process, row.id, random.pick(["retry", "retry", "abandon", "refund"] as const))
    else if (isWatched) answer(process, row.id, "refund")
    else if (random.chance(0.3)) answer(process, row.id, isTold(row.state) ? "redeem" : "abandon")
  }

  /**
   * A voucher that expires ends its order by itself. A held order is given up once a stranger has
   * excluded its burn and its payout is booked.
   */
  function giveUpOpen(process: Daemon): void {
    const waiting = [...recorder.rows.values()].filter(
      ({ state }) => state === "proving-unfunded" || state === "held",
    )
    if (waiting.length === 0) return
    const alerts = journal.listAlerts(1_000)
    for (const { id, state, snapshot } of waiting) {
      const { voucher, receipt, transactions } = readOrder(snapshot).data
      const told = alerts.filter(({ orderId }) => orderId === id).map(({ reason }) => reason)
      const mayBePaid = !(voucher?.fields["message"] ?? "").includes("expiresAt")
      const isOrphan = voucher !== undefined && transactions.deposit.settled === true
      const isRemedy =
        state === "held"
          ? isOrphan && receipt !== null && told.some(isForeignRival)
          : mayBePaid && told.some(isPayoutOpen)
      if (isRemedy) answer(process, id, "abandon")
    }
  }

  function review(process: Daemon, random: Random): void {
    const waiting = [...recorder.rows.values()].filter(({ state }) => state === "awaiting-approval")
    const row = waiting[random.below(waiting.length)]
    if (row === undefined || random.chance(0.6)) return
    const { intent } = decodeOrder(row.snapshot).data
    if (intent && !shown.has(row.id)) {
      shown.set(row.id, intent)
      log.add(row.id, "is shown", intent.hash.slice(0, 12))
    } else answer(process, row.id, random.chance(0.85) ? "approve" : "reject")
  }

  function answer(
    { engine }: Daemon,
    orderId: string,
    verb: Parameters<Daemon["engine"]["operate"]>[1],
  ): void {
    log.add(orderId, "operator", verb)
    const row = recorder.rows.get(orderId)
    const created = row === undefined ? null : decodeOrder(row.snapshot).data.created
    // Only an operator can declare a signature useless (RECOVER.md); this one checks first that
    // it is.
    const isDisarmedAbandon = row?.state === "disarmed" && verb === "abandon"
    if (
      isDisarmedAbandon &&
      !service.forgetSignature(mustExist(created, "an order with a signature").orderId)
    )
      return
    const intent = verb === "approve" ? shown.get(orderId) : undefined
    shown.delete(orderId)
    // Noted before the answer, because a process that dies during the call may have stored the
    // approval.
    if (intent) approved.set(orderId, [...(approved.get(orderId) ?? []), intent])
    try {
      const result = engine.operate(orderId, verb, "operator", intent?.hash ?? null)
      if (!result.ok)
        log.add("operator", "is answered", result.reasons.map(({ code }) => code).join(" "))
      if (!result.ok && intent)
        approved.set(
          orderId,
          (approved.get(orderId) ?? []).filter((one) => one !== intent),
        )
    } catch (error) {
      log.add("operator", "is answered", String(error))
    }
  }

  /**
   * The pauses that alarms made: of everything after a theft, of rules that undo each other's work.
   */
  function readStopped(): (readonly [flag: string, pause: { readonly scope: PauseScope }])[] {
    const scopes: PauseScope[] = [
      { kind: "all" },
      ...RULES.map((rule) => ({ kind: "rule", rule }) as const),
    ]
    return scopes
      .filter((scope) => alarmsOf(scope).length > 0 && !pauses.has(flagOf(scope)))
      .map((scope) => [flagOf(scope), { scope }])
  }

  /** The ids of the alarms behind a pause. */
  function alarmsOf(scope: PauseScope): string[] {
    if (scope.kind === "chain") return []
    const alarms =
      scope.kind === "rule" ? decodeAlarms(journal.readFlag(ruleAlarmsFlag(scope.rule))) : null
    return (alarms ?? readPause(journal)?.alarms ?? []).map(({ id }) => id)
  }

  function isStopped(): boolean {
    return alarmsOf({ kind: "all" }).length > 0
  }

  return {
    isPauseOn: (flag, moment) =>
      (pauses.get(flag)?.isOn ?? false) ||
      (flag === "pause" && (moment === "call" ? isStoppedOnDisk : isStopped())),
    noteCommit: () => {
      isStoppedOnDisk = isStopped()
    },
    hasOrphan: () => findOrphan() !== undefined,
    hasPaused: () => pauses.size > 0 || readStopped().length > 0,
    countSubmitted: () => submitted,
    listApproved: (orderId) => approved.get(orderId) ?? [],
    recall: () => {
      isStoppedOnDisk = isStopped()
      // An end of a pause that was not on disk yet died with the process, before the operator got
      // its answer.
      for (const [flag, scope] of asked)
        if (!pauses.has(flag) && journal.readFlag(flag) !== null)
          pauses.set(flag, { scope, isOn: true })
      for (const [flag, pause] of pauses) pause.isOn = journal.readFlag(flag) !== null
    },
    submit,
    requestPause,
    liftPause,
    operate,
    interveneAtTarget,
    giveUpOpen,
    review,
  }
}

/** The rules that a run may have. */
const RULES = ["rule-1", "rule-2", "rule-3", "rule-4", "rule-5", "band", "sweep"]

function flagOf(scope: PauseScope): string {
  if (scope.kind === "all") return "pause"
  return scope.kind === "chain" ? `pause/chain/${scope.chain}` : `pause/rule/${scope.rule}`
}

function isTold(state: string): boolean {
  return state === "revealed"
}

function isForeignRival({ code }: Reason): boolean {
  return code === "transaction.foreign_rival"
}

/** An attested burn that lost its block: its order must not be given up. */
function isOrphan({ state, snapshot }: OrderRow): boolean {
  return state.startsWith("deposit-") && readOrder(snapshot).data.voucher !== undefined
}
