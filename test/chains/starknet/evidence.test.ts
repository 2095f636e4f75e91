import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { formatFelt } from "#chains/starknet/felt.ts"
import { decodeMulticall, SELECTORS } from "#chains/starknet/htlc.ts"
import { hashInvoke, parseInvoke, toWire } from "#chains/starknet/spend/invoke.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { acceptOnL1, heightOf } from "#sandbox/starknet/devnet.ts"
import { selectorOf } from "#sandbox/starknet/felt.ts"
import { HTLC_VARIANTS, splitHash } from "#sandbox/starknet/htlc-variant.ts"
import { createLocalAccount, sendCalls } from "#sandbox/starknet/local-account.ts"
import {
  initiateOf,
  legOf,
  NONE_RESERVED,
  openStarknetScene,
  type Placed,
  refundOf,
  STRK,
  type StarknetScene,
  unfundedOf,
  WBTC,
} from "./starknet-scene.ts"
import type { Meddling } from "./start-node-proxy.ts"

let scene: StarknetScene
let chain: ChainPort

beforeAll(async () => {
  scene = await openStarknetScene({ confirmations: 1 })
  chain = scene.chain
})

afterAll(() => scene.stop())

async function urlOf(meddle: Meddling): Promise<string> {
  return (await scene.openProxy([scene.local.url], meddle)).url
}

function contractOf({ swap }: Placed): bigint {
  return BigInt(mustExist(swap.extra["htlc"], "htlc"))
}

