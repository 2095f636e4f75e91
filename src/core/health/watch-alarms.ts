import type { Reason } from "#domain/reason.ts"

/**
 * An alarm of a node or service. The journal keeps the list, so that a restart neither forgets nor
 * repeats one.
 */
export type WatchAlarm = {
  /** Code, chain or service, and endpoint: one cause has one alarm. */
  readonly key: string
  readonly reason: Reason
  readonly atMs: number
  readonly closedMs: number | null
}

type AlarmChange = {
  readonly alarms: readonly WatchAlarm[]
  readonly opened: readonly WatchAlarm[]
  readonly closed: readonly WatchAlarm[]
}

/** Closed alarms are kept for a day, and no more than this many. */
const KEPT_MS = 24 * 3_600_000
const MOST_KEPT = 50

/**
 * Opens an alarm for each new cause, and closes each one whose cause is gone. An open one keeps its
 * time and gets the newest words. Pure.
 */
export function changeAlarms(
  known: readonly WatchAlarm[],
  causes: readonly Reason[],
  nowMs: number,
): AlarmChange {
  const byKey = new Map(causes.map((reason) => [keyOf(reason), reason]))
  const open = known.filter(({ closedMs }) => closedMs === null)
  const lasting = open.filter(({ key }) => byKey.has(key))
  const closed = open
    .filter(({ key }) => !byKey.has(key))
    .map((alarm) => ({ ...alarm, closedMs: nowMs }))
  const opened = [...byKey].flatMap(([key, reason]) =>
    open.some((alarm) => alarm.key === key) ? [] : [{ key, reason, atMs: nowMs, closedMs: null }],
  )
  const past = [
    ...closed,
    ...known.filter(({ closedMs }) => closedMs !== null && nowMs - closedMs < KEPT_MS),
  ]
  return {
    alarms: [
      ...opened,
      ...lasting.map((alarm) => ({ ...alarm, reason: byKey.get(alarm.key) ?? alarm.reason })),
      ...past.slice(0, MOST_KEPT),
    ],
    opened,
    closed,
  }
}

/** The codes that the watch raises, and closes by itself. */
export const WATCH_CODES: readonly string[] = [
  "node.silent",
  "node.behind",
  "node.ahead",
  "node.wrong_network",
  "node.slow",
  "node.failing",
  "service.away",
  "service.failing",
  "service.slow",
  "signer.down",
  "wallet.has_code",
  "wallet.not_deployed",
  "wallet.unread",
  "wallet.changed",
  "prices.missing",
  "prices.unavailable",
  "prices.disagree",
  "prices.outlier",
  "prices.source_down",
  "prices.frozen",
  "alerts.undelivered",
]

function keyOf({ code, chain, service, source, asset, receiver, endpoint }: Reason): string {
  const about = chain ?? service ?? source ?? asset ?? receiver ?? ""
  return [code, about, endpoint ?? ""].join("/")
}
