import type { AssetId, ChainId } from "#domain/asset.ts"
import type { CallHour } from "#domain/call-hours.ts"
import type { Pause } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import type { LogTrouble } from "#lib/log-writer.ts"
import type { Problem } from "./problem.ts"

/**
 * Everything that the overview is computed from, read at one moment. `null` stands for a part that
 * could not be read; it is never zero.
 */
export type Readings = {
  readonly nowMs: number
  readonly daemon: DaemonReading
  readonly mode: "live" | "observe" | null
  readonly pause: Pause | null
  readonly pausedChains: readonly string[]
  readonly pausedRules: readonly string[]
  readonly nodes: readonly ChainNodes[]
  readonly services: readonly ServiceReading[]
  /** The assets without a reference price. Absent without a running daemon. */
  readonly unpriced?: readonly PriceReading[]
  /** Facts of the wallets that a person must know. Absent without a running daemon. */
  readonly wallets?: readonly WalletReading[]
  /** The silence of the signer process. Absent while it answers, and without a running daemon. */
  readonly signer?: SignerReading
  /** Absent without a running daemon. */
  readonly unreadConfig?: UnreadConfig | null
  /** Files of the running daemon that other users can read or change. */
  readonly openFiles?: readonly Pick<Problem, "code" | "sentence" | "todo">[]
  /** Settings of the running daemon that will fail, or that can never act. */
  readonly settings?: readonly (Pick<Problem, "level" | "code" | "sentence" | "todo"> &
    Partial<Problem>)[]
  readonly treasury: readonly HoldingReading[]
  readonly gas: readonly GasReading[]
  readonly orders: readonly OrderReading[]
  /**
   * Orders of the last hour that ended because no person approved them. Absent where they are not
   * read.
   */
  readonly unapproved?: readonly UnapprovedReading[]
  readonly rules: readonly RuleReading[]
  /** Open ones of agents. Absent where there is none. */
  readonly proposed?: readonly {
    readonly id: string
    readonly agent: string
    readonly rule: string
  }[]
  readonly limits: readonly LimitReading[]
  readonly alarms: readonly AlarmReading[]
  readonly freeBytes: number | null
  /** Why the journal takes no write, such as a full disk; absent where it takes one. */
  readonly diskFault?: Reason
  /**
   * The receivers of alerts; `failingSinceMs` is `null` while one takes its messages. Absent where
   * none is configured.
   */
  readonly receivers?: readonly {
    /** `null`: the address of the heartbeat. */
    readonly name: string | null
    readonly failingSinceMs: number | null
    readonly error: string | null
  }[]
  readonly clockJump: Reason | null
  /** Absent while the journal's files are in their place, and without a running daemon. */
  readonly lostJournal?: LostJournalReading
  /** Absent while the log takes its lines, and without a running daemon. */
  readonly stuckLog?: LogTrouble
  /** Parts of the running daemon that fail and try again. Absent without one. */
  readonly parts?: readonly PartReading[]
  /** The treasury's cluster; absent without `journal`, and without a running daemon. */
  readonly cluster?: ClusterReading
}

/**
 * A member of a cluster and what it knows. `epoch` and `seq` are `null` before the first answer of
 * PostgreSQL.
 */
export type ClusterReading = {
  readonly role: "leader" | "standby"
  /** The member that holds the lease, by the last answer of PostgreSQL. */
  readonly holder: string | null
  readonly epoch: number | null
  /** The last group of the journal in this member's copy. */
  readonly seq: number | null
  /** The standbys that the leader knows of. */
  readonly standbys: readonly {
    readonly holder: string
    readonly version: string
    readonly seq: number
  }[]
  /** The time since when no standby has followed; `null` while one does. */
  readonly aloneSinceMs: number | null
  /** The last good answer of PostgreSQL, and the error after it. */
  readonly answeredMs: number
  readonly error: string | null
  /** The next step after `error`; absent without one. */
  readonly advice?: string
}

/**
 * `lastSeenMs`: the last sign of life in the journal. `answers`: it answered this question itself.
 */
export type DaemonReading = {
  readonly answers: boolean
  /** The process of a daemon that runs; `null` without one. */
  readonly pid: number | null
  readonly lastSeenMs: number | null
  /** The path of its socket, which is deleted or another file; absent while it is in its place. */
  readonly lostSocket?: string
  /** The open files of a daemon that does not answer; `null` where the system shows none. */
  readonly files?: { readonly open: number; readonly most: number } | null
  /** Absent while the daemon runs, and where its last end was a good one or left no word. */
  readonly lastExit?: ExitReading
  /** Absent without a start of the last minutes that was cut off. */
  readonly deaths?: DeathsReading
  readonly startedAtMs: number | null
  readonly version: string | null
  /**
   * The version of the installed package, which differs after an upgrade without a restart; absent
   * where it is not read.
   */
  readonly installed?: string | null
  /** Absent of a daemon that has started, and of a start that lasts no longer than usual. */
  readonly starting?: StartReading
  /** The reasons for which it accepts no orders yet; empty when it is ready. */
  readonly waitsFor: readonly Reason[]
}