describe("a transaction whose nonce another transaction used", () => {
  test("is excluded by the transaction that the block shows, final only at the depth of an ending", async () => {
    const port = scene.portAt([scene.local.url], { confirmations: null })
    const ours = await chain.signTransaction(await scene.plan(initiateOf(await scene.place(10n))))
    const rival = await scene.land(await scene.plan({ action: "void", voids: ours.plan }))
    const [nonce = ""] = ours.plan.resources
    const mined = await chain.observeTransaction(rival)
    const { feeUnits } = mined.status === "mined" ? mined : { feeUnits: 0n }
    expect(feeUnits).toBeGreaterThan(0n)
    expect(await chain.uses?.readUse(nonce)).toEqual({ txid: rival.txid, action: "void", feeUnits })
    // A fee above the cap is no fee of Ballast.
    const frugal = scene.portAt([scene.local.url], { maxFeeUnits: feeUnits - 1n })
    expect(await frugal.uses?.readUse(nonce)).toMatchObject({ action: "void", feeUnits: null })
    for (const final of [false, false, true, true]) {
      expect(await port.observeTransaction(ours)).toEqual({
        status: "excluded",
        by: rival.txid,
        final,
        isVoid: true,
      })
      scene.mine()
    }
    scene.mine(40)
    expect(await port.observeTransaction(ours)).toEqual({
      status: "excluded",
      by: rival.txid,
      final: true,
      isVoid: true,
    })
  })

  test("is never excluded because one of two backends of an endpoint is a block behind", async () => {
    const lagging = await scene.openLagging(1)
    for (const targets of [
      [scene.local.url, lagging],
      [lagging, scene.local.url],
      [lagging, lagging, scene.local.url],
    ]) {
      const { url } = await scene.openProxy(targets)
      const port = scene.portAt([url])
      for (let round = 0; round < 2; round++) {
        const ours = await scene.land(await scene.plan(initiateOf(await scene.place(11n))))
        for (let attempt = 0; attempt < 4; attempt++) {
          const seen = await port.observeTransaction(ours).catch((error) => error)
          expect(["unseen", "pending", "mined", "transient"]).toContain(
            seen.status ?? seen.disposition,
          )
        }
      }
    }
  })

  test.each([
    ["has lost the old states", 24],
    ["cannot show the block", 24],
  ])("is not excluded by a node that %s", async (what, code) => {
    const ours = await chain.signTransaction(await scene.plan(initiateOf(await scene.place(12n))))
    await scene.land(await scene.plan({ action: "void", voids: ours.plan }))
    const error = { code, message: "Block not found" }
    const pruned = await urlOf(({ method, params }) => {
      // CAST: our own request.
      const isOld = typeof (params[0] as { block_number?: number })?.block_number === "number"
      const method2 =
        what === "cannot show the block" ? "starknet_getBlockWithTxs" : "starknet_getNonce"
      return method === method2 && isOld ? { error } : null
    })
    await expect(scene.portAt([pruned]).observeTransaction(ours)).rejects.toMatchObject({
      disposition: "transient",
    })
    // One endpoint with the whole history cannot end anything alone.
    const two = await scene.portAt([pruned, scene.local.url]).observeTransaction(ours)
    expect(two).toMatchObject({ status: "excluded", final: false })
  })

  test.each([
    ["without our nonce in its block", { nonce: "0x3e7" }],
    ["by another account", { sender_address: "0x1234" }],
    ["with another hash than its fields have", { transaction_hash: "0xbad" }],
    ["with a changed field", { tip: "0x1" }],
  ])("is not excluded by a rival %s", async (_what, lie) => {
    const ours = await chain.signTransaction(await scene.plan(initiateOf(await scene.place(13n))))
    const rival = await scene.land(await scene.plan({ action: "void", voids: ours.plan }))
    const lying = await urlOf(({ method }) =>
      method !== "starknet_getBlockWithTxs"
        ? null
        : ({ result }) => {
            // CAST: the devnet's answer.
            const block = result as { transactions: { transaction_hash: string }[] }
            const transactions = block.transactions.map((tx) =>
              tx.transaction_hash === rival.txid ? { ...tx, ...lie } : tx,
            )
            return { result: { ...block, transactions } }
          },
    )
    const seen = scene.portAt([lying]).observeTransaction(ours)
    await expect(seen).rejects.toMatchObject({
      code: "starknet.rival_unknown",
      disposition: "transient",
    })
  })

  test("is excluded by the transaction with its own nonce, not by our other one in the same block", async () => {
    const first = await scene.plan(initiateOf(await scene.place(19n)))
    const second = mustExist(
      await chain.nonces?.bindPlan(
        await scene.plan(initiateOf(await scene.place(9n))),
        new Set(first.resources),
      ),
      "bindPlan",
    )
    const ours = await chain.signTransaction(second)
    const other = await chain.signTransaction(first)
    await chain.broadcastTransaction(other)
    const rival = await scene.land(await scene.plan({ action: "void", voids: second }))
    expect(await chain.observeTransaction(other)).toMatchObject({ status: "mined" })
    expect(await chain.observeTransaction(ours)).toEqual({
      status: "excluded",
      by: rival.txid,
      final: true,
      isVoid: true,
    })
  })

  test("is not excluded by another account's transaction with the same nonce", async () => {
    const ours = await chain.signTransaction(await scene.plan(initiateOf(await scene.place(8n))))
    const rival = await scene.land(await scene.plan({ action: "void", voids: ours.plan }))
    const invoke = { ...parseInvoke(ours.plan.unsigned), sender: "0x1234" }
    const foreign = { ...toWire(invoke, ["0x1"]), transaction_hash: hashInvoke(invoke) }
    const crowded = await urlOf(({ method }) =>
      method === "starknet_getBlockWithTxs"
        ? ({ result }) => {
            const block = result as { transactions: object[] } // CAST: the devnet's answer.
            return { result: { ...block, transactions: [foreign, ...block.transactions] } }
          }
        : null,
    )
    const seen = await scene.portAt([crowded]).observeTransaction(ours)
    expect(seen).toEqual({ status: "excluded", by: rival.txid, final: true, isVoid: true })
  })

  test("is excluded finally by agreement alone", async () => {
    const ours = await chain.signTransaction(await scene.plan(initiateOf(await scene.place(14n))))
    const silent = await urlOf(({ method }) =>
      method === "starknet_getNonce" ? { result: "0x0" } : null,
    )
    const rival = await scene.land(await scene.plan({ action: "void", voids: ours.plan }))
    expect(await scene.portAt([silent, scene.local.url]).observeTransaction(ours)).toEqual({
      status: "unseen",
    })
    const three = scene.portAt([silent, scene.local.url, await urlOf(() => null)])
    expect(await three.observeTransaction(ours)).toEqual({
      status: "excluded",
      by: rival.txid,
      final: true,
      isVoid: true,
    })
  })
})

