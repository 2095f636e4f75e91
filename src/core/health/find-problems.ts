import { formatUnits } from "#domain/amount.ts"
import type { Pause } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import { findClusterProblems } from "./find-cluster-problems.ts"
import { findCommonCauses } from "./find-common-causes.ts"
import { findJournalProblems } from "./find-journal-problems.ts"
import { findLateProblems, findReceiverProblems } from "./find-late-problems.ts"
import { findLogProblems } from "./find-log-problems.ts"
import { findNodeProblems } from "./find-node-problems.ts"
import { findPartProblems, isOfFailingPlace } from "./find-part-problems.ts"
import { findPriceProblems } from "./find-price-problems.ts"
import { findSignerProblems } from "./find-signer-problems.ts"
import { findStuckOrders } from "./find-stuck-orders.ts"
import { findUnmetRules } from "./find-unmet-rules.ts"
import { findWalletProblems } from "./find-wallet-problems.ts"
import { formatSpan, readableAt } from "./format-span.ts"
import { type CausedProblem, type Problem, problem } from "./problem.ts"
import { kindOfCode, type ProblemKind } from "./problem-kind.ts"
import type {
  AlarmReading,
  ExitReading,
  GasReading,
  LimitReading,
  OrderReading,
  Readings,
  StartReading,
} from "./readings.ts"
import { STANDINGS } from "./refusal-standing.ts"
import { findRemedy } from "./remedies.ts"
import { WATCH_CODES } from "./watch-alarms.ts"

/** Every problem that the readings show, the gravest first. Pure. */
export function findProblems(readings: Readings, silentAfterMs: number): readonly Problem[] {
  const stuck = findStuckOrders(readings, silentAfterMs)
  // Stuck orders use the limit up: more room would only make more of them.
  const limits = readings.limits.filter(({ name }) => stuck.length === 0 || name !== "in flight")
  const found: readonly CausedProblem[] = [
    ...findJournalProblems(readings),
    ...findDaemonProblems(readings),
    ...findClusterProblems(readings),
    ...findPauseProblems(readings),
    ...readings.orders.flatMap((order) => findOrderProblems(order, readings.nowMs)),
    ...findAlarmProblems(readings),
    ...stuck,
    ...findLateProblems(readings),
    ...findNodeProblems(readings, silentAfterMs),
    ...findSignerProblems(readings, silentAfterMs),
    ...findWalletProblems(readings),
    ...findPriceProblems(readings, silentAfterMs),
    ...findConfigProblems(readings),
    ...findProposals(readings),
    ...findUnmetRules(readings),
    ...findMachineProblems(readings),
    ...findReceiverProblems(readings, silentAfterMs),
    ...findLogProblems(readings),
    ...findPartProblems(readings, silentAfterMs),
    ...readings.gas.flatMap(findGasProblems),
    ...limits.flatMap(findLimitProblems),
  ]
  const causes = findCommonCauses(readings, silentAfterMs)
  const unexplained = found.filter(
    (one) =>
      !causes.some(({ explains }) => explains(one)) &&
      !isOfFaultyNode(one, found) &&
      !isOfFailingService(one, found) &&
      !isOfFailingServices(one, found, readings) &&
      !isOfFailingRead(one, found) &&
      !isOfFailingPlace(one, found),
  )
  return [...causes.map((cause) => cause.problem), ...unexplained]
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ cause: _cause, ...one }: CausedProblem): Problem => one)
}

/**
 * The chain of the asset has a problem of its own, which tells why nothing is read there; so has a
 * balance that cannot be read.
 */
function isOfFaultyNode({ code, about }: Problem, found: readonly Problem[]): boolean {
  if (!["asset.unchecked", "wallet.unread"].includes(code) || about === null) return false
  const [chain] = about.split(":")
  const isUnread = code === "asset.unchecked" && found.some((one) => isUnreadBalance(one, about))
  const isFaulty = found.some(
    ({ kind, about: place }) => kind === "node" && place?.split(" ")[0] === chain,
  )
  return isUnread || isFaulty
}