/** Starts that did not end in order. `sinceMs`: the first one; `lastMs`: the start after them. */
export type DeathsReading = {
  readonly times: number
  readonly sinceMs: number
  readonly lastMs: number
}

/** A start that has been at one step since `sinceMs`. `error`: the failure that delays it. */
export type StartReading = {
  readonly pid: number
  readonly step: "signer" | "journal" | "chains"
  readonly sinceMs: number
  readonly error: string | null
}

/**
 * The endpoints of one chain. `agreement` is the last report of the chain's port; `null` before the
 * first one and without a daemon.
 */
export type ChainNodes = {
  readonly chain: ChainId
  readonly needed: number
  readonly agreement: {
    readonly agreeing: number
    readonly reasons: readonly Reason[]
    readonly atMs: number
  } | null
  /** The age from which a newest block is too old; `null` where blocks come only on request. */
  readonly staleMs: number | null
  readonly blockMs: number
  readonly endpoints: readonly EndpointReading[]
}

/**
 * One endpoint as the last probe found it. `host` has no path, because providers put keys there.
 */
export type EndpointReading = {
  readonly host: string
  /** The last good answer; `null` before the first one. */
  readonly answeredMs: number | null
  /**
   * The start of the present silence or of the watch; the time of the last good answer, if there is
   * one.
   */
  readonly sinceMs: number
  readonly askedMs: number | null
  readonly tookMs: number | null
  /**
   * The first of the slow answers that followed one another without a fast one; absent or `null`
   * after a fast one.
   */
  readonly slowSinceMs?: number | null
  /** In words, while the endpoint refuses some of our requests by their number. */
  readonly limit?: string | null
  /** The reads that it does not answer while it shows its newest block; absent or `null`: none. */
  readonly reads?: {
    readonly method: string
    /** The newest failure in the node's own words. */
    readonly fault: string
    readonly sinceMs: number
    readonly lastMs: number
    readonly times: number
  } | null
  /** The calls of the last day by the hour; absent before the first one. */
  readonly hours?: readonly CallHour[]
  readonly height: bigint | null
  /** How often its height has fallen of late, and by how many blocks at last; absent: never. */
  readonly falls?: {
    readonly times: number
    readonly blocks: bigint
    readonly lastMs: number
  } | null
  /** Absent or `null`: no row of failures. */
  readonly breaks?: BreaksReading | null
  /** The time of the newest block. */
  readonly blockAtMs: number | null
  readonly network: string | null
  /** When the endpoint was asked for its network; absent before the first answer. */
  readonly networkMs?: number
  readonly expected: string | null
  /** The failure of the last probe; `null` after a good answer. */
  readonly error: string | null
}

/**
 * A row of failures, each after a good answer and within minutes of the one before. `fault`: the
 * newest one, in its own words.
 */
export type BreaksReading<Fault = string> = {
  readonly times: number
  readonly sinceMs: number
  readonly lastMs: number
  readonly fault: Fault
}

export type ServiceReading = {
  readonly name: string
  readonly tookMs?: number | null
  readonly slowSinceMs?: number | null
  readonly host: string
  readonly answeredMs: number | null
  readonly sinceMs: number
  readonly askedMs: number | null
  /** The failure of the last sign of life; `null` after a good one. */
  readonly error: string | null
  /** Absent or `null`: no row of failures. */
  readonly breaks?: BreaksReading | null
  /** The calls whose last result is a failure. */
  readonly calls?: readonly CallReading[]
  /** The calls of the last day by the hour; absent before the first one. */
  readonly hours?: readonly CallHour[]
  readonly inFlight: number
  readonly rest: {
    readonly until: string
    readonly failures: number
    readonly cause: Reason
  } | null
}

/**
 * A kind of call to a service that has failed since its last answer. `about` is its pair or its
 * order.
 */
export type CallReading = {
  readonly call: "quote" | "create" | "get" | "list" | "initiate" | "reveal"
  readonly about: string
  /** The newest failure in the service's own words, such as `HTTP 500 (boom)`. */
  readonly fault: string
  readonly sinceMs: number
  readonly lastMs: number
  readonly times: number
  /** The question of a quote, to ask it again. */
  readonly asked?: {
    readonly from: AssetId
    readonly to: AssetId
    readonly sourceUnits: bigint
    readonly affiliateBps: number
  }
}

/**
 * An asset that has had no reference price since `sinceMs`, and why. `breaks`: how often it went
 * missing since then, with prices in between; absent where none came in between.
 */
export type PriceReading = {
  readonly asset: AssetId
  readonly breaks?: number
  readonly sinceMs: number
  readonly reason: Reason
}

