import type {
  Overview,
  ShownChain,
  ShownHolding,
  ShownOrder,
  ShownProblem,
} from "#health/describe-overview.ts"
import { formatSpan, readableAt } from "#health/format-span.ts"
import type { Part } from "./tone.ts"

const OBSERVE = "observe: rules are evaluated, no order is made before mode: live"

/**
 * The overview for a person, part by part: the verdict, the problems with their remedies, and then
 * the state of everything.
 */
export function formatHealth(overview: Overview): readonly Part[] {
  const { level, verdict, problems } = overview
  return [
    { text: `${level === "ok" ? "ok" : level.toUpperCase()}  ${verdict}`, tone: level },
    ...problems.map((one) => ({ text: formatProblem(one), tone: one.level })),
    { text: formatHead(overview) },
    ...section(
      "nodes",
      overview.nodes.map((chain) => formatChain(chain, overview.at)),
    ),
    ...section("services", formatServices(overview)),
    ...section(
      "treasury",
      overview.treasury.map((one) => formatHolding(one, overview.at)),
    ),
    ...section("coin for fees", formatGas(overview)),
    ...section(
      "in flight",
      overview.orders.length === 0 ? ["none"] : overview.orders.map(formatOrderLine),
    ),
    ...section("next", formatNext(overview)),
    ...section("limits", formatLimits(overview)),
    ...section("alarms", formatAlarms(overview)),
  ]
}

function section(title: string, lines: readonly string[]): readonly Part[] {
  return lines.length === 0
    ? []
    : [{ text: [title, ...lines.map((line) => `  ${line}`)].join("\n") }]
}

function formatProblem({ sentence, meaning, todo, command, level, left }: ShownProblem): string {
  // The sentence of an approval says its time left itself. The same span may also be a time that
  // has passed.
  const time = left === null || sentence.includes(`in ${left}`) ? "" : ` (${left} left)`
  const run = command === null ? "" : `  ->  ${command}`
  return `${level === "trouble" ? "!" : "-"} ${sentence}${time}\n    ${meaning}\n    ${todo}${run}`
}

function formatHead({
  daemon,
  cluster,
  mode,
  pause,
  pausedChains,
  pausedRules,
  disk,
  at,
}: Overview): string {
  const { answers, pid, version, startedAt, lastSeen } = daemon
  const running =
    pid === null ? "not running" : `process ${pid}${answers ? "" : ", which does not answer"}`
  const seen = answers || lastSeen === null ? "" : `, last seen ${ago(lastSeen, at)} ago`
  const since = startedAt === null ? "" : `, started ${readableAt(Date.parse(startedAt))}`
  const parts = [
    ...pausedChains.map((name) => `chain ${name}`),
    ...pausedRules.map((name) => `rule ${name}`),
  ]
  return [
    `daemon     ${running}${version === null ? "" : `, version ${version}`}${since}${seen}`,
    ...(cluster === null ? [] : [`cluster    ${formatCluster(cluster)}`]),
    ...(mode === null ? [] : [`mode       ${mode === "observe" ? OBSERVE : mode}`]),
    `pause      ${pause === null ? parts.join(", ") || "none" : formatPause(pause)}`,
    ...(pause?.alarms ?? []).map(
      ({ id, code, order, message }) =>
        `  alarm ${id}  ${code}${order === null ? "" : `, order ${order}`}: ${message}`,
    ),
    ...(disk === null ? [] : [`disk       ${disk.free} free`]),
  ].join("\n")
}

function formatCluster({
  role,
  holder,
  epoch,
  seq,
  standbys,
}: NonNullable<Overview["cluster"]>): string {
  const position = `epoch ${epoch ?? "unknown"}, group ${seq ?? "unknown"}`
  if (role === "standby") return `standby of ${holder ?? "nobody"}, ${position}`
  const names = standbys.map((one) => `${one.holder} at group ${one.seq}`).join(", ")
  return `leader, ${position}; standbys: ${names === "" ? "none" : names}`
}

function formatPause({ at, by, reason, alarms }: NonNullable<Overview["pause"]>): string {
  const ids = alarms.map(({ id }) => id).join(",")
  const command = ids === "" ? "ballast resume" : `ballast resume --acknowledge ${ids}`
  return (
    `everything since ${at}, by ` +
    `${by}${reason === null || by === "alarm" ? "" : ` (${reason})`}; \`${command}\` lifts it`
  )
}

