import { describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import type { SignedTransaction, TransactionRequest } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { accountOf, createFakeChain } from "../../support/fake-chain.ts"
import { createFakeLedger, type FakeLedger } from "../../support/fake-ledger.ts"
import { ARB, ASSETS } from "../../support/fake-world.ts"
import { ledgerAt } from "../../support/ledger-view.ts"
import { FAMILY_RULES, type ReadRules } from "./ask-endpoints.ts"
import { createEndpoints } from "./endpoints.ts"
import type { ChainNodes } from "./infrastructure.ts"
import { createLaggingLedger, type LaggingLedger } from "./lagging-ledger.ts"
import { createColludingEndpoint } from "./lying-endpoint.ts"
import { createRandom } from "./random.ts"
import { createReadLayer } from "./read-layer.ts"

const CHAIN = chainOf(ARB)
const DEPTHS = { seen: 1, ending: 2 }
const QUERY: LegQuery = {
  side: "source",
  asset: ARB,
  htlc: null,
  secretHash: "ab",
  units: 500n,
  owner: accountOf(CHAIN),
  redeemer: null,
  initiator: accountOf(CHAIN),
  timelock: null,
  hints: { initiateTx: null, redeemTx: null, refundTx: null },
  fromHeight: 0n,
}

type Setting = {
  readonly endpoints: number
  readonly needed: number
  readonly liesShare?: number
  readonly prunedAfter?: number
  readonly dead?: readonly number[]
  readonly rules?: ReadRules
}

type Chain = {
  readonly port: ChainPort
  readonly ledger: FakeLedger
  readonly nodes: readonly LaggingLedger[]
}

function createChain({
  endpoints,
  needed,
  liesShare = 0,
  prunedAfter,
  dead = [],
  rules = FAMILY_RULES,
}: Setting): Chain {
  const ledger = createFakeLedger("account", ARB, { balances: { [ARB]: 10_000n }, outpoints: [] })
  const nodes = Array.from({ length: endpoints }, () => createLaggingLedger(ledger))
  const portOn = (on: FakeLedger): ChainPort =>
    createFakeChain({
      chain: CHAIN,
      ledger: on,
      assets: ASSETS,
      signatures: [],
      confirmations: DEPTHS.ending,
      seenDepth: DEPTHS.seen,
    })
  const random = createRandom(1)
  const drawn: ChainNodes = {
    ...DEPTHS,
    endpoints,
    needed,
    isBalanced: false,
    liesShare,
    prunedAfter: prunedAfter ?? null,
  }
  const set = createEndpoints({
    chain: CHAIN,
    nodes: drawn,
    ledgers: nodes,
    random,
    draws: () => false,
    now: () => 0,
    mayLie: () => true,
    deadUntilMs: new Map(dead.map((index) => [`${CHAIN}-${index}`, 1])),
    portAt: (view, _index, isLying) => {
      const honest = portOn(ledgerAt(ledger, view))
      return isLying
        ? createColludingEndpoint(honest, { random, countLie: () => {}, isSteady: false })
        : honest
    },
  })
  return {
    port: createReadLayer({ endpoints: set, needed, rules, local: portOn(ledger) }),
    ledger,
    nodes,
  }
}

async function signDeposit({ port }: Chain): Promise<SignedTransaction> {
  const deposit = {
    secretHash: "ab",
    units: 500n,
    timelock: 50n,
    refundTo: accountOf(CHAIN),
    redeemer: "solver",
    asset: ARB,
  }
  // CAST: the fields of a deposit that the fake chain reads.
  const request = { action: "initiate", asset: ARB, deposit } as unknown as TransactionRequest
  const plan = await port.planTransaction(request, new Set())
  if ("refused" in plan) throw new Error("the fake chain refused the deposit")
  return port.signTransaction(plan)
}

function mine({ ledger }: Chain, blocks: number): void {
  for (let count = 0; count < blocks; count++) ledger.mine()
}

describe("a chain with several endpoints", () => {
  test("believes two honest endpoints against one that lies", async () => {
    const chain = createChain({ endpoints: 3, needed: 2, liesShare: 1 })
    const deposit = await signDeposit(chain)
    await chain.port.broadcastTransaction(deposit)
    mine(chain, 3)
    for (let count = 0; count < 20; count++) {
      expect(await chain.port.observeTransaction(deposit)).toMatchObject({
        status: "mined",
        ok: true,
        final: true,
      })
      expect(await chain.port.observeLeg(QUERY)).toMatchObject({
        agreed: true,
        redeemed: null,
        initiated: { units: 500n },
      })
      expect(await chain.port.fetchBalance(ARB, new Set())).toMatchObject({ units: 9_490n })
      expect(await chain.port.proveUnfunded({ ...QUERY, signed: [deposit] })).toEqual({
        status: "funded",
      })
    }
  })

  test("tells nothing final while two endpoints contradict each other", async () => {
    const chain = createChain({ endpoints: 2, needed: 2, liesShare: 1 })
    const deposit = await signDeposit({
      ...chain,
      port: createChain({ endpoints: 1, needed: 1 }).port,
    })
    await chain.port.broadcastTransaction(deposit)
    mine(chain, 3)
    for (let count = 0; count < 20; count++) {
      const leg = await chain.port.observeLeg(QUERY)
      expect(leg).toMatchObject({ agreed: false, doubts: [{ code: "chain.disagreement" }] })
      expect([leg.initiated?.final, leg.redeemed?.final, leg.refunded?.final]).not.toContain(true)
      const seen = await chain.port.observeTransaction(deposit)
      expect("final" in seen && seen.final).toBe(false)
      await expect(chain.port.fetchBalance(ARB, new Set())).rejects.toMatchObject({
        code: "evm.disagreement",
        disposition: "transient",
      })
    }
  })

  test("goes on watching with one living endpoint of two, and plans no deposit", async () => {
    const chain = createChain({ endpoints: 2, needed: 2, dead: [2] })
    mine(chain, 3)
    expect(await chain.port.observeLeg(QUERY)).toMatchObject({
      agreed: false,
      doubts: [{ code: "chain.agreement_short" }],
    })
    await expect(signDeposit(chain)).rejects.toMatchObject({
      code: "evm.agreement_short",
      disposition: "transient",
    })
    expect(await chain.port.fetchAgreement()).toMatchObject({
      endpoints: 2,
      needed: 2,
      agreeing: 0,
    })
  })

  test("asks about the newest block that enough endpoints have", async () => {
    const chain = createChain({ endpoints: 3, needed: 2 })
    mine(chain, 5)
    mustExist(chain.nodes[0], "the first node").freeze()
    mine(chain, 4)
    expect(await chain.port.fetchHeight()).toBe(9n)
    mustExist(chain.nodes[1], "the second node").freeze()
    mine(chain, 4)
    expect(await chain.port.fetchHeight()).toBe(9n)
  })

  test("proves an HTLC empty only by the named rival of each deposit", async () => {
    const chain = createChain({ endpoints: 2, needed: 2 })
    const deposit = await signDeposit(chain)
    const query = { ...QUERY, signed: [deposit] }
    expect(await chain.port.proveUnfunded(query)).toMatchObject({ status: "unsure" })
    const plan = await chain.port.planTransaction(
      { action: "void", voids: deposit.plan },
      new Set(),
    )
    if ("refused" in plan) throw new Error("the fake chain refused the void")
    const voided = await chain.port.signTransaction(plan)
    await chain.port.broadcastTransaction(voided)
    mine(chain, 1)
    expect(await chain.port.proveUnfunded(query)).toMatchObject({ status: "unsure" })
    mine(chain, 1)
    expect(await chain.port.proveUnfunded(query)).toMatchObject({
      status: "unfunded",
      rivals: [voided.txid],
    })
  })

  test("binds a plan to the next nonce that is still free", async () => {
    const chain = createChain({ endpoints: 1, needed: 1 })
    const { plan } = await signDeposit(chain)
    const bound = await chain.port.nonces?.bindPlan(plan, new Set(["nonce:0"]))
    expect([plan.resources, bound?.resources]).toEqual([["nonce:0"], ["nonce:1"]])
    expect(await chain.port.nonces?.bindPlan(plan, new Set())).toBe(plan)
  })
})