test("ends a large stake only by a block that Ethereum accepted, and a small one by depth", async () => {
  const finality = { seen: 1, reveal: 1, ending: "l1" as const }
  const urls = [scene.local.url, await urlOf(() => null)]
  const port = scene.portAt(urls, { confirmations: null, finality })
  const placed = await scene.place(15n)
  const ours = await scene.land(await scene.plan(initiateOf(placed)))
  scene.mine(30)
  expect(await port.observeTransaction(ours)).toMatchObject({
    status: "mined",
    seen: true,
    final: false,
  })
  expect((await port.observeLeg(legOf(placed, port.account))).initiated).toMatchObject({
    revealable: true,
    final: false,
  })
  acceptOnL1(scene.local.devnet, heightOf(scene.local.devnet))
  expect(await port.observeTransaction(ours)).toMatchObject({
    status: "mined",
    seen: true,
    final: true,
  })
  expect((await port.observeLeg(legOf(placed, port.account))).initiated).toMatchObject({
    final: true,
  })
  // One endpoint that does not know of it yet: no contradiction, and no ending.
  const late = await urlOf(({ method }) =>
    method === "starknet_getBlockWithTxHashes"
      ? // CAST: a block is an object.
        ({ result }) => ({ result: { ...(result as object), status: "ACCEPTED_ON_L2" } })
      : null,
  )
  const leg = await scene
    .portAt([late, scene.local.url], { confirmations: null, finality })
    .observeLeg(legOf(placed, port.account))
  expect(leg).toMatchObject({ agreed: true, doubts: [], initiated: { final: false } })
})

test("binds a plan to the next free nonce, and leaves a void and a higher fee alone", async () => {
  const first = await scene.plan(initiateOf(await scene.place(16n)))
  const second = await scene.plan(initiateOf(await scene.place(17n)))
  expect(second.resources).toEqual(first.resources)
  const bind = async (plan: TransactionPlan, reserved = NONE_RESERVED) =>
    mustExist(await chain.nonces?.bindPlan(plan, reserved), "bindPlan")
  expect(await bind(first)).toEqual(first)
  const bound = await bind(second, new Set(first.resources))
  expect(bound.resources).not.toEqual(first.resources)
  expect(bound).toMatchObject({
    action: "initiate",
    attempt: 0,
    spends: second.spends,
    maxFeeUnits: second.maxFeeUnits,
  })
  await scene.land(first)
  expect(await bind(second)).toEqual(bound)
  const landed = await scene.land(bound)
  expect(await chain.observeTransaction(landed)).toMatchObject({ status: "mined", ok: true })
  const bumped = mustExist(await chain.planBump(second), "a bump")
  expect(await bind(bumped)).toEqual(bumped)
  const voiding = await scene.plan({ action: "void", voids: second })
  expect(await bind(voiding)).toEqual(voiding)
  const lying = await urlOf(({ method }) =>
    method === "starknet_getNonce" ? { result: "0xffff" } : null,
  )
  const two = scene.portAt([lying, scene.local.url])
  await expect(two.nonces?.bindPlan(second, NONE_RESERVED)).rejects.toMatchObject({
    code: "starknet.disagreement",
  })
})

/** Each estimate with another price. An estimate for a nonce that is over has no result. */
const withPrice =
  (price: string | undefined) =>
  ({ result, ...rest }: { readonly result?: unknown }): object => {
    // CAST: a list of estimates.
    const [estimate] = (result ?? []) as object[]
    return estimate === undefined ? rest : { result: [{ ...estimate, l2_gas_price: price }] }
  }

