import type { FlowProblem, Side } from "#policy/planner/flow/flow-problem.ts"
import { fewestOrders, lineOf, nodesAt, usefulFlow } from "#policy/planner/flow/flow-problem.ts"

/**
 * The planner's problem in the LP text format: the flow `f` and the whole number of orders `n` of
 * each edge, and the rewarded part `r` of each node. Amounts are in units of the currency, as
 * floating point: only the numbers of orders are taken from the answer (`settle-flow.ts`).
 */
export function toMilp(problem: FlowProblem): string {
  const { edges, maxOrders, groups } = problem
  const all = edges.map((_, index) => index)
  const rows = [
    ...edges.flatMap((edge, index) => {
      const flow = usefulFlow(problem, edge)
      const most = flow < edge.hi ? flow : edge.hi
      return [
        `f${index} - ${money(most)} n${index} <= 0`,
        `f${index} - ${money(edge.lo)} n${index} >= 0`,
      ]
    }),
    ...(["source", "sink"] as const).flatMap((side) => nodeRows(problem, side)),
    ...[{ edges: all, most: maxOrders }, ...groups].flatMap((group) =>
      group.edges.length === 0 || group.most >= MANY
        ? []
        : [`${group.edges.map((edge) => `n${edge}`).join(" + ")} <= ${group.most}`],
    ),
  ]
  const costs = edges.flatMap((edge, index) => [
    `+ ${rate(edge.slope)} f${index}`,
    `+ ${money(edge.fixed / RATE)} n${index}`,
  ])
  const bounds = edges.flatMap((edge, index) => {
    const most = Math.min(maxOrders, fewestOrders(edge, usefulFlow(problem, edge)))
    // Several orders may have to carry more than is useful, because each carries its least.
    const flow = usefulFlow(problem, edge, BigInt(most) * edge.lo)
    return [`0 <= f${index} <= ${money(flow)}`, `0 <= n${index} <= ${most}`]
  })
  const rewarded = rewardedNodes(problem)
  return [
    "Minimize",
    " cost: " +
      `${[...costs, ...rewarded.map(({ name, reward }) => `- ${rate(reward)} ${name}`)].join(" ")}`,
    "Subject To",
    ...rows.map((row, index) => ` c${index}: ${row}`),
    "Bounds",
    ...[...bounds, ...rewarded.map(({ name, want }) => `0 <= ${name} <= ${money(want)}`)].map(
      (bound) => ` ${bound}`,
    ),
    "Generals",
    ` ${all.map((index) => `n${index}`).join(" ")}`,
    "End",
  ].join("\n")
}

/** The unit of costs, rewards and slopes. */
const RATE = 10n ** 12n
const MANY = 1_000_000

function nodeRows(problem: FlowProblem, side: Side): string[] {
  const nodes = nodesAt(problem, side)
  const edgesAt = nodes.map((): number[] => [])
  problem.edges.forEach((edge, index) => {
    for (const node of lineOf(nodes, edge[side])) edgesAt[node]?.push(index)
  })
  return nodes.flatMap(({ want, most, reward, perOrder = 0n }, node) => {
    const edges = edgesAt[node] ?? []
    if (edges.length === 0) return []
    const flow = edges.map((edge) => `f${edge}`).join(" + ")
    const kept =
      perOrder === 0n ? "" : ` + ${edges.map((edge) => `${money(perOrder)} n${edge}`).join(" + ")}`
    const isRewarded = want > 0n && reward > 0n
    return [
      `${flow}${kept} <= ${money(most + perOrder)}`,
      ...(isRewarded ? [`${flow} - r_${side}${node} >= 0`] : []),
    ]
  })
}

function rewardedNodes(problem: FlowProblem): { name: string; want: bigint; reward: bigint }[] {
  return (["source", "sink"] as const).flatMap((side) => {
    const nodes = nodesAt(problem, side)
    const used = new Set(problem.edges.flatMap((edge) => lineOf(nodes, edge[side])))
    return nodes.flatMap(({ want, reward }, node) =>
      used.has(node) && want > 0n && reward > 0n
        ? [{ name: `r_${side}${node}`, want, reward }]
        : [],
    )
  })
}

/** A value (10^-24 of the currency) with twelve digits after the point. */
function money(value: bigint): string {
  return decimal(value / 10n ** 12n)
}

/** A rate (10^-12). */
function rate(value: bigint): string {
  return decimal(value)
}

function decimal(scaled: bigint): string {
  const text = scaled.toString().padStart(13, "0")
  return `${text.slice(0, -12)}.${text.slice(-12)}`
}
