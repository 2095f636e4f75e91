import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { type Remedy, remedyOfError, remedyOfErrors } from "./error-remedies.ts"
import { judgeReceiver } from "./find-late-problems.ts"
import { groupUnpriced } from "./find-price-problems.ts"
import { judgeSignerAnswers } from "./find-signer-problems.ts"
import { judgeWallet } from "./find-wallet-problems.ts"
import { formatSpan } from "./format-span.ts"
import { countUsable, type JudgedEndpoint, judgeChainNodes } from "./judge-nodes.ts"
import {
  describeSilence,
  type JudgedService,
  judgeServiceHealth,
  remedyOf,
} from "./judge-service.ts"
import { type Problem, problem } from "./problem.ts"
import type { ChainNodes, OrderReading, Readings, ServiceReading } from "./readings.ts"
import { findRemedy } from "./remedies.ts"

/** The alarms that the watch must have now. Pure. */
export function listWatchCauses(
  {
    nodes,
    services,
    unpriced = [],
    wallets = [],
    signer,
    receivers = [],
    nowMs,
  }: Pick<
    Readings,
    "nodes" | "services" | "unpriced" | "wallets" | "signer" | "receivers" | "nowMs"
  >,
  silentAfterMs: number,
): readonly Reason[] {
  const endpoints = nodes.flatMap((chain) =>
    judgeChainNodes(chain, silentAfterMs, nowMs).map(({ alarm }) => alarm),
  )
  const answers = services.map((service) => judgeServiceHealth(service, silentAfterMs, nowMs).alarm)
  const prices = groupUnpriced(unpriced, silentAfterMs, nowMs).map(({ reason }) => reason)
  return [
    ...endpoints,
    ...answers,
    ...prices,
    ...wallets.map(judgeWallet),
    judgeSignerAnswers(signer, silentAfterMs, nowMs),
    ...receivers.map((receiver) => judgeReceiver(receiver, silentAfterMs, nowMs)),
  ].filter((reason) => reason !== null)
}

/**
 * Chains that give no answer, endpoints that are silent, behind or contradict others, and services
 * that do not answer. Pure.
 */
export function findNodeProblems(readings: Readings, silentAfterMs: number): readonly Problem[] {
  return [
    ...readings.nodes.flatMap((chain) => findChainProblems(chain, readings, silentAfterMs)),
    ...readings.services.flatMap((service) =>
      findServiceProblems(service, readings, silentAfterMs),
    ),
  ]
}

function findChainProblems(
  nodes: ChainNodes,
  { orders, nowMs, nodes: chains }: Readings,
  silentAfterMs: number,
): Problem[] {
  const remedies = isClockShown(chains, nodes, nowMs) ? FOREIGN_CLOCK_REMEDIES : REMEDIES
  const judged = judgeChainNodes(nodes, silentAfterMs, nowMs)
  const bad = judged.filter(({ alarm }) => alarm !== null)
  const doubts = (nodes.agreement?.reasons ?? []).filter(
    ({ code }) => code !== "chain.agreement_short",
  )
  const touched = orders.filter(({ from, to }) =>
    [chainOf(from), chainOf(to)].includes(nodes.chain),
  )
  // The error of a read is no contradiction, and the endpoint that gave it has a problem of its
  // own, or gets one when its silence has lasted.
  const isWell = judged.every(({ endpoint, alarm }) => alarm === null && endpoint.error === null)
  const told = doubts.filter(({ code }) => code.startsWith("chain.") || isWell)
  const found = told.map((reason) => explainDoubt(nodes, reason, touched))
  if (judged.length > 0 && bad.length === judged.length && countUsable(judged) === 0)
    return [explainSilence(nodes, judged, { touched, remedies }, nowMs), ...found]
  const short = countUsable(judged) < nodes.needed && bad.length > 0
  const known = { touched, remedies }
  return [...bad.map((one) => explainEndpoint(nodes, one, short, known)), ...found]
}

