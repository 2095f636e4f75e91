import { existsSync, statSync } from "node:fs"
import type { DeliveryState } from "#alerts/delivery-state.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Engine } from "#engine/engine.ts"
import { readLimitTime } from "#engine/rules/limit-clock.ts"
import type { Overview } from "#health/describe-overview.ts"
import type { Sample, Samples } from "#ops/metric-families.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { journalFile } from "../start/journal-file.ts"
import { readRedemptionFees } from "./read-flight.ts"

type SampleSources = {
  readonly overview: Overview
  /** Of the last 24 hours. */
  readonly summary: AnswerOf<"Summary">
  readonly journal: Journal
  readonly config: Config
  readonly turns: ReturnType<Engine["lastTurns"]>
  readonly deliveries: DeliveryState
  /** `null`: no traces are sent. */
  readonly traces: {
    readonly sent: number
    readonly dropped: number
    readonly waiting: number
  } | null
}

/**
 * The samples of the metrics at this moment. A sample is a float, as Prometheus stores it; no
 * decision reads it.
 */
export function readSamples(sources: SampleSources): Samples {
  const { overview, journal, config, turns, traces } = sources
  const { daemon, disk } = overview
  return {
    ballast_build_info: [
      { labels: { version: daemon.version ?? "unknown", mode: config.mode }, value: 1 },
    ],
    ballast_start_timestamp_seconds: timeOf(daemon.startedAt),
    ballast_engine_turn_timestamp_seconds: [
      ...secondsOf(turns.workMs).map((one) => ({ ...one, labels: { loop: "work" } })),
      ...secondsOf(turns.rulesMs).map((one) => ({ ...one, labels: { loop: "rules" } })),
    ],
    ballast_problems: count(overview.problems.map(({ level, kind }) => ({ level, kind }))),
    ballast_alarms_open: count(overview.alarms.map(({ reason: { code } }) => ({ code }))),
    ballast_orders_ended_total: listEnded(journal),
    ...sampleOrders(overview),
    ballast_redemption_fee_units: readRedemptionFees(journal),
    ...sampleNodes(overview),
    ...sampleTreasury(overview),
    ...sampleCosts(sources),
    ...sampleRules(overview),
    ballast_journal_size_bytes: [
      { value: sizeOf(journalFile(config)) + sizeOf(`${journalFile(config)}-wal`) },
    ],
    ballast_data_free_bytes: disk === null ? [] : [{ value: disk.freeBytes }],
    ...sampleReceivers(sources),
    ...sampleCluster(overview),
    ballast_trace_spans_total: (["sent", "dropped"] as const).flatMap((result) =>
      traces === null ? [] : [{ labels: { result }, value: traces[result] }],
    ),
    ballast_trace_spans_waiting: traces === null ? [] : [{ value: traces.waiting }],
  }
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0
}

function timeOf(
  at: string | null,
  labels: Readonly<Record<string, string>> = {},
): readonly Sample[] {
  return at === null ? [] : [{ labels, value: Date.parse(at) / 1_000 }]
}

function secondsOf(ms: number | null): readonly Sample[] {
  return ms === null ? [] : [{ value: ms / 1_000 }]
}

function count(labelled: readonly Readonly<Record<string, string>>[]): readonly Sample[] {
  const groups = Map.groupBy(labelled, (labels) => JSON.stringify(labels))
  return [...groups.values()].map((group) => ({ labels: group[0] ?? {}, value: group.length }))
}

function listEnded(journal: OrderStore): readonly Sample[] {
  const sums = new Map<string, number>(
    ["completed", "refunded", "rejected", "abandoned"].map((name) => [name, 0]),
  )
  for (const { outcome, count: orders } of journal.countOrders())
    if (outcome !== null) sums.set(outcome, (sums.get(outcome) ?? 0) + orders)
  return [...sums].map(([outcome, value]) => ({ labels: { outcome }, value }))
}

