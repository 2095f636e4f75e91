import { createServer, type Server } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type BitcoinOptions, createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import { GENESIS } from "#chains/bitcoin/nodes/genesis.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { headerOf, MAIN } from "../../../chains/bitcoin/proof/main-network.ts"
import { btc, sampleOptions } from "../../../chains/bitcoin/sample-order.ts"
import { listen, stopServer } from "../../../support/listen.ts"

/*
 * A server that shows a real transaction of the main network in its real block, with its real
 * Merkle branch, and no headers up to there.
 */

const real = mustExist(MAIN.inclusions[0], "an inclusion")
const blockHash = headerOf({ raw: real.header }).hash
const place = { confirmed: true, block_height: real.height, block_hash: blockHash }
const PREFIX = "/api"
const TIP = real.height + 99
const ANSWERS: Readonly<Record<string, unknown>> = {
  "/block-height/0": GENESIS.mainnet,
  "/blocks/tip/height": TIP,
  [`/block-height/${real.height}`]: blockHash,
  [`/tx/${real.txid}/status`]: place,
  [`/tx/${real.txid}/hex`]: real.raw,
  [`/tx/${real.txid}/merkle-proof`]: {
    block_height: real.height,
    merkle: real.siblings,
    pos: real.position,
  },
}
let server: Server
let url: string
const asked: string[] = []

beforeAll(async () => {
  server = createServer((incoming, response) => {
    const path = (incoming.url ?? "").slice(PREFIX.length)
    asked.push(path)
    const answer = ANSWERS[path]
    response.writeHead(answer === undefined ? 404 : 200)
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer ?? "not found"))
  })
  url = `${(await listen(server)).url}${PREFIX}`
})
afterAll(() => stopServer(server))

/**
 * The published WIF example of the main network (Bitcoin wiki, "Wallet import format"), which holds
 * nothing.
 */
const KEY = new Secret("KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617", "env:BITCOIN_WIF")

function open(change: Partial<BitcoinOptions> = {}) {
  const options = {
    ...sampleOptions([url], { key: KEY }),
    network: "mainnet" as const,
    confirmations: 1,
    ...change,
  }
  return createBitcoinChain(options)
}

const ours: SignedTransaction = {
  txid: real.txid,
  raw: real.raw,
  plan: {
    chain: btc.slice(0, btc.indexOf(":")) as never,
    account: "",
    action: "initiate",
    attempt: 0,
    unsigned: "",
    digest: "",
    resources: [],
    spends: [{ asset: btc, units: 50_000n }],
    maxFeeUnits: 1_000n,
    fromHeight: 0n,
    expiresAtHeight: null,
  },
}

test("a real transaction in a real block is not final before the headers up to it are proven", async () => {
  const found = await open().observeTransaction(ours)
  expect(found).toMatchObject({ status: "mined", confirmations: 100, final: false })
  expect(asked.some((path) => /^\/blocks\/93\d{4}$/.test(path))).toBe(true)
  // The check can pass: with proven headers the same answers are final.
  const proven = open({ inclusion: async () => ({ status: "proven", confirmations: 100 }) })
  expect(await proven.observeTransaction(ours)).toMatchObject({ status: "mined", final: true })
})

test("a block that the proven headers contradict is an alarm, and nothing is final or seen by it", async () => {
  const contradicting = open({ inclusion: async () => ({ status: "contradicted" }) })
  expect(await contradicting.observeTransaction(ours)).toMatchObject({
    status: "mined",
    seen: false,
    final: false,
    doubts: [{ code: "chain.disagreement", txid: real.txid }],
  })
})
