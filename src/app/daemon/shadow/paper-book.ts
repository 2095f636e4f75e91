import { IN_TRANSIT_PREFIX, WALLET_PREFIX } from "#books/accounts.ts"
import type { AssetId } from "#domain/asset.ts"
import { type DecisionInputs, isProposed, readDecisionBody } from "#engine/rules/tick/decision.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { Proposal } from "#policy/evaluate.ts"
import { findAsset, readPrice } from "#policy/treasury-view.ts"
import { fiatOfValue, valueOfUnits } from "#policy/value.ts"
import type { NewDecision } from "#ports/journal/decisions.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { AccountRow, Ledger } from "#ports/journal/ledger.ts"
import type { Journal } from "#ports/journal.ts"

/**
 * A swap that the shadow's rules asked for, as if it were paid at once at its quote. The shadow's
 * journal keeps it: no key may be renamed.
 */
type PaperSwap = {
  /** The decision and the place of the proposal in it. */
  readonly id: string
  readonly atMs: number
  readonly rules: readonly string[]
  readonly from: AssetId
  readonly to: AssetId
  readonly units: bigint
  readonly receiveUnits: bigint
  readonly soldFiat: bigint | null
  readonly costFiat: bigint | null
}

/**
 * The wallets of a shadow on paper: what they held at its start, what came from outside since then
 * by the books of the followed daemon, and the shadow's own moves. The followed daemon's orders and
 * their fees are not in it.
 */
type PaperBook = {
  /** The shadow's journal, which notes the moves of each decision and counts them as orders. */
  readonly journal: Journal
  readonly unitsOf: (asset: AssetId) => bigint
}

type Followed = Pick<Ledger, "listAccounts" | "listLastPostings">

export function openPaperBook(own: Journal, followed: Followed, nowMs: number): PaperBook {
  const start = readStart(own, followed, nowMs)
  const moves = [...listPaperSwaps(own)]
  const known = new Set(moves.map(({ id }) => id))

  function note(decision: NewDecision): void {
    for (const move of swapsOf(decision)) {
      if (known.has(move.id)) continue
      own.writeFlag(swapFlag(moves.length), encodeJson(move))
      known.add(move.id)
      moves.push(move)
    }
  }

  return {
    journal: {
      ...own,
      recordDecision: (decision) => {
        note(decision)
        return own.recordDecision(decision)
      },
      sumWindow: (sinceMs, unitsOf) => {
        const counted = moves.filter(({ atMs }) => atMs > sinceMs)
        const sold = counted.filter(({ from }) => from === unitsOf)
        return {
          fiat: sum(counted.map(({ soldFiat }) => soldFiat ?? 0n)),
          feesFiat: sum(counted.map(({ costFiat }) => costFiat ?? 0n)),
          count: counted.length,
          units: sum(sold.map(({ units }) => units)),
        }
      },
      // A forecast needs the flows of the treasury, and the shadow books none.
      listLastPostings: followed.listLastPostings,
    },
    unitsOf: (asset) =>
      (start.held.get(asset) ?? 0n) +
      (sumOutside(followed).get(asset) ?? 0n) -
      (start.outside.get(asset) ?? 0n) +
      sum(moves.map((move) => changeOf(move, asset))),
  }
}

/** The moves of a shadow's journal, oldest first. */
export function* listPaperSwaps({ readFlag }: Pick<FlagStore, "readFlag">): Generator<PaperSwap> {
  for (let at = 0; ; at += 1) {
    const text = readFlag(swapFlag(at))
    if (text === null) return
    // CAST: written by `openPaperBook`.
    yield decodeJson(text) as PaperSwap
  }
}

/** The time from which a shadow's journal counts; `null` for the journal of no shadow. */
export function paperSinceMs({ readFlag }: Pick<FlagStore, "readFlag">): number | null {
  const text = readFlag(START)
  return text === null ? null : readStored(text).sinceMs
}

const START = "shadow/start"

function swapFlag(at: number): string {
  return `shadow/swap/${at}`
}

type Sums = ReadonlyMap<AssetId, bigint>
type Start = { readonly sinceMs: number; readonly held: Sums; readonly outside: Sums }
type StoredStart = {
  readonly sinceMs: number
  readonly held: readonly (readonly [AssetId, bigint])[]
  readonly outside: readonly (readonly [AssetId, bigint])[]
}

function readStart(own: FlagStore, followed: Followed, nowMs: number): Start {
  const text = own.readFlag(START)
  if (text === null) {
    const held = [WALLET_PREFIX, IN_TRANSIT_PREFIX].flatMap((one) => followed.listAccounts(one))
    const stored: StoredStart = {
      sinceMs: nowMs,
      held: [...sumUnits(held)],
      outside: [...sumOutside(followed)],
    }
    own.writeFlag(START, encodeJson(stored))
  }
  const { sinceMs, held, outside } = readStored(own.readFlag(START) ?? "")
  return { sinceMs, held: new Map(held), outside: new Map(outside) }
}

function readStored(text: string): StoredStart {
  // CAST: written by `readStart`.
  return decodeJson(text) as StoredStart
}

/** What came from outside by the books: what comes to a wallet leaves these accounts. */
function sumOutside(followed: Followed): Sums {
  const rows = followed.listAccounts("equity:").filter(({ account }) => account !== EXCHANGE)
  return sumUnits(rows.map((row) => ({ ...row, units: -row.units })))
}

const EXCHANGE = "equity:exchange"

function sumUnits(rows: readonly AccountRow[]): Sums {
  const sums = new Map<AssetId, bigint>()
  for (const { asset, units } of rows) sums.set(asset, (sums.get(asset) ?? 0n) + units)
  return sums
}

/** The first of its rules notes an order that serves two. */
function swapsOf(decision: NewDecision): readonly PaperSwap[] {
  const body = readDecisionBody(decision.body)
  if (body === null) return []
  return body.decided.proposals.flatMap((proposal, index) => {
    const { rules, from, to, units, receiveUnits, costFiat, destination } = proposal
    const isAsked = isProposed(body.outcomes[index] ?? null) && rules[0] === decision.rule
    if (!isAsked || receiveUnits === null) return []
    return {
      id: `${decision.id} ${index}`,
      atMs: decision.atMs,
      rules,
      from,
      to,
      units,
      // What goes to an address outside does not come to the wallets.
      receiveUnits: destination === null ? receiveUnits : 0n,
      soldFiat: soldFiatOf(proposal, decision),
      costFiat,
    }
  })
}

function soldFiatOf({ from, units }: Proposal, { inputs }: NewDecision): bigint | null {
  // CAST: the inputs of a decision, as its tick wrote them.
  const read = inputs === null ? null : (decodeJson(inputs) as DecisionInputs)
  const asset = read === null ? null : findAsset(read.view, from)
  const price = asset === null ? null : readPrice(asset)
  if (asset === null || price === null || !price.ok) return null
  return fiatOfValue(valueOfUnits(asset, price.priceFiat, units), "up")
}

function changeOf({ from, to, units, receiveUnits }: PaperSwap, asset: AssetId): bigint {
  return (to === asset ? receiveUnits : 0n) - (from === asset ? units : 0n)
}

function sum(all: readonly bigint[]): bigint {
  return all.reduce((so, one) => so + one, 0n)
}
