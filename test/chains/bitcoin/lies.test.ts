import { createHash } from "node:crypto"
import { address, networks, Transaction } from "bitcoinjs-lib"
import fc from "fast-check"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { type BitcoinOptions, createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction, TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { LocalBitcoinChain } from "#sandbox/bitcoin/bitcoin-chain.ts"
import { openBitcoin } from "../local-chains.ts"
import { asVerified, btc, sampleOptions, sampleOrder, sampleQuery, wifOf } from "./sample-order.ts"
import { type EsploraProxy, json, startEsploraProxy } from "./start-esplora-proxy.ts"

const NOBODY: ReadonlySet<string> = new Set()
let local: LocalBitcoinChain
let proxies: readonly [EsploraProxy, EsploraProxy, EsploraProxy]
let liar: EsploraProxy
let serial = 100
const STRANGER = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"

// A real node on a busy machine needs longer than usual, and a test that runs on would mine the
// blocks of the next one.
vi.setConfig({ testTimeout: 180_000 })

beforeAll(async () => {
  local = await openBitcoin()
}, 120_000)
afterAll(() => local?.stop())
beforeEach(async () => {
  proxies = [
    await startEsploraProxy(local.url),
    await startEsploraProxy(local.url),
    await startEsploraProxy(local.url),
  ]
  liar = proxies[0]
})
afterEach(() => Promise.all(proxies.map((proxy) => proxy.stop())))

type Open = (servers: readonly { url: string }[], change?: Partial<BitcoinOptions>) => ChainPort

/**
 * The same wallet behind any servers. Each test has a key of its own, so that no coins of another
 * test matter.
 */
function newWallet(options: Partial<BitcoinOptions> = {}): Open {
  const key = new Secret(wifOf(serial++), "env:BITCOIN_WIF")
  return (servers, change = {}) => {
    const urls = servers.map(({ url }) => url)
    return createBitcoinChain(
      sampleOptions(urls, { key, timeoutMs: 5_000, maxFeeRate: 10, ...options, ...change }),
    )
  }
}

function depositOf(chain: ChainPort, units: bigint): VerifiedDeposit {
  const order = sampleOrder(chain.sourceExtras["delegate"] ?? "", units)
  const decoded = chain.decodeDeposit(
    { family: "bitcoin", to: order.source.swapId, units },
    order,
    btc,
  )
  expect(decoded.findings).toEqual([])
  return asVerified(decoded)
}

async function plan(
  chain: ChainPort,
  request: TransactionRequest,
  reserved: ReadonlySet<string> = NOBODY,
): Promise<TransactionPlan> {
  const planned = await chain.planTransaction(request, reserved)
  if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
  return planned
}

async function sign(chain: ChainPort, request: TransactionRequest): Promise<SignedTransaction> {
  return chain.signTransaction(await plan(chain, request))
}

/** The true sum of the inputs less the sum of the outputs, by the node itself. */
async function trueFeeOf({ raw }: SignedTransaction): Promise<bigint> {
  const transaction = Transaction.fromHex(raw)
  let units = -transaction.outs.reduce((sum, { value }) => sum + value, 0n)
  for (const { hash, index } of transaction.ins) {
    const parent = await fetch(`${local.url}/tx/${Buffer.from(hash).reverse().toString("hex")}/hex`)
    units += Transaction.fromHex(await parent.text()).outs[index]?.value ?? 0n
  }
  return units
}

async function confirmedNow(): Promise<{
  confirmed: true
  block_height: number
  block_hash: string
}> {
  const height = Number(await local.height()) - 5
  const hash = await (await fetch(`${local.url}/block-height/${height}`)).text()
  return { confirmed: true, block_height: height, block_hash: hash }
}

describe("a false spender of our input", () => {
  /** The endpoint hides our transaction, and names `spender` as confirmed. */
  async function nameSpender(
    proxy: EsploraProxy,
    ours: SignedTransaction,
    spender: string,
  ): Promise<void> {
    const status = await confirmedNow()
    proxy.lie(new RegExp(`^/tx/${ours.txid}`), { status: 404, body: "Transaction not found" })
    proxy.lie(/\/outspend\//, json({ spent: true, txid: spender, vin: 0, status }))
    proxy.lie(new RegExp(`^/tx/${spender}/status`), json(status))
    proxy.lie(new RegExp(`^/tx/${spender}$`), json({ txid: spender, vin: [], vout: [], status }))
  }

  /** Spends the same coin to a stranger, with a signature of zeros. */
  function forgeSpend({ raw }: SignedTransaction): Transaction {
    const forged = Transaction.fromHex(raw)
    forged.outs = [{ script: address.toOutputScript(STRANGER, networks.regtest), value: 1_000n }]
    const [witness = []] = forged.ins.map((input) => input.witness)
    forged.setWitness(
      0,
      witness.map((item, at) => (at === 0 ? new Uint8Array(item.length) : item)),
    )
    return forged
  }

  it.each(["p2wpkh", "p2tr"] as const)(
    "does not exclude a deposit of %s, nor lead to a second one",
    async (kind) => {
      const open = newWallet({ addressType: kind, confirmations: 1 })
      const honest = open([local])
      const deceived = open([liar])
      for (let coin = 0; coin < 4; coin++) await local.fund(honest.account, btc, 1_000_000n)
      const request = {
        action: "initiate",
        asset: btc,
        deposit: depositOf(honest, 900_000n),
      } as const
      const ours = await sign(deceived, request)
      await honest.broadcastTransaction(ours)
      const other = await local.fund(STRANGER, btc, 10_000n)
      const forged = forgeSpend(ours)
      for (const spender of ["ee".repeat(32), other, forged.getId()]) {
        liar.tellTruth()
        await nameSpender(liar, ours, spender)
        if (spender === forged.getId())
          liar.lie(new RegExp(`^/tx/${spender}/hex`), { status: 200, body: forged.toHex() })
        const seen = await deceived.observeTransaction(ours)
        expect(seen).toMatchObject({
          status: "unseen",
          doubts: [{ code: "bitcoin.spender_unproven", spender }],
        })
      }
      await local.advance(1)
      expect(await honest.observeTransaction(ours)).toMatchObject({ status: "mined", final: true })
    },
  )

  it("is no final rival although we signed it, while only one of three servers shows it in a block", async () => {
    const open = newWallet({ confirmations: 1 })
    const chain = open(proxies)
    await local.fund(chain.account, btc, 1_000_000n)
    const ours = await sign(chain, {
      action: "initiate",
      asset: btc,
      deposit: depositOf(chain, 900_000n),
    })
    await chain.broadcastTransaction(ours)
    const voiding = await sign(chain, { action: "void", voids: ours.plan })
    await nameSpender(liar, ours, voiding.txid)
    liar.lie(new RegExp(`^/tx/${voiding.txid}/hex`), { status: 200, body: voiding.raw })
    const seen = await chain.observeTransaction(ours)
    expect(seen).toMatchObject({ status: "pending", doubts: [{ code: "chain.disagreement" }] })
    expect(seen.doubts?.[0]?.["answers"]).toContain(voiding.txid)
    const alone = await open([liar]).observeTransaction(ours)
    expect(alone).toEqual({ status: "excluded", by: voiding.txid, final: true, isVoid: true })
    for (const [answer, codes] of [
      ["unproven", []],
      ["contradicted", ["chain.disagreement"]],
    ] as const) {
      const judged = await open([liar], {
        inclusion: async () => ({ status: answer }),
      }).observeTransaction(ours)
      expect(judged).toMatchObject({ status: "excluded", final: false })
      expect((judged.doubts ?? []).map(({ code }) => code)).toEqual(codes)
    }
  })
})

describe("a transaction that another machine of the treasury may have made", () => {
  it("is a void of it only with a signature of ours, and without a fee above the cap", async () => {
    const open = newWallet()
    const chain = open([local])
    await local.fund(chain.account, btc, 1_000_000n)
    const ours = await sign(chain, {
      action: "initiate",
      asset: btc,
      deposit: depositOf(chain, 900_000n),
    })
    await chain.broadcastTransaction(ours)
    liar.lie(/^\/fee-estimates/, json({ 1: 9, 2: 9 }))
    const voiding = await sign(open([liar]), { action: "void", voids: ours.plan })
    await chain.broadcastTransaction(voiding)
    await local.advance(1)
    const use = { txid: voiding.txid, action: "void", feeUnits: voiding.plan.maxFeeUnits }
    expect(await chain.uses?.readUse(voiding.txid)).toEqual(use)
    expect(await open([local], { maxFeeRate: 2 }).uses?.readUse(voiding.txid)).toEqual({
      ...use,
      feeUnits: null,
    })
    // The same bytes with a signature of another transaction have the same id.
    const forged = Transaction.fromHex(voiding.raw)
    forged.setWitness(0, Transaction.fromHex(ours.raw).ins[0]?.witness ?? [])
    expect(forged.getId()).toBe(voiding.txid)
    liar.lie(new RegExp(`^/tx/${voiding.txid}/hex`), { status: 200, body: forged.toHex() })
    expect(await open([liar]).uses?.readUse(voiding.txid)).toBeNull()
    // A wallet made no transaction that spends none of its coins.
    expect(await newWallet()([local]).uses?.readUse(voiding.txid)).toBeNull()
    expect(await chain.uses?.readUse("ab".repeat(32))).toBeNull()
  })
})

describe("a false value of a coin", () => {
  it.each(["p2wpkh", "p2tr"] as const)(
    "never makes a deposit from %s pay another fee than planned",
    async (kind) => {
      const open = newWallet({ addressType: kind, confirmations: 1 })
      const honest = open([local])
      const deceived = open([liar])
      const coins = [
        await local.fund(honest.account, btc, 15_000_000n),
        await local.fund(honest.account, btc, 15_000_000n),
      ]
      const deposit = depositOf(honest, 20_000_000n)
      const signed: SignedTransaction[] = []
      // Each round lies about another coin, so that each input would once be signed with its true
      // value.
      for (const lied of coins) {
        liar.tellTruth()
        liar.lie(/^\/address\/.*\/utxo/, (answer) => {
          const listed: { txid: string; value: number }[] = JSON.parse(answer.body)
          return json(
            listed.map((coin) => ({ ...coin, value: coin.txid === lied ? 5_100_000 : coin.value })),
          )
        })
        const ours = await sign(deceived, { action: "initiate", asset: btc, deposit })
        expect(await trueFeeOf(ours)).toBe(ours.plan.maxFeeUnits)
        expect(ours.plan.maxFeeUnits).toBeLessThan(10_000n)
        signed.push(ours)
      }
      const [ours, again] = signed
      if (ours === undefined || again === undefined) throw new Error("nothing signed")
      expect(again.raw).toBe(ours.raw)
      await honest.broadcastTransaction(ours)
      await local.advance(1)
      expect(await honest.observeTransaction(ours)).toMatchObject({
        status: "mined",
        feeUnits: await trueFeeOf(ours),
      })
    },
  )

  it("makes no deposit from coins of another wallet", async () => {
    const open = newWallet({ confirmations: 1 })
    const deceived = open([liar])
    const foreign = await local.fund(STRANGER, btc, 500_000n)
    const vout = await voutOf(foreign, STRANGER)
    liar.lie(
      /^\/address\/.*\/utxo/,
      json([{ txid: foreign, vout, value: 500_000, status: await confirmedNow() }]),
    )
    const request = {
      action: "initiate",
      asset: btc,
      deposit: depositOf(deceived, 100_000n),
    } as const
    expect(await deceived.planTransaction(request, NOBODY)).toMatchObject({
      refused: [{ code: "funds.insufficient", haveUnits: "0" }],
    })
  })

  it("does not keep the refund of a real deposit from being planned", async () => {
    const open = newWallet({ confirmations: 1 })
    const honest = open([local])
    await local.fund(honest.account, btc, 1_000_000n)
    const deposit = depositOf(honest, 900_000n)
    const paying = await sign(honest, { action: "initiate", asset: btc, deposit })
    await honest.broadcastTransaction(paying)
    await local.advance(150)
    const invented = {
      txid: "ee".repeat(32),
      vout: 0,
      value: 900_000,
      status: await confirmedNow(),
    }
    liar.lie(/^\/address\/.*\/utxo/, (answer) => json([invented, ...JSON.parse(answer.body)]))
    const refund = { action: "refund", asset: btc, deposit, swapId: deposit.htlc } as const
    expect((await plan(open([liar]), refund)).resources).toEqual([`${paying.txid}:0`])
    await proxies[2].stop()
    const refunding = await sign(open(proxies), refund)
    await honest.broadcastTransaction(refunding)
    await local.advance(1)
    expect(await honest.observeTransaction(refunding)).toMatchObject({ status: "mined" })
  })
})

async function voutOf(txid: string, payee: string): Promise<number> {
  const raw = await (await fetch(`${local.url}/tx/${txid}/hex`)).text()
  const script = Buffer.from(address.toOutputScript(payee, networks.regtest))
  return Transaction.fromHex(raw).outs.findIndex((out) => script.equals(out.script))
}

describe("a payout that one server invents", () => {
  async function openPayout(chain: ChainPort, isFunded: boolean) {
    const secret = createHash("sha256").update(`payout ${serial++}`).digest("hex")
    const secretHash = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
    const request = {
      assetId: btc,
      units: 400_000n,
      owner: chain.account,
      secretHash,
      timelock: 12,
    }
    const swap = await local.describeDestination(request)
    if (isFunded) await local.initiate(swap)
    await local.advance(1)
    const query: LegQuery = sampleQuery({
      side: "destination",
      htlc: swap.swapId,
      owner: chain.account,
      units: 400_000n,
      secretHash,
      timelock: 12n,
    })
    return { swap, secret, query }
  }

  /**
   * The endpoint names `spender` as the transaction that spends `coin`: in the list of the address,
   * or, with a list that names no inputs, when it is asked for the spender.
   */
  function nameSpender(
    place: "list" | "answer",
    coin: { readonly txid: string; readonly vout: number },
    spender: string,
    status: object,
  ): void {
    liar.lie(/^\/address\/.*\/txs/, (answer) => {
      // CAST: the shapes of Esplora, from our own server.
      const known = (JSON.parse(answer.body) as Record<string, unknown>[]).filter(
        ({ txid }) => txid !== spender,
      )
      const listed = place === "list" ? [{ txid: spender, vin: [coin], status }, ...known] : known
      return json(place === "list" ? listed : listed.map(({ vin: _inputs, ...entry }) => entry))
    })
    if (place === "answer")
      liar.lie(/\/outspend\//, json({ spent: true, txid: spender, vin: 0, status }))
    liar.lie(new RegExp(`^/tx/${spender}/status`), json(status))
  }

  it.each(["list", "answer"] as const)(
    "is not believed from its %s without the signature of the HTLC's key",
    async (place) => {
      const chain = newWallet({ confirmations: 1 })([liar])
      const { query, secret } = await openPayout(chain, true)
      const funding = (await chain.observeLeg(query)).initiated?.txid ?? ""
      const forged = new Transaction()
      forged.version = 2
      const vout = await voutOf(funding, query.htlc ?? "")
      forged.addInput(Uint8Array.from(Buffer.from(funding, "hex").reverse()), vout)
      forged.addOutput(address.toOutputScript(chain.account, networks.regtest), 400_000n)
      forged.setWitness(0, [
        new Uint8Array(64),
        Uint8Array.from(Buffer.from(secret, "hex")),
        new Uint8Array(70),
      ])
      nameSpender(place, { txid: funding, vout }, forged.getId(), await confirmedNow())
      liar.lie(new RegExp(`^/tx/${forged.getId()}/hex`), { status: 200, body: forged.toHex() })
      const leg = await chain.observeLeg(query)
      expect(leg).toMatchObject({ initiated: { txid: funding }, redeemed: null, refunded: null })
      expect(leg.doubts).toMatchObject([
        { code: "bitcoin.spender_unproven", spender: forged.getId() },
      ])
    },
  )

  it.each(["list", "answer"] as const)(
    "is never final from one server's %s, although the service signed it",
    async (place) => {
      const open = newWallet({ confirmations: 1 })
      const chain = open(proxies)
      const { query, swap, secret } = await openPayout(chain, true)
      const funding = (await chain.observeLeg(query)).initiated?.txid ?? ""
      const vout = await voutOf(funding, query.htlc ?? "")
      const redeemTx = await local.redeem(swap, secret)
      nameSpender(place, { txid: funding, vout }, redeemTx, await confirmedNow())
      const leg = await chain.observeLeg(query)
      expect(leg.redeemed).toBeNull()
      expect(leg.doubts).toMatchObject([{ code: "chain.disagreement" }])
      const pair = await open(proxies.slice(0, 2)).observeLeg(query)
      expect(pair).toMatchObject({
        agreed: false,
        redeemed: { final: false, seen: false, revealable: false },
      })
      await local.advance(1)
      liar.tellTruth()
      expect(await chain.observeLeg(query)).toMatchObject({
        redeemed: { final: true, paidUnits: 400_000n, secret },
      })
    },
  )

  it("is not completed by a raised amount in the address history", async () => {
    const chain = newWallet({ confirmations: 1 })([liar])
    const { query } = await openPayout(chain, true)
    liar.lie(/^\/address\//, (answer) => ({
      ...answer,
      body: answer.body.replaceAll("400000", "999999999"),
    }))
    expect(await chain.observeLeg(query)).toMatchObject({ initiated: { units: 400_000n } })
  })
})

describe("a proof that an order has no deposit", () => {
  async function openVoided(open: Open) {
    const chain = open([local])
    await local.fund(chain.account, btc, 1_000_000n)
    const deposit = depositOf(chain, 900_000n)
    const ours = await sign(chain, { action: "initiate", asset: btc, deposit })
    const voiding = await sign(chain, { action: "void", voids: ours.plan })
    const query = sampleQuery({ htlc: deposit.htlc, owner: chain.account, units: 900_000n })
    return { chain, ours, voiding, query: { ...query, signed: [ours, voiding] } }
  }

  it("needs a final rival among the inputs of each signed deposit, and names it", async () => {
    const open = newWallet({ confirmations: 2 })
    const { chain, ours, voiding, query } = await openVoided(open)
    const codesOf = async () => {
      const proof = await chain.proveUnfunded(query)
      return proof.status === "unsure" ? proof.reasons.map(({ code }) => code) : proof
    }
    expect(await codesOf()).toEqual(["bitcoin.deposit_open"])
    await chain.broadcastTransaction(ours)
    expect(await codesOf()).toEqual(["bitcoin.deposit_pending"])
    await chain.broadcastTransaction(voiding)
    expect(await codesOf()).toEqual(["bitcoin.deposit_open"])
    await local.advance(1)
    expect(await codesOf()).toEqual(["bitcoin.deposit_open"])
    await local.advance(1)
    expect(await codesOf()).toEqual({
      status: "unfunded",
      height: await local.height(),
      rivals: [voiding.txid],
    })
  })

  it("is not given by one server that hides a deposit, nor refused because of a stranger's dust", async () => {
    const open = newWallet({ confirmations: 1 })
    const { chain, ours, query } = await openVoided(open)
    await chain.broadcastTransaction(ours)
    await local.advance(2)
    expect(await chain.proveUnfunded(query)).toEqual({ status: "funded" })
    liar.lie(/^\/address\//, json([]))
    expect(await open(proxies).proveUnfunded(query)).toEqual({ status: "funded" })
    expect(await open(proxies.slice(0, 2)).proveUnfunded(query)).toMatchObject({
      status: "unsure",
      reasons: [{ code: "chain.disagreement" }],
    })
    const dusty = await openVoided(newWallet({ confirmations: 1 }))
    await dusty.chain.broadcastTransaction(dusty.voiding)
    await local.fund(dusty.query.htlc ?? "", btc, 1_000n)
    await local.advance(1)
    expect(await dusty.chain.proveUnfunded(dusty.query)).toMatchObject({ status: "unfunded" })
  })

  it("waits while too few servers answer", async () => {
    const open = newWallet({ confirmations: 1 })
    const { chain, voiding, query } = await openVoided(open)
    await chain.broadcastTransaction(voiding)
    await local.advance(1)
    await liar.stop()
    expect(await open(proxies.slice(0, 2)).proveUnfunded(query)).toMatchObject({
      status: "unsure",
      reasons: [{ code: "chain.agreement_short" }],
    })
    expect(await open(proxies).proveUnfunded(query)).toMatchObject({
      status: "unfunded",
      rivals: [voiding.txid],
    })
  })
})

describe("one server of three that changes any value of any answer", () => {
  it("changes no fact, and its lies are doubts at most", async () => {
    const open = newWallet({ confirmations: 1, addressType: "p2tr" })
    const honest = open([local])
    for (const units of [1_000_000n, 1_200_000n]) await local.fund(honest.account, btc, units)
    const deposit = depositOf(honest, 900_000n)
    const ours = await sign(honest, { action: "initiate", asset: btc, deposit })
    await honest.broadcastTransaction(ours)
    const voiding = await sign(honest, { action: "void", voids: ours.plan })
    await local.advance(1)
    const query = sampleQuery({ htlc: deposit.htlc, owner: honest.account, units: 900_000n })
    const readAll = async (chain: ChainPort) => ({
      height: await chain.fetchHeight(),
      balance: await chain.fetchBalance(btc, NOBODY),
      deposit: withoutDoubts(await chain.observeTransaction(ours)),
      void: withoutDoubts(await chain.observeTransaction(voiding)),
      leg: withoutDoubts(await chain.observeLeg(query)),
      proof: await chain.proveUnfunded({ ...query, signed: [ours, voiding] }),
    })
    const truth = await readAll(honest)
    expect(truth).toMatchObject({
      deposit: { status: "mined" },
      void: { status: "excluded", by: ours.txid },
    })
    const values = [
      null,
      0,
      1,
      -1,
      2 ** 40,
      true,
      false,
      "",
      "00".repeat(32),
      ours.txid,
      voiding.txid,
      [],
      {},
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PATHS),
        fc.nat(40),
        fc.constantFrom(...values),
        async (path, at, value) => {
          liar.tellTruth()
          liar.lie(path, (answer) => ({ ...answer, body: replaceValue(answer.body, at, value) }))
          expect(await readAll(open(proxies))).toEqual(truth)
        },
      ),
      { numRuns: 40 },
    )
  })
})