test("is not stopped by one endpoint with an absurd fee estimate or an invented revert", async () => {
  const placed = await scene.place(18n)
  const honest = await scene.plan(initiateOf(placed))
  const dear = await urlOf(({ method }) =>
    method === "starknet_estimateFee" ? withPrice(`0x${"f".repeat(20)}`) : null,
  )
  const reverting = await urlOf(({ method }) =>
    method === "starknet_estimateFee"
      ? { error: { code: 41, message: "no", data: { execution_error: "HTLC: duplicate order" } } }
      : null,
  )
  for (const lying of [dear, reverting]) {
    const planned = await scene
      .portAt([lying, scene.local.url])
      .planTransaction(initiateOf(placed), NONE_RESERVED)
    expect(planned).toMatchObject({ action: "initiate", maxFeeUnits: honest.maxFeeUnits })
  }
})

describe("a refund", () => {
  test.each([
    ["shows orders", () => null],
    ["has no view of orders", noView],
  ] as readonly (readonly [string, Meddling])[])(
    "goes to our own order, and never to the order of a claimed swap id, where the contract %s",
    async (_what, meddle) => {
      const ours = await scene.place(20n, 5)
      await scene.land(await scene.plan(initiateOf(ours)))
      const stranger = await openStrangersOrder(20n, ours.deposit.redeemer)
      scene.mine(8)
      const port = scene.portAt([await urlOf(meddle)])
      const planned = await port.planTransaction(refundOf(ours, stranger), NONE_RESERVED)
      if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
      const [call] = mustExist(
        decodeMulticall(parseInvoke(planned.unsigned).calldata.map(BigInt)),
        "calls",
      )
      expect(call?.calldata).toEqual([BigInt(`0x${ours.swap.swapId}`)])
      // Without a derivation of ours, and without our deposit on chain, the claimed order stays
      // alone too.
      const never = await scene.place(21n, 5)
      const unknown = {
        ...never.deposit,
        extras: { ...never.deposit.extras, orderId: null, orderIds: [] },
      }
      for (const deposit of [never.deposit, unknown]) {
        const refused = await port.planTransaction(
          refundOf({ ...never, deposit }, stranger),
          NONE_RESERVED,
        )
        expect(refused).toMatchObject({ refused: [{ code: "starknet.swap_id" }] })
      }
      await scene.land(planned)
      expect((await chain.observeLeg(legOf(ours, chain.account))).refunded).toMatchObject({
        paidUnits: 20n,
      })
    },
  )

  test("lands within the cap where no endpoint has a gas price", async () => {
    for (const [units, price] of [
      [23n, "0x0"],
      [24n, undefined],
    ] as const) {
      const ours = await scene.place(units, 5)
      await scene.land(await scene.plan(initiateOf(ours)))
      scene.mine(8)
      const silent = await urlOf(({ method }) =>
        method === "starknet_estimateFee" ? withPrice(price) : null,
      )
      const planned = await scene
        .portAt([silent])
        .planTransaction(refundOf(ours, "abc"), NONE_RESERVED)
      if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
      await scene.land(planned)
      expect((await chain.observeLeg(legOf(ours, chain.account))).refunded).toMatchObject({
        paidUnits: units,
      })
    }
  })

  test("goes on while an endpoint is dead, and while one lies about the order", async () => {
    const ours = await scene.place(22n, 5)
    await scene.land(await scene.plan(initiateOf(ours)))
    scene.mine(8)
    const blind = await urlOf((call) =>
      isGetOrder(call) ? { result: Array(7).fill("0x0") } : null,
    )
    const poor = await urlOf(({ method }) =>
      method === "starknet_call" ? { result: ["0x0", "0x0"] } : null,
    )
    for (const other of ["http://127.0.0.1:1", blind, poor]) {
      const port = scene.portAt([other, scene.local.url])
      expect(await port.planTransaction(refundOf(ours, "abc"), NONE_RESERVED)).toMatchObject({
        action: "refund",
      })
    }
  })
})

