import { address, networks, Transaction } from "bitcoinjs-lib"
import { describe, expect, it, test } from "vitest"
import { createEsploraQuorum, type Esplora } from "#chains/bitcoin/esplora.ts"
import { observeTransaction } from "#chains/bitcoin/legs/observe-transaction.ts"
import { judgeDepth, type Observing } from "#chains/bitcoin/legs/observing.ts"
import { proveCoins } from "#chains/bitcoin/legs/prove-coins.ts"
import { proveUnfunded } from "#chains/bitcoin/legs/prove-unfunded.ts"
import { compareReadings } from "#chains/bitcoin/nodes/compare-readings.ts"
import type { Endpoint, Listed, Place } from "#chains/bitcoin/nodes/endpoint.ts"
import { askAt, readReference } from "#chains/bitcoin/nodes/reference.ts"
import { observeLeg } from "#chains/bitcoin/observe-leg.ts"
import type { Inclusion } from "#chains/bitcoin/proof/inclusion.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { systemClock } from "#lib/clock.ts"
import { btc, sampleQuery, xOnlyOf } from "../../../chains/bitcoin/sample-order.ts"

const HEAD = 100n
const DEPTHS = { seen: 1, reveal: 2, ending: 3 }
const HTLC = address.toBech32(Buffer.from(xOnlyOf(5), "hex"), 1, "bcrt")
const OURS = address.toBech32(Buffer.from(xOnlyOf(6), "hex"), 1, "bcrt")
const UNITS = 100_000n

describe("a transaction in a block", () => {
  const judge = (
    over: { height?: bigint; agreed?: boolean; split?: boolean } = {},
    inclusion?: (depth: number) => Inclusion,
  ) => {
    const { height = 98n, agreed = true, split = false } = over
    const check =
      inclusion === undefined
        ? {}
        : { inclusion: async () => inclusion(Number(HEAD - height + 1n)) }
    const included = { txid: "tx", height, blockHash: "block" }
    return judgeDepth(check, included, { height: HEAD, depths: DEPTHS, agreed, split })
  }

  it("counts its own block as the first confirmation, and each depth by itself", async () => {
    const depthAt = async (height: bigint) => (await judge({ height })).depth
    expect(await depthAt(100n)).toEqual({
      confirmations: 1,
      seen: true,
      revealable: false,
      final: false,
    })
    expect(await depthAt(99n)).toEqual({
      confirmations: 2,
      seen: true,
      revealable: true,
      final: false,
    })
    expect(await depthAt(98n)).toEqual({
      confirmations: 3,
      seen: true,
      revealable: true,
      final: true,
    })
  })

  it("is only seen without agreement, and not even that by endpoints that contradict each other", async () => {
    expect((await judge({ agreed: false })).depth).toMatchObject({
      seen: true,
      revealable: false,
      final: false,
    })
    expect((await judge({ agreed: false, split: true })).depth).toMatchObject({
      seen: false,
      final: false,
    })
  })

  it("is final only as deep as its proof", async () => {
    const proven = (confirmations: number) => judge({}, () => ({ status: "proven", confirmations }))
    expect((await proven(3)).depth.final).toBe(true)
    expect((await proven(2)).depth).toMatchObject({ seen: true, revealable: true, final: false })
    const unproven = await judge({}, () => ({ status: "unproven" }))
    expect(unproven).toMatchObject({
      depth: { seen: true, revealable: false, final: false },
      doubts: [],
    })
    const denied = await judge({}, () => ({ status: "contradicted" }))
    expect(denied).toMatchObject({
      depth: { seen: false, final: false },
      doubts: [{ code: "chain.disagreement" }],
    })
  })
})

describe("the readings of several endpoints", () => {
  /**
   * A reading is the heights of the blocks that it shows; `settled` blocks are those of more than
   * two blocks ago.
   */
  const compare = (readings: readonly (readonly bigint[])[], needed = 2) =>
    compareReadings(
      readings.map((value, at) => ({ endpoint: `${at}`, ok: true, value })),
      {
        needed,
        height: HEAD,
        keyOf: (heights, upTo) => heights.filter((height) => height <= upTo).join(),
        describe: (heights) => heights.join(),
      },
    )

  it("agree, and tell the one that shows something else", () => {
    expect(compare([[9n], [9n]])).toMatchObject({ agreed: true, split: false, doubts: [] })
    const dissent = {
      agreed: true,
      values: [[9n]],
      doubts: [{ code: "chain.disagreement", answers: expect.any(String) }],
    }
    expect(compare([[9n], [9n], []])).toMatchObject(dissent)
  })

  it("contradict each other about old blocks, and are only short about the newest two", () => {
    expect(compare([[98n], []])).toMatchObject({
      agreed: false,
      split: true,
      doubts: [{ code: "chain.disagreement" }],
    })
    const short = { agreed: false, split: false, doubts: [{ code: "chain.agreement_short" }] }
    expect(compare([[99n], []])).toMatchObject(short)
    expect(compare([[100n], []])).toMatchObject(short)
    expect(compare([[99n], [99n], []])).toMatchObject({ agreed: true, doubts: [] })
  })
})

