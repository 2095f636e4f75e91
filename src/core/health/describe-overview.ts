import { formatUnits } from "#domain/amount.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { daysLeft, findProblems, formatBytes } from "./find-problems.ts"
import { formatSpan } from "./format-span.ts"
import { countUsable, judgeChainNodes } from "./judge-nodes.ts"
import { type JudgedService, judgeServiceHealth } from "./judge-service.ts"
import { levelOf, type Problem } from "./problem.ts"
import type {
  ChainNodes,
  GasReading,
  HoldingReading,
  LimitReading,
  Readings,
  ServiceReading,
} from "./readings.ts"

export type Overview = AnswerOf<"Overview">

type ShownCluster = NonNullable<Overview["cluster"]>
export type ShownProblem = Overview["problems"][number]
export type ShownChain = Overview["nodes"][number]
type ShownService = Overview["services"][number]
export type ShownHolding = Overview["treasury"][number]
type ShownGas = Overview["gas"][number]
export type ShownOrder = Overview["orders"][number]
export type ShownRule = Overview["rules"][number]
type ShownLimit = Overview["limits"][number]

/**
 * Computes the overview. Pure: the same readings give the same answer, in the daemon and in a
 * command without one.
 */
export function describeOverview(readings: Readings, silentAfterMs: number): Overview {
  const { nowMs, daemon, orders, alarms, freeBytes } = readings
  const problems = findProblems(readings, silentAfterMs)
  const shown = problems.map((one) => showProblem(one, nowMs))
  return {
    at: timeOf(nowMs),
    level: levelOf(problems),
    verdict: decideVerdict(readings, problems),
    daemon: {
      answers: daemon.answers,
      pid: daemon.pid,
      version: daemon.version,
      lastSeen: timeOrNull(daemon.lastSeenMs),
      startedAt: timeOrNull(daemon.startedAtMs),
    },
    cluster: showCluster(readings),
    mode: readings.mode,
    pause: readings.pause,
    pausedChains: readings.pausedChains,
    pausedRules: readings.pausedRules,
    problems: shown,
    tasks: listTasks(shown),
    nodes: readings.nodes.map((chain) => showChain(chain, silentAfterMs, nowMs)),
    services: readings.services.map((service) => showService(service, silentAfterMs, nowMs)),
    treasury: readings.treasury.map(showHolding),
    gas: readings.gas.map(showGas),
    orders: orders.map(({ sinceMs, deadline, reasons: _reasons, ...order }) => ({
      ...order,
      since: timeOf(sinceMs),
      deadline: timeOrNull(deadline?.atMs ?? null),
      left: deadline === null ? null : formatSpan(deadline.atMs - nowMs),
      ends: deadline?.what ?? null,
    })),
    rules: readings.rules.map(
      ({ nextMs, lastMs, overdueSinceMs: _overdue, missed: _missed, ...rule }) => ({
        ...rule,
        next: timeOrNull(nextMs),
        last: timeOrNull(lastMs),
      }),
    ),
    next: listNext(readings),
    limits: readings.limits.map(showLimit),
    alarms: alarms
      .filter(({ closedMs }) => closedMs === null)
      .map(({ atMs, order, reason }) => ({ at: timeOf(atMs), order, reason })),
    disk: freeBytes === null ? null : { freeBytes, free: formatBytes(freeBytes) },
    clock: readings.clockJump,
  }
}