describe("the proof that an HTLC is unfunded", () => {
  test("needs a final rival for each signed deposit, and an empty contract", async () => {
    const port = scene.portAt([scene.local.url, await urlOf(() => null)], { confirmations: 2 })
    const placed = await scene.place(30n)
    const ours = await chain.signTransaction(await scene.plan(initiateOf(placed)))
    const query = unfundedOf(placed, chain.account, [ours])
    expect(await port.proveUnfunded(query)).toMatchObject({
      status: "unsure",
      reasons: [{ code: "starknet.unproven" }],
    })
    const rival = await scene.land(await scene.plan({ action: "void", voids: ours.plan }))
    const height = BigInt(heightOf(scene.local.devnet))
    expect(await port.proveUnfunded(query)).toMatchObject({ status: "unsure" })
    scene.mine()
    expect(await port.proveUnfunded(query)).toEqual({
      status: "unfunded",
      height,
      rivals: [rival.txid],
    })
    const short = await scene.portAt([scene.local.url, "http://127.0.0.1:1"]).proveUnfunded(query)
    expect(short).toMatchObject({ status: "unsure", reasons: [{ code: "chain.agreement_short" }] })
  })

  test.each([
    ["funded", 0],
    ["redeemed", 1],
    ["refunded", 2],
  ])("finds a deposit that is or was %s", async (_what, way) => {
    const placed = await scene.place(31n, way === 2 ? 3 : 2_880)
    const ours = await scene.land(await scene.plan(initiateOf(placed)))
    if (way === 1) await scene.local.redeem(placed.swap, placed.secret)
    scene.mine(6)
    if (way === 2) await scene.land(await scene.plan(refundOf(placed, "")))
    const query = unfundedOf(placed, chain.account, [ours])
    for (const meddle of [() => null, noView]) {
      expect(await scene.portAt([await urlOf(meddle)]).proveUnfunded(query)).toEqual({
        status: "funded",
      })
    }
    // An endpoint that hides it cannot end the order.
    const hiding = await urlOf((call) => {
      if (call.method === "starknet_getEvents") return { result: { events: [] } }
      return isGetOrder(call) ? { result: Array(7).fill("0x0") } : null
    })
    const split = await scene.portAt([hiding, scene.local.url]).proveUnfunded(query)
    expect(split).toMatchObject({ status: "unsure", reasons: [{ code: "chain.disagreement" }] })
  })

  test("waits while a relay could still use a signature", async () => {
    const placed = await scene.place(32n)
    const { htlc } = placed.deposit
    const approval = await scene.land(
      await scene.plan({ action: "approve", asset: WBTC, spender: htlc, units: 32n }),
    )
    const query = unfundedOf(placed, chain.account, [approval])
    const open = await chain.proveUnfunded(query)
    expect(open).toMatchObject({
      status: "unsure",
      reasons: [{ message: expect.stringContaining("allowance") }],
    })
    // One endpoint that hides the allowance proves nothing, in whatever order the endpoints are
    // asked.
    const hiding = await urlOf(({ method, params }) => {
      const isAllowance =
        method === "starknet_call" &&
        JSON.stringify(params).includes(formatFelt(selectorOf("allowance")))
      return isAllowance ? { result: ["0x0", "0x0"] } : null
    })
    for (const urls of [
      [hiding, scene.local.url],
      [scene.local.url, hiding],
    ])
      expect(await scene.portAt(urls).proveUnfunded(query)).toMatchObject({ status: "unsure" })
    const revocation = await scene.land(
      await scene.plan({ action: "approve", asset: WBTC, spender: htlc, units: 0n }),
    )
    const proof = await chain.proveUnfunded(
      unfundedOf(placed, chain.account, [approval, revocation]),
    )
    expect(proof).toMatchObject({ status: "unfunded", rivals: [] })
  })

  test("is not given for terms or contracts that Ballast cannot read", async () => {
    const placed = await scene.place(33n)
    const query = unfundedOf(placed, chain.account, [])
    for (const change of [{ timelock: null }, { redeemer: null }, { htlc: "0x1234" }]) {
      expect(await chain.proveUnfunded({ ...query, ...change })).toMatchObject({ status: "unsure" })
    }
    await expect(chain.proveUnfunded({ ...query, secretHash: "xx" })).rejects.toMatchObject({
      disposition: "hold",
    })
  })

  test("is never given for a funded order, and soon for an empty one, by endpoints whose backends " +
    "lag", {
    timeout: 60_000,
  }, async () => {
    const lagging = await scene.openLagging(1)
    const balanced = async () => (await scene.openProxy([scene.local.url, lagging])).url
    const port = scene.portAt([await balanced(), await balanced()])
    const funded = await scene.place(35n)
    const deposit = await scene.land(await scene.plan(initiateOf(funded)))
    const empty = await scene.place(36n)
    const never = await chain.signTransaction(await scene.plan(initiateOf(empty)))
    await scene.land(await scene.plan({ action: "void", voids: never.plan }))
    const ask = (placed: Placed, signed: typeof deposit): Promise<string> =>
      port.proveUnfunded(unfundedOf(placed, chain.account, [signed])).then(
        ({ status }) => status,
        (error) => error.disposition,
      )
    const ofFunded: string[] = []
    const ofEmpty: string[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      ofFunded.push(await ask(funded, deposit))
      ofEmpty.push(await ask(empty, never))
      scene.mine()
    }
    expect(ofFunded).not.toContain("unfunded")
    expect(ofFunded).toContain("funded")
    expect(ofEmpty).not.toContain("funded")
    expect(ofEmpty).toContain("unfunded")
  })

  test("takes a deposit that reverted for its own rival", async () => {
    const placed = [await scene.place(600_000_000n), await scene.place(600_000_000n)] as const
    const plans = [
      await scene.plan(initiateOf(placed[0])),
      await scene.plan(initiateOf(placed[1])),
    ] as const
    await scene.land(plans[0])
    // The balance was enough for one of the two.
    const bound = mustExist(await chain.nonces?.bindPlan(plans[1], NONE_RESERVED), "bindPlan")
    const reverted = await scene.land(bound)
    expect(await chain.observeTransaction(reverted)).toMatchObject({ status: "mined", ok: false })
    const proof = await chain.proveUnfunded(unfundedOf(placed[1], chain.account, [reverted]))
    expect(proof).toMatchObject({ status: "unfunded", rivals: [reverted.txid] })
  })
})