function isUnreadBalance({ code, sentence }: Problem, asset: string): boolean {
  return code === "wallet.unread" && sentence.startsWith(`The balance of ${asset} `)
}

/** The service has a problem of its own, which tells the cause and counts its orders. */
function isOfFailingService({ code, about }: Problem, found: readonly Problem[]): boolean {
  if (code !== "order.stuck" || !/ service\.(unavailable|uncertain)$/.test(about ?? ""))
    return false
  return found.some(({ kind, level }) => kind === "service" && level === "trouble")
}

/** No service quotes anything, so each rule would only repeat their problems. */
function isOfFailingServices(
  { code, cause }: CausedProblem,
  found: readonly Problem[],
  { services }: Readings,
): boolean {
  if (code !== "rule.unmet" || cause?.code !== "policy.quote_missing") return false
  if (services.length === 0) return false
  return services.every(({ name }) =>
    found.some((one) => one.about === name && SERVICE_FAILS.includes(one.code)),
  )
}

/** The node or the price that a held rule waits for has a problem of its own. */
function isOfFailingRead({ code, cause }: CausedProblem, found: readonly Problem[]): boolean {
  // No node knows the payout of an order without a quote.
  if (code !== "rule.unmet" || cause?.["cause"] === "policy.amount_unknown") return false
  const isPrice = PRICE_CODES.includes(cause?.code ?? "")
  const isBalance = BALANCE_CODES.includes(cause?.code ?? "")
  return found.some(
    (one) =>
      (isPrice && one.code.startsWith("prices.")) ||
      (isBalance && (one.kind === "node" || one.code === "wallet.unread")),
  )
}

const PRICE_CODES = ["policy.price_missing", "policy.amount_unknown"]
const BALANCE_CODES = ["policy.view_incomplete", "funds.unreadable"]
const SERVICE_FAILS = ["service.failing", "service.away"]

/** Lost money stands before everything that only waits, and a cause before its effects. */
function rankOf({ level, kind, cause }: CausedProblem): number {
  if (level !== "trouble") return STANDINGS[cause?.code ?? ""] === "queued" ? 3 : 2
  return GRAVE_KINDS.includes(kind) ? 0 : 1
}

/**
 * The problems of `findProblems`, and the alarms that a held order explains there: a message about
 * a theft must not read as one about a held order. Pure.
 */
export function findAlertProblems(readings: Readings, silentAfterMs: number): readonly Problem[] {
  const found = findProblems(readings, silentAfterMs)
  const isKnown = ({ code, order }: Problem): boolean =>
    found.some((one) => one.code === code && one.order === order)
  const hidden = readings.alarms
    .filter(isOpenAlarm)
    .map((alarm) => explainAlarm(alarm, readings.orders))
  return [...hidden.filter((one) => !isKnown(one)), ...found]
}

