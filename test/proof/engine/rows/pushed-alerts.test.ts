import { describe, expect, test } from "vitest"
import { describeMessage, formatPlain } from "#alerts/format-text.ts"
import { trackAlerts } from "#alerts/track-alerts.ts"
import { readAlarms } from "#daemon/views/read-alarms.ts"
import { readFlight } from "#daemon/views/read-flight.ts"
import { chainOf } from "#domain/asset.ts"
import { findAlertProblems } from "#health/find-problems.ts"
import type { Readings } from "#health/readings.ts"
import type { ChainPort } from "#ports/chain.ts"
import { ciSample } from "../../../support/ci-sample.ts"
import type { Conduct } from "../../../support/fake-service.ts"
import type { Daemon } from "../../../support/fake-world.ts"
import { failure } from "../../../support/faults.ts"
import {
  begin,
  type Case,
  casesOf,
  expectNothingLost,
  ID,
  isOver,
  type Run,
  SIDES,
  submit,
  underAttack,
} from "./attacked-order.ts"
import type { Attack } from "./attacks.ts"

/*
 * What a person gets on the phone while an attack runs: the messages that the alarms of the journal
 * become, with the cause, the deadline and the command.
 */

function readingsOf({ world }: Run, { context: { journal } }: Daemon): Readings {
  const nowMs = world.clock.now()
  return {
    nowMs,
    daemon: {
      answers: true,
      pid: 1,
      lastSeenMs: nowMs,
      startedAtMs: nowMs,
      version: "1.0.0",
      waitsFor: [],
    },
    mode: "live",
    pause: null,
    pausedChains: [],
    pausedRules: [],
    nodes: [],
    services: [],
    treasury: [],
    gas: [],
    orders: readFlight(journal, null, []),
    rules: [],
    limits: [],
    alarms: readAlarms(journal, nowMs, (text) => text),
    freeBytes: null,
    clockJump: null,
  }
}

type Push = { readonly code: string; readonly text: string }

/** The messages about the order, as they would be sent now. */
function pushed(run: Run, daemon: Daemon): readonly Push[] {
  const readings = readingsOf(run, daemon)
  const { nowMs } = readings
  const records = trackAlerts([], findAlertProblems(readings, 30_000), nowMs)
  return records
    .filter(({ order }) => order === ID)
    .map((note) => {
      const message = { id: "1", treasury: "desk", atMs: nowMs, dashboard: null } as const
      const text = formatPlain(describeMessage({ ...message, reason: "open", notes: [note] }))
      return { code: note.code, text }
    })
}

/** Its payout can be redeemed long after a person had to act. */
const LONG_LOCK = { destinationTimelock: 400n }
/** Our own transaction for the leg is kept back for so long, so that a person has to act. */
const KEPT_SECONDS = 100

function keptBack({ adaptPort = () => (port) => port, ...attack }: Attack): Attack {
  return {
    ...attack,
    adaptPort: (target) => (port) => {
      const attacked = adaptPort(target)(port)
      const isKept = (): boolean => target.dueSeconds() >= 0 && target.dueSeconds() < KEPT_SECONDS
      const broadcastTransaction: ChainPort["broadcastTransaction"] = async (ours, mayLeave) => {
        const { action } = ours.plan
        if (isKept() && (action === "redeem" || action === "refund"))
          throw failure("transient", "test.deaf")
        return attacked.broadcastTransaction(ours, mayLeave)
      }
      return { ...attacked, broadcastTransaction }
    },
  }
}

/** Runs the attack to the end, and returns each different message. */
async function collect(one: Case, conduct: Partial<Conduct> = {}): Promise<[Run, readonly Push[]]> {
  const run = begin(one)
  Object.assign(run.world.service.conduct, conduct)
  const daemon = await run.start()
  await submit(run, daemon)
  const texts = new Map<string, Push>()
  await underAttack(
    run,
    one.attack,
    () => daemon,
    () => isOver(run, daemon),
    () => {
      for (const push of pushed(run, daemon)) texts.set(push.text, push)
    },
  )
  expectNothingLost(run)
  return [run, [...texts.values()]]
}

/** The leg cannot be read from the begin to the end. */
const UNREAD = [
  "strangers fill the history of its HTLC",
  "its node refuses every look",
  "no node answers a look at any HTLC",
]
const CASES = SIDES.flatMap(casesOf)

describe.each(ciSample(CASES, 3))("$side leg on $family while $name", (one) => {
  test("each message about the order says its cause, its remedy and a command", async () => {
    const [, messages] = await collect(one)
    for (const { code, text } of messages) {
      expect(text).toMatch(/^Order order-1\b.* \S/)
      expect(text).toMatch(/\nFor the money: \S.*\.\nDo: \S/)
      expect(text).toMatch(/\nType: ballast (order|rescue) order-1$/)
      expect(text).not.toMatch(/undefined|null|NaN|\bat an unknown time\b/)
      // A payout of a told secret has an end, and nothing may say that its money is safe.
      const isTold = one.side === "destination" && code === "order.stuck"
      if (isTold) expect(text).toMatch(/must be redeemed before.*\n(.*\n)?Deadline: \d{4}-/)
      if (isTold) expect(text).not.toContain("stays behind its timelock")
    }
  })
})

describe.each(CASES.filter(({ name }) => UNREAD.includes(name)))(
  "$side leg on $family that is unread and kept back while $name",
  (one) => {
    test("a message names the leg, the cause, the deadline and the command", async () => {
      const [{ target }, messages] = await collect(
        { ...one, attack: keptBack(one.attack) },
        one.side === "destination" ? LONG_LOCK : {},
      )
      const texts = messages
        .filter(({ code }) => code === "alarm.leg_unreadable")
        .map(({ text }) => text)
      const chain = chainOf(one.side === "source" ? target.from : target.to)
      const named = texts.filter((text) => text.includes(`its ${one.side} leg on ${chain} (chain.`))
      expect(named.length).toBeGreaterThan(0)
      const [verb, deadline] =
        one.side === "source"
          ? (["refund", /A refund is possible from height \d+/] as const)
          : (["redeem", /\nDeadline: \d{4}-\S.*, in \d/] as const)
      const acting = named.filter((text) => text.includes(`\`ballast ${verb} ${ID}\``))
      expect(acting.length).toBeGreaterThan(0)
      for (const text of acting) expect(text).toMatch(deadline)
    })
  },
)
