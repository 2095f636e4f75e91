import { max } from "#domain/amount.ts"
import type { ChainId } from "#domain/asset.ts"
import { hashOf } from "../../support/fake-chain.ts"
import { type FakeLedger, isOurs, type LedgerTx } from "../../support/fake-ledger.ts"
import type { FaultKind } from "./fault-kinds.ts"
import { depthsOn, type FaultProfile } from "./fault-profile.ts"
import type { Random } from "./random.ts"

/**
 * Faults of transactions between the wallet and a final block. Most pick a chain with a transaction
 * of ours: a random chain rarely has one.
 */
export type TransactionFaults = {
  readonly injectSampled: () => void
  readonly inject: (kind: TransactionFaultKind, chain: ChainId, ledger: FakeLedger) => void
  /** Notes the greatest height of each chain; called after new blocks. */
  readonly recordHeights: () => void
  /** A block that is not final holds a transaction that concerns us, a payout included. */
  readonly hasRecentTransaction: (ledger: FakeLedger) => boolean
  /** The new branch of a reorganisation is still shorter than the old one. */
  readonly isReorganising: (chain: ChainId, ledger: FakeLedger) => boolean
  /** A transaction of ours waits behind a nonce that nothing uses. */
  readonly hasNonceGap: () => boolean
  /** Uses up the next nonce of each chain on which a transaction of ours waits behind it. */
  readonly fillNonceGaps: () => void
}

export type TransactionFaultKind =
  | "mempool dropped"
  | "transaction replaced"
  | "older transaction mined"
  | "transaction reorganised"

type Deps = {
  readonly ledgers: ReadonlyMap<ChainId, FakeLedger>
  readonly random: Random
  readonly profile: FaultProfile
  readonly recordFault: (kind: FaultKind, where: string) => void
  /** An order has the voucher of this deposit. */
  readonly isAttested: (txid: string) => boolean
  /** A burn of ours lost its block. */
  readonly onDroppedBurn: (chain: ChainId) => void
}

/** More than any fee that the wallet pays. */
const FOREIGN_FEE = 5_000n