function findDaemonProblems({ daemon, nowMs }: Readings): Problem[] {
  const { answers, pid, lastSeenMs, lastExit, lostSocket, waitsFor, files = null } = daemon
  const { starting } = daemon
  if (answers) {
    return waitsFor.map(({ code, message, asset = null }) =>
      problem({
        level: "attention",
        code,
        about: asset,
        sentence: `Not ready: ${message}`,
        meaning: "New deposits of this asset wait; orders under way and refunds go on.",
        ...(code === "asset.unchecked" ? TRIES_AGAIN : CORRECT_ASSET),
        kind: "daemon",
      }),
    )
  }
  if (starting !== undefined && pid === null) return [describeStart(starting, nowMs)]
  const seen =
    lastSeenMs === null ? "never seen" : `last seen ${formatSpan(nowMs - lastSeenMs)} ago`
  if (pid === null) {
    const end = lastExit === undefined ? "" : `: ${describeExit(lastExit)}`
    const sentence = `The daemon is not running; ${seen}${end}`
    const first = end === "" ? "Start it" : "Mend that, then start it"
    const todo = `${first}; it goes on from the journal.`
    return [
      problem({
        level: "trouble",
        code: "daemon.stopped",
        sentence,
        todo,
        command: "ballast run",
        needsPerson: true,
      }),
    ]
  }
  if (lostSocket !== undefined)
    return [
      problem({
        level: "trouble",
        code: "daemon.unreachable",
        sentence:
          `The daemon (process ${pid}) runs, and no command reaches it: its socket ` +
          `${lostSocket} is deleted, or another file; ${seen}`,
        meaning: "Orders and refunds go on; nobody can pause or approve by a command.",
        todo:
          "Remove a file of this name, then restart it: it makes the socket anew, and goes on " +
          "from the journal.",
        command: `kill -TERM ${pid}`,
        needsPerson: true,
      }),
    ]
  const isFull = files !== null && files.open >= files.most
  const why = isFull ? `: it has too many open files, ${files.open} of ${files.most} (EMFILE)` : ""
  const sentence = `The daemon (process ${pid}) does not answer${why}; ${seen}`
  const todo = isFull
    ? "Raise its limit (`ulimit -n`, systemd: LimitNOFILE), end the process, and start it."
    : "Wait for a minute: it ends itself when it hangs, and its supervisor starts it again. " +
      "Else end the process, and start it."
  const command = `kill -KILL ${pid}`
  return [
    problem({
      level: "trouble",
      code: "daemon.unreachable",
      sentence,
      todo,
      command,
      needsPerson: true,
    }),
  ]
}

/** A start that lasts, and the next step. */
export function describeStart({ pid, step, sinceMs, error }: StartReading, nowMs: number): Problem {
  const { what, todo } = STARTS[step]
  const span = formatSpan(nowMs - sinceMs)
  return problem({
    level: "trouble",
    code: "daemon.starting",
    sentence:
      `The daemon (process ${pid}) does not answer yet: it has waited for ${span} for ${what}` +
      (error === null ? "" : `: ${error}`),
    todo,
    command: "ballast doctor",
    needsPerson: step === "signer",
  })
}

type StartStep = { readonly what: string; readonly todo: string }

const STARTS: Readonly<Record<StartReading["step"], StartStep>> = {
  signer: {
    what: "the signer",
    todo:
      "Start the signer (`ballast signer`, or its unit), and compare its socket with " +
      "signer.socket; the start then goes on by itself.",
  },
  journal: {
    what: "the journal",
    todo: "Wait: a large journal takes its time. If it lasts, look at the disk of data_dir.",
  },
  chains: {
    what: "the answers of signer and nodes about our accounts",
    todo: "Wait: each node has its time. If it lasts, repair the nodes and the signer.",
  },
}

const TRIES_AGAIN = {
  todo:
    "It tries again by itself. If it lasts, compare token and htlc of the asset, and the network " +
    "of the endpoint, with an explorer; else repair or replace the endpoint.",
  command: "ballast doctor",
}
const CORRECT_ASSET = {
  todo: "Correct decimals, token or htlc of the asset, then let the daemon read it.",
  command: "ballast reload",
  needsPerson: true,
}

const MOST_SHOWN = 600

/** `its last start ended with exit 78 at …: …`, in one line. */
export function describeExit({ atMs, exit, code, message }: ExitReading): string {
  const said = message.replace(/\s+/g, " ").slice(0, MOST_SHOWN)
  return `it ended with exit ${exit} at ${readableAt(atMs)}: ${said} [${code}]`
}

function findPauseProblems({ pause, pausedChains, pausedRules, alarms }: Readings): Problem[] {
  const parts = [
    ...pausedChains.map((name) => ({
      about: `chain ${name}`,
      what: `the chain ${name}`,
      command: `ballast resume --chain ${name}`,
    })),
    ...pausedRules.map((name) => ({
      about: `rule ${name}`,
      what: `the rule ${name}`,
      command:
        "ballast resume --rule " +
        `${name}${isChurning(name, alarms) ? ` --acknowledge churn-${name}` : ""}`,
    })),
  ].map(({ about, what, command }) =>
    problem({
      level: "attention",
      code: "paused",
      about,
      sentence: `Paused: ${what} makes no new deposits`,
      command,
      needsPerson: true,
      todo: "Lift the pause when its cause is gone.",
    }),
  )
  if (pause === null) return parts
  const ids = pause.alarms.map(({ id }) => id).join(",")
  const grave = pause.by === "alarm" || pause.by === "books" || pause.alarms.length > 0
  const why = describeCause(pause)
  const whole = problem({
    level: grave ? "trouble" : "attention",
    code: "paused",
    sentence: `Everything is paused since ${readableAt(Date.parse(pause.at))}, by ${why}`,
    todo: remedyOfPause(pause.by, grave),
    command: ids === "" ? "ballast resume" : `ballast resume --acknowledge ${ids}`,
    needsPerson: true,
  })
  return [whole, ...parts]
}

