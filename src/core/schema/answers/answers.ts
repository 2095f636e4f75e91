import type { z } from "zod"
import type { Reason } from "#domain/reason.ts"
import { daemonEvent } from "./event.ts"
import { reason } from "./leaves.ts"
import {
  acceptedSwap,
  dryRun,
  operatedOrder,
  order,
  orders,
  orderWithEvents,
  quote,
  recovery,
  withdrawnKey,
} from "./order.ts"
import { overview } from "./overview.ts"
import { decision, decisions, plan, replay, rules } from "./policy.ts"
import {
  acknowledged,
  agentAnswer,
  alerts,
  audit,
  balances,
  bookings,
  books,
  caller,
  comparison,
  confirmed,
  handOver,
  health,
  log,
  login,
  nothing,
  paused,
  problem,
  reconciliation,
  reloaded,
  settings,
  status,
} from "./state.ts"
import {
  advice,
  affiliateReport,
  earnings,
  proposal,
  proposals,
  report,
  reportLine,
  simulation,
  why,
} from "./study.ts"
import { flows, series, summary } from "./summary.ts"

/** The schema of every answer, by its name in the document. */
export const ANSWERS = {
  AgentAnswer: agentAnswer,
  Health: health,
  Caller: caller,
  Login: login,
  Nothing: nothing,
  Status: status,
  Overview: overview,
  Summary: summary,
  Series: series,
  Flows: flows,
  Balances: balances,
  Orders: orders,
  OrderWithEvents: orderWithEvents,
  Rules: rules,
  Decisions: decisions,
  Replay: replay,
  Plan: plan,
  Quote: quote,
  Reconciliation: reconciliation,
  Alerts: alerts,
  Books: books,
  Bookings: bookings,
  Audit: audit,
  Log: log,
  Settings: settings,
  Report: report,
  AffiliateReport: affiliateReport,
  Earnings: earnings,
  Why: why,
  Simulation: simulation,
  Advice: advice,
  Proposals: proposals,
  DryRun: dryRun,
  AcceptedSwap: acceptedSwap,
  Paused: paused,
  Confirmed: confirmed,
  Acknowledged: acknowledged,
  Recovery: recovery,
  Reloaded: reloaded,
  HandOver: handOver,
  OperatedOrder: operatedOrder,
  WithdrawnKey: withdrawnKey,
  Decision: decision,
  Comparison: comparison,
  ReportLine: reportLine,
  Proposal: proposal,
  DaemonEvent: daemonEvent,
  Problem: problem,
  Order: order,
  Reason: reason,
} as const

export type AnswerName = keyof typeof ANSWERS

/** The one type of an answer: the views return it, commands print it, and the page reads it. */
export type AnswerOf<Name extends AnswerName> = DeepReadonly<z.output<(typeof ANSWERS)[Name]>>

export type Answer<Name extends AnswerName> =
  | { readonly ok: true; readonly body: AnswerOf<Name> }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

type DeepReadonly<T> = T extends string
  ? T
  : T extends (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
      : T
