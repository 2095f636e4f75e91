import { type Hex, pad } from "viem"
import { expect, test } from "vitest"
import { decodeInitiation, deriveOrderIds, encodeInitiate } from "#chains/evm/htlc.ts"
import { identifyOrder } from "#chains/evm/legs/identify-order.ts"
import type { HtlcLog } from "#chains/evm/legs/read-htlc-logs.ts"
import type { EvmClient } from "#chains/evm/nodes/endpoint.ts"
import type { At } from "#chains/evm/rpc.ts"
import { requireAddress, type Wallet } from "#chains/evm/wallet.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import {
  htlcAddress,
  sampleAssets,
  sampleTerms,
  strangerAddress,
  wbtc,
} from "../../../chains/evm/sample-order.ts"

const us = requireAddress(`0x${"77".repeat(20)}`)
const where = { chainId: 84_532, htlc: htlcAddress }
const ids = deriveOrderIds({ ...sampleTerms, initiator: us }, where)
const query: LegQuery = {
  side: "source",
  asset: wbtc,
  htlc: htlcAddress,
  secretHash: sampleTerms.secretHash,
  units: sampleTerms.units,
  owner: us,
  initiator: us,
  redeemer: sampleTerms.redeemer,
  timelock: sampleTerms.timelock,
  hints: { initiateTx: null, redeemTx: null, refundTx: null },
  fromHeight: 0n,
}

function initiation(orderId: Hex, change: Partial<HtlcLog> = {}): HtlcLog {
  const place = {
    htlc: htlcAddress,
    txid: pad("0x1"),
    height: 9n,
    blockHash: pad("0x9"),
    index: 0,
  } as const
  const { units } = sampleTerms
  return {
    name: "Initiated",
    orderId,
    secretHash: pad("0x2"),
    units,
    secret: null,
    ...place,
    ...change,
  }
}

/** Identifies on a node that returns this transaction for every hash. */
async function identify(
  initiations: readonly HtlcLog[],
  tx: object,
  change: Partial<LegQuery> = {},
  stored: Hex = "0x",
) {
  const node = { getTransaction: async () => tx, call: async () => ({ data: stored }) }
  const client = node as unknown as EvmClient // CAST: identifyOrder calls no other method.
  const at = { client, height: 9n } as unknown as At // CAST: identifyOrder reads no other field.
  // CAST: identifyOrder reads no other field.
  const wallet = { chainId: where.chainId, assets: sampleAssets } as unknown as Wallet
  return identifyOrder({ at, wallet, query: { ...query, ...change }, initiations })
}

const opaque = { from: strangerAddress, to: strangerAddress, input: "0x1234" }

test.each(["v1", "v2", "v3"] as const)(
  "identifies our order by its id of version %s, for any sender",
  async (version) => {
    expect(await identify([initiation(ids[version])], opaque)).toMatchObject({
      initiated: { orderId: ids[version] },
    })
  },
)

test("rejects a source order with an unknown initiator, with and without a hint", async () => {
  const hints = { ...query.hints, initiateTx: pad("0x1") }
  expect(await identify([initiation(pad("0x3"))], opaque, { hints })).toBeNull()
})

test("reads the call if the id proves nothing", async () => {
  const input = encodeInitiate(sampleTerms)
  const [ours, theirs] = [us, strangerAddress].map((from) => ({ from, to: htlcAddress, input }))
  expect(decodeInitiation({ from: us, input })).toMatchObject({ initiator: us, ...sampleTerms })
  expect(await identify([initiation(pad("0x3"))], { ...ours })).toMatchObject({
    initiator: us,
    timelock: 43_200n,
  })
  expect(await identify([initiation(pad("0x3"))], { ...theirs })).toBeNull()
  // The same call on another contract proves nothing about this one.
  expect(await identify([initiation(pad("0x3"))], { ...ours, to: strangerAddress })).toBeNull()
})

test(
  "prefers, for a destination leg, a proven order to an unknown one, and the exact amount to a " +
    "larger one",
  async () => {
    const destination = { side: "destination", owner: sampleTerms.redeemer } as const
    const unknown = initiation(pad("0x3"), { height: 1n })
    const more = initiation(
      deriveOrderIds({ ...sampleTerms, units: 2n * sampleTerms.units, initiator: us }, where).v2,
      {
        units: 2n * sampleTerms.units,
        height: 2n,
      },
    )
    const exact = initiation(ids.v2)
    expect(await identify([unknown], opaque, destination)).toMatchObject({
      initiated: unknown,
      redeemer: null,
    })
    expect(await identify([unknown, more], opaque, destination)).toMatchObject({ initiated: more })
    expect(await identify([unknown, more, exact], opaque, destination)).toMatchObject({
      initiated: exact,
    })
  },
)