/** Whether the pause of the rule has the alarm of rules that undo each other's work. */
function isChurning(rule: string, alarms: readonly AlarmReading[]): boolean {
  return alarms.some(({ closedMs, reason: { code, rules = "" } }) => {
    return closedMs === null && code === "alarm.churn" && String(rules).split(", ").includes(rule)
  })
}

/** Each alarm of a pause is a problem of its own, with its whole message. */
function describeCause({ by, reason, alarms }: Pause): string {
  if (by === "alarm" && alarms.length > 0) {
    const names = alarms.map(
      ({ code, order }) => `${code}${order === null ? "" : ` of order ${order.slice(0, 8)}`}`,
    )
    return `alarm (${[...new Set(names)].join(", ")})`
  }
  return `${by}${reason === null ? "" : ` (${reason})`}`
}

/** The pause of a file lasts as long as the file. */
function remedyOfPause(by: string, grave: boolean): string {
  const file = by === "file" ? "remove the file PAUSE from data_dir, then " : ""
  const first = grave ? `deal with each alarm, then ${file}` : file
  const todo = `${first}lift the pause${grave || by === "file" ? "" : " when its cause is gone"}.`
  return `${todo[0]?.toUpperCase()}${todo.slice(1)}`
}

const DECIDE = "Read the order, then retry, refund or abandon it."
const REDEEMED = "Read the order and remove its cause; Ballast then redeems the payout itself."

function findOrderProblems(order: OrderReading, nowMs: number): Problem[] {
  const { id, held, state, deadline, reasons, amount, from } = order
  const short = id.slice(0, 8)
  const [reason] = reasons
  if (held) {
    const why = reason === undefined ? "" : `: ${reason.message} [${reason.code}]`
    const sentence = `Order ${short} is held${why}`
    const command = `ballast order ${short}`
    const code = reason?.code ?? "order.held"
    // Once our secret is told, nothing but its redemption brings the money.
    const isTold = deadline?.kind === "payout"
    const isNamed = isTold || code.startsWith("alarm.")
    const todo = isNamed ? findRemedy(code, isTold ? REDEEMED : DECIDE).todo : DECIDE
    // An alarm that holds its order keeps its own kind: the message about a theft must say so.
    const kind = isGrave(code) ? kindOfCode(code) : "held"
    return [
      problem({
        level: "trouble",
        code,
        kind,
        sentence,
        todo,
        command,
        order: id,
        needsPerson: true,
        deadlineMs: isTold ? deadline.atMs : null,
      }),
    ]
  }
  if (state === "awaiting-approval") {
    const left = deadline === null ? "" : `; it expires in ${formatSpan(deadline.atMs - nowMs)}`
    const sentence = `Order ${short} (${amount} ${from}) waits for your approval${left}`
    const given = { order: id, needsPerson: true, deadlineMs: deadline?.atMs ?? null }
    const todo = "Read the order, then approve or reject it."
    return [
      problem({
        level: "attention",
        code: "order.awaiting_approval",
        sentence,
        todo,
        command: `ballast approve ${short}`,
        ...given,
      }),
    ]
  }
  if (state === "refund-watch") {
    const refund = `its ${amount} ${from} come back after the timelock`
    const sentence = `Order ${short} was not filled; ${refund}`
    const todo = "Nothing: Ballast refunds it as soon as the HTLC allows it."
    const given = { sentence, todo, command: `ballast order ${short}`, order: id }
    return [problem({ level: "attention", code: "alarm.refund_watch", ...given })]
  }
  return []
}

