import { createHash, randomBytes } from "node:crypto"
import { networks, payments } from "bitcoinjs-lib"
import { request } from "undici"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import type { LocalBitcoinChain } from "../../../../src/lab/sandbox/bitcoin/bitcoin-chain.ts"
import { openBitcoin } from "../../local-chains.ts"

const ASSET = "bitcoin_testnet:btc"
let chain: LocalBitcoinChain

// A test takes seconds at most, but a real node on a busy machine needs a longer timeout.
vi.setConfig({ testTimeout: 30_000 })

beforeAll(async () => {
  chain = await openBitcoin()
}, 300_000)

afterAll(() => chain?.stop(), 30_000)

async function ask(path: string, body?: string): Promise<{ status: number; text: string }> {
  const answer = await request(
    `${chain.url}${path}`,
    body === undefined ? {} : { method: "POST", body },
  )
  return { status: answer.statusCode, text: await answer.body.text() }
}

async function askJson(path: string): Promise<unknown> {
  const { status, text } = await ask(path)
  expect(status, text).toBe(200)
  return JSON.parse(text)
}

function someWallet(): { address: string; output: string } {
  const { address = "", output = new Uint8Array() } = payments.p2wpkh({
    hash: randomBytes(20),
    network: networks.regtest,
  })
  return { address, output: Buffer.from(output).toString("hex") }
}

/** Leaves a payment in the mempool: the solver funds a destination swap, and no block follows. */
async function payAndWait(units: bigint): Promise<{ txid: string; address: string }> {
  const request = {
    assetId: ASSET,
    units,
    owner: someWallet().address,
    secretHash: randomBytes(32).toString("hex"),
    timelock: 12,
  }
  const swap = await chain.describeDestination(request)
  return { txid: await chain.initiate(swap), address: swap.swapId }
}

test("answers the tip by height and hash, and blocks by both", async () => {
  const height = Number((await ask("/blocks/tip/height")).text)
  const hash = (await ask("/blocks/tip/hash")).text
  expect(height).toBe(Number(await chain.height()))
  expect((await ask(`/block-height/${height}`)).text).toBe(hash)
  expect(await askJson(`/block/${hash}`)).toEqual({
    id: hash,
    height,
    version: expect.any(Number),
    timestamp: expect.any(Number),
    tx_count: 1,
    size: expect.any(Number),
    weight: expect.any(Number),
    merkle_root: expect.stringMatching(/^[0-9a-f]{64}$/),
    previousblockhash: (await ask(`/block-height/${height - 1}`)).text,
    mediantime: expect.any(Number),
    nonce: expect.any(Number),
    bits: 0x207fffff,
    difficulty: 4.6565423739069247e-10,
  })
  expect(await ask(`/block-height/${height + 1}`)).toEqual({ status: 404, text: "Block not found" })
  expect(await ask(`/block/${"00".repeat(32)}`)).toEqual({ status: 404, text: "Block not found" })
})

test("answers a confirmed payment with previous outputs, witness, fee, weight and status", async () => {
  const { address, output } = someWallet()
  const txid = await chain.fund(address, ASSET, 123_456n)
  const height = Number(await chain.height())
  const status = {
    confirmed: true,
    block_height: height,
    block_hash: (await ask(`/block-height/${height}`)).text,
    block_time: expect.any(Number),
  }
  const signature = expect.stringMatching(/^30[0-9a-f]+$/)
  // CAST: the expectations below check the shape.
  const tx = (await askJson(`/tx/${txid}`)) as {
    vin: { prevout: { value: number } }[]
    vout: { value: number; scriptpubkey_address: string }[]
    weight: number
    fee: number
  }
  expect(tx).toMatchObject({
    txid,
    version: 2,
    status,
    size: expect.any(Number),
    locktime: expect.any(Number),
  })
  expect(tx.vin[0]).toEqual({
    txid: expect.stringMatching(/^[0-9a-f]{64}$/),
    vout: expect.any(Number),
    prevout: {
      scriptpubkey: expect.stringMatching(/^0014[0-9a-f]{40}$/),
      scriptpubkey_asm: expect.stringMatching(/^OP_0 OP_PUSHBYTES_20 [0-9a-f]{40}$/),
      scriptpubkey_type: "v0_p2wpkh",
      scriptpubkey_address: expect.stringMatching(/^bcrt1q/),
      value: expect.any(Number),
    },
    scriptsig: "",
    scriptsig_asm: "",
    witness: [signature, expect.stringMatching(/^0[23][0-9a-f]{64}$/)],
    is_coinbase: false,
    sequence: expect.any(Number),
  })
  expect(tx.vout.find((out) => out.scriptpubkey_address === address)).toEqual({
    scriptpubkey: output,
    scriptpubkey_asm: `OP_0 OP_PUSHBYTES_20 ${output.slice(4)}`,
    scriptpubkey_type: "v0_p2wpkh",
    scriptpubkey_address: address,
    value: 123_456,
  })
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
  expect(tx.fee).toBe(
    sum(tx.vin.map((vin) => vin.prevout.value)) - sum(tx.vout.map((vout) => vout.value)),
  )
  expect(tx.fee).toBeGreaterThanOrEqual(tx.weight / 4)
  expect(await askJson(`/tx/${txid}/status`)).toEqual(status)
})