function sampleOrders({ at, orders }: Overview): Samples {
  const groups = [...Map.groupBy(orders, ({ state }) => state)]
  return {
    ballast_order_stage_age_seconds: groups.map(([state, group]) => ({
      labels: { state },
      value: Math.max(0, ...group.map(({ since }) => (Date.parse(at) - Date.parse(since)) / 1_000)),
    })),
    ballast_order_deadline_timestamp_seconds: groups.flatMap(([state, group]) => {
      const times = group.flatMap(({ deadline }) =>
        deadline === null ? [] : [Date.parse(deadline) / 1_000],
      )
      return times.length === 0 ? [] : [{ labels: { state }, value: Math.min(...times) }]
    }),
  }
}

/**
 * An endpoint that is slow or failed once is up; one that is behind, ahead, silent or on another
 * network is not.
 */
function sampleNodes({ nodes, services }: Overview): Samples {
  const endpoints = nodes.flatMap(({ chain, endpoints: all }) =>
    all.map((one) => ({ ...one, labels: { chain, endpoint: one.host } })),
  )
  const known = endpoints.filter(({ state }) => state !== "unasked")
  return {
    ballast_endpoint_up: known.map(({ labels, state }) => ({
      labels,
      value: Number(state === "good" || state === "slow" || state === "failing"),
    })),
    ballast_endpoint_height: endpoints.flatMap(({ labels, height }) => numberOf(height, labels)),
    ballast_endpoint_head_age_seconds: endpoints.flatMap(({ labels, headAgeMs }) =>
      headAgeMs === null ? [] : [{ labels, value: headAgeMs / 1_000 }],
    ),
    ballast_endpoint_answer_seconds: endpoints.flatMap(({ labels, tookMs }) =>
      tookMs === null ? [] : [{ labels, value: tookMs / 1_000 }],
    ),
    ballast_service_up: services
      .filter(({ state }) => state !== "unknown")
      .map(({ name, state }) => ({
        labels: { service: name },
        value: Number(state !== "silent" && state !== "failing"),
      })),
  }
}

function numberOf(
  text: string | null,
  labels: Readonly<Record<string, string>>,
): readonly Sample[] {
  return text === null ? [] : [{ labels, value: Number(text) }]
}

const DAY_SECONDS = 86_400

function sampleTreasury({ treasury, gas, limits }: Overview): Samples {
  const bounds = treasury.flatMap(({ asset, amount, bounds: all }) =>
    all.map((bound) => ({ ...bound, amount, labels: { asset, rule: bound.rule } })),
  )
  return {
    ballast_balance: treasury.flatMap(({ asset, amount }) => numberOf(amount, { asset })),
    ballast_band_bound: bounds.flatMap(({ labels, min, target, max }) => [
      ...numberOf(min, { ...labels, bound: "min" }),
      ...numberOf(target, { ...labels, bound: "target" }),
      ...numberOf(max, { ...labels, bound: "max" }),
    ]),
    ballast_band_deviation_ratio: bounds.flatMap(({ labels, amount, target }) => {
      const goal = Number(target)
      return amount === null || goal === 0
        ? []
        : [{ labels, value: (Number(amount) - goal) / goal }]
    }),
    ballast_gas_balance: gas.flatMap(({ chain, amount }) => numberOf(amount, { chain })),
    ballast_gas_needed: gas.flatMap(({ chain, needed }) => numberOf(needed, { chain })),
    ballast_gas_lasts_seconds: gas.flatMap(({ chain, daysLeft }) =>
      daysLeft === null ? [] : [{ labels: { chain }, value: daysLeft * DAY_SECONDS }],
    ),
    ballast_limit_used_ratio: limits.map(({ name, percent }) => ({
      labels: { limit: name },
      value: percent / 100,
    })),
  }
}

