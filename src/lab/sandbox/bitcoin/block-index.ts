import { Block, Transaction } from "bitcoinjs-lib"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { type BitcoinRpc, rpcErrorOf } from "./bitcoin-rpc.ts"
import { outpointOf } from "./outpoint.ts"

/**
 * An index in memory of all transactions in the node's active chain and mempool, by id, by script
 * and by the outputs that they spend.
 *
 * `sync` updates it from the node. It reads everything first and then applies all changes
 * synchronously. A reader therefore never sees half a block, and a transaction never disappears on
 * its way from the mempool into a block.
 */
export function createBlockIndex(rpc: BitcoinRpc): BlockIndex {
  const state = createState()
  let running: Promise<void> | null = null
  let queued: Promise<void> | null = null
  const start = (): Promise<void> => {
    running = syncOnce(rpc, state).finally(() => {
      running = null
    })
    return running
  }
  return {
    // A running sync may have read the node before the caller's last write, so the caller needs a
    // sync that starts after this call.
    sync: () => {
      if (running === null) return start()
      queued ??= running
        .catch(() => undefined) // The caller of the running sync receives its failure.
        .then(() => {
          queued = null
          return start()
        })
      return queued
    },
    blocks: state.blocks,
    findBlock: (hash) => state.blocks.find((block) => block.hash === hash) ?? null,
    findTx: (txid) => state.txs.get(txid) ?? null,
    findSpend: (txid, vout) => state.spends.get(`${txid}:${vout}`) ?? null,
    history: (output) => [...(state.byScript.get(hex(output)) ?? [])].sort(newestFirst),
    mempool: () =>
      [...state.mempool].map((txid) => mustExist(state.txs.get(txid), "mempool transaction")),
  }
}

export type BlockIndex = {
  /**
   * Throws the errors of the RPC client, and `sandbox.bitcoin_unsteady` (transient) if the chain
   * changes during every attempt.
   */
  sync(): Promise<void>
  /** The active chain, by height. */
  readonly blocks: readonly IndexedBlock[]
  findBlock(hash: string): IndexedBlock | null
  findTx(txid: string): IndexedTx | null
  findSpend(txid: string, vout: number): Spend | null
  /**
   * All transactions that pay to or spend from this output script: mempool first, then the newest
   * block.
   */
  history(output: Uint8Array): IndexedTx[]
  mempool(): IndexedTx[]
}

export type IndexedBlock = {
  readonly height: number
  readonly hash: string
  readonly block: Block
  readonly txids: readonly string[]
}

export type IndexedTx = {
  readonly txid: string
  readonly tx: Transaction
  /** `null` in the mempool. */
  readonly block: IndexedBlock | null
  /** Order within the block, or of arrival in the mempool. */
  readonly position: number
  readonly firstSeenMs: number
}

export type Spend = { readonly by: IndexedTx; readonly vin: number }

type State = {
  blocks: IndexedBlock[]
  txs: Map<string, IndexedTx>
  mempool: Set<string>
  byScript: Map<string, Set<IndexedTx>>
  /**
   * The scripts under which each transaction is indexed; removal needs them, because the parent
   * transaction may be gone by then.
   */
  scripts: Map<string, ReadonlySet<string>>
  spends: Map<string, Spend>
  arrivals: number
}

/**
 * `mempool` is `null` if a new block arrived during the read. The blocks that were read still
 * extend the chain, so `sync` keeps them.
 */
type Arrivals = { keptBlocks: number; blocks: readonly Block[]; mempool: Waiting | null }

/** Mempool transactions by id; `null` for one that the index already contains. */
type Waiting = ReadonlyMap<string, Transaction | null>

function createState(): State {
  return {
    blocks: [],
    txs: new Map(),
    mempool: new Set(),
    byScript: new Map(),
    scripts: new Map(),
    spends: new Map(),
    arrivals: 0,
  }
}

async function syncOnce(rpc: BitcoinRpc, state: State): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const arrivals = await readArrivals(rpc, state)
    if (arrivals === null) continue
    if (arrivals.mempool !== null)
      return applyArrivals(state, arrivals.keptBlocks, arrivals.blocks, arrivals.mempool)
    for (const block of arrivals.blocks) connectBlock(state, block)
  }
  throw new AppError({
    code: "sandbox.bitcoin_unsteady",
    disposition: "transient",
    message: `the chain changed during each of ${MAX_ROUNDS} attempts to read it; mine more slowly`,
  })
}

const MAX_ROUNDS = 20
const READ_AHEAD = 16

/** Reads new blocks and the mempool; `null` if they changed in an unusable way during the read. */
async function readArrivals(rpc: BitcoinRpc, state: State): Promise<Arrivals | null> {
  try {
    const tip = await rpc.call("getbestblockhash", [], z.string())
    const { keptBlocks, blocks } =
      tip === state.blocks.at(-1)?.hash
        ? { keptBlocks: state.blocks.length, blocks: [] }
        : await readNewBlocks(rpc, state.blocks)
    const linked = lastHashOf(state.blocks[keptBlocks - 1]?.hash, blocks)
    const mempool = await readMempool(rpc, state)
    const steady = (await rpc.call("getbestblockhash", [], z.string())) === tip
    if (linked === tip && steady) return { keptBlocks, blocks, mempool }
    return linked !== null && keptBlocks === state.blocks.length
      ? { keptBlocks, blocks, mempool: null }
      : null
  } catch (error) {
    const code = rpcErrorOf(error)?.code
    // A missing height or transaction means that the chain changed. Every other error is a real
    // failure.
    if (code === RPC_INVALID_PARAMETER || code === RPC_NOT_FOUND) return null
    throw error
  }
}

const RPC_NOT_FOUND = -5
const RPC_INVALID_PARAMETER = -8

