import { encodeAbiParameters, parseAbiParameters } from "viem"
import { expect, test } from "vitest"
import { deriveOrderIds } from "#chains/evm/htlc.ts"
import { decodeOrder, deriveIds, hasTerms, type StoredOrder } from "#chains/evm/legs/read-orders.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import {
  htlcAddress,
  nativeHtlc,
  sampleTerms,
  strangerAddress,
  wbtc,
} from "../../../chains/evm/sample-order.ts"

const us = requireAddress(`0x${"77".repeat(20)}`)
const stored: StoredOrder = {
  initiator: us,
  redeemer: sampleTerms.redeemer,
  initiatedAt: 9n,
  timelock: sampleTerms.timelock,
  units: sampleTerms.units,
  isFulfilled: false,
}
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

const OLDER = parseAbiParameters("bool, address, address, uint256, uint256, uint256")
const CURRENT = parseAbiParameters("address, address, uint256, uint256, uint256, uint256")
const { initiator, redeemer, initiatedAt, timelock, units } = stored

test.each([
  [
    "versions 1 and 2, open",
    encodeAbiParameters(OLDER, [false, initiator, redeemer, initiatedAt, timelock, units]),
    false,
  ],
  [
    "versions 1 and 2, closed",
    encodeAbiParameters(OLDER, [true, initiator, redeemer, initiatedAt, timelock, units]),
    true,
  ],
  [
    "version 3, open",
    encodeAbiParameters(CURRENT, [initiator, redeemer, initiatedAt, timelock, units, 0n]),
    false,
  ],
  [
    "version 3, closed",
    encodeAbiParameters(CURRENT, [initiator, redeemer, initiatedAt, timelock, units, 12n]),
    true,
  ],
])("reads an order of %s", (_what, data, isFulfilled) => {
  expect(decodeOrder(data)).toEqual({ ...stored, isFulfilled })
})

test("tells an order that does not exist from an answer that shows none", () => {
  expect(decodeOrder(`0x${"0".repeat(64 * 6)}`)).toBe("empty")
  for (const data of [
    "0x",
    `0x${"0".repeat(64)}`,
    `0x${"0".repeat(64 * 7)}`,
    `0x${"f".repeat(64 * 6)}`,
  ] as const)
    expect([data.length, decodeOrder(data)]).toEqual([data.length, "unreadable"])
})

test("derives the ids of every version at every contract, and none from the service's words", () => {
  const hints = { initiateTx: "aa".repeat(32), redeemTx: "bb".repeat(32), refundTx: null }
  const ids = deriveIds({ chainId: 84_532 }, [htlcAddress, nativeHtlc], { ...query, hints })
  const expected = [htlcAddress, nativeHtlc].flatMap((htlc) => {
    const { v1, v2, v3 } = deriveOrderIds(
      { ...sampleTerms, initiator: us },
      { chainId: 84_532, htlc },
    )
    return [v3, v2, v1]
  })
  expect(ids.map(({ orderId }) => orderId)).toEqual(expected)
  expect(deriveIds({ chainId: 84_532 }, [htlcAddress], { ...query, timelock: null })).toEqual([])
})

test(
  "an order is the leg's only with all its terms, because the id of version 1 hashes the " +
    "initiator alone",
  () => {
    expect(hasTerms(stored, query)).toBe(true)
    for (const change of [
      { initiator: strangerAddress },
      { redeemer: strangerAddress },
      { timelock: 1n },
      { units: sampleTerms.units + 1n },
    ])
      expect(hasTerms({ ...stored, ...change }, query)).toBe(false)
  },
)