describe("the block about which endpoints are asked", () => {
  const read = async (heads: readonly bigint[], needed: number) => {
    const esplora = esploraOf(
      heads.map((head) => ({ head })),
      needed,
    )
    const reference = await readReference(esplora)
    const answers = await askAt(esplora, reference, async ({ host }) => host)
    return {
      height: reference.height,
      asked: answers.flatMap((one) => (one.ok ? [Number(one.value)] : [])),
    }
  }

  it("is one that enough endpoints have, and the others do not answer", async () => {
    expect(await read([100n, 101n, 99n], 2)).toEqual({ height: 100n, asked: [0, 1] })
    expect(await read([100n, 1_000n, 100n], 2)).toEqual({ height: 100n, asked: [0, 2] })
  })

  it("is not the word of one endpoint, also where one is enough", async () => {
    expect(await read([100n, 1_000n], 1)).toEqual({ height: 100n, asked: [0] })
    expect(await read([100n], 1)).toEqual({ height: 100n, asked: [0] })
  })
})

describe("an HTLC", () => {
  const paid = pay(HTLC, UNITS)
  const at = (height: bigint, blockHash = "block"): Place => ({ height, blockHash })
  const shows = (place: Place): Shown => ({
    transactions: [paid],
    places: { [paid.getId()]: place },
    history: [{ txid: paid.getId(), height: place.height }],
  })
  const observe = async (...shown: readonly Shown[]) =>
    observeLeg(observingOf(shown), sampleQuery({ htlc: HTLC, owner: OURS, units: UNITS }))

  it(
    "that enough endpoints show in the same block is funded for good, and refundable from its " +
      "lock on",
    async () => {
      const leg = await observe(shows(at(98n)), shows(at(98n)))
      expect(leg).toMatchObject({
        initiated: { height: 98n, final: true, units: UNITS },
        refundableAt: 242n,
      })
      expect(leg.agreed).toBe(true)
    },
  )

  it("in two different blocks of one height is agreed by nobody", async () => {
    const leg = await observe(shows(at(90n, "a")), shows(at(90n, "b")))
    expect(leg).toMatchObject({
      agreed: false,
      initiated: { final: false },
      doubts: [{ code: "chain.disagreement" }],
    })
  })

  it("names the payment of the exact amount first, and else the largest", async () => {
    const dust = pay(HTLC, 1_000n)
    const much = pay(HTLC, 5n * UNITS)
    const with_ = (...payments: readonly Transaction[]): Shown => ({
      transactions: payments,
      places: Object.fromEntries(payments.map((one) => [one.getId(), at(90n)])),
      history: payments.map((one) => ({ txid: one.getId(), height: 90n })),
    })
    const named = async (shown: Shown) => (await observe(shown, shown)).initiated?.txid
    expect(await named(with_(dust, much, paid))).toBe(paid.getId())
    expect(await named(with_(dust, much))).toBe(much.getId())
  })
})

describe("a signed deposit", () => {
  const ours = pay(HTLC, UNITS)
  const signed = {
    txid: ours.getId(),
    raw: ours.toHex(),
    plan: { action: "initiate", resources: ["00:0"], spends: [] },
  }
  const observe = (...shown: readonly Shown[]) =>
    // CAST: an observation reads only these parts of a transaction.
    observeTransaction(observingOf(shown), signed as unknown as SignedTransaction)

  it("is pending while its nodes have it in no block, and unseen without it", async () => {
    const known = { transactions: [ours] }
    expect(await observe(known, known)).toMatchObject({ status: "pending" })
    expect(await observe({}, {})).toMatchObject({ status: "unseen" })
    // The mempools of honest nodes differ, so one that has the transaction is enough.
    expect(await observe({}, {}, known)).toMatchObject({ status: "pending" })
  })

  it("is in a block by one endpoint alone, against another or while it is silent", async () => {
    const inBlock: Shown = {
      transactions: [ours],
      places: { [ours.getId()]: { height: 90n, blockHash: "block" } },
    }
    const lone = { status: "mined", final: false, isAlone: true }
    expect(await observe(inBlock, {})).toMatchObject(lone)
    expect(await observe(inBlock)).toMatchObject(lone)
    expect(await observe(inBlock, inBlock)).not.toHaveProperty("isAlone")
  })

  it("is not excluded by a spender that nobody can show", async () => {
    const lie: Shown = { spenders: { "00:0": "ff".repeat(32) } }
    const doubts = [{ code: "bitcoin.spender_unproven" }]
    expect(await observe(lie, {})).toMatchObject({ status: "unseen", doubts })
    expect(await observe(lie, lie)).toMatchObject({
      status: "unseen",
      doubts: [...doubts, ...doubts],
    })
  })
})