const PATHS = [
  /tip\/height/,
  /block-height/,
  /\/status/,
  /\/hex/,
  /outspend/,
  /\/utxo/,
  /\/txs/,
  /./,
]

function withoutDoubts<T extends { readonly doubts?: unknown }>({ doubts: _doubts, ...rest }: T) {
  return rest
}

/**
 * Replaces one value of a JSON text, counted in order of appearance; a text that is no JSON becomes
 * the value.
 */
function replaceValue(text: string, at: number, value: unknown): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return String(value)
  }
  let left = at
  return JSON.stringify(parsed, (_key, item: unknown) => (left-- === 0 ? value : item))
}

describe("honest servers one block apart behind one address", () => {
  it.each([1, 2, 3])(
    "never exclude our deposit, nor contradict each other, at %d confirmations",
    async (confirmations) => {
      const open = newWallet({ confirmations })
      await local.fund(open([local]).account, btc, 1_000_000n)
      const ours = await sign(open([local]), {
        action: "initiate",
        asset: btc,
        deposit: depositOf(open([local]), 900_000n),
      })
      const query = sampleQuery({ htlc: depositOf(open([local]), 900_000n).htlc, units: 900_000n })
      for (const [index, proxy] of proxies.entries())
        proxy.setBackend(index === 0 ? "alternating" : "newest")
      proxies[1].setBackend("behind")
      const groups = [proxies.slice(0, 1), proxies.slice(0, 2), proxies].map((servers) =>
        open(servers),
      )
      for (let block = 0; block < 4; block++) {
        const depth = block
        for (const chain of groups) {
          for (let round = 0; round < 3; round++) {
            const seen = await calm(() => chain.observeTransaction(ours))
            const leg = await calm(() => chain.observeLeg(query))
            expect(["unseen", "pending", "mined", undefined]).toContain(seen?.status)
            if (seen?.status === "mined" && seen.final)
              expect(depth).toBeGreaterThanOrEqual(confirmations)
            if (leg?.initiated?.final) expect(depth).toBeGreaterThanOrEqual(confirmations)
            const doubts = [...(seen?.doubts ?? []), ...(leg?.doubts ?? [])].map(({ code }) => code)
            expect(doubts.filter((code) => code !== "chain.agreement_short")).toEqual([])
            const proof = await calm(() => chain.proveUnfunded({ ...query, signed: [ours] }))
            expect(proof?.status).not.toBe("unfunded")
          }
        }
        if (block === 0) await open([local]).broadcastTransaction(ours)
        await local.advance(1)
      }
    },
  )
})

/** A read of servers that change their mind may fail, and only as transient. */
async function calm<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    expect(error).toMatchObject({ disposition: "transient" })
    return undefined
  }
}
