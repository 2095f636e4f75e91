import type { ChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { toAppError } from "#lib/app-error.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { Clocked, HasChains, HasJournal, Logged, Remembering } from "../context.ts"
import { readInTime } from "../orders/observe/read-in-time.ts"
import type { Watch } from "./watch.ts"

/**
 * Asks each chain how many of its endpoints agree, and raises an alarm when they are too few or
 * contradict each other.
 */
export type AgreementWatch = {
  readonly watch: Watch
  /** The last report of each chain that has one. */
  readonly list: () => readonly ChainAgreement[]
}

/** `reasons`: too few endpoints, outliers and contradictions, with the answers. */
export type ChainAgreement = AgreementReport & { readonly chain: ChainId; readonly atMs: number }

const ASK_MS = 20_000
/** The same while no order is in flight and the last report names no problem. */
const IDLE_ASK_MS = 30_000
/** A chain without a report for this long counts as one without a living endpoint. */
const SILENT_MS = 60_000
/** Reports in a row that name a problem before its alarm: one lost answer is no news. */
const ALARM_AFTER = 2

export function createAgreementWatch(
  context: HasJournal<FlagStore & NoticeStore & OrderSums> &
    HasChains &
    Clocked &
    Logged &
    Remembering,
): AgreementWatch {
  const chains = new Map<ChainId, Watched>()

  function watchedOf({ chain }: ChainPort): Watched {
    const known = chains.get(chain) ?? { report: null, sinceMs: context.clock.now(), problems: 0 }
    chains.set(chain, known)
    return known
  }

  async function ask(port: ChainPort): Promise<number> {
    const startedMs = context.clock.now()
    const watched = watchedOf(port)
    const isAnswered = await askOnce(port, watched)
    const isCalm = isAnswered && watched.problems === 0 && context.journal.countInFlight() === 0
    const tookMs = Math.max(0, context.clock.now() - startedMs)
    return Math.max(0, (isCalm ? IDLE_ASK_MS : ASK_MS) - tookMs)
  }

  async function askOnce(port: ChainPort, watched: Watched): Promise<boolean> {
    try {
      const report = await readInTime(context, `${port.chain} agreement`, () =>
        port.fetchAgreement(),
      )
      accept(port.chain, watched, report)
      return true
    } catch (error) {
      const known = toAppError(error, { code: "chain.unreadable", disposition: "transient" })
      context.log.debug(
        { chain: port.chain, err: known },
        "A chain gives no report of its endpoints now",
      )
      // A time after now was written before the clock was set back.
      watched.sinceMs = Math.min(watched.sinceMs, context.clock.now())
      const silentMs = context.clock.now() - watched.sinceMs
      if (silentMs > SILENT_MS)
        accept(port.chain, watched, silentReport(watched.report), watched.sinceMs)
      return false
    }
  }

  function accept(
    chain: ChainId,
    watched: Watched,
    report: AgreementReport,
    sinceMs = context.clock.now(),
  ): void {
    const reasons = explain(chain, report)
    watched.report = { ...report, reasons, chain, atMs: sinceMs }
    watched.sinceMs = sinceMs
    watched.problems = reasons.length === 0 ? 0 : watched.problems + 1
    if (watched.problems === 0 || watched.problems >= ALARM_AFTER) alert(context, chain, reasons)
    else alert(context, chain, reasons.filter(isSteady), "some")
  }

  const ports = (): Iterable<ChainPort> => context.chains.values()
  return {
    watch: { name: "agreement", everyMs: ASK_MS, urgency: "background", ports, ask },
    list: () =>
      [...chains].flatMap(([chain, { report }]) =>
        context.chains.has(chain) ? (report ?? []) : [],
      ),
  }
}

/** The word of an endpoint, and no lost answer. */
function isSteady({ code }: Reason): boolean {
  return code === "chain.fee_outlier" || code === "chain.fee_above_cap"
}

type Watched = {
  report: ChainAgreement | null
  /** The time of the last answer, or of the first question. */
  sinceMs: number
  problems: number
}

function silentReport(last: AgreementReport | null): AgreementReport {
  return { endpoints: last?.endpoints ?? 1, needed: last?.needed ?? 1, agreeing: 0, reasons: [] }
}

/**
 * Names the chain in each reason, and adds the shortage where the report does not name it itself.
 */
function explain(
  chain: ChainId,
  { endpoints, needed, agreeing, reasons }: AgreementReport,
): readonly Reason[] {
  const named = reasons.map((reason) => ({ ...reason, chain }))
  if (agreeing >= needed || named.some(({ code }) => code === "chain.agreement_short")) return named
  const message =
    `Of the ${endpoints} endpoints of ${chain} ${agreeing} agree, and ${needed} must: new ` +
    "deposits and endings wait; watching, voids and refunds go on"
  return [
    { code: "chain.agreement_short", message, chain, agreeing: `${agreeing}`, needed: `${needed}` },
    ...named,
  ]
}

/**
 * Marks the alarms of this watch: among them are errors of a family's own code, which last as long
 * as the report has them.
 */
const AGREEMENT = "agreement"

/**
 * The journal remembers the codes that have their alarm, so that each is raised once until it is
 * over.
 */
function alert(
  { journal, clock, log }: HasJournal<FlagStore & NoticeStore> & Clocked & Logged,
  chain: ChainId,
  reasons: readonly Reason[],
  extent: "all" | "some" = "all",
): void {
  const flag = `agreement/${chain}/alarmed`
  const stored = journal.readFlag(flag)
  // CAST: written below.
  const alarmed = stored === null ? [] : (decodeJson(stored) as readonly string[])
  const others = extent === "all" ? [] : alarmed
  const codes = [...new Set([...others, ...reasons.map(({ code }) => code)])].toSorted()
  for (const reason of reasons.filter(({ code }) => !alarmed.includes(code))) {
    log.error({ chain, reason }, "The endpoints of a chain are in doubt")
    journal.raiseAlert(clock.now(), { ...reason, watch: AGREEMENT })
  }
  if (codes.length === 0 && alarmed.length > 0)
    log.info({ chain }, "The endpoints of a chain are in order again")
  const next = codes.length === 0 ? null : encodeJson(codes)
  if (next !== stored) journal.writeFlag(flag, next)
}