function sampleCosts({ journal, config, overview, summary }: SampleSources): Samples {
  const { volumeFiat, costFiat, costBps } = summary.swaps
  const isWhole = summary.unread.length === 0 && summary.unpriced.length === 0
  const decimals = new Map<AssetId, number>(
    config.assets.map(({ id, decimals: digits }) => [id, digits]),
  )
  const [first] = config.assets
  const sinceMs = readLimitTime(journal, Date.parse(overview.at)) - DAY_SECONDS * 1_000
  const sums = first === undefined ? null : journal.sumWindow(sinceMs, first.id, null)
  const dollars = (fiat: bigint): number => Number(formatUnits(fiat, FIAT_DECIMALS))
  return {
    ballast_sold_last_day_usd: sums === null ? [] : [{ value: dollars(sums.fiat) }],
    ballast_fees_last_day_usd: sums === null ? [] : [{ value: dollars(sums.feesFiat) }],
    ballast_treasury_usd: isWhole ? [{ value: Number(summary.totalFiat) }] : [],
    ballast_swapped_last_day_usd: [{ value: Number(volumeFiat) }],
    ballast_cost_last_day_usd: [{ value: Number(costFiat) }],
    ballast_cost_last_day_ratio: costBps === null ? [] : [{ value: costBps / 10_000 }],
    ballast_books_expenses: journal
      .listAccounts("expenses:")
      .flatMap(({ account, asset, units }) => {
        const digits = decimals.get(asset)
        return digits === undefined
          ? []
          : [{ labels: { account, asset }, value: Number(formatUnits(units, digits)) }]
      }),
  }
}

function sampleRules({ rules }: Overview): Samples {
  return {
    ballast_rule_evaluated_timestamp_seconds: rules.flatMap(({ id, last }) =>
      timeOf(last, { rule: id }),
    ),
    ballast_rule_next_timestamp_seconds: rules.flatMap(({ id, next }) =>
      timeOf(next, { rule: id }),
    ),
    ballast_rule_enabled: rules.map(({ id, enabled, paused }) => ({
      labels: { rule: id },
      value: Number(enabled && !paused),
    })),
  }
}

/** A standby has no engine, no nodes and no deliveries of its own. */
export function readStandbySamples(overview: Overview, config: Config): Samples {
  const { daemon, disk, problems, alarms } = overview
  const file = journalFile(config)
  return {
    ballast_build_info: [
      { labels: { version: daemon.version ?? "unknown", mode: config.mode }, value: 1 },
    ],
    ballast_start_timestamp_seconds: timeOf(daemon.startedAt),
    ballast_problems: count(problems.map(({ level, kind }) => ({ level, kind }))),
    ballast_alarms_open: count(alarms.map(({ reason: { code } }) => ({ code }))),
    ballast_journal_size_bytes: [{ value: sizeOf(file) + sizeOf(`${file}-wal`) }],
    ballast_data_free_bytes: disk === null ? [] : [{ value: disk.freeBytes }],
    ...sampleCluster(overview),
  }
}

function sampleCluster({ cluster }: Overview): Samples {
  if (cluster === null) return {}
  const { role, epoch, seq, standbys, lastAnswer } = cluster
  const known = (value: number | null): readonly Sample[] => (value === null ? [] : [{ value }])
  return {
    ballast_cluster_leader: [{ value: Number(role === "leader") }],
    ballast_cluster_epoch: known(epoch),
    ballast_cluster_group: known(seq),
    ballast_cluster_standbys: role === "leader" ? [{ value: standbys.length }] : [],
    ballast_cluster_answer_timestamp_seconds: timeOf(lastAnswer),
  }
}

function sampleReceivers({ config, deliveries }: SampleSources): Samples {
  const names = config.alerts.receivers.map(({ name }) => name)
  return {
    ballast_alert_deliveries_waiting: names.map((receiver) => ({
      labels: { receiver },
      value: deliveries.deliveries.filter((one) => one.receiver === receiver).length,
    })),
    ballast_alert_receiver_up: names.map((receiver) => ({
      labels: { receiver },
      value: Number((deliveries.receivers[receiver]?.failingSinceMs ?? null) === null),
    })),
  }
}