function formatChain(
  { chain, state, height, headAgeMs, needed, agreeing, endpoints, lastAnswer }: ShownChain,
  at: string,
): string {
  const head =
    height === null
      ? ""
      : `, block ${height}${headAgeMs === null ? "" : `, ${formatSpan(headAgeMs)} old`}`
  const agreement =
    agreeing === null ? "" : `, ${agreeing} of ${endpoints.length} agree (${needed} needed)`
  const last = lastAnswer === null ? ", no answer yet" : `, last answer ${ago(lastAnswer, at)} ago`
  const bad = endpoints.filter((one) => one.state !== "good" && one.state !== "unasked")
  const named = bad.map(
    ({ host, state: why, error }) => `\n    ${host}: ${why}${error === null ? "" : ` (${error})`}`,
  )
  return `${chain}: ${state}${head}${last}${agreement}${named.join("")}`
}

function formatServices({ services, at }: Overview): readonly string[] {
  return services.map(({ name, state, lastAnswer, inFlight, restUntil, error }) => {
    const last = lastAnswer === null ? "no answer yet" : `last answer ${ago(lastAnswer, at)} ago`
    const rest = restUntil === null ? "" : `, rests until ${readableAt(Date.parse(restUntil))}`
    return (
      `${name}: ${state}, ${last}, ${inFlight} in ` +
      `flight${rest}${error === null ? "" : ` (${error})`}`
    )
  })
}

function formatHolding(
  { asset, amount, readAt, bounds, shares }: ShownHolding,
  at: string,
): string {
  const read = readAt === null ? "not read yet" : `read ${ago(readAt, at)} ago`
  const kept = bounds.map(
    ({ rule, min, target, max, place }) =>
      `; ${rule}: ${place === "unknown" ? "" : `${place} `}${min} to ${max ?? "any"}, target ` +
      `${target}`,
  )
  const aims = shares.map(({ rule, percent }) => `; ${rule}: aims at ${percent}`)
  return `${asset}: ${amount ?? "unknown"} (${read})${kept.join("")}${aims.join("")}`
}

const YEAR_DAYS = 365

function formatGas({ gas, at }: Overview): readonly string[] {
  return gas.map(({ chain, coin, amount, needed, daysLeft, readAt }) => {
    const days =
      daysLeft === null
        ? ""
        : `, enough for ${daysLeft > YEAR_DAYS ? "more than a year" : `${daysLeft} d`}`
    const read = readAt === null ? "" : ` (read ${ago(readAt, at)} ago)`
    return (
      `${chain}: ${amount ?? "unknown"} ${coin}${read}, ${needed} needed for one deposit and ` +
      `refund${days}`
    )
  })
}

function formatOrderLine({
  id,
  rule,
  amount,
  from,
  destinationAmount,
  to,
  state,
  money,
  left,
  ends,
}: ShownOrder): string {
  const time = left === null ? "" : `; ${ends} in ${left}`
  return (
    `${id.slice(0, 8)} (${rule}) ${amount} ${from} -> ${destinationAmount ?? "?"} ${to}: ` +
    `${state}, ${money}${time}`
  )
}

const MOST_NEXT = 5

function formatNext({ next, at }: Overview): readonly string[] {
  return next
    .slice(0, MOST_NEXT)
    .map(
      ({ rule, at: due }) =>
        `${rule} in ${formatSpan(Date.parse(due) - Date.parse(at))} ` +
        `(${readableAt(Date.parse(due))})`,
    )
}

function formatLimits({ limits }: Overview): readonly string[] {
  return limits.map(
    ({ name, used, max, left, unit, percent }) =>
      `${name}: ${used} of ${max} ${unit} (${percent} %), ${left} left`,
  )
}

const MOST_ALARMS = 10

function formatAlarms({ alarms }: Overview): readonly string[] {
  if (alarms.length === 0) return ["none"]
  const shown = alarms
    .slice(0, MOST_ALARMS)
    .map(
      ({ at, order, reason }) =>
        `${readableAt(Date.parse(at))}  ` +
        `${reason.code}${order === null ? "" : `  ${order.slice(0, 8)}`}`,
    )
  return alarms.length > MOST_ALARMS
    ? [...shown, `and ${alarms.length - MOST_ALARMS} more: ballast alerts`]
    : shown
}

function ago(time: string, now: string): string {
  return formatSpan(Date.parse(now) - Date.parse(time))
}