function isGetOrder({ method, params }: { method: string; params: readonly unknown[] }): boolean {
  return (
    method === "starknet_call" && JSON.stringify(params).includes(formatFelt(SELECTORS.getOrder))
  )
}

/** A contract without `get_order`. */
function noView(call: { method: string; params: readonly unknown[] }) {
  return isGetOrder(call)
    ? { error: { code: 21, message: "Requested entrypoint does not exist in the contract" } }
    : null
}

/** An expired order of a stranger, with another secret hash. Returns its id. */
async function openStrangersOrder(units: bigint, redeemer: string): Promise<string> {
  const stranger = createLocalAccount(scene.local.devnet, "0xbad3")
  for (const asset of [STRK, WBTC]) {
    const funded = scene.local.fund(
      formatFelt(stranger.address),
      asset,
      asset === STRK ? 10n ** 20n : 10n * units,
    )
    scene.mine()
    await funded
  }
  const other = await scene.place(units, 5)
  const token = BigInt(mustExist(scene.local.assets.find(({ id }) => id === WBTC)?.token, "token"))
  const hash = splitHash(HTLC_VARIANTS.v3, other.swap.secretHash)
  sendCalls(scene.local.devnet, stranger, [
    { to: token, selector: selectorOf("approve"), calldata: [contractOf(other), units, 0n] },
    {
      to: contractOf(other),
      selector: selectorOf("initiate"),
      calldata: [BigInt(redeemer), 5n, units, 0n, ...hash],
    },
  ])
  scene.mine()
  const query = legOf(other, formatFelt(stranger.address), {
    initiator: formatFelt(stranger.address),
  })
  const { initiated } = await chain.observeLeg(query)
  const events = mustExist(
    scene.local.devnet.state.mined[mustExist(initiated, "order").txid],
    "transaction",
  ).execution.events
  const event = mustExist(
    events.find(({ keys }) => keys[0] === SELECTORS.initiatedEvent),
    "Initiated",
  )
  return mustExist(event.keys[1], "order id").toString(16)
}