export function createTransactionFaults({
  ledgers,
  random,
  profile,
  recordFault,
  isAttested,
  onDroppedBurn,
}: Deps): TransactionFaults {
  const tips = new Map<ChainId, bigint>()
  // CAST: the world has five chains.
  const chains = [...ledgers] as [[ChainId, FakeLedger], ...[ChainId, FakeLedger][]]
  const endings = new Map(
    chains.map(([chain, ledger]) => [ledger, depthsOn(profile, chain).ending]),
  )
  /** The attested burns that were drawn. */
  const known = new Set<string>()
  let foreignCount = 0

  const draws = (kind: FaultKind, factor = 1): boolean =>
    profile.enabled.has(kind) && random.chance(Math.max(0.02, profile.rate) * factor)
  /** A random chain among those that match; `null` if none does. */
  const pickChain = (isTarget: (ledger: FakeLedger) => boolean): [ChainId, FakeLedger] | null => {
    const [first, ...rest] = chains.filter(([, ledger]) => isTarget(ledger))
    return first === undefined ? null : random.pick([first, ...rest])
  }
  const hasPending = (ledger: FakeLedger): boolean => ledger.mempool().some(isOurs)

  function injectSampled(): void {
    if (draws("mempool dropped", 4)) {
      const target = pickChain(hasPending)
      if (target) inject("mempool dropped", ...target)
    }
    if (draws("transaction replaced", 4)) {
      const target = pickChain((ledger) => ledger.kind !== "slots" && hasPending(ledger))
      if (target) inject("transaction replaced", ...target)
    }
    if (draws("older transaction mined", 4)) {
      const target = pickChain((ledger) => ledger.kind !== "slots" && hasPending(ledger))
      if (target) inject("older transaction mined", ...target)
    }
    if (draws("nonce taken")) takeNonce(...random.pick(chains))
    if (draws("reorganised")) reorganise("reorganised", ...random.pick(chains))
    if (draws("transaction reorganised", 4)) {
      const target = pickChain((ledger) => hasRecentTransaction(ledger))
      if (target) inject("transaction reorganised", ...target)
    }
    if (profile.enabled.has("burn reorganised")) dropBurns()
  }

  /** Half of the burns vanish once attested and before they are final; their mint may be done. */
  function dropBurns(): void {
    for (const [chain, ledger] of chains)
      for (const [txid, { height }] of ledger.state().burns) {
        const depth = Number(ledger.height() - height) + 1
        if (known.has(txid) || depth >= depthsOn(profile, chain).ending - 1) continue
        if (!isAttested(txid)) continue
        known.add(txid)
        if (random.chance(0.5)) continue
        reorganise("burn reorganised", chain, ledger, depth)
        onDroppedBurn(chain)
        return
      }
  }

  function inject(kind: TransactionFaultKind, chain: ChainId, ledger: FakeLedger): void {
    switch (kind) {
      case "transaction reorganised":
        reorganise(kind, chain, ledger)
        break
      case "transaction replaced":
        replace(chain, ledger)
        break
      case "older transaction mined":
        mineOlder(chain, ledger)
        break
      case "mempool dropped":
        ledger.dropMempool()
        recordFault(kind, chain)
    }
  }

  function hasRecentTransaction(ledger: FakeLedger): boolean {
    const { txs } = ledger.state()
    const ending = endings.get(ledger) ?? profile.confirmations
    return [...txs.values()].some(({ height }) => Number(ledger.height() - height) + 1 < ending)
  }

  /**
   * Never undoes a final block, even if one reorganisation follows another before the chain has
   * grown again.
   */
  function reorganise(
    kind: FaultKind,
    chain: ChainId,
    ledger: FakeLedger,
    wanted: number | null = null,
  ): void {
    const height = ledger.height()
    const tip = tips.get(chain) ?? height
    const { ending } = depthsOn(profile, chain)
    const allowed = Number(height - tip) + ending - 1
    const depth = Math.min(wanted ?? 1 + random.below(ending - 1), allowed, Number(height) - 1)
    if (depth < 1) return
    recordFault(kind, chain)
    // A requeued transaction would be mined again before the daemon has observed its loss.
    const isLost = profile.target === "watch" || kind === "burn reorganised"
    ledger.reorganise(depth, isLost ? "drop" : random.pick(["requeue", "drop"]))
    if (ledger.kind === "utxo") evictOrphans(ledger)
  }

  /**
   * Another program with the same key spends the nonce or input of a waiting transaction of ours,
   * for a higher fee.
   */
  function replace(chain: ChainId, ledger: FakeLedger): void {
    // A Bitcoin HTLC refunds only to our key, so a program with our key that spends it makes the
    // refund or the redemption itself.
    const isHtlc = (tx: LedgerTx): boolean =>
      ledger.kind === "utxo" && (tx.action.kind === "refund" || tx.action.kind === "redeem")
    const victim =
      ledger.kind === "slots" ? undefined : ledger.mempool().find((tx) => isOurs(tx) && !isHtlc(tx))
    if (victim === undefined || ledger.submit(foreignTransaction(victim.resources)) !== "ok") return
    recordFault("transaction replaced", chain)
  }

  /** A miner that has not received the void, or the bumped transaction, mines the older bytes. */
  function mineOlder(chain: ChainId, ledger: FakeLedger): void {
    const waiting = ledger.mempool().filter(isOurs)
    const clashes = (a: LedgerTx, b: LedgerTx): boolean =>
      a.resources.some((resource) => b.resources.includes(resource))
    const older = ledger
      .heard()
      .find(
        (old) =>
          waiting.some((tx) => clashes(old, tx)) && !waiting.some(({ txid }) => txid === old.txid),
      )
    if (older === undefined) return
    ledger.dropMempool()
    for (const tx of [older, ...waiting.filter((tx) => !clashes(older, tx))]) ledger.submit(tx)
    recordFault("older transaction mined", chain)
  }

  /** Another program with the same key uses the next nonce or an outpoint. */
  function takeNonce(chain: ChainId, ledger: FakeLedger): void {
    const { nonce, outpoints } = ledger.state()
    const [outpoint] = outpoints.keys()
    const resources =
      ledger.kind === "account" ? [`nonce:${nonce}`] : outpoint === undefined ? [] : [outpoint]
    if (resources.length === 0) return
    recordFault("nonce taken", chain)
    ledger.submit(foreignTransaction(resources))
  }

  function foreignTransaction(resources: readonly string[]): LedgerTx {
    return {
      txid: hashOf(`stranger ${++foreignCount}`),
      fee: FOREIGN_FEE,
      resources,
      action: { kind: "void" },
    }
  }

  function isStuck(ledger: FakeLedger): boolean {
    if (ledger.kind !== "account" || !hasPending(ledger)) return false
    const next = `nonce:${ledger.state().nonce}`
    return !ledger.mempool().some(({ resources }) => resources.includes(next))
  }

  function fillNonceGaps(): void {
    for (const [chain, ledger] of chains) if (isStuck(ledger)) takeNonce(chain, ledger)
  }

  return {
    injectSampled,
    inject,
    hasNonceGap: () => chains.some(([, ledger]) => isStuck(ledger)),
    fillNonceGaps,
    hasRecentTransaction,
    isReorganising: (chain, ledger) => ledger.height() < (tips.get(chain) ?? 0n),
    recordHeights: () => {
      for (const [chain, ledger] of chains)
        tips.set(chain, max(tips.get(chain) ?? 0n, ledger.height()))
    },
  }
}

/** A Bitcoin mempool drops transactions with missing inputs. */
function evictOrphans(ledger: FakeLedger): void {
  const waiting = ledger.mempool()
  const { outpoints, swaps } = ledger.state()
  const made = new Set(waiting.flatMap(({ txid }) => [`${txid}:0`, `${txid}:1`]))
  ledger.dropMempool()
  for (const tx of waiting) {
    if (
      tx.resources.every(
        (resource) => outpoints.has(resource) || made.has(resource) || swaps.has(resource),
      )
    )
      ledger.submit(tx)
  }
}
