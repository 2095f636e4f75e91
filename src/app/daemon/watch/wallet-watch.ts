import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { WalletFault } from "#chains/family-definition.ts"
import { type ChainId, chainOf } from "#domain/asset.ts"
import type { UnreadBalance } from "#engine/watches/reconciler.ts"
import { readableAt } from "#health/format-span.ts"
import type { WalletReading } from "#health/readings.ts"
import type { Clock } from "#lib/clock.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { hostOf } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import type { Journal } from "#ports/journal.ts"
import type { Watched } from "./watched.ts"

/** As often as for the network: an idle daemon asks each node twice a minute. */
const ASK_EVERY_MS = 60 * 60_000
/** Where no endpoint has answered. */
const ASK_AGAIN_MS = 10 * 60_000
/** While a fact lasts, because a person may be ending it now. */
const ASK_LASTING_MS = 60_000

/**
 * Follows the facts of the wallets that a person must know, such as code at an account. `known`:
 * those of an earlier process. Where no endpoint answers, the last facts stay.
 */
export function createWalletWatch(clock: Pick<Clock, "now">, known: readonly WalletReading[]) {
  const askedMs = new Map<ChainId, number>()
  const faults = Map.groupBy(known, ({ chain }) => chain)
  return async (chain: ChainConfig, account: string | null, ask: AskHttp) => {
    const nowMs = clock.now()
    const sinceMs = nowMs - (askedMs.get(chain.chain) ?? Number.NEGATIVE_INFINITY)
    if (account !== null && !(sinceMs >= 0 && sinceMs < ASK_EVERY_MS)) {
      askedMs.set(chain.chain, nowMs)
      const found = await readWalletFaults(chain, account, ask)
      if (found.length > 0) faults.set(chain.chain, groupFaults(chain.chain, found))
      const isLasting = (faults.get(chain.chain) ?? []).length > 0
      const pauseMs = isLasting ? ASK_LASTING_MS : ASK_AGAIN_MS
      if (isLasting || found.length === 0) askedMs.set(chain.chain, nowMs - ASK_EVERY_MS + pauseMs)
    }
    return faults.get(chain.chain) ?? []
  }
}

/**
 * Remembers the account of each chain, and names one that another key has changed, for a day: a
 * new key may be meant, and the deposits, balances and books of the old one stay with it.
 */
export function followAccounts(
  journal: Pick<Journal, "readFlag" | "noteFlag">,
  accounts: readonly (readonly [ChainId, string | null])[],
  nowMs: number,
): readonly WalletReading[] {
  const text = journal.readFlag(ACCOUNTS_FLAG)
  // CAST: this function wrote it.
  const known = text === null ? {} : (decodeJson(text) as Record<string, KnownAccount>)
  const changed = accounts.flatMap(([chain, account]) =>
    account === null || known[chain]?.account === account ? [] : [[chain, account] as const],
  )
  for (const [chain, account] of changed) {
    const last = known[chain]
    const isBack = last?.before?.account === account
    const before = last === undefined || isBack ? null : { account: last.account, untilMs: nowMs }
    known[chain] = { account, before }
  }
  if (changed.length > 0) journal.noteFlag(ACCOUNTS_FLAG, encodeJson(known))
  return accounts.flatMap(([chain]) => {
    const { account = "", before = null } = known[chain] ?? {}
    if (before === null || nowMs - before.untilMs >= NAMED_MS) return []
    return {
      chain,
      code: "wallet.changed",
      found:
        `The wallet of ${chain} has changed: its key opens another account, ${account}, and ` +
        `opened ${before.account} until ${readableAt(before.untilMs)}`,
      todo:
        "If you did not mean it, put the old key back and restart: balances and open deposits of " +
        "the old account stay with it. Else this ends after a day.",
      endpoints: [],
    }
  })
}

const ACCOUNTS_FLAG = "health/accounts"
const NAMED_MS = 24 * 60 * 60_000

type KnownAccount = {
  readonly account: string
  readonly before: { readonly account: string; readonly untilMs: number } | null
}

/**
 * The balances that cannot be read for so long, of chains whose endpoints answer all else: the
 * fault of an endpoint has words of its own, and a contradiction too. Pure.
 */
export function listUnreadBalances(
  unread: readonly UnreadBalance[],
  endpoints: Watched["endpoints"],
  { nowMs, silentAfterMs }: { readonly nowMs: number; readonly silentAfterMs: number },
): readonly WalletReading[] {
  return unread.flatMap(({ asset, sinceMs, error }) => {
    const chain = chainOf(asset)
    const isFaulty = endpoints.some(
      (one) => one.chain === chain && (one.error !== null || (one.reads ?? null) !== null),
    )
    if (isFaulty || error.code.startsWith("chain.") || nowMs - sinceMs < silentAfterMs) return []
    const words = error.message.replace(/\s+/g, " ").slice(0, MOST_WORDS)
    return {
      chain,
      code: "wallet.unread",
      found: `The balance of ${asset} cannot be read since ${readableAt(sinceMs)}: ${words}`,
      todo:
        "If the words are the token's, ask its issuer, and compare token and account of the " +
        "asset with an explorer; else repair or replace the endpoint.",
      endpoints: [],
    }
  })
}

const MOST_WORDS = 300

/** `host`: the endpoint that shows it. `fault`: `null` for nothing unusual. */
type FoundFault = { readonly host: string; readonly fault: WalletFault | null }

/** What each endpoint that answers shows of the account, as the daemon and `doctor` ask for it. */
export async function readWalletFaults(
  chain: ChainConfig,
  account: string,
  ask: AskHttp,
): Promise<readonly FoundFault[]> {
  const { findWalletFault, endpointsOf } = familyOf(chain).doctor
  if (findWalletFault === undefined) return []
  const found = await Promise.allSettled(
    endpointsOf(chain).map(async (at) => ({
      host: hostOf(at),
      fault: await findWalletFault(account, at, ask),
    })),
  )
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []))
}

/** One entry for all endpoints that show the same. A fault without a code is one of a node. */
function groupFaults(chain: ChainId, found: readonly FoundFault[]): WalletReading[] {
  const groups = Map.groupBy(found, ({ fault }) => `${fault?.code} ${fault?.found}`)
  return [...groups.values()].flatMap((group) => {
    const [{ fault } = { fault: null }] = group
    if (fault?.code === undefined) return []
    const { code, found: sentence, todo } = fault
    return { chain, code, found: sentence, todo, endpoints: group.map(({ host }) => host) }
  })
}