/** No endpoint of the chain is of use. */
function explainSilence(
  { chain }: ChainNodes,
  judged: readonly JudgedEndpoint[],
  { touched, remedies }: Known,
  nowMs: number,
): Problem {
  const [first] = judged
  const level = touched.length > 0 ? "trouble" : "attention"
  const told = remedyOfErrors(
    judged.map(({ endpoint }) => endpoint.error),
    "node",
  )
  const repair = {
    todo: "Repair the node, or give the chain another endpoint in the configuration.",
    command: "ballast doctor",
  }
  const [wrong] = judged.flatMap(({ alarm }) => remedies[alarm?.code ?? ""] ?? [])
  const remedy = told ?? (standsStill(judged) ? HALTED : null) ?? wrong ?? repair
  if (judged.some(({ state }) => state !== "silent")) {
    const cause = first?.alarm?.message ?? ""
    const many = standsStill(judged)
      ? `${chain} makes no new block, all its endpoints say the same: ${cause}`
      : `No endpoint of ${chain} is of use: ${cause}`
    const whole = judged.length === 1 ? `${cause}, and the chain has no other` : many
    const sentence = `${whole}; ${affected(touched)}`
    return problem({
      level,
      code: first?.alarm?.code ?? "node.silent",
      about: chain,
      sentence,
      ...remedy,
    })
  }
  const sinceMs = Math.max(...judged.map(({ endpoint }) => endpoint.sinceMs))
  const errors = [...new Set(judged.flatMap(({ endpoint }) => endpoint.error ?? []))]
  const why = errors.length === 0 ? "" : ` (${errors.join("; ")})`
  const silence = `${chain} has not answered for ${formatSpan(nowMs - sinceMs)}${why}`
  const sentence = `${silence}; ${affected(touched)}`
  return problem({ level, code: "node.silent", about: chain, sentence, ...remedy })
}

/** Endpoints that fail by themselves do not stop at the same block. */
function standsStill(judged: readonly JudgedEndpoint[]): boolean {
  const heights = new Set(judged.map(({ endpoint }) => endpoint.height))
  const isOld = judged.every(({ alarm }) => alarm?.code === "node.behind")
  return isOld && judged.length > 1 && heights.size === 1
}

const HALTED = {
  todo:
    "Compare with an explorer and the status page of the chain: if the chain itself stands " +
    "still, wait, and replace no endpoint.",
  command: "ballast doctor",
}

/** `touched`: the orders of the chain. */
type Known = {
  readonly touched: readonly OrderReading[]
  readonly remedies: Readonly<Record<string, Remedy>>
}

/** Another chain has the time of this machine, so a third clock is the odd one. */
function isClockShown(chains: Readings["nodes"], { chain }: ChainNodes, nowMs: number): boolean {
  const others = chains.filter((one) => one.chain !== chain && one.staleMs !== null)
  return others.some(({ endpoints, staleMs }) =>
    endpoints.some(
      ({ error, blockAtMs }) =>
        error === null &&
        blockAtMs !== null &&
        Math.abs(nowMs - blockAtMs) < Math.min(staleMs ?? 0, SAME_TIME_MS),
    ),
  )
}

const SAME_TIME_MS = 5 * 60_000

const REPLACE = { todo: "Repair or replace the endpoint.", command: "ballast doctor" }
/** The remedies of faults that no repair of the node ends. */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  "node.wrong_network": {
    todo:
      "Correct the URL or the chain's network in the configuration, then let the daemon read " +
      "it.",
    command: "ballast reload",
  },
  "node.ahead": {
    todo: "Set this machine's clock (NTP); else replace the endpoint.",
    command: "ballast doctor",
  },
}

const FOREIGN_CLOCK_REMEDIES: Readonly<Record<string, Remedy>> = {
  ...REMEDIES,
  "node.ahead": {
    todo: "Repair or replace the endpoint: other chains have the time of this machine.",
    command: "ballast doctor",
  },
}

function affected(orders: readonly OrderReading[]): string {
  if (orders.length === 0) return "no order is affected"
  return orders.length === 1
    ? "one order in flight waits for it"
    : `${orders.length} orders in flight wait for it`
}

function explainEndpoint(
  { chain, needed }: ChainNodes,
  { alarm, endpoint, state }: JudgedEndpoint,
  short: boolean,
  { touched, remedies }: Known,
): Problem {
  const rest =
    state === "slow" || state === "failing"
      ? `reads through it ${state === "slow" ? "take longer" : "wait"}; ${affected(touched)}`
      : short
        ? `fewer than the ${needed} endpoints that must agree are left, so new deposits wait; ` +
          `${affected(touched)}`
        : "the other endpoints suffice"
  return problem({
    level: short && touched.length > 0 ? "trouble" : "attention",
    code: alarm?.code ?? "node.silent",
    about: `${chain} ${endpoint.host}`,
    sentence: `${alarm?.message ?? ""}; ${rest}`,
    ...(remedyOfError(wordsOf(endpoint), "node") ?? remedies[alarm?.code ?? ""] ?? REPLACE),
  })
}

