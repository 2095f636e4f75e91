import { Block, Transaction } from "bitcoinjs-lib"
import { encodeHeader, fromDisplay, toDisplay } from "#chains/bitcoin/proof/block-header.ts"

/** A block of these transactions behind a coinbase of its own; it has no work. */
export function blockOf(previous: string, transactions: readonly Transaction[]): SampleBlock {
  const coinbase = new Transaction()
  coinbase.addInput(
    new Uint8Array(32),
    0xffff_ffff,
    0xffff_ffff,
    Buffer.from(previous, "hex").subarray(0, 20),
  )
  coinbase.addOutput(Buffer.from("6a", "hex"), 0n)
  const all = [coinbase, ...transactions]
  const merkleRoot = toDisplay(Block.calculateMerkleRoot(all))
  const header = encodeHeader({
    version: 2,
    previous,
    merkleRoot,
    time: 1_700_000_000,
    bits: 0x20_7f_ff_ff,
    nonce: 0,
  })
  const block = new Block()
  Object.assign(block, Block.fromBuffer(Buffer.from(header)))
  block.transactions = all
  return { hash: block.getId(), raw: block.toBuffer(), transactions: all }
}

export type SampleBlock = {
  readonly hash: string
  readonly raw: Uint8Array
  readonly transactions: readonly Transaction[]
}

export type Spend = { readonly txid: string; readonly witness?: readonly Uint8Array[] }

/** A transaction that pays these scripts; `serial` makes it unique. */
export function paymentOf(
  serial: number,
  scripts: readonly Uint8Array[],
  spends: readonly Spend[] = [],
): Transaction {
  const transaction = new Transaction()
  const origin = Uint8Array.from(
    { length: 32 },
    (_, index) => (index < 4 ? serial >> (8 * index) : 7) & 0xff,
  )
  transaction.addInput(origin, serial % 5)
  for (const { txid, witness = [] } of spends) {
    const index = transaction.addInput(fromDisplay(txid), 1)
    transaction.setWitness(index, [...witness])
  }
  for (const script of scripts) transaction.addOutput(script, 1_000n)
  return transaction
}