function decideVerdict(readings: Readings, problems: readonly Problem[]): string {
  const [first, ...others] = problems
  if (first !== undefined) {
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`
    return `${shorten(first.sentence)}${more}`
  }
  const { nodes, services, orders, mode, nowMs, cluster } = readings
  if (cluster?.role === "standby") {
    const leader = cluster.holder === null ? "nobody holds the lease" : `${cluster.holder} leads`
    return (
      `Standby: ${leader}; this copy of the journal follows, and takes over when the lease ` +
      "ends"
    )
  }
  const flight = orders.length === 0 ? "no order is in flight" : `${orders.length} in flight`
  const [next] = listNext(readings)
  const rule =
    next === undefined
      ? ""
      : `; ${next.rule} is next, in ${formatSpan(Date.parse(next.at) - nowMs)}`
  const observing = mode === "observe" ? " (mode observe: no order is made before mode: live)" : ""
  const chains = count(nodes.length, "chain")
  const answering = `${chains} and ${count(services.length, "service")} answer`
  return `All is well${observing}: ${answering}, ${flight}${rule}`
}

/** The problem itself shows its whole sentence. */
const LONGEST_VERDICT = 200

function shorten(sentence: string): string {
  if (sentence.length <= LONGEST_VERDICT) return sentence
  const words = sentence.slice(0, LONGEST_VERDICT).replace(/[\s,;:.]+\S*$/, "")
  return `${words}…`
}

function showCluster({ cluster }: Readings): ShownCluster | null {
  if (cluster === undefined) return null
  const { role, holder, epoch, seq, answeredMs, standbys } = cluster
  const shown = standbys.map(({ holder: name, version, seq: position }) => ({
    holder: name,
    version,
    seq: position,
  }))
  return { role, holder, epoch, seq, lastAnswer: timeOf(answeredMs), standbys: shown }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`
}

function showProblem({ deadlineMs, ...one }: Problem, nowMs: number): ShownProblem {
  const left = deadlineMs === null ? null : formatSpan(deadlineMs - nowMs)
  return { ...one, deadline: timeOrNull(deadlineMs), left }
}

function listTasks(problems: readonly ShownProblem[]): readonly ShownProblem[] {
  const far = Number.POSITIVE_INFINITY
  const dueOf = ({ deadline }: ShownProblem): number =>
    deadline === null ? far : Date.parse(deadline)
  return problems
    .filter(({ needsPerson }) => needsPerson)
    .toSorted((a, b) => (dueOf(a) === dueOf(b) ? 0 : dueOf(a) - dueOf(b)))
}

function listNext({ rules, nowMs }: Readings): Overview["next"] {
  return rules
    .flatMap(({ id, enabled, nextMs }) =>
      enabled && nextMs !== null ? [{ rule: id, ms: Math.max(nextMs, nowMs) }] : [],
    )
    .toSorted((a, b) => a.ms - b.ms)
    .map(({ rule, ms }) => ({ rule, at: timeOf(ms) }))
}

function showChain(nodes: ChainNodes, silentAfterMs: number, nowMs: number): ShownChain {
  const judged = judgeChainNodes(nodes, silentAfterMs, nowMs)
  const answers = nodes.endpoints.flatMap(({ answeredMs }) => answeredMs ?? [])
  const good = judged.filter(({ state }) => state === "good" || state === "slow")
  const best = (good.length > 0 ? good : judged).toSorted((a, b) =>
    (a.endpoint.height ?? 0n) < (b.endpoint.height ?? 0n) ? 1 : -1,
  )[0]?.endpoint
  const ageOf = (ms: number | null | undefined): number | null => (ms == null ? null : nowMs - ms)
  return {
    chain: nodes.chain,
    state: stateOfChain(nodes, judged),
    lastAnswer: timeOrNull(answers.length === 0 ? null : Math.max(...answers)),
    headAgeMs: ageOf(best?.blockAtMs),
    height: best?.height?.toString() ?? null,
    needed: nodes.needed,
    agreeing: nodes.agreement?.agreeing ?? null,
    endpoints: judged.map(({ endpoint, state }) => ({
      host: endpoint.host,
      state,
      lastAnswer: timeOrNull(endpoint.answeredMs),
      height: endpoint.height?.toString() ?? null,
      headAgeMs: ageOf(endpoint.blockAtMs),
      tookMs: endpoint.tookMs,
      error: endpoint.error,
      hours: showHours(endpoint.hours),
    })),
  }
}

function stateOfChain(
  { needed, agreement }: ChainNodes,
  judged: ReturnType<typeof judgeChainNodes>,
): ShownChain["state"] {
  if (judged.length === 0 || judged.every(({ state }) => state === "unasked")) return "unknown"
  if (judged.every(({ state }) => state === "silent")) return "silent"
  if (countUsable(judged) === 0) return "degraded"
  const doubted = (agreement?.reasons ?? []).some(({ code }) => code !== "chain.agreement_short")
  const whole = judged.every(({ alarm }) => alarm === null) && countUsable(judged) >= needed
  return whole && !doubted ? "good" : "degraded"
}

function showService(service: ServiceReading, silentAfterMs: number, nowMs: number): ShownService {
  const { name, answeredMs, inFlight, rest, hours } = service
  const judged = judgeServiceHealth(service, silentAfterMs, nowMs)
  const error = [service.error ?? [], judged.failures].flat().join("; ")
  return {
    name,
    state: stateOfService(service, judged.state),
    lastAnswer: timeOrNull(answeredMs),
    inFlight,
    restUntil: rest?.until ?? null,
    error: error === "" ? null : error,
    hours: showHours(hours),
  }
}

function showHours(hours: ServiceReading["hours"] = []): ShownService["hours"] {
  return hours.map(({ atMs, ...hour }) => ({ at: timeOf(atMs), ...hour }))
}

function stateOfService(
  { rest, askedMs }: ServiceReading,
  state: JudgedService["state"],
): ShownService["state"] {
  if (state === "silent" || state === "failing") return state
  if (rest !== null) return "resting"
  return askedMs === null ? "unknown" : state
}

function showHolding({
  asset,
  decimals,
  units,
  atMs,
  bounds,
  shares,
}: HoldingReading): ShownHolding {
  const show = (value: bigint): string => formatUnits(value, decimals)
  return {
    asset,
    amount: units === null ? null : show(units),
    readAt: timeOrNull(atMs),
    bounds: bounds.map(({ rule, minUnits, targetUnits, maxUnits }) => ({
      rule,
      min: show(minUnits),
      target: show(targetUnits),
      max: maxUnits === null ? null : show(maxUnits),
      place:
        units === null
          ? "unknown"
          : units < minUnits
            ? "below"
            : maxUnits !== null && units > maxUnits
              ? "above"
              : "within",
    })),
    shares: shares.map(({ rule, bps }) => ({ rule, percent: `${formatUnits(bps, 2)}%` })),
  }
}

function showGas(gas: GasReading): ShownGas {
  const { chain, symbol, decimals, units, neededUnits, atMs } = gas
  return {
    chain,
    coin: symbol,
    amount: units === null ? null : formatUnits(units, decimals),
    needed: formatUnits(neededUnits, decimals),
    daysLeft: daysLeft(gas),
    readAt: timeOrNull(atMs),
  }
}

function showLimit({ name, used, max, decimals, unit }: LimitReading): ShownLimit {
  const left = used >= max ? 0n : max - used
  const percent = max <= 0n ? 100 : Number((used * 100n) / max)
  return {
    name,
    unit,
    percent,
    used: formatUnits(used, decimals),
    max: formatUnits(max, decimals),
    left: formatUnits(left, decimals),
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeOf(ms)
}
