import { createHash } from "node:crypto"
import { AppError } from "#lib/app-error.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { Contract } from "./contract.ts"
import {
  callView,
  type ExecutionEnvironment,
  type ExecutionResult,
  type ViewCall,
} from "./execute.ts"
import { formatFelt } from "./felt.ts"
import type { Invoke } from "./invoke.ts"
import { rpcError } from "./rpc-error.ts"
import { type Storage, storageOf } from "./storage.ts"

/**
 * A simulated Starknet node and sequencer: one chain in memory, a mempool, and blocks on request.
 *
 * Transaction hashes, Stark signatures, nonces, resource bounds, fees, reverts and events are as on
 * the real chain. There is no Cairo VM and no proof: contracts are TypeScript, block hashes are
 * invented, and the chain reorganises only on request.
 */
export type Devnet = {
  readonly environment: ExecutionEnvironment
  readonly contracts: Map<bigint, Contract>
  readonly storage: Storage
  readonly state: State
  readonly mempool: Map<string, Invoke>
  /** The devnet calls these functions after every block. */
  readonly waiting: Set<() => void>
  readonly now: () => number
}

/** The whole state as plain data. `dumpDevnet` writes it and `createDevnet` restores it. */
type State = {
  slots: Record<string, bigint>
  nonces: Record<string, bigint>
  blocks: Block[]
  mined: Record<string, Mined>
  /** How often the chain has been reorganised; absent means never. */
  fork?: number
  /** The newest block that counts as accepted on L1; absent means none. */
  l1Height?: number
}

export type Block = {
  readonly number: number
  readonly timestamp: number
  readonly transactions: readonly string[]
  /**
   * The values that the block's transactions overwrote, for the state before it. Blocks of older
   * dumps have none.
   */
  readonly before?: Readonly<Record<string, bigint>>
  /**
   * The count of reorganisations when the block was made; blocks of another count have another
   * hash.
   */
  readonly fork?: number
}

/** A transaction in a block. */
export type Mined = {
  readonly hash: string
  readonly wire: Invoke["wire"]
  readonly blockNumber: number
  readonly execution: ExecutionResult
}

export type LocatedEvent = ExecutionResult["events"][number] & { readonly tx: Mined }

/**
 * Creates a devnet, with `dump` from a saved state. A dump contains no contracts, so the caller
 * must deploy them again.
 */
export function createDevnet(options: {
  chainId: bigint
  feeToken: bigint
  now: () => number
  dump?: string
}): Devnet {
  const contracts = new Map<bigint, Contract>()
  const state = options.dump === undefined ? emptyState(options.now()) : readDump(options.dump)
  const environment = {
    contracts,
    chainId: options.chainId,
    feeToken: options.feeToken,
    sequencer: SEQUENCER,
  }
  const mempool = new Map<string, Invoke>()
  const waiting = new Set<() => void>()
  return {
    environment,
    contracts,
    storage: storageOf(state.slots),
    state,
    mempool,
    waiting,
    now: options.now,
  }
}

export function dumpDevnet({ state }: Devnet): string {
  return encodeJson(state)
}

export function heightOf({ state }: Devnet): number {
  return state.blocks.length - 1
}

export function nonceOf({ state }: Devnet, account: bigint): bigint {
  return state.nonces[formatFelt(account)] ?? 0n
}

/** The nonce after block `number`: every mined transaction of the account used one. */
export function nonceAt(devnet: Devnet, account: bigint, number: number): bigint {
  const sender = formatFelt(account)
  const mined = Object.values(devnet.state.mined)
  const later = mined.filter((tx) => tx.blockNumber > number && tx.wire.sender_address === sender)
  return nonceOf(devnet, account) - BigInt(later.length)
}

/**
 * The devnet as it was after block `number`. Only for reading: it shares the mempool, and makes no
 * blocks.
 */
