import { mustExist } from "#lib/assert.ts"
import { type BurnAction, burn, type LedgerBurns, type MintAction, mint } from "./fake-burns.ts"

/**
 * A chain reduced to swaps. It keeps the state after each block, so that a node can answer from an
 * older block, and a reorganisation continues from the state of an earlier one.
 *
 * There are three kinds. `account` (EVM, Starknet): consecutive nonces, allowances, and an HTLC
 * contract that refuses a second order with the same secret hash and initiator. `utxo` (Bitcoin):
 * outpoints that are spent once, and HTLC addresses that accept a second payment. `slots` (Solana):
 * no nonces and almost no mempool; a transaction is valid up to a height and never after it, and a
 * program refuses a second swap account for the same secret hash and initiator.
 */
export type LedgerKind = "account" | "utxo" | "slots"

export type LedgerTx = {
  readonly txid: string
  readonly fee: bigint
  /**
   * `nonce:7` or outpoints. Empty for transactions from other accounts, which the ledger does not
   * model.
   */
  readonly resources: readonly string[]
  readonly action: LedgerAction
  /** Marks a transaction of ours without resources: a Solana refund. */
  readonly own?: boolean
  /** The last height at which a block can include it (Solana's last valid block height). */
  readonly expiresAt?: bigint
}

export type LedgerAction =
  | {
      readonly kind: "approve"
      readonly asset: string
      readonly spender: string
      readonly units: bigint
    }
  | {
      readonly kind: "initiate"
      readonly swap: SwapTerms
      readonly payer: "wallet" | "solver"
      /** A multicall that approves exactly this deposit first (Starknet). */
      readonly approves?: boolean
    }
  | {
      readonly kind: "redeem"
      readonly key: string
      readonly payTo: "wallet" | "solver"
      readonly shortUnits: bigint
    }
  | { readonly kind: "refund"; readonly key: string }
  /** `of`: the transaction that it voids, so that two voids never have the same bytes. */
  | { readonly kind: "void"; readonly of?: string }
  | BurnAction
  | MintAction

export type SwapTerms = {
  /** Contract: secret hash and initiator. Bitcoin: the address. */
  readonly key: string
  readonly asset: string
  readonly units: bigint
  readonly secretHash: string
  readonly timelock: bigint
  readonly token: boolean
  /** The account that a redemption pays, where it is not the order's. */
  readonly redeemer?: string
}

export type SwapState = SwapTerms & {
  readonly payer: "wallet" | "solver"
  readonly initiated: { txid: string; height: bigint }
  readonly redeemed: {
    readonly txid: string
    readonly height: bigint
    readonly paidUnits: bigint
  } | null
  readonly refunded: { readonly txid: string; readonly height: bigint } | null
}

export type LedgerState = LedgerBurns & {
  readonly kind: LedgerKind
  nonce: number
  readonly outpoints: Map<string, bigint>
  readonly balances: Map<string, bigint>
  readonly allowances: Map<string, bigint>
  readonly swaps: Map<string, SwapState>
  readonly txs: Map<string, { height: bigint; ok: boolean; fee: bigint; isVoid: boolean }>
  /** The transaction that used each nonce or outpoint. */
  readonly used: Map<string, string>
}

export type Genesis = {
  /** Blocks take no transaction of ours with a lower fee. By default they take all. */
  readonly leastFee?: () => bigint
  readonly balances: Readonly<Record<string, bigint>>
  readonly outpoints: readonly bigint[]
  /** Swaps of strangers. */
  readonly swaps?: readonly SwapState[]
  /** Without it every block has the time 0. */
  readonly now?: () => number
}

/**
 * The blocks of one branch, with the state after each. `ids` tells blocks of the same height apart.
 * A ledger adds to the lists of its branch; a reorganisation replaces them.
 */
export type Branch = {
  readonly blocks: readonly (readonly LedgerTx[])[]
  readonly states: readonly LedgerState[]
  readonly ids: readonly number[]
  /** The time of each block; 0 where the ledger has no clock. */
  readonly times: readonly number[]
  readonly waiting: readonly LedgerTx[]
}