test(
  "the stake of a deposit is what it locks, and that of any other transaction all that it " +
    "returns",
  async () => {
    const stakeOf = async (action: "initiate" | "void" | "refund"): Promise<readonly bigint[]> => {
      const transaction = pay(OURS, UNITS)
      const spends = action === "initiate" ? [{ asset: btc, units: 7n }] : []
      const plan = { action, resources: ["00:0"], spends, maxFeeUnits: 1n }
      const asked: bigint[] = []
      const shown: Shown = {
        places: { [transaction.getId()]: { height: 90n, blockHash: "block" } },
      }
      const observing: Observing = {
        ...observingOf([shown, shown]),
        depthsOf: (units) => {
          asked.push(units)
          return DEPTHS
        },
      }
      const signed = { txid: transaction.getId(), raw: transaction.toHex(), plan }
      // CAST: an observation reads only these parts of a transaction.
      await observeTransaction(observing, signed as unknown as SignedTransaction)
      return asked
    }
    expect([await stakeOf("initiate"), await stakeOf("void"), await stakeOf("refund")]).toEqual([
      [7n],
      [UNITS],
      [UNITS],
    ])
  },
)

describe("a listed coin", () => {
  const coin = pay(OURS, UNITS)
  const script = address.toOutputScript(OURS, networks.regtest)
  const prove = (txid: string, vout: number, units: bigint) =>
    proveCoins(esploraOf([{ transactions: [coin] }], 1), [{ txid, vout, units }], script)

  it("has the value of its parent, whatever the list says", async () => {
    expect(await prove(coin.getId(), 0, 21n * UNITS)).toMatchObject([
      { txid: coin.getId(), vout: 0, units: UNITS },
    ])
  })

  it("is no coin of ours with another script, or where the parent has no such output", async () => {
    expect(await prove(STRANGER.getId(), 0, UNITS)).toEqual([])
    expect(await prove(coin.getId(), 1, UNITS)).toEqual([])
  })

  it("without its parent is asked for again", async () => {
    await expect(prove("ff".repeat(32), 0, UNITS)).rejects.toMatchObject({
      code: "bitcoin.parent_missing",
    })
  })
})

describe("a rival of a signed deposit", () => {
  const ours = pay(HTLC, UNITS)
  const rival = pay(OURS, UNITS)
  /** Every endpoint shows the rival in a block, as the spender of this coin. */
  const observeRivalOf = async (coin: string) => {
    const shown: Shown = {
      transactions: [rival],
      places: { [rival.getId()]: { height: 90n, blockHash: "block" } },
      spenders: { [coin]: rival.getId() },
    }
    const plan = { action: "initiate", resources: [coin], spends: [] }
    // CAST: an observation reads only these parts of a transaction.
    const signed = { txid: ours.getId(), raw: ours.toHex(), plan } as unknown as SignedTransaction
    return observeTransaction(observingOf([shown, shown]), signed)
  }

  it("is none without a valid signature for the coin", async () => {
    const seen = await observeRivalOf(`${STRANGER.getId()}:0`)
    const why = expect.stringContaining("signature is not valid")
    expect(seen).toMatchObject({ status: "unseen", doubts: [{ why }, { why }] })
  })

  it("is none if it spends another coin", async () => {
    const why = expect.stringContaining("does not spend")
    for (const coin of [`${"00".repeat(32)}:0`, `${STRANGER.getId()}:1`])
      expect(await observeRivalOf(coin)).toMatchObject({
        status: "unseen",
        doubts: [{ why }, { why }],
      })
  })
})