export function devnetAt(devnet: Devnet, number: number): Devnet {
  const { state } = devnet
  if (number >= heightOf(devnet)) return devnet
  const slots = { ...state.slots }
  for (const { before } of state.blocks.slice(number + 1).toReversed())
    Object.assign(slots, before ?? {})
  const nonces = Object.keys(state.nonces).map((sender) => [
    sender,
    nonceAt(devnet, BigInt(sender), number),
  ])
  const mined = Object.entries(state.mined).filter(([, tx]) => tx.blockNumber <= number)
  const past: State = {
    ...state,
    slots,
    nonces: Object.fromEntries(nonces),
    blocks: state.blocks.slice(0, number + 1),
    mined: Object.fromEntries(mined),
  }
  return { ...devnet, state: past, storage: storageOf(slots) }
}

/** Drops the newest `depth` blocks with their transactions. The next blocks have other hashes. */
export function dropBlocks(devnet: Devnet, depth: number): void {
  const { state } = devnet
  const { slots, nonces, blocks, mined } = devnetAt(devnet, heightOf(devnet) - depth).state
  // The devnet's storage reads and writes this very object.
  for (const slot of Object.keys(state.slots)) state.slots[slot] = slots[slot] ?? 0n
  Object.assign(state, { nonces, blocks: [...blocks], mined, fork: (state.fork ?? 0) + 1 })
}

/** Counts all blocks up to `height` as accepted on L1. */
export function acceptOnL1({ state }: Devnet, height: number): void {
  state.l1Height = height
}

/** Every event from block `from` up to and including `to`, in order. */
export function listEvents({ state }: Devnet, from: number, to: number): LocatedEvent[] {
  const hashes = state.blocks
    .slice(Math.max(from, 0), to + 1)
    .flatMap((block) => block.transactions)
  return hashes.flatMap((hash) => {
    const tx = state.mined[hash]
    return tx ? tx.execution.events.map((event) => ({ ...event, tx })) : []
  })
}

/** Makes one read-only call on the latest state. Throws `starknet.reverted`. */
export function callDevnet(devnet: Devnet, call: ViewCall): readonly bigint[] {
  return callView(devnet.environment, devnet.storage, heightOf(devnet), call)
}

/**
 * Resolves with the transaction when it is in a block. Throws 29 if neither a block nor the mempool
 * contains it.
 */
export async function waitMined(devnet: Devnet, hash: string): Promise<Mined> {
  for (;;) {
    const found = devnet.state.mined[hash]
    if (found) return found
    if (!devnet.mempool.has(hash)) throw rpcError(29)
    await new Promise<void>((resolve) => {
      devnet.waiting.add(resolve)
    })
  }
}

/**
 * An invented block hash, stable and distinct for each block of each fork. A search for a hash goes
 * through all blocks, of which one advance of the chain makes 34 000, and a Poseidon hash would
 * take a millisecond for each.
 */
export function blockHash({ state }: Devnet, number: number): string {
  const fork = state.blocks[number]?.fork ?? 0
  const digest = createHash("sha256").update(`block ${number}/${fork}`).digest("hex")
  return formatFelt(BigInt(`0x${digest.slice(0, 62)}`))
}

const SEQUENCER = 0x1176a1bd84444c89232ec27754698e5d2e7e1a7f1539f12027f28b23ec9f3d8n

function emptyState(nowMs: number): State {
  const genesis = { number: 0, timestamp: Math.floor(nowMs / 1000), transactions: [] }
  return { slots: {}, nonces: {}, blocks: [genesis], mined: {} }
}

function readDump(text: string): State {
  // CAST: `dumpDevnet` wrote this text; the check below finds a wrong file.
  const state = decodeJson(text) as Partial<State>
  const { slots, nonces, blocks, mined } = state
  if (slots && nonces && blocks && mined) return { ...state, slots, nonces, blocks, mined }
  throw new AppError({
    code: "starknet.dump",
    disposition: "fatal",
    message: "This file is not a dump of the Starknet devnet; delete it and start again",
  })
}