export type FakeLedger = {
  readonly kind: LedgerKind
  readonly native: string
  readonly branch: () => Branch
  /** The newest state. Later blocks do not change it. */
  readonly state: () => LedgerState
  readonly height: () => bigint
  /** The time of the newest block. */
  readonly blockMs: () => number
  readonly mempool: () => readonly LedgerTx[]
  /** All transactions of ours that a node has received, mined or not. */
  readonly heard: () => readonly LedgerTx[]
  /**
   * `conflict`: a mined or better paying transaction uses the same nonce or outpoint. `expired`: no
   * block can include it any more.
   */
  readonly submit: (tx: LedgerTx) => "ok" | "known" | "conflict" | "expired"
  readonly mine: () => void
  /** Undoes the newest blocks. Their transactions return to the mempool or are dropped. */
  readonly reorganise: (depth: number, what: "requeue" | "drop") => void
  readonly dropMempool: () => void
  /** All mined transactions of our wallet, in order; `ok` tells whether each succeeded. */
  readonly mined: (kind: LedgerAction["kind"]) => readonly (LedgerTx & { ok: boolean })[]
}

export function createFakeLedger(kind: LedgerKind, native: string, genesis: Genesis): FakeLedger {
  const now = genesis.now ?? ((): number => 0)
  let blocks: LedgerTx[][] = [[]]
  let states: LedgerState[] = [firstState(kind, genesis)]
  let ids = [0]
  let times = [now()]
  let waiting: LedgerTx[] = []
  let mined = 0
  const heard = new Map<string, LedgerTx>()

  const newest = (): LedgerState => mustExist(states.at(-1), "the state of a block")
  const clashes = (tx: LedgerTx): LedgerTx[] =>
    kind === "slots"
      ? []
      : waiting.filter(
          (other) =>
            other.txid !== tx.txid &&
            other.resources.some((resource) => tx.resources.includes(resource)),
        )
  const pays = (tx: LedgerTx): boolean => !isOurs(tx) || tx.fee >= (genesis.leastFee?.() ?? 0n)
  const isExpired = ({ expiresAt }: LedgerTx): boolean =>
    expiresAt !== undefined && BigInt(blocks.length) > expiresAt

  return {
    kind,
    native,
    branch: () => ({ blocks, states, ids, times, waiting }),
    state: newest,
    height: () => BigInt(blocks.length - 1),
    blockMs: () => mustExist(times.at(-1), "the time of a block"),
    mempool: () => waiting,
    heard: () => [...heard.values()],
    submit: (tx) => {
      if (isOurs(tx)) heard.set(tx.txid, tx)
      const state = newest()
      // A call of the service that failed, for example before the payment that it spends, is sent
      // again. The ledger keeps its id.
      const isRepeated = !isOurs(tx) && state.txs.get(tx.txid)?.ok === false
      if ((state.txs.has(tx.txid) && !isRepeated) || waiting.some(({ txid }) => txid === tx.txid))
        return "known"
      if (isExpired(tx)) return "expired"
      const rivals = clashes(tx)
      if (
        tx.resources.some((resource) => state.used.has(resource)) ||
        rivals.some(({ fee }) => fee >= tx.fee)
      )
        return "conflict"
      waiting = [...waiting.filter((other) => !rivals.includes(other)), tx]
      return "ok"
    },
    mine: () => {
      const block: LedgerTx[] = []
      const height = BigInt(blocks.length)
      let state = newest()
      for (let left = waiting.length; left > 0; left--) {
        const next = waiting.find(
          (tx) => !block.includes(tx) && pays(tx) && isNext(kind, state, tx, height),
        )
        if (!next) break
        if (block.length === 0) state = copyState(state)
        apply(native, state, next, height)
        block.push(next)
      }
      blocks.push(block)
      states.push(state)
      ids.push(++mined)
      times.push(now())
      const isGone = (tx: LedgerTx): boolean =>
        isExpired(tx) || tx.resources.some((resource) => state.used.has(resource))
      waiting = waiting.filter((tx) => !block.includes(tx) && !isGone(tx))
    },
    reorganise: (depth, what) => {
      const kept = Math.max(1, blocks.length - depth)
      const undone = blocks.slice(kept).flat()
      blocks = blocks.slice(0, kept)
      states = states.slice(0, kept)
      ids = ids.slice(0, kept)
      times = times.slice(0, kept)
      if (what === "requeue") waiting = [...undone, ...waiting]
    },
    dropMempool: () => {
      waiting = []
    },
    mined: (action) =>
      blocks
        .flat()
        .filter((tx) => tx.action.kind === action && isOurs(tx))
        .map((tx) => ({ ...tx, ok: newest().txs.get(tx.txid)?.ok === true })),
  }
}

