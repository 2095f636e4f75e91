import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { formatSpan } from "./format-span.ts"
import { countUsable, type JudgedEndpoint, judgeChainNodes, judgeServiceAnswers } from "./judge-nodes.ts"
import { type Problem, problem } from "./problem.ts"
import type { ChainNodes, OrderReading, Readings, ServiceReading } from "./readings.ts"

/** The alarms that the watch must have now. Pure. */
export function listWatchCauses(
  { nodes, services, nowMs }: Pick<Readings, "nodes" | "services" | "nowMs">,
  silentAfterMs: number,
): readonly Reason[] {
  const endpoints = nodes.flatMap((chain) => judgeChainNodes(chain, silentAfterMs, nowMs).map(({ alarm }) => alarm))
  const answers = services.map((service) => judgeServiceAnswers(service, silentAfterMs, nowMs))
  return [...endpoints, ...answers].filter((reason) => reason !== null)
}

/** Chains that give no answer, endpoints that are silent, behind or contradict others, and services that do not answer. Pure. */
export function findNodeProblems(readings: Readings, silentAfterMs: number): readonly Problem[] {
  return [
    ...readings.nodes.flatMap((chain) => findChainProblems(chain, readings, silentAfterMs)),
    ...readings.services.flatMap((service) => findServiceProblems(service, readings, silentAfterMs)),
  ]
}

function findChainProblems(nodes: ChainNodes, { orders, nowMs }: Readings, silentAfterMs: number): Problem[] {
  const judged = judgeChainNodes(nodes, silentAfterMs, nowMs)
  const bad = judged.filter(({ alarm }) => alarm !== null)
  const doubts = (nodes.agreement?.reasons ?? []).filter(({ code }) => code !== "chain.agreement_short")
  const touched = orders.filter(({ from, to }) => [chainOf(from), chainOf(to)].includes(nodes.chain))
  const found = doubts.map((reason) => explainDoubt(nodes, reason, touched))
  if (judged.length > 0 && bad.length === judged.length && countUsable(judged) === 0)
    return [explainSilence(nodes, judged, touched, nowMs), ...found]
  const short = countUsable(judged) < nodes.needed && bad.length > 0
  return [...bad.map((one) => explainEndpoint(nodes, one, short, touched)), ...found]
}

/** No endpoint of the chain is of use. */
function explainSilence(
  { chain }: ChainNodes,
  judged: readonly JudgedEndpoint[],
  touched: readonly OrderReading[],
  nowMs: number,
): Problem {
  const [first] = judged
  const level = touched.length > 0 ? "trouble" : "attention"
  const todo = "Repair the node, or give the chain another endpoint in the configuration."
  if (judged.some(({ state }) => state !== "silent")) {
    const sentence = `No endpoint of ${chain} is of use: ${first?.alarm?.message ?? ""}; ${affected(touched)}`
    return problem({
      ...{ level, code: first?.alarm?.code ?? "node.silent", about: chain, sentence, todo },
      command: "ballast doctor",
    })
  }
  const sinceMs = Math.max(...judged.map(({ endpoint }) => endpoint.sinceMs))
  const sentence = `${chain} has not answered for ${formatSpan(nowMs - sinceMs)}; ${affected(touched)}`
  return problem({ level, code: "node.silent", about: chain, sentence, todo, command: "ballast doctor" })
}

function affected(orders: readonly OrderReading[]): string {
  if (orders.length === 0) return "no order is affected"
  return orders.length === 1 ? "one order in flight waits for it" : `${orders.length} orders in flight wait for it`
}

function explainEndpoint(
  { chain, needed }: ChainNodes,
  { alarm, endpoint }: JudgedEndpoint,
  short: boolean,
  touched: readonly OrderReading[],
): Problem {
  const rest = short
    ? `fewer than the ${needed} endpoints that must agree are left, so new deposits wait; ${affected(touched)}`
    : "the other endpoints suffice"
  return problem({
    level: short && touched.length > 0 ? "trouble" : "attention",
    code: alarm?.code ?? "node.silent",
    about: `${chain} ${endpoint.host}`,
    sentence: `${alarm?.message ?? ""}; ${rest}`,
    todo: "Repair or replace the endpoint.",
    command: "ballast doctor",
  })
}

function explainDoubt({ chain }: ChainNodes, { code, message }: Reason, touched: readonly OrderReading[]): Problem {
  return problem({
    level: touched.length > 0 ? "trouble" : "attention",
    ...{ code, kind: "node", about: chain },
    sentence: `${chain}: ${message}; ${affected(touched)}`,
    todo: "Compare the endpoints with an explorer, and remove the wrong one from the configuration.",
    command: "ballast doctor",
  })
}

function findServiceProblems(service: ServiceReading, { nowMs, services }: Readings, silentAfterMs: number): Problem[] {
  const { name, rest, inFlight, sinceMs } = service
  const found: Problem[] = []
  const alarm = judgeServiceAnswers(service, silentAfterMs, nowMs)
  if (alarm !== null) {
    const waits = inFlight === 0 ? "no order is affected" : `${inFlight} of its orders wait; refunds do not need it`
    const sentence = `The service ${name} has not answered for ${formatSpan(nowMs - sinceMs)}; ${waits}`
    const todo = "Check the url of the service and the network."
    const level = inFlight > 0 ? "trouble" : "attention"
    found.push(problem({ level, code: alarm.code, about: name, sentence, todo, command: "ballast doctor" }))
  }
  if (rest !== null && services.length > 1) {
    const sentence = `The service ${name} rests until ${rest.until}: ${rest.cause.message}`
    const todo = "Nothing, unless it repeats: the other services are asked."
    found.push(problem({ level: "attention", code: rest.cause.code, kind: "service", about: name, sentence, todo }))
  }
  return found
}
