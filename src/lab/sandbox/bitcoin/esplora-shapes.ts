import type { TxInput, TxOutput } from "bitcoinjs-lib"
import { assert } from "#lib/assert.ts"
import {
  type BlockIndex,
  type IndexedBlock,
  type IndexedTx,
  previousHashOf,
} from "./block-index.ts"
import { outpointOf } from "./outpoint.ts"
import { addressOfOutput } from "./regtest-address.ts"
import { formatScriptAsm, scriptTypeOf } from "./script-asm.ts"

/**
 * Formats transactions and blocks as in Blockstream's Esplora HTTP API (its API.md). That API gives
 * amounts as JSON numbers in satoshis; a double holds every amount of bitcoin exactly.
 */
export function formatTx(index: BlockIndex, entry: IndexedTx): Json {
  const { tx } = entry
  return {
    txid: entry.txid,
    version: tx.version,
    locktime: tx.locktime,
    vin: tx.ins.map((input) => formatInput(index, input, tx.isCoinbase())),
    vout: tx.outs.map(formatOutput),
    size: tx.byteLength(),
    weight: tx.weight(),
    fee: toJsonUnits(feeOf(index, entry)),
    status: formatStatus(entry),
  }
}

export function formatStatus(entry: IndexedTx | null): Json {
  if (!entry?.block) return { confirmed: false }
  const { height, hash, block } = entry.block
  return { confirmed: true, block_height: height, block_hash: hash, block_time: block.timestamp }
}

export function formatOutspend(index: BlockIndex, txid: string, vout: number): Json {
  const spend = index.findSpend(txid, vout)
  if (spend === null) return { spent: false }
  return { spent: true, txid: spend.by.txid, vin: spend.vin, status: formatStatus(spend.by) }
}

export function formatBlock(index: BlockIndex, indexed: IndexedBlock): Json {
  const { block, height } = indexed
  const times = index.blocks
    .slice(Math.max(0, height - 10), height + 1)
    .map((near) => near.block.timestamp)
  return {
    id: indexed.hash,
    height,
    version: block.version,
    timestamp: block.timestamp,
    tx_count: indexed.txids.length,
    size: block.byteLength(false),
    weight: block.weight(),
    merkle_root: reverseHex(block.merkleRoot),
    previousblockhash: height === 0 ? null : previousHashOf(block),
    mediantime: times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? block.timestamp,
    nonce: block.nonce,
    bits: block.bits,
    difficulty: difficultyOf(block.bits),
  }
}

export function formatAddress(index: BlockIndex, text: string, output: Uint8Array): Json {
  const history = index.history(output)
  return {
    address: text,
    chain_stats: statsOf(
      index,
      output,
      history.filter((entry) => entry.block !== null),
    ),
    mempool_stats: statsOf(
      index,
      output,
      history.filter((entry) => entry.block === null),
    ),
  }
}

export function formatUnspent(index: BlockIndex, output: Uint8Array): Json[] {
  return index.history(output).flatMap((entry) =>
    paidTo(entry, output)
      .filter(({ vout }) => index.findSpend(entry.txid, vout) === null)
      .map(({ vout, value }) => ({
        txid: entry.txid,
        vout,
        status: formatStatus(entry),
        value: toJsonUnits(value),
      })),
  )
}

export function formatMempool(index: BlockIndex): Json {
  const waiting = index
    .mempool()
    .map((entry) => ({ vsize: entry.tx.virtualSize(), fee: feeOf(index, entry) }))
  return {
    count: waiting.length,
    vsize: waiting.reduce((sum, { vsize }) => sum + vsize, 0),
    total_fee: toJsonUnits(waiting.reduce((sum, { fee }) => sum + fee, 0n)),
    fee_histogram: waiting
      .map(({ vsize, fee }) => [toJsonUnits(fee) / vsize, vsize] as const)
      .sort(([a], [b]) => b - a),
  }
}

/**
 * Satoshis per virtual byte by target in blocks: close to the relay minimum, because a local chain
 * is never full. A sooner target costs more.
 */
export function formatFeeEstimates(): Json {
  const targets = [...Array.from({ length: 25 }, (_, index) => index + 1), 144, 504, 1008]
  return Object.fromEntries(
    targets.map((target) => [target, target <= 2 ? 3 : target <= 6 ? 2 : 1]),
  )
}

/** The outputs of one transaction that pay this script. */
export function paidTo(entry: IndexedTx, output: Uint8Array): { vout: number; value: bigint }[] {
  return entry.tx.outs.flatMap((out, vout) =>
    Buffer.compare(out.script, output) === 0 ? [{ vout, value: out.value }] : [],
  )
}

type Json = Readonly<Record<string, unknown>>

function formatInput(index: BlockIndex, input: TxInput, isCoinbase: boolean): Json {
  const prevout = isCoinbase ? null : prevoutOf(index, input)
  return {
    ...outpointOf(input),
    prevout: prevout === null ? null : formatOutput(prevout),
    scriptsig: hex(input.script),
    scriptsig_asm: formatScriptAsm(input.script),
    ...(input.witness.length > 0 ? { witness: input.witness.map(hex) } : {}),
    is_coinbase: isCoinbase,
    sequence: input.sequence,
  }
}

function formatOutput(out: TxOutput): Json {
  const readable = addressOfOutput(out.script)
  return {
    scriptpubkey: hex(out.script),
    scriptpubkey_asm: formatScriptAsm(out.script),
    scriptpubkey_type: scriptTypeOf(out.script),
    ...(readable === null ? {} : { scriptpubkey_address: readable }),
    value: toJsonUnits(out.value),
  }
}

function prevoutOf(index: BlockIndex, input: TxInput): TxOutput | null {
  const { txid, vout } = outpointOf(input)
  return index.findTx(txid)?.tx.outs[vout] ?? null
}

function feeOf(index: BlockIndex, entry: IndexedTx): bigint {
  if (entry.tx.isCoinbase()) return 0n
  const paid = entry.tx.ins.reduce((sum, input) => {
    const prevout = prevoutOf(index, input)
    assert(prevout !== null, "a transaction's previous output is not indexed", { txid: entry.txid })
    return sum + prevout.value
  }, 0n)
  return entry.tx.outs.reduce((rest, out) => rest - out.value, paid)
}

function statsOf(index: BlockIndex, output: Uint8Array, entries: readonly IndexedTx[]): Json {
  const funded = entries.flatMap((entry) => paidTo(entry, output).map(({ value }) => value))
  const spent = entries.flatMap((entry) =>
    entry.tx.ins
      .map((input) => prevoutOf(index, input))
      .filter((prevout) => prevout !== null && Buffer.compare(prevout.script, output) === 0)
      .map((prevout) => prevout?.value ?? 0n),
  )
  return {
    funded_txo_count: funded.length,
    funded_txo_sum: toJsonUnits(funded.reduce((sum, value) => sum + value, 0n)),
    spent_txo_count: spent.length,
    spent_txo_sum: toJsonUnits(spent.reduce((sum, value) => sum + value, 0n)),
    tx_count: entries.length,
  }
}

function toJsonUnits(units: bigint): number {
  assert(units <= BigInt(Number.MAX_SAFE_INTEGER), "an amount of bitcoin is beyond 21 million")
  return Number(units)
}

/** The difficulty relative to the easiest target of the main chain (0x1d00ffff). */
function difficultyOf(bits: number): number {
  return (0xffff / (bits & 0xffffff)) * 2 ** (8 * (0x1d - (bits >>> 24)))
}

function reverseHex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? [])
    .reverse()
    .toString("hex")
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex")
}
