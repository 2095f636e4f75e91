import { createHash } from "node:crypto"
import { networks, payments, type Transaction } from "bitcoinjs-lib"
import fc from "fast-check"
import { expect, test } from "vitest"
import "#chains/bitcoin/keys/secp.ts"
import { createEsploraQuorum, type Esplora } from "#chains/bitcoin/esplora.ts"
import { createTouchedLegs, LEAST_LEGS } from "#chains/bitcoin/legs/list-touched-legs.ts"
import type { Endpoint } from "#chains/bitcoin/nodes/endpoint.ts"
import { fromDisplay, toDisplay } from "#chains/bitcoin/proof/block-header.ts"
import { parseAssetId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import type { WaitingLeg } from "#ports/chain/capabilities.ts"
import {
  blockOf,
  paymentOf,
  type SampleBlock,
  type Spend,
} from "../../../chains/bitcoin/sample-block.ts"
import { createManualClock } from "../../../support/manual-clock.ts"

const outputs = new Map<number, Output>()
const LEGS = Array.from({ length: LEAST_LEGS + 4 }, (_, index) => legOf(index))
const STRANGER = scriptOf(10_000)

test("names the leg whose address a block pays, and no other one", async () => {
  const chain = createChain()
  const ask = await following(chain)
  expect(await ask()).toMatchObject({ height: 101n, secretHashes: [], unasked: [] })
  chain.mine([paymentOf(1, [STRANGER]), paymentOf(2, [STRANGER, scriptOf(3)])])
  expect(await ask()).toMatchObject({ height: 102n, secretHashes: [secretOf(3)], isWhole: true })
  chain.mine([])
  expect(await ask()).toMatchObject({ height: 103n, secretHashes: [], isWhole: true })
})

test("names the leg whose funding a block spends, as its order or the service knows it", async () => {
  const seen = "ab".repeat(32)
  const hinted = "cd".repeat(32)
  const legs = LEGS.with(2, { ...legOf(2), openedBy: seen }).with(
    5,
    legOf(5, { initiateTx: `${hinted}:840000` }),
  )
  const chain = createChain()
  const ask = await following(chain, legs)
  chain.mine([
    paymentOf(1, [STRANGER], [{ txid: seen }]),
    paymentOf(2, [STRANGER], [{ txid: hinted }]),
  ])
  expect((await ask()).secretHashes).toEqual([secretOf(2), secretOf(5)])
})

test("names the leg whose redeem script a block shows, where its funding is not known yet", async () => {
  const chain = createChain()
  const ask = await following(chain)
  const leaf = Buffer.from(`a820${secretOf(4)}88`, "hex")
  const spend = { txid: "ef".repeat(32), witness: [Buffer.alloc(64), Buffer.alloc(32), leaf] }
  chain.mine([paymentOf(1, [STRANGER], [spend])])
  expect((await ask()).secretHashes).toEqual([secretOf(4)])
})

test("reads every block of several that came at once, and each transaction of a large one", async () => {
  const chain = createChain()
  const ask = await following(chain)
  for (let index = 0; index < 6; index++) chain.mine([paymentOf(index, [scriptOf(index)])])
  expect((await ask()).secretHashes).toEqual([0, 1, 2, 3, 4, 5].map(secretOf))
  const many = Array.from({ length: 1_000 }, (_, index) =>
    paymentOf(index, [index === 998 ? scriptOf(9) : STRANGER]),
  )
  chain.mine(many)
  const before = chain.turns()
  expect((await ask()).secretHashes).toEqual([secretOf(9)])
  // Other work goes on between the pieces of a large block.
  expect(chain.turns() - before).toBe(10)
})

test("counts every leg as touched at the first block, after a reorganisation and after a long gap", async () => {
  const everyone = LEGS.map(({ query }) => query.secretHash)
  const chain = createChain()
  const ask = askOf(chain, LEGS)
  expect((await ask()).secretHashes).toEqual([])
  chain.mine([])
  const first = await ask()
  expect([first.secretHashes, first.isWhole]).toEqual([everyone, undefined])
  chain.mine([])
  expect((await ask()).secretHashes).toEqual([])
  chain.reorganise(1)
  chain.mine([])
  expect((await ask()).secretHashes).toEqual(everyone)
  chain.mine([])
  expect((await ask()).secretHashes).toEqual([])
  for (let index = 0; index < 7; index++) chain.mine([])
  expect((await ask()).secretHashes).toEqual(everyone)
})

test("reads no block for few legs, and counts them as touched", async () => {
  const chain = createChain()
  const few = LEGS.slice(0, LEAST_LEGS - 1)
  const ask = await following(chain, few)
  chain.mine([])
  expect((await ask()).secretHashes).toEqual(few.map(({ query }) => query.secretHash))
  expect([chain.asked("block"), chain.asked("hash")]).toEqual([0, 0])
})

test("asks two endpoints for a block at most once each, and every endpoint for its hash", async () => {
  const chain = createChain({ endpoints: 3 })
  const ask = await following(chain)
  const before = [chain.asked("block"), chain.asked("hash")]
  chain.mine([paymentOf(1, [scriptOf(3)])])
  expect((await ask()).secretHashes).toEqual([secretOf(3)])
  // The hash of the block before it shows a reorganisation.
  expect([chain.asked("block"), chain.asked("hash")]).toEqual([
    (before[0] ?? 0) + 1,
    (before[1] ?? 0) + 6,
  ])
  chain.serve(0, () => null)
  chain.mine([paymentOf(2, [scriptOf(4)])])
  expect((await ask()).secretHashes).toEqual([secretOf(4)])
})

test(
  "no endpoint alone hides a touched leg: a block that leaves a transaction out does not prove " +
    "itself",
  async () => {
    const chain = createChain({ endpoints: 2 })
    const ask = await following(chain)
    const paid = [paymentOf(1, [STRANGER]), paymentOf(2, [scriptOf(3)]), paymentOf(3, [STRANGER])]
    const lies: readonly ((block: SampleBlock) => Uint8Array | null)[] = [
      ({ transactions, raw }) => withTransactions(raw, transactions.slice(0, 2)),
      ({ transactions, raw }) =>
        withTransactions(raw, [...transactions.slice(0, 2), paymentOf(9, [STRANGER])]),
      ({ raw }) => raw.subarray(0, raw.length - 5),
      ({ raw }) => Buffer.concat([raw, Buffer.alloc(1)]),
      () => blockOf("00".repeat(32), []).raw,
      ({ raw }) => blockOf(toDisplay(raw.subarray(4, 36)), []).raw,
      ({ raw }) => raw.subarray(0, 40),
    ]
    for (const [index, lie] of lies.entries()) {
      chain.serve(0, lie)
      chain.mine(paid)
      expect([index, (await ask()).secretHashes]).toEqual([index, [secretOf(3)]])
    }
    chain.serve(1, ({ raw }) => raw.subarray(0, 100))
    chain.mine(paid)
    expect((await ask()).secretHashes).toEqual(LEGS.map(({ query }) => query.secretHash))
  },
)

test("believes no block with a transaction whose bytes could be two inner hashes of the Merkle tree", async () => {
  const chain = createChain()
  const ask = await following(chain)
  const inner = paymentOf(1, [Buffer.alloc(4)])
  expect(inner.byteLength(false)).toBe(64)
  chain.mine([inner])
  expect((await ask()).secretHashes).toEqual(LEGS.map(({ query }) => query.secretHash))
})

test(
  "counts every leg as touched while the endpoints contradict each other about a block, or too " +
    "few show it",
  async () => {
    const everyone = LEGS.map(({ query }) => query.secretHash)
    const chain = createChain({ endpoints: 3, needed: 2 })
    const ask = await following(chain)
    chain.mine([])
    chain.show(2, () => "12".repeat(32))
    expect((await ask()).secretHashes).toEqual(everyone)
    chain.show(2, (hash) => hash)
    chain.mine([])
    await ask()
    chain.mine([])
    chain.show(1, () => null)
    expect((await ask()).secretHashes).toEqual([])
    chain.mine([])
    chain.show(2, () => null)
    expect((await ask()).secretHashes).toEqual(everyone)
  },
)

test("stops to read blocks when it takes too long, so that the answer comes in time", async () => {
  const chain = createChain({ blockMs: 2_500 })
  const ask = await following(chain)
  for (let index = 0; index < 2; index++) chain.mine([])
  expect((await ask()).isWhole).toBe(true)
  const before = chain.asked("block")
  for (let index = 0; index < 5; index++) chain.mine([])
  expect((await ask()).secretHashes).toHaveLength(LEGS.length)
  expect(chain.asked("block") - before).toBe(2)
})

test("says nothing about a leg without an address of this network", async () => {
  const chain = createChain()
  const foreign = "bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297"
  const strange = [legOf(500, {}, null), legOf(501, {}, "no address"), legOf(502, {}, foreign)]
  const ask = await following(chain, [...LEGS, ...strange])
  chain.mine([])
  expect(await ask()).toMatchObject({ secretHashes: [], unasked: [500, 501, 502].map(secretOf) })
})

test("names the same legs as reading each address of each block", async () => {
  const leg = fc.integer({ min: 0, max: LEGS.length - 1 })
  const payment = fc.record({
    pays: fc.array(leg, { maxLength: 2 }),
    spends: fc.array(leg, { maxLength: 2 }),
  })
  const blocks = fc.array(fc.array(payment, { maxLength: 6 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(blocks, async (drawn) => {
      const legs = LEGS.map((each, index) => ({ ...each, openedBy: fundingOf(index) }))
      const chain = createChain()
      const ask = await following(chain, legs)
      let serial = 0
      const mined = drawn.map((payments) =>
        chain.mine(
          payments.map(({ pays, spends }) => {
            const inputs = spends.map(
              (index): Spend => ({ txid: fundingOf(index), witness: [Buffer.alloc(index)] }),
            )
            return paymentOf(++serial, [STRANGER, ...pays.map(scriptOf)], inputs)
          }),
        ),
      )
      const wanted = legs.flatMap((each, index) =>
        mined.some((block) => touches(block, index)) ? [each] : [],
      )
      const { secretHashes, isWhole } = await ask()
      expect(isWhole).toBe(true)
      expect(secretHashes.toSorted()).toEqual(
        wanted.map(({ query }) => query.secretHash).toSorted(),
      )
    }),
    { numRuns: 60 },
  )
})

/** By bitcoinjs-lib's own reading of the transactions. */
function touches({ transactions }: SampleBlock, index: number): boolean {
  return transactions.some(
    ({ outs, ins }) =>
      outs.some(({ script }) => Buffer.from(script).equals(scriptOf(index))) ||
      ins.some(({ hash }) => Buffer.from(hash).equals(fromDisplay(fundingOf(index)))),
  )
}

function fundingOf(index: number): string {
  return createHash("sha256").update(`funding ${index}`).digest("hex")
}

function secretOf(index: number): string {
  return createHash("sha256").update(`secret ${index}`).digest("hex")
}

function legOf(
  index: number,
  hints: { initiateTx?: string } = {},
  htlc: string | null = addressOf(index),
): WaitingLeg {
  const query = {
    side: "destination",
    asset: parseAssetId("bitcoin_testnet:btc"),
    htlc,
    secretHash: secretOf(index),
    units: 1_000n,
    hints: { initiateTx: null, redeemTx: null, refundTx: null, ...hints },
  }
  // CAST: the question reads no other field of a leg.
  return { query, isOpen: false } as unknown as WaitingLeg
}

type Output = { readonly address: string; readonly output: Buffer }

function outputOf(index: number): Output {
  const known = outputs.get(index) ?? drawOutput(index)
  outputs.set(index, known)
  return known
}

function drawOutput(index: number): Output {
  // Any point of the curve serves as a key: the first 32 bytes of a hash are one in half of all
  // cases.
  for (let tried = 0; ; tried++) {
    const pubkey = createHash("sha256").update(`key ${index} ${tried}`).digest()
    try {
      const { address, output } = payments.p2tr({ pubkey, network: networks.regtest })
      return {
        address: mustExist(address, "an address"),
        output: Buffer.from(mustExist(output, "a script")),
      }
    } catch {
      // Not a point; the next one may be.
    }
  }
}

function addressOf(index: number): string {
  return outputOf(index).address
}

function scriptOf(index: number): Buffer {
  return outputOf(index).output
}

/** The same header before other transactions. */
function withTransactions(raw: Uint8Array, transactions: readonly Transaction[]): Uint8Array {
  const rest = transactions.map((transaction) => transaction.toBuffer())
  return Buffer.concat([raw.subarray(0, 80), Uint8Array.of(transactions.length), ...rest])
}

type Options = { readonly endpoints?: number; readonly needed?: number; readonly blockMs?: number }

/** Esplora servers of one chain with answers that a test can change. */
function createChain({ endpoints: count = 1, needed = 1, blockMs = 0 }: Options = {}) {
  const clock = createManualClock(0)
  let blocks: SampleBlock[] = Array.from({ length: 101 }, () => blockOf("00".repeat(32), []))
  const asked = { block: 0, hash: 0 }
  let turns = 0
  let branch = 0
  const behaviours = Array.from({ length: count }, honest)
  const endpoints = behaviours.map((behaviour, index) =>
    endpointOf(`node${index}`, behaviour, {
      list: () => blocks,
      note: (what) => {
        asked[what]++
        if (what === "block") clock.set(clock.now() + blockMs)
      },
    }),
  )
  // CAST: the question uses these parts of the client only.
  const esplora = createEsploraQuorum(endpoints, needed, systemClock) as Esplora
  const turn = async (): Promise<void> => {
    turns++
  }
  return {
    esplora,
    clock: { ...clock, turn },
    turns: () => turns,
    asked: (what: keyof typeof asked) => asked[what],
    /** The bytes that an endpoint gives for a block from now on. */
    serve: (index: number, answer: Behaviour["serve"]) => {
      mustExist(behaviours[index], "an endpoint").serve = answer
    },
    /** The hash that an endpoint shows for a block from now on. */
    show: (index: number, answer: Behaviour["show"]) => {
      mustExist(behaviours[index], "an endpoint").show = answer
    },
    mine: (transactions: readonly Transaction[]): SampleBlock => {
      const block = blockOf(mustExist(blocks.at(-1), "a block").hash, [
        paymentOf(1_000_000 + blocks.length * 10 + branch, [STRANGER]),
        ...transactions,
      ])
      blocks = [...blocks, block]
      return block
    },
    reorganise: (depth: number): void => {
      blocks = blocks.slice(0, -depth)
      branch++
      for (let undone = 0; undone < depth; undone++) {
        const previous = mustExist(blocks.at(-1), "a block").hash
        blocks = [
          ...blocks,
          blockOf(previous, [paymentOf(2_000_000 + blocks.length * 10 + branch, [STRANGER])]),
        ]
      }
    },
  }
}

type Behaviour = {
  serve: (block: SampleBlock) => Uint8Array | null
  show: (hash: string) => string | null
}

function honest(): Behaviour {
  return { serve: ({ raw }) => raw, show: (hash) => hash }
}

type Blocks = {
  readonly list: () => readonly SampleBlock[]
  readonly note: (what: "block" | "hash") => void
}

function endpointOf(host: string, behaviour: Behaviour, { list, note }: Blocks): Endpoint {
  const endpoint = {
    host,
    checkNetwork: async () => undefined,
    fetchHead: async () => ({ height: BigInt(list().length - 1) }),
    findBlockHash: async (height: bigint) => {
      note("hash")
      const hash = list()[Number(height)]?.hash
      return hash === undefined ? null : behaviour.show(hash)
    },
    findBlock: async (hash: string) => {
      note("block")
      const block = list().find((each) => each.hash === hash)
      return block === undefined ? null : behaviour.serve(block)
    },
  }
  // CAST: the question asks an endpoint nothing else.
  return endpoint as unknown as Endpoint
}

type Chain = ReturnType<typeof createChain>

/** The question as the watch of the heads asks it: above the height of its last answer. */
function askOf({ esplora, clock }: Chain, legs: readonly WaitingLeg[]) {
  const list = createTouchedLegs(esplora, { network: networks.regtest }, clock)
  let since: bigint | null = null
  return async () => {
    const answer = await list(since, legs)
    since = answer.height
    return answer
  }
}

/** Past the first block, at which every leg counts. */
async function following(chain: Chain, legs: readonly WaitingLeg[] = LEGS) {
  const ask = askOf(chain, legs)
  await ask()
  chain.mine([])
  await ask()
  return ask
}