/**
 * What is unusual about the wallet of a chain, and the endpoints that show it. `todo`: the remedy.
 */
export type WalletReading = {
  readonly chain: ChainId
  readonly code: string
  readonly found: string
  readonly todo: string
  readonly endpoints: readonly string[]
}

/** `error`: the newest failure in its own words. */
export type PartReading = {
  readonly part: string
  readonly sinceMs: number
  readonly times: number
  readonly error: string
  /** The newest time, of a part whose trouble is over when it is quiet. */
  readonly lastMs?: number
}

/** A configuration file whose text is not in force. `mistake`: why a start would refuse it. */
export type UnreadConfig = { readonly file: string; readonly mistake: string | null }

/** The error that ended the last `ballast run`. `exit`: its exit code. */
export type ExitReading = {
  readonly atMs: number
  readonly exit: number
  readonly code: string
  readonly message: string
}

/** The open journal's files are not those of its path. `savedTo`: the last complete copy. */
export type LostJournalReading = {
  readonly file: string
  readonly place: "deleted" | "replaced"
  readonly sinceMs: number
  readonly savedTo: string | null
  readonly savedMs: number | null
  /** Why the last copy could not be written. */
  readonly error: string | null
}

/** The signer process has given no answer since `sinceMs`, and why. */
export type SignerReading = { readonly sinceMs: number; readonly error: string }

/**
 * One asset of the treasury. `units` come from the last comparison of the books with the chain, at
 * `atMs`.
 */
export type HoldingReading = {
  readonly asset: AssetId
  readonly decimals: number
  readonly units: bigint | null
  readonly atMs: number | null
  readonly bounds: readonly BoundsReading[]
  /** Shares of the treasury that rules aim at, in basis points. */
  readonly shares: readonly { readonly rule: string; readonly bps: bigint }[]
}

export type BoundsReading = {
  readonly rule: string
  readonly minUnits: bigint
  readonly targetUnits: bigint
  readonly maxUnits: bigint | null
}

/**
 * The coin for network fees on one chain. `neededUnits`: the minimum that stays, with the fees of
 * one deposit and one refund.
 */
export type GasReading = {
  readonly chain: ChainId
  readonly symbol: string
  readonly decimals: number
  readonly units: bigint | null
  readonly atMs: number | null
  readonly neededUnits: bigint
  /** Fees that the books show for the last week, for one day. */
  readonly perDayUnits: bigint
}

/** An order in flight. Amounts are text in the asset's own unit. */
export type OrderReading = {
  readonly id: string
  readonly rule: string
  readonly from: AssetId
  readonly to: AssetId
  readonly amount: string
  readonly destinationAmount: string | null
  readonly state: string
  readonly money: string
  readonly sinceMs: number
  readonly held: boolean
  /** The end of the time for the next step, and what ends then; `null` where none is known. */
  readonly deadline: {
    readonly atMs: number
    readonly what: string
    readonly kind: "approval" | "refund" | "deposit" | "payout"
  } | null
  readonly reasons: readonly Reason[]
}

export type UnapprovedReading = Pick<OrderReading, "id" | "amount" | "from"> & {
  readonly endedMs: number
}

export type RuleReading = {
  readonly id: string
  readonly kind: string
  readonly enabled: boolean
  readonly paused: boolean
  readonly nextMs: number | null
  /**
   * The time from which the rule should have a decision and has none; `null` for a rule in time,
   * and without a daemon.
   */
  readonly overdueSinceMs: number | null
  readonly lastMs: number | null
  readonly verdict: "proposed" | "declined" | null
  readonly reasons: readonly Reason[]
  /**
   * The last runs of a scheduled rule that swapped nothing, without one that did in between; absent
   * without one.
   */
  readonly missed?: MissedRuns
  /**
   * The start of the row of decisions that lacked a quote, price, balance or coin; absent without
   * one.
   */
  readonly heldSinceMs?: number
  /** Why its newest order swapped nothing, while the rule rests after it; absent otherwise. */
  readonly restsAfter?: string
}

/** `reason`: why the newest one swapped nothing. `isMore`: there are more than were read. */
export type MissedRuns = {
  readonly count: number
  readonly isMore: boolean
  readonly sinceMs: number
  readonly reason: string
}

/**
 * One limit with the part of it that is in use. `used` and `max` have the same unit; `decimals` and
 * `unit` say which.
 */
export type LimitReading = {
  readonly name: string
  readonly used: bigint
  readonly max: bigint
  readonly decimals: number
  readonly unit: string
  /** The next step near the limit. Absent: that of a window. */
  readonly todo?: string
}

/** An alarm of the journal. `closedMs` is `null` while its cause lasts. */
export type AlarmReading = {
  readonly atMs: number
  readonly order: string | null
  readonly reason: Reason
  readonly closedMs: number | null
}