/**
 * Alarms that no other problem explains: those of orders in flight, of the books, and of the last
 * day without an end of their own.
 */
function findAlarmProblems({ alarms, orders, lostJournal }: Readings): Problem[] {
  const explained = new Set(orders.filter(({ held }) => held).map(({ id }) => id))
  const isLoss = ({ code }: Reason): boolean => code === `journal.${lostJournal?.place}`
  const open = alarms.filter(
    (alarm) =>
      isOpenAlarm(alarm) &&
      !isLoss(alarm.reason) &&
      !(alarm.order !== null && explained.has(alarm.order)),
  )
  return open.map((alarm) => explainAlarm(alarm, orders))
}

/** Alarms of nodes, of refunds to come and of the clock are problems of their own. */
function isOpenAlarm({ closedMs, reason: { code, watch } }: AlarmReading): boolean {
  const isElsewhere =
    WATCH_CODES.includes(code) ||
    watch === "agreement" ||
    code.startsWith("chain.") ||
    ["alarm.refund_watch", "clock.jump"].includes(code)
  return closedMs === null && !isElsewhere
}

function explainAlarm(
  { reason, order, atMs }: AlarmReading,
  orders: readonly OrderReading[],
): Problem {
  const deadline = orders.find(({ id }) => id === order)?.deadline
  const about = order === null ? "" : `Order ${order.slice(0, 8)}: `
  const grave = isGrave(reason.code)
  const { todo, command, meaning } = findRemedy(reason.code)
  return problem({
    level: grave ? "trouble" : "attention",
    code: reason.code,
    about: reason["asset"] ?? reason["chain"] ?? null,
    sentence: `${about}${reason.message}, since ${readableAt(atMs)}`,
    todo,
    command:
      order === null
        ? (command ?? (grave ? "ballast reconcile" : null))
        : `ballast order ${order.slice(0, 8)}`,
    ...(meaning === undefined ? {} : { meaning }),
    order,
    deadlineMs: deadline?.kind === "payout" ? deadline.atMs : null,
    needsPerson: grave || reason.code.endsWith(".stuck"),
  })
}

const GRAVE_KINDS: readonly ProblemKind[] = ["theft", "contract", "books"]

/** Money may be lost, so no later alarm may hide it. */
function isGrave(code: string): boolean {
  return code.startsWith("alarm.") || GRAVE_KINDS.includes(kindOfCode(code))
}

function findConfigProblems(readings: Readings): Problem[] {
  const { unreadConfig = null, openFiles = [], settings = [] } = readings
  const open = [
    ...openFiles.map((file) => problem({ level: "trouble", needsPerson: true, ...file })),
    ...settings.map((setting) => problem({ needsPerson: true, ...setting })),
  ]
  if (unreadConfig === null) return open
  const { file, mistake } = unreadConfig
  const change = `The configuration file ${file} changed`
  const why = mistake === null ? "" : `; ${mistake}`
  const sentence = `${change}, and the daemon has not read it since${why}`
  const todo = "Check the file, then let the daemon read it; a mistake in it changes nothing."
  const given = { command: "ballast reload", needsPerson: true }
  return [...open, problem({ level: "attention", code: "config.unread", sentence, todo, ...given })]
}

/** One for each agent, so that a second proposal is no second alert. */
function findProposals({ proposed = [] }: Readings): Problem[] {
  return [...new Set(proposed.map(({ agent }) => agent))].flatMap((agent) => {
    const own = proposed.filter((one) => one.agent === agent)
    const rules = [...new Set(own.map(({ rule }) => rule))].toSorted().join(", ")
    return problem({
      level: "attention",
      code: "rule.proposed",
      about: agent,
      sentence: `The agent ${agent} proposes to change ${rules}`,
      meaning: "Nothing changes until a person changes the file.",
      todo: "Read the proposal and its backtest; change the file, or dismiss it.",
      command: "ballast proposals",
      needsPerson: true,
    })
  })
}

