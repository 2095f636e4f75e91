import type { Reason } from "#domain/reason.ts"
import { remedyOfError } from "./error-remedies.ts"
import { formatSpan, readableAt } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { OrderReading, Readings, RuleReading } from "./readings.ts"

/** A refund this near is named, so that a person can look before it is sent. */
const REFUND_NEAR_MS = 2 * 3_600_000
/**
 * A refund that was possible for this long and did not end the order is late: the time of a block
 * is an estimate.
 */
const REFUND_LATE_MS = 3_600_000
/** A rule that is evaluated this much later than planned is silent: a slow tick takes less. */
const RULE_LATE_MS = 10 * 60_000

type ReceiverReading = NonNullable<Readings["receivers"]>[number]

/** The alarm of a receiver, which the other receivers bring. Pure. */
export function judgeReceiver(
  { name, failingSinceMs, error }: ReceiverReading,
  silentAfterMs: number,
  nowMs: number,
): Reason | null {
  if (failingSinceMs === null || nowMs - failingSinceMs < silentAfterMs) return null
  const what =
    name === null ? "The heartbeat does not arrive" : `The receiver ${name} takes no alert`
  const message = `${what}: ${error ?? "no answer"}`
  return { code: "alerts.undelivered", message, receiver: name ?? "heartbeat" }
}

/** Receivers that take no alert; the alerts wait in the journal meanwhile. Pure. */
export function findReceiverProblems(
  { receivers = [], nowMs }: Readings,
  silentAfterMs: number,
): readonly Problem[] {
  return receivers.flatMap(({ name, failingSinceMs, error }) => {
    if (failingSinceMs === null || nowMs - failingSinceMs < silentAfterMs) return []
    const lasts = `${formatSpan(nowMs - failingSinceMs)}: ${error ?? "no answer"}`
    const told =
      name === null
        ? {
            about: "heartbeat",
            sentence: `The heartbeat has not arrived for ${lasts}`,
            todo: "Correct alerts.heartbeat in the configuration, then let the daemon read it.",
            command: "ballast reload",
          }
        : {
            about: name,
            sentence: `The receiver ${name} has taken no alert for ${lasts}`,
            todo: "Correct its address or secret in the configuration, reload, and try it.",
            command: `ballast alerts test ${name}`,
          }
    const remedy = remedyOfError(error, "receiver") ?? {}
    return [
      problem({
        level: "attention",
        code: "alerts.undelivered",
        ...told,
        ...remedy,
        needsPerson: true,
      }),
    ]
  })
}

/** Orders and rules whose time is over, or nearly over. Pure. */
export function findLateProblems(readings: Readings): readonly Problem[] {
  const { orders, rules, nowMs } = readings
  return [
    ...orders.flatMap((order) => findLateOrder(order, nowMs)),
    ...findUnapproved(readings),
    ...findSilentRules(readings, rules),
    ...findDeaths(readings),
  ]
}

/** One death may be a person's; a row of them has a cause that no start shows. */
const LEAST_DEATHS = 3

function findDeaths({ daemon: { deaths }, nowMs }: Pick<Readings, "daemon" | "nowMs">): Problem[] {
  if (deaths === undefined || deaths.times < LEAST_DEATHS) return []
  const { times, sinceMs, lastMs } = deaths
  return [
    problem({
      level: "trouble",
      code: "daemon.dying",
      sentence:
        `The daemon was started again and again: it was cut off ${times} times since ` +
        `${readableAt(sinceMs)}, and started at last ${formatSpan(nowMs - lastMs)} ago`,
      meaning: "Orders and refunds go on only between its ends; a deadline may pass.",
      todo:
        "Read the end of the log before each start, and the kernel's (`dmesg`: a process that " +
        "was killed for its memory needs a higher limit). No second supervisor may start it.",
      command: "ballast logs",
      needsPerson: true,
    }),
  ]
}

