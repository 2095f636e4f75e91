import { createServer } from "node:http"
import { Keypair, SystemProgram } from "@solana/web3.js"
import { expect, test } from "vitest"
import { createTouchedLegs } from "#chains/solana/legs/list-touched-legs.ts"
import { findSwapAccounts } from "#chains/solana/legs/read-leg.ts"
import { createEndpoints, type Endpoints } from "#chains/solana/nodes/endpoints.ts"
import { createRpc } from "#chains/solana/rpc.ts"
import type { Wallet } from "#chains/solana/wallet.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import type { WaitingLeg } from "#ports/chain/capabilities.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { listen } from "../../../support/listen.ts"
import { endpointsOf } from "../../../support/solana-endpoints.ts"

const [us, solver, native, spl, mint] = Array.from({ length: 5 }, () =>
  Keypair.generate().publicKey.toBase58(),
)
const SOL = parseAssetId("solana_testnet:sol")
const USDC = parseAssetId("solana_testnet:usdc")
const chain = toChainId("solana_testnet")
const wallet: Wallet = {
  chain,
  account: mustExist(us, "us"),
  assets: [
    { id: SOL, chain, decimals: 9, token: null, htlc: [mustExist(native, "program")] },
    {
      id: USDC,
      chain,
      decimals: 6,
      token: mustExist(mint, "mint"),
      htlc: [mustExist(spl, "program")],
    },
  ],
  maxPriorityFeeMicroLamports: 0n,
}

test("names a leg once when its swap account opens, and once when it closes", async () => {
  const node = createNode()
  const first = legOf(1)
  const second = legOf(2, {
    side: "destination",
    initiator: mustExist(solver, "solver"),
    asset: USDC,
  })
  const ask = askOf(endpointsOf([node.view]), [first, second])
  expect(await ask()).toEqual({ height: 100n, secretHashes: [], unasked: [] })
  node.open(second)
  node.slot = 105n
  expect(await ask()).toEqual({ height: 105n, secretHashes: [hashOf(2)], unasked: [] })
  expect((await ask()).secretHashes).toEqual([])
  node.close(second)
  node.open(first)
  expect((await ask()).secretHashes).toEqual([hashOf(1), hashOf(2)])
  expect((await ask()).secretHashes).toEqual([])
})

test("reads at the commitment at which a leg is observed, so the observation shows the change", async () => {
  const node = createNode()
  await askOf(endpointsOf([node.view]), [legOf(1)])()
  expect(node.commitments).toEqual(["confirmed"])
})

test("an account of another program is no HTLC, so payments to the address of a leg wake no order", async () => {
  const node = createNode()
  const ask = askOf(endpointsOf([node.view]), [legOf(1)])
  node.open(legOf(1), SystemProgram.programId.toBase58())
  expect((await ask()).secretHashes).toEqual([])
})

test("compares a leg that is new to it with the order's last observation, as after a restart", async () => {
  const node = createNode()
  node.open(legOf(1))
  node.open(legOf(2))
  const isOpen = true
  expect(
    (await askOf(endpointsOf([node.view]), [legOf(1), { ...legOf(2), isOpen }])()).secretHashes,
  ).toEqual([hashOf(1)])
  node.close(legOf(2))
  expect(
    (await askOf(endpointsOf([node.view]), [legOf(1), { ...legOf(2), isOpen }])()).secretHashes,
  ).toEqual([hashOf(1), hashOf(2)])
})

test("forgets the legs of orders that wait no more", async () => {
  const node = createNode()
  const touched = createTouchedLegs(endpointsOf([node.view]), wallet)
  node.open(legOf(1))
  expect((await touched(null, [legOf(1), legOf(2)])).secretHashes).toEqual([hashOf(1)])
  expect((await touched(100n, [legOf(2)])).secretHashes).toEqual([])
  expect((await touched(100n, [legOf(1), legOf(2)])).secretHashes).toEqual([hashOf(1)])
})

test("names a leg for each endpoint that shows its change, also for one that was behind or silent", async () => {
  const quick = createNode()
  const slow = createNode()
  const ask = askOf(endpointsOf([quick.view, slow.view]), [legOf(1)])
  await ask()
  quick.open(legOf(1))
  expect((await ask()).secretHashes).toEqual([hashOf(1)])
  expect((await ask()).secretHashes).toEqual([])
  slow.open(legOf(1))
  slow.isDead = true
  expect((await ask()).secretHashes).toEqual([])
  slow.isDead = false
  expect((await ask()).secretHashes).toEqual([hashOf(1)])
  expect((await ask()).secretHashes).toEqual([])
})