function wordsOf({ error, limit, reads, breaks }: JudgedEndpoint["endpoint"]): string | null {
  return error ?? limit ?? reads?.fault ?? breaks?.fault ?? null
}

export const COMPARE = {
  todo: "Compare the endpoints with an explorer, and remove the wrong one from the configuration.",
  command: "ballast doctor",
}

const FEE_ABOVE_CAP = "chain.fee_above_cap"

function remedyOfDoubt(code: string, message: string): ReturnType<typeof findRemedy> {
  const isForeign = /\.(wrong_chain|wrong_network)$/.test(code)
  const own = isForeign ? REMEDIES["node.wrong_network"] : remedyOfError(message, "node")
  const compare = code === FEE_ABOVE_CAP ? findRemedy(code) : COMPARE
  return own ?? (code.startsWith("chain.") ? compare : REPLACE)
}

function explainDoubt(
  { chain }: ChainNodes,
  { code, message }: Reason,
  touched: readonly OrderReading[],
): Problem {
  const isDear = code === FEE_ABOVE_CAP
  return problem({
    level: touched.length > 0 && !isDear ? "trouble" : "attention",
    code,
    kind: "node",
    about: chain,
    sentence: `${chain}: ${message}; ${affected(touched)}`,
    ...remedyOfDoubt(code, message),
  })
}

function findServiceProblems(
  service: ServiceReading,
  { nowMs, services }: Readings,
  silentAfterMs: number,
): Problem[] {
  const { name, rest } = service
  const judged = judgeServiceHealth(service, silentAfterMs, nowMs)
  const others = services.filter((one) => one !== service)
  const hasOther = others.some((one) => isUsable(judgeServiceHealth(one, silentAfterMs, nowMs)))
  const found = judged.alarm === null ? [] : [explainService(service, judged, hasOther, nowMs)]
  if (rest === null || services.length < 2) return found
  const sentence = `The service ${name} rests until ${rest.until}: ${rest.cause.message}`
  // A failure has the words of the call; any other code compares the given answer of the service.
  const isLie = !/^(service|quote|price)\./.test(rest.cause.code)
  // The failing calls are the cause of the rest, and their problem has the words.
  if (!isLie && found.some(({ code }) => code !== "service.slow")) return found
  const todo = isLie
    ? "Nothing was signed. Ask the operator of the service why it names this; add a contract to " +
      "htlc only after a review."
    : (remedyOfError(rest.cause.message, "service")?.todo ??
      "The other services are asked meanwhile. If it repeats, ask the operator of this one.")
  const resting = problem({
    level: "attention",
    code: rest.cause.code,
    kind: "service",
    about: name,
    sentence,
    todo,
  })
  return [...found, resting]
}

/** A slow service also takes orders. */
function isUsable({ state }: JudgedService): boolean {
  return state === "good" || state === "slow"
}

/** Without another service no swap can begin, and orders of this one wait. */
function explainService(
  service: ServiceReading,
  judged: JudgedService,
  hasOther: boolean,
  nowMs: number,
): Problem {
  const { name, inFlight } = service
  const { state, alarm, failures, faults } = judged
  const code = alarm?.code ?? "service.away"
  if (state === "slow") {
    const todo =
      "Nothing, unless it lasts: quotes and orders take longer. Then ask the operator of the " +
      "service."
    const sentence = alarm?.message ?? ""
    return problem({
      level: "attention",
      code,
      about: name,
      sentence,
      todo,
      command: "ballast doctor",
    })
  }
  const waits =
    inFlight === 0
      ? "no order is affected"
      : `${inFlight} of its orders wait; refunds do not need it`
  const what = state === "silent" ? describeSilence(service, nowMs) : `The service ${name} fails`
  const sentence = `${what}${failures.length === 0 ? "" : `: ${failures.join("; ")}`}; ${waits}`
  const level = inFlight > 0 || !hasOther ? "trouble" : "attention"
  return problem({ level, code, about: name, sentence, ...remedyOf(faults) })
}
