import { WALLET_PREFIX } from "#books/accounts.ts"
import type { Wallets } from "#books/entries-of.ts"
import { pendingOf } from "#books/pending.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import { assertBalanced } from "#domain/ledger.ts"
import { findLedgerFaults } from "../../../support/check-ledger.ts"
import type { FakeLedger } from "../../../support/fake-ledger.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import { type GroundTruth, listFills } from "../ground-truth.ts"
import { readOrder } from "../read-order.ts"
import { ASSETS } from "../simulated-assets.ts"
import { START_UNITS } from "../treasury.ts"

/**
 * Every entry balances, and the booked wallet units equal the chains' balances: during a run within
 * the amounts under way, at rest to the unit.
 */
export function checkBooks(truth: GroundTruth): Checker {
  const { journal, ledgers, service } = truth.world
  const wallets: Wallets = {
    assets: ASSETS,
    nativeOf: (chain) => parseAssetId(ledgers.get(chain)?.native ?? `${chain}:native`),
    takesRefundFeeFromAmount: (chain) => ledgers.get(chain)?.kind === "utxo",
    isOurs: () => true,
  }

  /** Of our signatures, which are only added. */
  const own = { count: 0, txids: new Set<string>() }

  function compareWallets(isAtEnd: boolean): Violation[] {
    const open = [...truth.recorder.rows.values()]
      .filter(({ outcome }) => outcome === null)
      .map(({ snapshot }) => readOrder(snapshot))
    const pending = pendingOf(open, wallets)
    const gifts = listGifts()
    const surprises = listSurprises()
    const booked = new Map(
      journal.listAccounts(WALLET_PREFIX).map(({ asset, units }) => [asset, units]),
    )
    return [...ledgers.values()].flatMap((ledger) =>
      [...ledger.state().balances].flatMap(([name, units]) => {
        // CAST: the ledgers use asset ids as keys.
        const asset = name as AssetId
        const { inUnits, outUnits } = pending.get(asset) ?? { inUnits: 0n, outUnits: 0n }
        const hasFills = !isAtEnd && asset === ledger.native
        const mostUnits =
          inUnits + (gifts.get(asset) ?? 0n) + (hasFills ? vanishedFills(ledger) : 0n)
        const unbooked = hasFills ? unbookedFills(ledger) : 0n
        const leastUnits = -outUnits - (surprises.get(asset) ?? 0n) - unbooked
        const spent = asset === ledger.native ? strayFees(ledger) : 0n
        const difference = units + spent - START_UNITS - (booked.get(asset) ?? 0n)
        if (difference >= leastUnits && difference <= mostUnits) return []
        const message =
          `${asset}: the wallet has ${difference} more than the books, and ${leastUnits} to ` +
          `${mostUnits} can be under way`
        return [violation("books agree with chains", message)]
      }),
    )
  }

  /**
   * Fees of transactions that another program with the same key sent. Only an operator books them.
   */
  function strayFees(ledger: FakeLedger): bigint {
    for (const { txid } of truth.recorder.signatures.slice(own.count)) own.txids.add(txid)
    own.count = truth.recorder.signatures.length
    let sum = 0n
    for (const [txid, { fee }] of ledger.state().txs)
      if (fee !== 0n && !own.txids.has(txid)) sum += fee
    return sum
  }

  /**
   * Fees of transactions that filled a gap in the nonces. No order observes them; a later round of
   * the gap filler books them.
   */
  function unbookedFills(ledger: FakeLedger): bigint {
    const fees = listFills(truth.recorder)
      .map(({ txid }) => ledger.state().txs.get(txid))
      .filter((mined) => mined !== undefined)
    return fees.reduce((sum, { fee }) => sum + fee, 0n)
  }

  /** Booked fees of fills in a block that a reorganisation removed. A later round reverses them. */
  function vanishedFills(ledger: FakeLedger): bigint {
    const { txs } = ledger.state()
    const gone = listFills(truth.recorder).filter(
      ({ chain, txid }) => ledgers.get(chain) === ledger && !txs.has(txid),
    )
    const postings = gone.flatMap(({ txid }) =>
      journal.listEntries({ key: `fee:${txid}` }).flatMap((one) => one.postings),
    )
    const own = postings.filter(
      ({ account, asset }) => account.startsWith(WALLET_PREFIX) && asset === ledger.native,
    )
    return own.reduce((sum, { units }) => sum - units, 0n)
  }

  /**
   * The solver's losses: payouts of orders that ended in another way or stay disarmed, and refunds
   * of orders that were paid out.
   */
  function listGifts(): ReadonlyMap<AssetId, bigint> {
    const gifts = new Map<AssetId, bigint>()
    const add = (asset: AssetId, units: bigint): void =>
      void gifts.set(asset, (gifts.get(asset) ?? 0n) + units)
    for (const order of service.orders) {
      const outcome = truth.rowOf(order)?.outcome
      const paid = truth.destinationOf(order)?.redeemed
      const isUnseen = truth.rowOf(order)?.state === "disarmed"
      if (paid && (isUnseen || (outcome !== null && outcome !== "completed")))
        add(order.to, paid.paidUnits)
      if (truth.sourceOf(order)?.refunded && outcome === "completed")
        add(order.from, order.sourceUnits)
    }
    // A burn that a reorganisation took away after its mint is the issuer's loss.
    for (const row of truth.recorder.rows.values())
      if (row.outcome !== null && row.outcome !== "completed")
        for (const { units } of truth.mintsOf(row)) add(row.to, units)
    return gifts
  }

  /**
   * Deposits that the relay made with a disarmed signature and a later order's allowance. They
   * raise an alert at the next observation.
   */
  function listSurprises(): ReadonlyMap<AssetId, bigint> {
    const used = service.orders.filter(
      (order) => truth.rowOf(order)?.state === "disarmed" && truth.isRelayed(order),
    )
    return new Map(
      used.map(({ from }) => [from, sumOf(used.filter((order) => order.from === from))]),
    )
  }

  // The amounts under way come from the orders' rows.
  if (!truth.trustsRows) return {}
  return {
    onCommit: (_before, { booking }) => {
      for (const entry of booking.add) assertBalanced(entry)
      return []
    },
    afterTurn: () => compareWallets(false),
    atEnd: () => [
      ...compareWallets(true),
      ...findLedgerFaults(journal).map((fault) => violation("books balance", fault)),
    ],
  }
}

function sumOf(orders: readonly { sourceUnits: bigint }[]): bigint {
  return orders.reduce((sum, { sourceUnits }) => sum + sourceUnits, 0n)
}