function firstState(kind: LedgerKind, genesis: Genesis): LedgerState {
  return {
    kind,
    nonce: 0,
    outpoints: new Map(genesis.outpoints.map((units, index) => [`genesis:${index}`, units])),
    balances: new Map(Object.entries(genesis.balances)),
    allowances: new Map(),
    swaps: new Map(genesis.swaps?.map((swap) => [swap.key, swap])),
    txs: new Map(),
    used: new Map(),
    burns: new Map(),
    mints: new Map(),
  }
}

function copyState({
  kind,
  nonce,
  outpoints,
  balances,
  allowances,
  swaps,
  txs,
  used,
  burns,
  mints,
}: LedgerState): LedgerState {
  return {
    kind,
    nonce,
    outpoints: new Map(outpoints),
    balances: new Map(balances),
    allowances: new Map(allowances),
    swaps: new Map(swaps),
    txs: new Map(txs),
    used: new Map(used),
    burns: new Map(burns),
    mints: new Map(mints),
  }
}

function isNext(kind: LedgerKind, state: LedgerState, tx: LedgerTx, height: bigint): boolean {
  if (kind === "slots") return tx.expiresAt === undefined || height <= tx.expiresAt
  if (tx.resources.some((resource) => state.used.has(resource))) return false
  if (kind === "account")
    return tx.resources.every((resource) => resource === `nonce:${state.nonce}`)
  return tx.resources.every((resource) => {
    const swap = state.swaps.get(resource)
    if (tx.action.kind === "redeem")
      return swap !== undefined && swap.redeemed === null && swap.refunded === null
    return state.outpoints.has(resource) || isRefundable(swap, height)
  })
}

/**
 * A Bitcoin HTLC is an outpoint: the first spend takes it, and a refund is valid only after the
 * timelock.
 */
function isRefundable(swap: SwapState | undefined, height: bigint): boolean {
  if (swap === undefined || swap.redeemed !== null || swap.refunded !== null) return false
  return height >= swap.initiated.height + swap.timelock
}

/** A transaction of our wallet. Other parties pay from accounts that the ledger does not model. */
export function isOurs({ resources, own }: LedgerTx): boolean {
  return resources.length > 0 || own === true
}

function apply(native: string, state: LedgerState, tx: LedgerTx, height: bigint): void {
  for (const resource of state.kind === "slots" ? [] : tx.resources) {
    state.used.set(resource, tx.txid)
    if (resource.startsWith("nonce:")) state.nonce += 1
  }
  if (isOurs(tx)) add(state, native, -tx.fee)
  const ok = act(state, tx, height)
  spendOutpoints(state, tx)
  state.txs.set(tx.txid, { height, ok, fee: tx.fee, isVoid: tx.action.kind === "void" })
}

