import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { isWindowOver } from "#guards/deposit-window.ts"
import type { OrderData } from "#order/data.ts"
import { leadsToNewDeposit } from "#order/guards.ts"
import type { Work } from "#order/work.ts"
import type { Clocked, Configured, HasJournal, Leased, Remembering } from "../context.ts"
import { findClockJump } from "../rules/limit-clock.ts"
import type { AccountGate } from "./account-gate.ts"
import type { AgreementWatch } from "./agreement-watch.ts"
import type { AssetGate } from "./asset-gate.ts"
import { findAwaitedPayouts } from "./awaited-payouts.ts"
import { findMissingSpace } from "./journal-space.ts"
import { findUnreadPair } from "./unread-legs.ts"

/**
 * New deposits wait while too few endpoints of one of their chains agree, while a payout may have
 * been kept from us, while a leg of the same pair cannot be read, while no chain confirms the
 * clock, while the journal lacks space for a full disk, and until both assets and the account were
 * compared with their chains. Everything that watches, voids or refunds goes on.
 */
export type DepositGate = {
  /** The reasons for which this work of the order waits now. */
  readonly findReasons: (work: Work, data: OrderData) => readonly Reason[]
}

type Answers = {
  readonly agreement: Pick<AgreementWatch, "list">
  readonly assets: Pick<AssetGate, "findReasons">
  readonly accounts: Pick<AccountGate, "findReasons">
}

export function createDepositGate(
  context: HasJournal & Configured & Clocked & Leased & Remembering,
  { agreement, assets, accounts }: Answers,
): DepositGate {
  return {
    findReasons: (work, data) => {
      const nowMs = context.clock.now()
      if (!leadsToNewDeposit(work, data) || isOver(work, data, nowMs)) return []
      const jump = findClockJump(context.journal, nowMs)
      const silence = context.findLogSilence?.() ?? null
      const ends = [chainOf(data.request.from), chainOf(data.request.to)]
      const short = agreement
        .list()
        .filter(({ chain, agreeing, needed }) => ends.includes(chain) && agreeing < needed)
      return [
        ...(jump === null ? [] : [jump]),
        ...(silence === null ? [] : [silence]),
        ...short.flatMap(({ reasons }) => reasons),
        ...findMissingSpace(context),
        ...findAwaitedPayouts(context),
        ...findUnreadPair(context, data.request),
        ...assets.findReasons([data.request.from, data.request.to]),
        ...accounts.findReasons(chainOf(data.request.from)),
      ]
    },
  }
}

/**
 * The time of the order is over: its work ends it without a signature. Signing itself does not look
 * at the time.
 */
function isOver(
  { kind }: Work,
  { sendUntilMs, patienceSince, policy }: OrderData,
  nowMs: number,
): boolean {
  if (kind === "signTransaction") return false
  if (kind === "fetchQuote") return nowMs - patienceSince > policy.patienceMs
  return sendUntilMs !== null && isWindowOver(sendUntilMs, nowMs, policy)
}