test("takes the slot that enough endpoints have, and throws the failure if none answers", async () => {
  const nodes = [createNode(), createNode(), createNode()]
  const ask = askOf(endpointsOf(nodes.map(({ view }) => view)), [legOf(1)])
  const heightOf = async (...slots: readonly bigint[]) => {
    nodes.forEach((node, index) => {
      node.slot = slots[index] ?? 0n
    })
    return (await ask()).height
  }
  expect(await heightOf(100n, 103n, 104n)).toBe(103n)
  expect(await heightOf(100n, 103n, 9_999_999n)).toBe(100n)
  for (const node of nodes.slice(1)) node.isDead = true
  expect((await ask()).height).toBe(100n)
  for (const node of nodes) node.isDead = true
  await expect(ask()).rejects.toMatchObject({ code: "solana.unreachable" })
})

test("says that it cannot tell about a leg without a readable initiator or program", async () => {
  const node = createNode()
  const strange = [legOf(1, { side: "destination", initiator: "" }), legOf(2, { htlc: "?" })]
  const unasked = [hashOf(1), hashOf(2)]
  expect(await askOf(endpointsOf([node.view]), strange)()).toEqual({
    height: 90n,
    secretHashes: [],
    unasked,
  })
  expect(await askOf(endpointsOf([node.view]), [...strange, legOf(3)])()).toMatchObject({
    height: 100n,
    unasked,
  })
})

test("asks once for a hundred accounts, and not for the slot besides", async () => {
  const asked: { method: string; count: number; commitment: unknown }[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    // CAST: both questions begin together, so they are one request.
    const calls = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: number
      method: string
      params: [unknown[], { commitment: string }]
    }[]
    const answers = calls.map(({ id, method, params: [addresses, { commitment }] }) => {
      asked.push({ method, count: addresses.length, commitment })
      const value = addresses.map(() => null)
      return { jsonrpc: "2.0", id, result: { context: { slot: 77 }, value } }
    })
    response.end(JSON.stringify(answers))
  })
  const { url } = await listen(server)
  const rpc = createRpc({ urls: [url], timeoutMs: 2_000, clock: systemClock })
  const legs = Array.from({ length: 150 }, (_, index) => legOf(index))
  try {
    expect(await askOf(createEndpoints(rpc, 1, systemClock), legs)()).toMatchObject({
      height: 77n,
      secretHashes: [],
    })
  } finally {
    server.close()
  }
  const joint = { method: "getMultipleAccounts", commitment: "confirmed" }
  expect(asked).toEqual([
    { ...joint, count: 100 },
    { ...joint, count: 50 },
  ])
})

function askOf(endpoints: Endpoints, legs: readonly WaitingLeg[]) {
  const touched = createTouchedLegs(endpoints, wallet)
  return () => touched(null, legs)
}

function hashOf(id: number): string {
  return id.toString(16).padStart(64, "0")
}

function legOf(id: number, change: Partial<LegQuery> = {}): WaitingLeg {
  const query: LegQuery = {
    side: "source",
    asset: SOL,
    htlc: null,
    secretHash: hashOf(id),
    units: 1_000n,
    owner: mustExist(us, "us"),
    initiator: mustExist(us, "us"),
    redeemer: null,
    timelock: null,
    fromHeight: 0n,
    hints: { initiateTx: null, redeemTx: null, refundTx: null },
    ...change,
  }
  return { query, isOpen: false }
}

/** One node with the accounts that a test opens. */
function createNode() {
  const owners = new Map<string, string>()
  const placeOf = ({ query }: WaitingLeg) =>
    mustExist(findSwapAccounts(query, wallet)[0], "the swap account")
  const node = {
    slot: 100n,
    isDead: false,
    commitments: [] as string[],
    open: (leg: WaitingLeg, owner = placeOf(leg).program.toBase58()) =>
      owners.set(placeOf(leg).swapAccount, owner),
    close: (leg: WaitingLeg) => owners.delete(placeOf(leg).swapAccount),
    view: ({ commitment }: { readonly commitment: string }) => {
      node.commitments.push(commitment)
      return {
        fetchSlot: async () => node.slot - 10n,
        fetchAccountAt: async (address: string) => {
          if (node.isDead) throw new Error("no answer")
          const owner = owners.get(address)
          const account =
            owner === undefined
              ? null
              : { owner, lamports: 1n, data: Buffer.alloc(0), executable: false }
          return { slot: node.slot, account }
        },
      }
    },
  }
  return node
}