function act(state: LedgerState, tx: LedgerTx, height: bigint): boolean {
  const { action } = tx
  switch (action.kind) {
    case "void":
      return true
    case "approve":
      state.allowances.set(`${action.asset}/${action.spender}`, action.units)
      return true
    case "initiate":
      return initiate(state, tx.txid, action, height)
    case "burn":
      return burn(state, tx.txid, action, height)
    case "mint":
      return mint(state, tx.txid, action, height)
    case "redeem": {
      const swap = state.swaps.get(action.key)
      if (!swap || swap.redeemed || swap.refunded) return false
      // A solver can pay nothing, and never take money from the payee.
      const paidUnits = swap.units > action.shortUnits ? swap.units - action.shortUnits : 0n
      state.swaps.set(swap.key, { ...swap, redeemed: { txid: tx.txid, height, paidUnits } })
      if (state.kind === "utxo") state.used.set(action.key, tx.txid)
      if (action.payTo === "wallet" && swap.redeemer === undefined)
        pay(state, tx, swap.asset, paidUnits)
      return true
    }
    case "refund": {
      const swap = state.swaps.get(action.key)
      if (!swap || swap.redeemed || swap.refunded || height < swap.initiated.height + swap.timelock)
        return false
      state.swaps.set(swap.key, { ...swap, refunded: { txid: tx.txid, height } })
      if (state.kind === "utxo") state.used.set(action.key, tx.txid)
      if (swap.payer === "wallet") pay(state, tx, swap.asset, swap.units)
      return true
    }
  }
}

function initiate(
  state: LedgerState,
  txid: string,
  { swap, payer, approves }: Extract<LedgerAction, { kind: "initiate" }>,
  height: bigint,
): boolean {
  const taken = state.swaps.has(swap.key)
  // A contract refuses the second deposit. A Bitcoin address accepts it, and the amount is lost.
  if (taken && state.kind !== "utxo") return false
  if (payer === "wallet") {
    const allowance = `${swap.asset}/${HTLC}`
    if (approves && swap.token) state.allowances.set(allowance, swap.units)
    const allowed = state.allowances.get(allowance) ?? 0n
    if (swap.token && allowed < swap.units) return false
    if ((state.balances.get(swap.asset) ?? 0n) < swap.units) return false
    if (swap.token) state.allowances.set(allowance, allowed - swap.units)
    add(state, swap.asset, -swap.units)
  }
  if (taken) return true
  state.swaps.set(swap.key, {
    ...swap,
    payer,
    initiated: { txid, height },
    redeemed: null,
    refunded: null,
  })
  return true
}

/** Replaces the spent outpoints by one outpoint with the change after deposit and fee. */
function spendOutpoints(state: LedgerState, tx: LedgerTx): void {
  const spent = tx.resources
    .map((resource) => state.outpoints.get(resource) ?? 0n)
    .reduce((a, b) => a + b, 0n)
  if (spent === 0n) return
  for (const resource of tx.resources) state.outpoints.delete(resource)
  const paid = tx.action.kind === "initiate" ? tx.action.swap.units : 0n
  state.outpoints.set(`${tx.txid}:1`, spent - paid - tx.fee)
}

function pay(
  state: LedgerState,
  { txid, fee, resources }: LedgerTx,
  asset: string,
  units: bigint,
): void {
  add(state, asset, units)
  if (state.kind === "utxo")
    state.outpoints.set(`${txid}:0`, resources.length > 0 ? units - fee : units)
}

function add(state: LedgerState, asset: string, units: bigint): void {
  state.balances.set(asset, (state.balances.get(asset) ?? 0n) + units)
}

/** The key, and the deposit, of a swap between strangers. */
export const STRANGER = "stranger"

/** A swap between strangers that each of them can refund. */
export function strangerSwap(asset: string): SwapState {
  return {
    key: STRANGER,
    asset,
    units: 700n,
    secretHash: STRANGER,
    timelock: 0n,
    token: false,
    payer: "solver",
    initiated: { txid: STRANGER, height: 0n },
    redeemed: null,
    refunded: null,
  }
}

/** The address of the HTLC contract or program on every chain that has one. */
export const HTLC = "0xhtlc"