test("answers the sums, the unspent outputs and the paged history of an address", async () => {
  const { address } = someWallet()
  const txids: string[] = []
  for (let at = 0; at < 27; at++)
    txids.unshift(await chain.fund(address, ASSET, 10_000n + BigInt(at)))
  const none = {
    funded_txo_count: 0,
    funded_txo_sum: 0,
    spent_txo_count: 0,
    spent_txo_sum: 0,
    tx_count: 0,
  }
  expect(await askJson(`/address/${address}`)).toEqual({
    address,
    chain_stats: { ...none, funded_txo_count: 27, funded_txo_sum: 270_351, tx_count: 27 },
    mempool_stats: none,
  })
  // CAST: only the ids are compared.
  const idsOf = async (path: string) =>
    ((await askJson(path)) as { txid: string }[]).map(({ txid }) => txid)
  expect(await idsOf(`/address/${address}/txs`)).toEqual(txids.slice(0, 25))
  expect(await idsOf(`/address/${address}/txs/chain`)).toEqual(txids.slice(0, 25))
  expect(await idsOf(`/address/${address}/txs/chain/${txids[24]}`)).toEqual(txids.slice(25))
  expect(await idsOf(`/address/${address}/txs/chain/${txids[26]}`)).toEqual([])
  expect(await idsOf(`/address/${address}/txs/mempool`)).toEqual([])
  expect(await idsOf(`/address/${address}/utxo`)).toEqual(txids)
  const unspent = await askJson(`/address/${address}/utxo`)
  expect(unspent).toContainEqual({
    txid: txids[0],
    vout: expect.any(Number),
    status: expect.objectContaining({
      confirmed: true,
      block_height: Number(await chain.height()),
    }),
    value: 10_026,
  })
}, 30_000)

test("answers an unconfirmed payment in the mempool endpoints, and the spends of outputs", async () => {
  const { txid, address } = await payAndWait(77_000n)
  expect(await askJson(`/tx/${txid}/status`)).toEqual({ confirmed: false })
  expect(await askJson(`/address/${address}/txs/mempool`)).toMatchObject([
    { txid, status: { confirmed: false } },
  ])
  expect(await askJson(`/address/${address}/txs/chain`)).toEqual([])
  expect(await askJson(`/address/${address}/utxo`)).toMatchObject([
    { txid, value: 77_000, status: { confirmed: false } },
  ])
  expect(await askJson(`/address/${address}`)).toMatchObject({
    mempool_stats: { funded_txo_count: 1, funded_txo_sum: 77_000, tx_count: 1 },
  })
  expect(await askJson("/mempool")).toMatchObject({
    count: 1,
    vsize: expect.any(Number),
    total_fee: expect.any(Number),
  })

  // CAST: only the input is needed.
  const [spent] = ((await askJson(`/tx/${txid}`)) as { vin: { txid: string; vout: number }[] }).vin
  const by = { spent: true, txid, vin: 0, status: { confirmed: false } }
  expect(await askJson(`/tx/${spent?.txid}/outspend/${spent?.vout}`)).toEqual(by)
  expect(await askJson(`/tx/${spent?.txid}/outspends`)).toContainEqual(by)
  expect(await askJson(`/tx/${txid}/outspend/0`)).toEqual({ spent: false })
  await chain.advance(1)
  expect(await askJson(`/tx/${spent?.txid}/outspend/${spent?.vout}`)).toMatchObject({
    status: { confirmed: true },
  })
  expect(await askJson("/mempool")).toEqual({ count: 0, vsize: 0, total_fee: 0, fee_histogram: [] })
})

test("answers requests for unknown objects as electrs does", async () => {
  const unknown = "ab".repeat(32)
  expect(await ask(`/tx/${unknown}`)).toEqual({ status: 404, text: "Transaction not found" })
  expect(await ask(`/tx/${unknown}/hex`)).toEqual({ status: 404, text: "Transaction not found" })
  expect(await ask(`/tx/${unknown}/outspends`)).toEqual({
    status: 404,
    text: "Transaction not found",
  })
  expect(await askJson(`/tx/${unknown}/status`)).toEqual({ confirmed: false })
  expect(await askJson(`/tx/${unknown}/outspend/1`)).toEqual({ spent: false })
  expect(await ask("/tx/xyz")).toEqual({ status: 400, text: "Invalid hex string" })
  expect(await ask("/address/bc1nonsense/utxo")).toEqual({
    status: 400,
    text: "Invalid Bitcoin address",
  })
  expect((await ask("/nothing/here")).status).toBe(404)
})

