import type { Reason } from "#domain/reason.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { Journal } from "#ports/journal.ts"
import type { Clocked, HasChains, HasJournal, Logged, Remembering } from "../context.ts"
import { readInTime } from "../orders/observe/read-in-time.ts"
import type { Watch } from "../watches/watch.ts"

/** The time between two comparisons. */
const COMPARE_MS = 60_000
/**
 * The clock may be ahead of its last confirmed time by this much. More is a jump: new deposits
 * wait.
 */
const MOST_UNCONFIRMED_MS = 5 * 60_000

type FlagReader = Pick<Journal, "readFlag">

/**
 * The time of the limits. Without a chain that tells its time, the clock counts alone. Synchronous,
 * like all counting.
 */
export function readLimitTime(journal: FlagReader, nowMs: number): number {
  const confirmed = readConfirmed(journal)
  if (confirmed === null) return nowMs
  return nowMs - confirmed.ms > MOST_UNCONFIRMED_MS ? confirmed.ms : Math.max(nowMs, confirmed.ms)
}

/** The reason for which new deposits wait; `null` while the chains confirm the clock. */
export function findClockJump(journal: FlagReader, nowMs: number): Reason | null {
  const confirmed = readConfirmed(journal)
  if (confirmed === null || nowMs - confirmed.ms <= MOST_UNCONFIRMED_MS) return null
  const [clock, last] = [nowMs, confirmed.ms].map((ms) => new Date(ms).toISOString())
  const message =
    `The clock shows ${clock}, and no chain confirms a time after ${last}: new deposits wait ` +
    `until they agree. Set the clock right, or confirm it with \`ballast resume --clock\``
  return { code: "clock.jump", message, clock: clock ?? "", confirmed: last ?? "" }
}

/**
 * As `findClockJump`, but only for a jump that the daemon has compared with the chains: after a
 * longer stop there is none yet.
 */
export function findClockAlarm(journal: FlagReader, nowMs: number): Reason | null {
  return readConfirmed(journal)?.alarmed === true ? findClockJump(journal, nowMs) : null
}

/**
 * An operator answers for the present time. Later the clock must go on from here without another
 * jump.
 */
export function acceptClock({ journal, clock }: HasJournal<FlagStore> & Clocked): void {
  if (readConfirmed(journal) !== null)
    writeConfirmed(journal, { ms: clock.now(), byOperator: true, alarmed: false })
}

/**
 * The time by which limits count. It only goes forward, and it follows the clock of the machine
 * only as far as the newest block of a chain confirms it: a clock that jumps ahead would otherwise
 * empty every window.
 */
export function createLimitClock(
  context: HasJournal<FlagStore & NoticeStore> & HasChains & Clocked & Logged & Remembering,
): Watch {
  return {
    name: "clock",
    everyMs: COMPARE_MS,
    run: async () => {
      const tellers = [...context.chains.values()].filter(
        ({ blockTime }) => blockTime !== undefined,
      )
      if (tellers.length > 0) await compare(context, tellers)
      // No chain of the configuration tells its time any more, so the clock counts alone.
      else if (readConfirmed(context.journal) !== null) context.journal.writeFlag(FLAG, null)
    },
  }
}

async function compare(
  context: HasJournal<FlagStore & NoticeStore> & Clocked & Logged & Remembering,
  tellers: readonly ChainPort[],
): Promise<void> {
  const { journal, clock } = context
  const times = (await Promise.all(tellers.map((port) => readTime(context, port)))).flatMap(
    (time) => time ?? [],
  )
  const nowMs = clock.now()
  const known = readConfirmed(journal)
  // The newest block bounds the clock most closely. A chain with slow blocks would allow it hours.
  const newest = times.toSorted((a, b) => b.ms - a.ms)[0]
  const agreed = newest !== undefined && nowMs <= newest.ms + newest.slackMs
  // An operator has confirmed an earlier time, and the clock has not jumped since.
  const goesOn = known?.byOperator === true && nowMs - known.ms <= MOST_UNCONFIRMED_MS
  // Two sources have reached this time: the clock and a chain, or two chains while the clock is
  // behind. One chain alone may invent a time.
  const reachedMs = [nowMs, ...times.map(({ ms }) => ms)].toSorted((a, b) => b - a)[1] ?? 0
  const confirmedMs = agreed || goesOn ? Math.max(nowMs, reachedMs) : reachedMs
  // At the first start the clock is all there is. From then on it may not run away from this time
  // before a chain has told one.
  const firstMs = times.length === 0 ? nowMs : confirmedMs
  const ms = Math.max(known?.ms ?? firstMs, confirmedMs)
  const next = {
    ms,
    byOperator: goesOn && !agreed,
    alarmed: known?.alarmed === true && nowMs - ms > MOST_UNCONFIRMED_MS,
  }
  writeConfirmed(journal, next)
  const jump = findClockJump(journal, nowMs)
  if (jump === null || next.alarmed) return
  context.log.error({ reason: jump }, "The clock is ahead of the chains, so new deposits wait")
  journal.raiseAlert(nowMs, jump)
  writeConfirmed(journal, { ...next, alarmed: true })
}

async function readTime(
  context: Clocked & Logged & Remembering,
  port: ChainPort,
): Promise<{ readonly ms: number; readonly slackMs: number } | null> {
  try {
    return (
      (await readInTime(context, `${port.chain} time`, async () =>
        port.blockTime?.fetchBlockTime(),
      )) ?? null
    )
  } catch (error) {
    context.log.debug({ chain: port.chain, err: error }, "A chain does not tell its time now")
    return null
  }
}

/**
 * The last time that a chain or an operator confirmed, and whether the present jump has its alarm.
 */
type Confirmed = { readonly ms: number; readonly byOperator: boolean; readonly alarmed: boolean }

const FLAG = "limits/clock"

function readConfirmed(journal: FlagReader): Confirmed | null {
  const text = journal.readFlag(FLAG)
  // CAST: `writeConfirmed` wrote it.
  return text === null ? null : (decodeJson(text) as Confirmed)
}

function writeConfirmed(journal: Pick<Journal, "writeFlag">, confirmed: Confirmed): void {
  journal.writeFlag(FLAG, encodeJson(confirmed))
}
