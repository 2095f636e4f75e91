import { base58 } from "@scure/base"
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import { listSignedTransactions } from "#chains/solana/legs/list-signed-transactions.ts"
import type { FoundTransaction, NodeView } from "#chains/solana/node.ts"
import { endpointsOf } from "../../../support/solana-endpoints.ts"

const US = Keypair.generate()
const STRANGER = Keypair.generate()
/** The newest final slot, and how many newer ones there are. */
const NEWEST = 1_000n
const UNFINAL = 32n

/** A payment by one key to another, signed by web3.js. */
function payment(
  from: Keypair,
  to: Keypair,
  lamports: number,
): { readonly txid: string; readonly bytes: Buffer } {
  const call = SystemProgram.transfer({
    fromPubkey: from.publicKey,
    toPubkey: to.publicKey,
    lamports,
  })
  const parts = {
    payerKey: from.publicKey,
    recentBlockhash: STRANGER.publicKey.toBase58(),
    instructions: [call],
  }
  const transaction = new VersionedTransaction(
    new TransactionMessage(parts).compileToLegacyMessage(),
  )
  transaction.sign([from])
  return {
    txid: base58.encode(transaction.signatures[0] ?? new Uint8Array()),
    bytes: Buffer.from(transaction.serialize()),
  }
}

const OURS = payment(US, STRANGER, 1)
const THEIRS = payment(STRANGER, US, 2)

type Listed = { readonly txid: string; readonly bytes: Buffer; readonly slot: bigint }

/** One node for each list, newest first. */
async function list(
  lists: readonly (readonly Listed[])[],
  since: bigint | null,
  known: readonly string[] = [],
) {
  const asked: string[] = []
  const nodes = lists.map((listed) => ({ commitment }: NodeView) => ({
    fetchSlot: async () => (commitment === "finalized" ? NEWEST : NEWEST + UNFINAL),
    findSignatures: async (_address: string, before: string | null) => {
      const from = before === null ? 0 : listed.findIndex(({ txid }) => txid === before) + 1
      return listed
        .slice(from, from + 1_000)
        .map(({ txid, slot }) => ({ signature: txid, slot, err: null }))
    },
    fetchTransaction: async (txid: string) => {
      asked.push(txid)
      const found = listed.find((one) => one.txid === txid)
      // CAST: only the bytes are read.
      return found === undefined
        ? null
        : ({ slot: found.slot, transaction: found.bytes } as unknown as FoundTransaction)
    },
  }))
  const mark = since === null ? null : since.toString()
  const uses = await listSignedTransactions(
    endpointsOf(nodes),
    US.publicKey.toBase58(),
    mark,
    (txid) => known.includes(txid),
  )
  return { mark: uses.mark, used: uses.used.map(({ txid }) => txid), asked }
}

describe("the transactions that our key signed", () => {
  const both = [
    { ...OURS, slot: 900n },
    { ...THEIRS, slot: 800n },
  ]

  it("start at the first look, and count once", async () => {
    // A transaction before the first look may become final after it.
    expect(await list([both], null)).toEqual({ mark: "1032", used: [], asked: [] })
    expect(await list([both], 1_032n)).toEqual({ mark: "1032", used: [], asked: [] })
    expect(await list([both], 700n)).toMatchObject({ mark: "1000", used: [OURS.txid] })
    expect(await list([both], 900n)).toMatchObject({ mark: "1000", used: [] })
    expect(await list([both], 1_000n), "a node that is behind moves no mark").toMatchObject({
      mark: "1000",
      used: [],
    })
  })

  it("are found by one endpoint of two, and a known one is not even read", async () => {
    expect((await list([[], both], 700n)).used).toEqual([OURS.txid])
    expect(await list([both], 700n, [OURS.txid])).toMatchObject({ used: [], asked: [THEIRS.txid] })
  })

  it("must carry our signature: an endpoint cannot make one up", async () => {
    const forged = Buffer.from(OURS.bytes)
    forged[1] = (forged[1] ?? 0) ^ 1
    const invented = { txid: base58.encode(forged.subarray(1, 65)), bytes: forged, slot: 900n }
    await expect(list([[invented]], 700n)).rejects.toMatchObject({ code: "solana.nonsense" })
    await expect(list([[{ ...THEIRS, txid: OURS.txid, slot: 900n }]], 700n)).rejects.toMatchObject({
      code: "solana.nonsense",
    })
  })

  it("among many that name our account are read over several looks, oldest first", async () => {
    const flood = Array.from({ length: 250 }, (_, index) => ({
      ...payment(STRANGER, US, index + 10),
      slot: 950n - BigInt(index),
    }))
    const listed = [...flood, { ...OURS, slot: 600n }]
    const first = await list([listed], 500n)
    expect(first.used).toEqual([OURS.txid])
    expect(first.asked).toHaveLength(200)
    const second = await list([listed], BigInt(first.mark ?? 0))
    expect(second).toMatchObject({ mark: "1000", used: [] })
    expect(second.asked).toHaveLength(51)
  })
})