test("accepts a raw transaction, and reports the node's refusals", async () => {
  const { txid } = await payAndWait(55_000n)
  const { text: hex } = await ask(`/tx/${txid}/hex`)
  expect(await ask("/tx", hex)).toEqual({ status: 200, text: txid })
  await chain.advance(1)
  expect(await ask("/tx", hex)).toEqual({
    status: 400,
    text:
      'sendrawtransaction RPC error: {"code":-27,"message":"Transaction outputs already in ' +
      'utxo set"}',
  })
  expect(await ask("/tx", "zz")).toEqual({
    status: 400,
    text:
      'sendrawtransaction RPC error: {"code":-22,"message":"TX decode failed. Make sure the tx ' +
      'has at least one input."}',
  })
})

test("proves by header and Merkle path that a block contains a transaction", async () => {
  const txids = await Promise.all(
    [11_000n, 12_000n, 13_000n, 14_000n].map(async (units) => (await payAndWait(units)).txid),
  )
  await chain.advance(1)
  const height = Number(await chain.height())
  const { text: hash } = await ask(`/block-height/${height}`)
  const { text: header } = await ask(`/block/${hash}/header`)
  expect(header).toMatch(/^[0-9a-f]{160}$/)
  expect(flip(sha256d(Buffer.from(header, "hex")))).toBe(hash)
  const root = Buffer.from(header, "hex").subarray(36, 68)
  const inBlock = await askJson(`/block/${hash}/txids`)
  const raw = await request(`${chain.url}/block/${hash}/raw`)
  expect(Buffer.from(await raw.body.arrayBuffer()).toString("hex", 0, 80)).toBe(header)
  expect(inBlock).toEqual(expect.arrayContaining(txids))
  for (const txid of txids) {
    // CAST: the comparison with the root checks the content.
    const proof = (await askJson(`/tx/${txid}/merkle-proof`)) as {
      block_height: number
      merkle: string[]
      pos: number
    }
    expect(proof.block_height).toBe(height)
    const top = proof.merkle.reduce<Buffer>((node, sibling, level) => {
      const other = Buffer.from(sibling, "hex").reverse()
      return sha256d(Buffer.concat((proof.pos >> level) & 1 ? [other, node] : [node, other]))
    }, Buffer.from(txid, "hex").reverse())
    expect(top.equals(root)).toBe(true)
  }
  // CAST: only ids and heights are compared.
  const newest = (await askJson("/blocks")) as { id: string; height: number }[]
  expect(newest).toHaveLength(10)
  expect(newest[0]).toMatchObject({ id: hash, height })
  expect(await askJson(`/blocks/${height}`)).toEqual(newest)
  expect(await askJson("/blocks/1")).toMatchObject([{ height: 1 }, { height: 0 }])
})

test("answers a raw transaction as bytes", async () => {
  const { txid } = await payAndWait(56_000n)
  const raw = Buffer.from(await (await fetch(`${chain.url}/tx/${txid}/raw`)).arrayBuffer())
  expect(raw.toString("hex")).toBe((await ask(`/tx/${txid}/hex`)).text)
  expect(await ask(`/tx/${txid}/merkle-proof`)).toMatchObject({ status: 404 })
  await chain.advance(1)
})

function sha256d(bytes: Uint8Array): Buffer {
  const once = createHash("sha256").update(bytes).digest()
  return createHash("sha256").update(once).digest()
}

function flip(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString("hex")
}

test("answers a fee rate for each of Esplora's targets", async () => {
  const estimates = await askJson("/fee-estimates")
  expect(estimates).toMatchObject({ 1: 3, 6: 2, 25: 1, 144: 1, 504: 1, 1008: 1 })
})

test("updates blocks, statuses, coins and spends after a reorganisation", async () => {
  await chain.advance(1)
  const { address } = someWallet()
  const txid = await chain.fund(address, ASSET, 31_000n)
  const height = Number(await chain.height())
  const { text: oldTip } = await ask("/blocks/tip/hash")
  // CAST: only the input is needed.
  const [spent] = ((await askJson(`/tx/${txid}`)) as { vin: { txid: string; vout: number }[] }).vin
  await chain.reorg(2)
  expect((await ask("/blocks/tip/height")).text).toBe(String(height + 1))
  expect((await ask(`/block-height/${height}`)).text).not.toBe(oldTip)
  expect(await ask(`/block/${oldTip}`)).toEqual({ status: 404, text: "Block not found" })
  expect(await askJson(`/tx/${txid}/status`)).toEqual({ confirmed: false })
  expect(await askJson(`/address/${address}/utxo`)).toMatchObject([
    { txid, status: { confirmed: false } },
  ])
  expect(await askJson(`/tx/${spent?.txid}/outspend/${spent?.vout}`)).toMatchObject({
    status: { confirmed: false },
  })
  await chain.advance(1)
  expect(await askJson(`/tx/${txid}/status`)).toMatchObject({
    confirmed: true,
    block_height: height + 2,
  })
})