const MEBI = 1024n * 1024n
const FULL_BYTES = 100n * MEBI
const LOW_BYTES = 1024n * MEBI

function findMachineProblems({ freeBytes, diskFault, clockJump, daemon }: Readings): Problem[] {
  const found: Problem[] = []
  const { answers, version, installed } = daemon
  if (answers && version !== null && installed != null && installed !== version) {
    const sentence = `The daemon runs version ${version}, and version ${installed} is installed`
    const todo = "Read CHANGELOG.md, back up, and restart the daemon; it goes on from the journal."
    const given = { command: "pm2 restart ballast", needsPerson: true }
    found.push(problem({ level: "attention", code: "version.differs", sentence, todo, ...given }))
  }
  if (clockJump !== null) {
    const todo =
      "Set the clock right (NTP). If the nodes are behind and the clock is right, confirm it."
    const given = { command: "ballast resume --clock", needsPerson: true }
    found.push(
      problem({
        level: "trouble",
        code: clockJump.code,
        sentence: clockJump.message,
        todo,
        ...given,
      }),
    )
  }
  if (diskFault === undefined && freeBytes !== null && BigInt(freeBytes) < LOW_BYTES) {
    const full = BigInt(freeBytes) < FULL_BYTES
    const sentence = `The disk of data_dir has ${formatBytes(freeBytes)} left`
    const todo = "Free some space: an order waits while the journal cannot store its next step."
    found.push(
      problem({
        level: full ? "trouble" : "attention",
        code: "disk.low",
        sentence,
        todo,
        needsPerson: full,
      }),
    )
  }
  return found
}

/** `12.4 GiB`, `310 MiB`. */
export function formatBytes(bytes: number): string {
  const mebi = bytes / Number(MEBI)
  return mebi >= 1024 ? `${(mebi / 1024).toFixed(1)} GiB` : `${Math.floor(mebi)} MiB`
}

/** Fees for fewer days than this need attention. */
const FEW_DAYS = 7

function findGasProblems(gas: GasReading): Problem[] {
  const { chain, units, neededUnits, decimals, symbol } = gas
  const days = daysLeft(gas)
  if (units === null || (units >= neededUnits && (days === null || days >= FEW_DAYS))) return []
  const rest = `${formatUnits(units, decimals)} ${symbol}`
  const empty = units < neededUnits
  const sentence = empty
    ? `${chain} has ${rest} for fees, and a deposit with its refund needs ` +
      `${formatUnits(neededUnits, decimals)} ${symbol}`
    : `${chain} has ${rest} for fees, enough for ${days} more ${days === 1 ? "day" : "days"}`
  const todo = `Send ${symbol} to the wallet of ${chain}.`
  return [
    problem({
      level: "attention",
      code: "gas.low",
      about: chain,
      sentence,
      todo,
      command: "ballast wallet",
      needsPerson: empty,
    }),
  ]
}

/**
 * The days for which the coin lasts at the pace of the last week, beside the needed minimum; `null`
 * without fees in that week.
 */
export function daysLeft({ units, neededUnits, perDayUnits }: GasReading): number | null {
  if (units === null || perDayUnits <= 0n) return null
  return units <= neededUnits ? 0 : Number((units - neededUnits) / perDayUnits)
}

/** The share from which a limit needs attention. */
const NEARLY_USED_PERCENT = 80n

function findLimitProblems(limit: LimitReading): Problem[] {
  const { name, used, max, decimals, unit, todo = WINDOW_TODO } = limit
  if (max <= 0n || used * 100n < max * NEARLY_USED_PERCENT) return []
  const left = used >= max ? 0n : max - used
  const sentence =
    `${name}: ${formatUnits(used, decimals)} of ${formatUnits(max, decimals)} ${unit} are ` +
    `used, ${formatUnits(left, decimals)} are left`
  return [problem({ level: "attention", code: "limit.nearly_used", about: name, sentence, todo })]
}

const WINDOW_TODO =
  "New orders above the rest are refused until the window goes on; raise the limit only for a " +
  "reason."
