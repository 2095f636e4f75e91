import type { ChainId } from "#domain/asset.ts"
import { hashOf } from "../support/fake-chain.ts"
import { type FakeLedger, isOurs, type LedgerTx } from "../support/fake-ledger.ts"
import type { Random } from "./random.ts"
import type { FaultKind, Swarm } from "./swarm.ts"

/** What befalls transactions between the wallet and a final block. Aimed at ours where there are any: blind strikes hit nothing. */
export type ChainTroubles = {
  readonly strike: () => void
  readonly strikeAt: (kind: AimedKind, chain: ChainId, ledger: FakeLedger) => void
  /** Blocks came: how high each chain has ever been. */
  readonly grown: () => void
  /** Something that concerns us, a payout included, lies in a block that is not final yet. */
  readonly isFresh: (ledger: FakeLedger) => boolean
  /** A reorganisation is over when the other branch is as long. */
  readonly isBehind: (chain: ChainId, ledger: FakeLedger) => boolean
  /** Uses up the next nonce where something of ours waits behind it. */
  readonly fillGaps: () => void
}

export type AimedKind = "mempool dropped" | "transaction replaced" | "older transaction mined" | "move reorganised away"

type Deps = {
  readonly ledgers: ReadonlyMap<ChainId, FakeLedger>
  readonly random: Random
  readonly swarm: Swarm
  readonly happened: (kind: FaultKind, where: string) => void
}

/** More than any fee that the wallet would pay. */
const STRANGERS_FEE = 5_000n

export function createChainTroubles({ ledgers, random, swarm, happened }: Deps): ChainTroubles {
  const tips = new Map<ChainId, bigint>()
  // CAST: the world has five chains.
  const chains = [...ledgers] as [[ChainId, FakeLedger], ...[ChainId, FakeLedger][]]
  let strangers = 0

  const draws = (kind: FaultKind, factor = 1): boolean =>
    swarm.on.has(kind) && random.chance(Math.max(0.02, swarm.rate) * factor)
  /** A chain where something of ours waits or was just mined, if there is one. */
  const aim = (isTarget: (ledger: FakeLedger) => boolean): [ChainId, FakeLedger] | null => {
    const [first, ...rest] = chains.filter(([, ledger]) => isTarget(ledger))
    return first === undefined ? null : random.pick([first, ...rest])
  }
  const waits = (ledger: FakeLedger): boolean => ledger.mempool().some(isOurs)

  function strike(): void {
    if (draws("mempool dropped", 4)) {
      const target = aim(waits)
      if (target) strikeAt("mempool dropped", ...target)
    }
    if (draws("transaction replaced", 4)) {
      const target = aim((ledger) => ledger.kind !== "slots" && waits(ledger))
      if (target) strikeAt("transaction replaced", ...target)
    }
    if (draws("older transaction mined", 4)) {
      const target = aim((ledger) => ledger.kind !== "slots" && waits(ledger))
      if (target) strikeAt("older transaction mined", ...target)
    }
    if (draws("nonce taken")) takeNonce(...random.pick(chains))
    if (draws("reorganised")) reorganise("reorganised", ...random.pick(chains))
    if (draws("move reorganised away", 4)) {
      const target = aim((ledger) => isFresh(ledger))
      if (target) strikeAt("move reorganised away", ...target)
    }
  }

  function strikeAt(kind: AimedKind, chain: ChainId, ledger: FakeLedger): void {
    switch (kind) {
      case "move reorganised away":
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
        happened(kind, chain)
    }
  }

  function isFresh(ledger: FakeLedger): boolean {
    const { txs } = ledger.state()
    return [...txs.values()].some(({ height }) => Number(ledger.height() - height) + 1 < swarm.confirmations)
  }

  /** Never deeper than what counts as final, also when one follows another before the chain has grown again. */
  function reorganise(kind: FaultKind, chain: ChainId, ledger: FakeLedger): void {
    const height = ledger.height()
    const tip = tips.get(chain) ?? height
    const allowed = Number(height - tip) + swarm.confirmations - 1
    const depth = Math.min(1 + random.below(swarm.confirmations - 1), allowed, Number(height) - 1)
    if (depth < 1) return
    happened(kind, chain)
    // What waits again is mined again before anybody has looked.
    ledger.reorganise(depth, swarm.quarry === "watch" ? "drop" : random.pick(["requeue", "drop"]))
    if (ledger.kind === "utxo") evictOrphans(ledger)
  }

  /** Another program with the same key spends what one of ours waits with: the same nonce or input, for a higher fee. */
  function replace(chain: ChainId, ledger: FakeLedger): void {
    // A Bitcoin HTLC pays nobody but us: whoever has the key and spends it has refunded it.
    const isHtlc = (tx: LedgerTx): boolean => ledger.kind === "utxo" && tx.action.kind === "refund"
    const victim = ledger.kind === "slots" ? undefined : ledger.mempool().find((tx) => isOurs(tx) && !isHtlc(tx))
    if (victim === undefined || ledger.submit(stranger(victim.resources)) !== "ok") return
    happened("transaction replaced", chain)
  }

  /** A miner who never heard of the void, or of the higher fee, has the bytes before. */
  function mineOlder(chain: ChainId, ledger: FakeLedger): void {
    const waiting = ledger.mempool().filter(isOurs)
    const clashes = (a: LedgerTx, b: LedgerTx): boolean =>
      a.resources.some((resource) => b.resources.includes(resource))
    const older = ledger
      .heard()
      .find((old) => waiting.some((tx) => clashes(old, tx)) && !waiting.some(({ txid }) => txid === old.txid))
    if (older === undefined) return
    ledger.dropMempool()
    for (const tx of [older, ...waiting.filter((tx) => !clashes(older, tx))]) ledger.submit(tx)
    happened("older transaction mined", chain)
  }

  /** Another program with the same key. */
  function takeNonce(chain: ChainId, ledger: FakeLedger): void {
    const { nonce, outpoints } = ledger.state()
    const [outpoint] = outpoints.keys()
    const resources = ledger.kind === "account" ? [`nonce:${nonce}`] : outpoint === undefined ? [] : [outpoint]
    if (resources.length === 0) return
    happened("nonce taken", chain)
    ledger.submit(stranger(resources))
  }

  function stranger(resources: readonly string[]): LedgerTx {
    return { txid: hashOf(`stranger ${++strangers}`), fee: STRANGERS_FEE, resources, action: { kind: "void" } }
  }

  function fillGaps(): void {
    for (const [chain, ledger] of chains) {
      const next = `nonce:${ledger.state().nonce}`
      const isGap = ledger.kind === "account" && !ledger.mempool().some(({ resources }) => resources.includes(next))
      if (isGap && waits(ledger)) takeNonce(chain, ledger)
    }
  }

  return {
    strike,
    strikeAt,
    fillGaps,
    isFresh,
    isBehind: (chain, ledger) => ledger.height() < (tips.get(chain) ?? 0n),
    grown: () => {
      for (const [chain, ledger] of chains) tips.set(chain, max(tips.get(chain) ?? 0n, ledger.height()))
    },
  }
}

/** A Bitcoin mempool keeps nothing whose inputs are gone. */
function evictOrphans(ledger: FakeLedger): void {
  const waiting = ledger.mempool()
  const { outpoints, swaps } = ledger.state()
  const made = new Set(waiting.flatMap(({ txid }) => [`${txid}:0`, `${txid}:1`]))
  ledger.dropMempool()
  for (const tx of waiting) {
    if (tx.resources.every((resource) => outpoints.has(resource) || made.has(resource) || swaps.has(resource)))
      ledger.submit(tx)
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