async function readMempool(rpc: BitcoinRpc, state: State): Promise<Waiting> {
  const txids = await rpc.call("getrawmempool", [], z.array(z.string()))
  const waiting = new Map<string, Transaction | null>()
  for (const txid of txids)
    waiting.set(txid, state.mempool.has(txid) ? null : await readTx(rpc, txid))
  return waiting
}

async function readNewBlocks(
  rpc: BitcoinRpc,
  known: readonly IndexedBlock[],
): Promise<{ keptBlocks: number; blocks: Block[] }> {
  const height = await rpc.call("getblockcount", [], z.number())
  let keptBlocks = Math.min(height + 1, known.length)
  while (keptBlocks > 0 && known[keptBlocks - 1]?.hash !== (await readHash(rpc, keptBlocks - 1)))
    keptBlocks--
  const blocks: Block[] = []
  for (let from = keptBlocks; from <= height; from += READ_AHEAD) {
    const heights = Array.from(
      { length: Math.min(READ_AHEAD, height + 1 - from) },
      (_, offset) => from + offset,
    )
    blocks.push(...(await Promise.all(heights.map((at) => readBlock(rpc, at)))))
  }
  return { keptBlocks, blocks }
}

function readHash(rpc: BitcoinRpc, height: number): Promise<string> {
  return rpc.call("getblockhash", [height], z.string())
}

async function readBlock(rpc: BitcoinRpc, height: number): Promise<Block> {
  return Block.fromHex(await rpc.call("getblock", [await readHash(rpc, height), 0], z.string()))
}

async function readTx(rpc: BitcoinRpc, txid: string): Promise<Transaction> {
  return Transaction.fromHex(await rpc.call("getrawtransaction", [txid], z.string()))
}

/**
 * The hash of the last block; `null` if the blocks, read one by one, do not form one chain on top
 * of `parent`.
 */
function lastHashOf(parent: string | undefined, blocks: readonly Block[]): string | null {
  let hash = parent ?? null
  for (const block of blocks) {
    if (hash !== null && previousHashOf(block) !== hash) return null
    hash = block.getId()
  }
  return hash
}

export function previousHashOf(block: Block): string {
  return Buffer.from(mustExist(block.prevHash, "previous hash")).reverse().toString("hex")
}

function applyArrivals(
  state: State,
  keptBlocks: number,
  blocks: readonly Block[],
  mempool: Waiting,
): void {
  for (const txid of [...state.mempool]) {
    if (!mempool.has(txid)) removeTx(state, txid)
  }
  for (const block of state.blocks.splice(keptBlocks).reverse()) {
    for (const txid of [...block.txids].reverse()) removeTx(state, txid)
  }
  for (const block of blocks) connectBlock(state, block)
  const fresh: IndexedTx[] = []
  for (const [txid, tx] of mempool) {
    if (tx === null) continue
    const entry = { txid, tx, block: null, position: state.arrivals++, firstSeenMs: Date.now() }
    state.mempool.add(txid)
    state.txs.set(txid, entry)
    fresh.push(entry)
  }
  // The mempool can list a child before its parent, so store all transactions before linking any to
  // the outputs that it spends.
  for (const entry of fresh) linkTx(state, entry)
}

function connectBlock(state: State, block: Block): void {
  const transactions = mustExist(block.transactions, "the block's transactions")
  const txids = transactions.map((tx) => tx.getId())
  const indexed: IndexedBlock = { height: state.blocks.length, hash: block.getId(), block, txids }
  state.blocks.push(indexed)
  for (const [position, tx] of transactions.entries()) {
    const txid = mustExist(txids[position], "txid")
    if (state.mempool.has(txid)) removeTx(state, txid)
    const entry = { txid, tx, block: indexed, position, firstSeenMs: block.timestamp * 1_000 }
    state.txs.set(txid, entry)
    linkTx(state, entry)
  }
}

function linkTx(state: State, entry: IndexedTx): void {
  const scripts = scriptsOf(state, entry.tx)
  state.scripts.set(entry.txid, scripts)
  for (const output of scripts) {
    const touching = state.byScript.get(output) ?? new Set()
    state.byScript.set(output, touching.add(entry))
  }
  for (const [vin, input] of entry.tx.ins.entries()) {
    const { txid, vout } = outpointOf(input)
    state.spends.set(`${txid}:${vout}`, { by: entry, vin })
  }
}

function removeTx(state: State, txid: string): void {
  const entry = mustExist(state.txs.get(txid), "indexed transaction")
  for (const output of mustExist(state.scripts.get(txid), "scripts of an indexed transaction")) {
    const touching = state.byScript.get(output)
    touching?.delete(entry)
    if (touching?.size === 0) state.byScript.delete(output)
  }
  for (const input of entry.tx.ins) {
    const spent = outpointOf(input)
    const key = `${spent.txid}:${spent.vout}`
    if (state.spends.get(key)?.by === entry) state.spends.delete(key)
  }
  state.scripts.delete(txid)
  state.mempool.delete(txid)
  state.txs.delete(txid)
}

function scriptsOf(state: State, tx: Transaction): Set<string> {
  const spent = tx.ins.map((input) => {
    const { txid, vout } = outpointOf(input)
    return state.txs.get(txid)?.tx.outs[vout]?.script
  })
  return new Set(
    [...spent, ...tx.outs.map((out) => out.script)]
      .filter((output) => output !== undefined)
      .map(hex),
  )
}

function newestFirst(a: IndexedTx, b: IndexedTx): number {
  const heightOf = (entry: IndexedTx): number => entry.block?.height ?? Number.POSITIVE_INFINITY
  return heightOf(a) === heightOf(b) ? b.position - a.position : heightOf(b) > heightOf(a) ? 1 : -1
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex")
}