describe("a proof that an HTLC is unfunded", () => {
  const paid = pay(HTLC, UNITS)
  const listed = (height: bigint | null): Shown => ({
    transactions: [paid],
    history: [{ txid: paid.getId(), height }],
  })
  const prove = (...shown: readonly Shown[]) =>
    proveUnfunded(observingOf(shown), { ...sampleQuery({ htlc: HTLC, units: UNITS }), signed: [] })

  it("needs enough endpoints that show nothing", async () => {
    expect(await prove({}, {})).toEqual({ status: "unfunded", height: HEAD, rivals: [] })
    expect(await prove({}, {}, listed(90n))).toMatchObject({ status: "unfunded" })
    expect(await prove({}, listed(90n))).toMatchObject({
      status: "unsure",
      reasons: [{ code: "chain.disagreement" }],
    })
  })

  it("is refused by a payment in a block, and waits for one in a mempool", async () => {
    expect(await prove(listed(90n), listed(90n))).toEqual({ status: "funded" })
    const waits = { status: "unsure", reasons: [{ code: "bitcoin.deposit_pending" }] }
    expect(await prove(listed(null), listed(null))).toMatchObject(waits)
  })

  it("needs the same answer about the mempool and about newer blocks", async () => {
    for (const height of [null, HEAD + 1n]) {
      expect(await prove({}, listed(height))).toMatchObject({ status: "unsure" })
      expect(await prove(listed(height), {})).toMatchObject({ status: "unsure" })
    }
  })

  it("is not given by a history that was read in part", async () => {
    const dust = Array.from({ length: 201 }, (_, at) => pay(HTLC, 1_000n + BigInt(at)))
    const crowded: Shown = {
      transactions: dust,
      history: dust.map((one) => ({ txid: one.getId(), height: 90n })),
    }
    const proof = await prove(crowded, crowded)
    expect(proof).toMatchObject({ status: "unsure", reasons: [{ code: "bitcoin.history_long" }] })
    // The endpoint that shows no payment has not read the other one's history.
    for (const shown of [
      [crowded, {}],
      [{}, crowded],
    ])
      expect(await prove(...shown)).toMatchObject({ status: "unsure" })
  })
})

type Shown = {
  readonly head?: bigint
  readonly transactions?: readonly Transaction[]
  readonly places?: Readonly<Record<string, Place>>
  readonly history?: readonly Listed[]
  readonly spenders?: Readonly<Record<string, string>>
}

/** Endpoints that show these things; the name of each is its place in the list. */
function esploraOf(shown: readonly Shown[], needed: number): Esplora {
  const endpoints = shown.map((one, at) => endpointOf(one, `${at}`))
  const all = [STRANGER, ...shown.flatMap(({ transactions = [] }) => transactions)]
  const byId = new Map(all.map((one) => [one.getId(), one]))
  const findRaw = async (txid: string) => byId.get(txid) ?? null
  const quorum = createEsploraQuorum(endpoints, needed, systemClock)
  return { ...quorum, findRaw, submitTx: async () => [] }
}

function endpointOf(
  { head = HEAD, transactions = [], places = {}, history = [], spenders = {} }: Shown,
  host: string,
) {
  const endpoint: Partial<Endpoint> = {
    host,
    checkNetwork: async () => undefined,
    fetchHead: async () => ({ height: head, isFollowing: true }),
    findBlockMs: async () => null,
    findRaw: async (txid) => transactions.find((one) => one.getId() === txid) ?? null,
    findPlace: async (txid) => places[txid] ?? null,
    findSpender: async ({ txid, vout }) => spenders[`${txid}:${vout}`] ?? null,
    listHistory: async (_address, lastSeen) => {
      const from = history.findIndex(({ txid }) => txid === lastSeen) + 1
      return history.slice(from, from + 25)
    },
  }
  // CAST: no other method is asked.
  return endpoint as Endpoint
}

function observingOf(shown: readonly Shown[]): Observing {
  const script = address.toOutputScript(OURS, networks.regtest)
  // CAST: an observation reads only these parts of the wallet.
  const wallet = { network: networks.regtest, script, address: OURS } as Observing["wallet"]
  return { wallet, esplora: esploraOf(shown, 2), depthsOf: () => DEPTHS }
}

/** A stranger's coin, which pays for the transactions of these tests. */
const STRANGER = new Transaction()
STRANGER.addOutput(address.toOutputScript(HTLC, networks.regtest), 21n * 10n ** 8n)

function pay(to: string, units: bigint): Transaction {
  const transaction = new Transaction()
  transaction.version = 2
  transaction.addInput(STRANGER.getHash(), 0)
  transaction.addOutput(address.toOutputScript(to, networks.regtest), units)
  return transaction
}
