import type { ChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import type { HasJournal, Leased, MarketContext } from "../context.ts"
import { withinTime } from "../rules/tick/within-time.ts"
import { compareAccount } from "./account-watch.ts"
import type { Watch } from "./watch.ts"

/**
 * Compares each account with the signing record at the start, before anything is signed: a nonce or
 * coin that is used and not in the record says that the journal is an older one. New deposits from
 * a chain that did not answer wait until it does.
 */
export type AccountGate = {
  /** Asks each chain, and resolves when each answered or its time is over. */
  readonly check: () => Promise<void>
  /** Asks the chains without an answer again. */
  readonly watch: Watch
  readonly findReasons: (chain: ChainId) => readonly Reason[]
}

const RETRY_MS = 10_000
/** Longer than the usual time-out of one read. */
const WAIT_MS = 12_000

export function createAccountGate(
  context: HasJournal<FlagStore & Ledger & NoticeStore & SigningRecord> & Leased & MarketContext,
): AccountGate {
  let open: readonly ChainPort[] = []
  /** The words of the last error of each chain. */
  const words = new Map<ChainId, string>()

  async function check(ports: readonly ChainPort[]): Promise<void> {
    const answered = await Promise.all(ports.map((port) => isCompared(context, port, words)))
    open = ports.filter((_port, index) => answered[index] !== true)
  }

  return {
    check: () => check([...context.chains.values()].filter(({ uses }) => uses !== undefined)),
    watch: { name: "accounts", everyMs: RETRY_MS, run: () => check(open) },
    findReasons: (chain) =>
      open
        .filter((port) => port.chain === chain)
        .map(({ account }) => unchecked(chain, account, words.get(chain))),
  }
}

async function isCompared(
  context: HasJournal<FlagStore & Ledger & NoticeStore & SigningRecord> & Leased & MarketContext,
  port: ChainPort,
  words: Map<ChainId, string>,
): Promise<boolean> {
  let isLate = false
  words.delete(port.chain)
  try {
    const what = `comparing ${port.account} with the signing record`
    return await withinTime(context.clock, WAIT_MS, what, () =>
      compareAccount(
        context,
        port,
        () => isLate,
        ({ message: said }) => words.set(port.chain, said),
      ),
    )
  } catch (error) {
    isLate = true
    if (error instanceof AppError) return false
    throw error
  }
}

function unchecked(
  chain: ChainId,
  account: string,
  why = "the chain did not answer in time",
): Reason {
  const message =
    `${account} on ${chain} was not compared with the signing record since the start, so new ` +
    `deposits from it wait: ${why}`
  return { code: "account.unchecked", message, chain }
}
