import type { Agent } from "#domain/agent.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { Reason } from "#domain/reason.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { isNumber, type Outside } from "./fence.ts"

/*
 * Short answers for language models: codes, numbers and ids. A message may hold text of a service
 * or node, so it is shown on request only, as text of strangers.
 */

const MOST_REASONS = 5
/** Of each proposal and declined rule of a plan, which may have many. */
const FEW_REASONS = 2
const MOST_PLANNED = 8
const MOST_ROWS = 10

export function viewReasons(reasons: readonly Reason[], detail: boolean): object {
  return {
    reasons: reasons.slice(0, MOST_REASONS).map(viewReason),
    ...(detail ? { outside: reasons.map(toOutside) } : {}),
  }
}

function viewReason({ code, message: _message, ...details }: Reason): object {
  const numbers = Object.entries(details).filter(
    ([, value]) => typeof value === "string" && isNumber(value),
  )
  return { code, ...(numbers.length === 0 ? {} : { numbers: Object.fromEntries(numbers) }) }
}

function toOutside({ code, message }: Reason): Outside {
  return { from: code, text: message }
}

export function shortStatus(overview: AnswerOf<"Overview">, agent: Agent): object {
  const { problems, treasury, orders } = overview
  return {
    verdict: overview.verdict,
    mode: overview.mode,
    paused: overview.pause !== null,
    problems: problems.slice(0, MOST_ROWS).map((one) => ({
      code: one.code,
      level: one.level,
      order: one.order,
      needsPerson: one.needsPerson,
      deadline: one.deadline,
    })),
    treasury: treasury.slice(0, 2 * MOST_ROWS).map(({ asset, amount, readAt }) => ({
      asset,
      amount,
      readAt,
    })),
    inFlight: orders.length,
    agent: viewAgent(agent),
  }
}

function viewAgent({ name, tools, limits }: Agent): object {
  const usd = (fiat: bigint): string =>
    `${fiat / 1_000_000n}.${String(fiat % 1_000_000n)
      .padStart(6, "0")
      .slice(0, 2)}`
  return {
    name,
    tools,
    limits:
      limits === null
        ? null
        : {
            pairs: limits.pairs,
            maxOrderUsd: usd(limits.maxOrderFiat),
            maxDayUsd: usd(limits.maxDayFiat),
            maxDayCount: limits.maxDayCount,
            maxInFlight: limits.maxInFlight,
            approveAboveUsd: usd(limits.approveAboveFiat),
          },
  }
}

type ListedOrder = AnswerOf<"Orders">["orders"][number]

export function viewRow(order: ListedOrder): object {
  const { id, rule, from, to, amount, state, outcome, createdAt } = order
  return { id, rule, from, to, amount, state, outcome, createdAt }
}

export function viewOne(order: ListedOrder, detail: boolean): object {
  const { people, approval } = order
  return {
    ...viewRow(order),
    askedBy: order.askedBy ?? null,
    receive: order.destinationAmount,
    held: order.held,
    deposited: order.deposited,
    costBps: order.costBps,
    costUsd: order.costFiat,
    intent: order.intent,
    approveBefore: order.approveBefore,
    approved: approval !== null,
    ...(people === undefined
      ? {}
      : { people: { needed: people.needed, approved: people.approved.length } }),
    ...viewReasons(order.reasons, detail),
  }
}

export function shortDecision(
  decision: AnswerOf<"Decisions">["decisions"][number],
  detail: boolean,
): object {
  const { id, at, lastAt, times, verdict, proposals, reasons, orders } = decision
  return {
    id,
    at,
    lastAt,
    times,
    verdict,
    proposals: proposals.slice(0, MOST_REASONS).map(viewProposal),
    orders: orders.slice(0, MOST_REASONS),
    ...viewReasons(reasons, detail),
  }
}

function viewProposal({
  from,
  to,
  amount,
  receive,
  cost,
}:
  | AnswerOf<"Plan">["proposals"][number]
  | AnswerOf<"Decisions">["decisions"][number]["proposals"][number]): object {
  return { from, to, amount, receive, costUsd: cost }
}

export function viewPlan(
  { at, mode, proposals, declined }: AnswerOf<"Plan">,
  detail: boolean,
): object {
  return {
    at,
    mode,
    proposals: proposals.slice(0, MOST_PLANNED).map((one) => ({
      ...viewProposal(one),
      refused: one.refused.slice(0, FEW_REASONS).map(viewReason),
    })),
    declined: declined.slice(0, MOST_PLANNED).map(({ rule, reasons }) => ({
      rule,
      reasons: reasons.slice(0, FEW_REASONS).map(viewReason),
    })),
    more: proposals.length > MOST_PLANNED || declined.length > MOST_PLANNED,
    ...(detail
      ? {
          outside: declined.slice(0, MOST_PLANNED).flatMap(({ reasons }) => reasons.map(toOutside)),
        }
      : {}),
  }
}

export function viewQuote(quote: AnswerOf<"Quote">, detail: boolean): object {
  const { from, to, amount, receive, costBps, needsApproval, refused } = quote
  return {
    from,
    to,
    amount,
    receive,
    sendsUsd: quote.sendsFiat,
    receivesUsd: quote.receivesFiat,
    costBps,
    estimatedSeconds: quote.estimatedSeconds,
    needsApproval,
    ...viewReasons(refused, detail),
  }
}

export function viewReport({ period, by, lines, total }: AnswerOf<"Report">): object {
  return {
    since: period.from,
    by,
    groups: lines.slice(0, MOST_ROWS).map(viewLine),
    more: lines.length > MOST_ROWS,
    total: viewLine(total),
  }
}

function viewLine(line: AnswerOf<"ReportLine">): object {
  const { group, counts, volumeFiat, swapCostFiat, networkFeeFiat, costBps, successBps } = line
  return {
    // A pair is two assets with an arrow, and an answer has words only.
    group: group.replace(" → ", "/"),
    counts,
    volumeFiat,
    swapCostFiat,
    networkFeeFiat,
    costBps,
    successBps,
  }
}

export function viewProposed(proposal: AnswerOf<"Proposal">): object {
  const { id, rule, state, at, expires, changes, simulation } = proposal
  return { id, rule, state, at, expires, changes, simulation }
}

/** The rules in force, and what they are compared with. */
const MOST_SUBJECTS = 2

type Sums = AnswerOf<"Simulation">["subjects"][number]["summary"]["volumeFiat"]

export function viewSimulation({ seeds, scenario, subjects }: AnswerOf<"Simulation">): object {
  const fiat = ({ p5, p50, p95 }: Sums): object => ({
    p5: formatUnits(BigInt(p5), FIAT_DECIMALS),
    p50: formatUnits(BigInt(p50), FIAT_DECIMALS),
    p95: formatUnits(BigInt(p95), FIAT_DECIMALS),
  })
  return {
    days: scenario.days,
    runs: seeds.count,
    results: subjects.slice(0, MOST_SUBJECTS).map(({ summary }) => ({
      moves: summary.moves,
      refunded: summary.refunded,
      volumeFiat: fiat(summary.volumeFiat),
      swapFeesFiat: fiat(summary.swapFeesFiat),
      networkFeesFiat: fiat(summary.networkFeesFiat),
      rules: summary.rules.slice(0, MOST_ROWS).map(({ rule, belowBps, aboveBps }) => ({
        rule,
        belowBps,
        aboveBps,
      })),
    })),
  }
}