/**
 * One problem for all of them, about the newest: a schedule may ask for an approval every few
 * minutes.
 */
function findUnapproved({ unapproved = [], nowMs }: Readings): Problem[] {
  const [newest, ...others] = unapproved.toSorted((a, b) => b.endedMs - a.endedMs)
  if (newest === undefined) return []
  const { id, amount, from, endedMs } = newest
  const short = id.slice(0, 8)
  const more = others.length === 0 ? "" : `; so did ${others.length} more within the hour before`
  const sentence =
    `Order ${short} (${amount} ${from}) ended ${formatSpan(nowMs - endedMs)} ago, because ` +
    `nobody approved it in time${more}`
  const todo =
    "Nothing was signed. Request it again; if people need longer, raise guards.approval_ttl."
  const command = `ballast order ${short}`
  return [
    problem({ level: "attention", code: "approval.expired", sentence, todo, command, order: id }),
  ]
}

function findLateOrder(order: OrderReading, nowMs: number): Problem[] {
  const { deadline, held, id, state, amount, from } = order
  if (deadline === null || held || state === "awaiting-approval") return []
  const short = id.slice(0, 8)
  const shared = { order: id, command: `ballast order ${short}`, deadlineMs: deadline.atMs }
  const leftMs = deadline.atMs - nowMs
  if (deadline.kind === "refund" && leftMs < -REFUND_LATE_MS) {
    const sentence =
      `Order ${short}: the refund of ${amount} ${from} was possible ${formatSpan(-leftMs)} ` +
      "ago, and is not seen"
    const todo =
      "Check the source chain's node and its coin for fees; the command prints the refund " +
      "that any account can send."
    const command = `ballast rescue ${short}`
    return [
      problem({
        level: "trouble",
        code: "order.refund_late",
        sentence,
        todo,
        ...shared,
        command,
        needsPerson: true,
      }),
    ]
  }
  if (deadline.kind === "refund" && leftMs < REFUND_NEAR_MS) {
    const when = leftMs > 0 ? `in ${formatSpan(leftMs)}` : "now"
    const sentence = `Order ${short}: ${amount} ${from} can be refunded ${when}`
    const todo =
      "Keep coin for the fee on the source chain; Ballast sends the refund, on Bitcoin the " +
      "service may have to."
    return [problem({ level: "attention", code: "order.refund_near", sentence, todo, ...shared })]
  }
  if (deadline.kind === "deposit" && leftMs < 0) {
    const sentence =
      `Order ${short}: the time for its deposit of ${amount} ${from} ended ` +
      `${formatSpan(-leftMs)} ago, and the chain does not show one`
    const todo =
      "Read the order. Ballast makes a deposit that is signed impossible, and then ends the order."
    return [problem({ level: "attention", code: "order.deposit_late", sentence, todo, ...shared })]
  }
  return []
}

/** While everything is paused, and without a daemon, no rule is expected to act. */
function findSilentRules(
  { daemon, pause, nowMs }: Readings,
  rules: readonly RuleReading[],
): Problem[] {
  if (!daemon.answers || pause !== null) return []
  return rules.flatMap(({ id, enabled, paused, overdueSinceMs, lastMs }) => {
    if (!enabled || paused || overdueSinceMs === null || nowMs - overdueSinceMs < RULE_LATE_MS)
      return []
    const last =
      lastMs === null
        ? "it was never evaluated"
        : `its last evaluation was at ${readableAt(lastMs)}`
    const sentence =
      `The rule ${id} is silent: it was due ${formatSpan(nowMs - overdueSinceMs)} ago, and ` +
      `${last}`
    const todo =
      "Ask why. If no rule is evaluated, restart the daemon; it goes on from the journal."
    const command = `ballast why ${id}`
    return [
      problem({
        level: "attention",
        code: "rule.silent",
        about: id,
        sentence,
        todo,
        command,
        needsPerson: true,
      }),
    ]
  })
}
