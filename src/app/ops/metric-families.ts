/**
 * The metrics beside those of the process, by Prometheus's conventions
 * (prometheus.io/docs/practices/naming): base units in the name, `_total` for counters alone.
 * Amounts of an asset are in its own unit, and money is in US dollars. A part that was never read
 * has no sample; it is never zero.
 */
export const METRIC_FAMILIES = {
  ballast_orders: { help: "Orders by state", labels: ["state"] },
  ballast_orders_in_flight: { help: "Orders that have no outcome yet", labels: [] },
  ballast_paused: { help: "1 while everything is paused", labels: [] },
  ballast_alerts_recent: { help: "Alerts among the last 1000 kept", labels: [] },
  ballast_books_differences: { help: "Wallets that hold less than the books say", labels: [] },
  ballast_service_resting: {
    help: "1 while a service is asked for no quotes after failures",
    labels: ["service"],
  },
  ballast_service_orders: {
    help: "Orders by service or kind of route: in_flight, and the ended ones by outcome",
    labels: ["service", "state"],
  },
  ballast_chain_endpoints: {
    help: "Endpoints of a chain: configured, needed for an agreement, and agreeing now",
    labels: ["chain", "state"],
  },
  ballast_clock_jumped: {
    help: "1 while no chain confirms the clock, so that new deposits wait",
    labels: [],
  },
  ballast_build_info: {
    help: "1, with the version and the mode as labels",
    labels: ["version", "mode"],
  },
  ballast_start_timestamp_seconds: { help: "The start of the daemon, in Unix time", labels: [] },
  ballast_engine_turn_timestamp_seconds: {
    help:
      "The last turn of a loop of the engine (work: the outbox, rules: the schedule), in Unix " +
      "time",
    labels: ["loop"],
  },
  ballast_problems: {
    help: "Problems of the status, by level and kind",
    labels: ["level", "kind"],
  },
  ballast_alarms_open: { help: "Alarms whose cause lasts, by code", labels: ["code"] },
  ballast_orders_ended_total: {
    help: "Ended orders by outcome",
    labels: ["outcome"],
    counter: true,
  },
  ballast_order_stage_age_seconds: {
    help: "The time that the oldest order in flight has been in its state",
    labels: ["state"],
  },
  ballast_order_deadline_timestamp_seconds: {
    help: "The nearest deadline among the orders in a state, in Unix time",
    labels: ["state"],
  },
  ballast_redemption_fee_units: {
    help:
      "The fee of the redemption of a told secret whose payout's lock ends first on a chain, in " +
      "the smallest units of its coin: the newest offer, and the most that one may pay",
    labels: ["chain", "bound"],
  },
  ballast_endpoint_up: {
    help: "1 while an endpoint of a chain gives good answers",
    labels: ["chain", "endpoint"],
  },
  ballast_endpoint_height: {
    help: "The height of an endpoint's newest block",
    labels: ["chain", "endpoint"],
  },
  ballast_endpoint_head_age_seconds: {
    help: "The age of an endpoint's newest block",
    labels: ["chain", "endpoint"],
  },
  ballast_endpoint_answer_seconds: {
    help: "The time of an endpoint's last good answer",
    labels: ["chain", "endpoint"],
  },
  ballast_service_up: {
    help: "1 while a swap service answers, and its calls do not fail",
    labels: ["service"],
  },
  ballast_balance: {
    help: "The balance of an asset in its own unit, by the last comparison of the books",
    labels: ["asset"],
  },
  ballast_band_bound: {
    help: "A bound of a rule in the asset's own unit",
    labels: ["asset", "rule", "bound"],
  },
  ballast_band_deviation_ratio: {
    help: "How far a balance is from its rule's target, as a part of the target: negative below it",
    labels: ["asset", "rule"],
  },
  ballast_gas_balance: {
    help: "The coin for network fees on a chain, in its own unit",
    labels: ["chain"],
  },
  ballast_gas_needed: {
    help: "The coin that one deposit with its refund needs, with the reserve",
    labels: ["chain"],
  },
  ballast_gas_lasts_seconds: {
    help: "How long that coin lasts at the pace of the last week",
    labels: ["chain"],
  },
  ballast_limit_used_ratio: { help: "The used part of a limit", labels: ["limit"] },
  ballast_sold_last_day_usd: { help: "The value that counts in a window of 24 hours", labels: [] },
  ballast_fees_last_day_usd: {
    help: "The cost of swaps that counts in a window of 24 hours",
    labels: [],
  },
  ballast_treasury_usd: {
    help:
      "The value of the wallets and of the deposits on their way, as the desk shows it; none " +
      "while a balance or a price is missing",
    labels: [],
  },
  ballast_swapped_last_day_usd: {
    help: "The value of the swaps that were requested in 24 hours",
    labels: [],
  },
  ballast_cost_last_day_usd: { help: "Their cost and their network fees", labels: [] },
  ballast_cost_last_day_ratio: { help: "That cost as a part of what moved", labels: [] },
  ballast_books_expenses: {
    help: "The balance of an expense account, in the asset's own unit",
    labels: ["account", "asset"],
  },
  ballast_rule_evaluated_timestamp_seconds: {
    help: "The last evaluation of a rule, in Unix time",
    labels: ["rule"],
  },
  ballast_rule_next_timestamp_seconds: {
    help: "The next evaluation of an enabled rule, in Unix time",
    labels: ["rule"],
  },
  ballast_rule_enabled: { help: "1 for a rule that is enabled and not paused", labels: ["rule"] },
  ballast_journal_size_bytes: {
    help: "The size of the journal with its write-ahead log",
    labels: [],
  },
  ballast_data_free_bytes: { help: "The free space of data_dir's disk", labels: [] },
  ballast_alert_deliveries_waiting: {
    help: "Messages that a receiver has not taken yet",
    labels: ["receiver"],
  },
  ballast_alert_receiver_up: { help: "0 while a receiver takes no alert", labels: ["receiver"] },
  ballast_cluster_leader: {
    help: "1 on the daemon that holds the treasury's lease, 0 on a standby",
    labels: [],
  },
  ballast_cluster_epoch: {
    help: "The epoch of the treasury's lease; each take-over raises it",
    labels: [],
  },
  ballast_cluster_group: {
    help: "The last group of the journal in this daemon's copy",
    labels: [],
  },
  ballast_cluster_standbys: {
    help: "Standbys that follow the log, as the leader sees it",
    labels: [],
  },
  ballast_cluster_answer_timestamp_seconds: {
    help: "The last good answer of PostgreSQL, in Unix time",
    labels: [],
  },
  ballast_trace_spans_total: {
    help: "Spans of orders since the start, by result: sent to the collector, or dropped",
    labels: ["result"],
    counter: true,
  },
  ballast_trace_spans_waiting: { help: "Spans that the collector has not taken yet", labels: [] },
} as const satisfies Readonly<Record<string, MetricFamily>>

type MetricFamily = {
  readonly help: string
  readonly labels: readonly string[]
  readonly counter?: true
}

export type MetricName = keyof typeof METRIC_FAMILIES

export type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number }
/** The samples of each family. A family without samples now is absent or empty. */
export type Samples = { readonly [Name in MetricName]?: readonly Sample[] }
