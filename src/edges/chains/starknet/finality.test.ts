import { expect, test } from "vitest"
import {
  depthsFor,
  deriveStarknetFinality,
  isDeepEnough,
  needsL1,
  SMALL_STAKE_FIAT,
} from "./finality.ts"
import { describeStarknetTrust } from "./nodes/describe-trust.ts"

test("ships L1 for large endings on main net, a depth for small ones, and never one block", () => {
  const main = deriveStarknetFinality({ chainId: "SN_MAIN" })
  expect(main).toEqual({ seen: 2, reveal: 60, ending: "l1", smallEnding: 600 })
  expect(SMALL_STAKE_FIAT).toBe(1_000_000_000n)
  expect(depthsFor(main, SMALL_STAKE_FIAT).ending).toBe(600)
  for (const stake of [SMALL_STAKE_FIAT + 1n, null, undefined])
    expect(depthsFor(main, stake).ending).toBe("l1")
})

test("ships two to three blocks on test networks, for every stake", () => {
  const finality = deriveStarknetFinality({
    chainId: "SN_SEPOLIA",
    confirmations: null,
    finality: null,
  })
  expect(finality).toEqual({ seen: 2, reveal: 2, ending: 3, smallEnding: 3 })
  expect(depthsFor(finality, null)).toEqual({ seen: 2, reveal: 2, ending: 3 })
})

test("takes configured depths, and one number for all of them", () => {
  const finality = { seen: null, reveal: 5, ending: 40 } as const
  const configured = deriveStarknetFinality({ chainId: "SN_MAIN", finality })
  expect(configured).toEqual({ seen: 2, reveal: 5, ending: 40, smallEnding: 40 })
  const all = deriveStarknetFinality({ chainId: "SN_MAIN", confirmations: 7, finality })
  expect(all).toEqual({ seen: 7, reveal: 7, ending: 7, smallEnding: 7 })
})

test.each([
  [3, 2, true, false],
  [3, 3, false, true],
  ["l1", 9_999, false, false],
  ["l1", 1, true, true],
] as const)(
  "judges the depth %s after %d blocks, on L1 %s: %s",
  (depth, confirmations, onL1, expected) => {
    expect(isDeepEnough(depth, { confirmations, onL1 })).toBe(expected)
  },
)

test("asks for L1 only where a depth needs it", () => {
  expect(needsL1({ seen: 2, reveal: 60, ending: 600 })).toBe(false)
  expect(needsL1({ seen: 2, reveal: 60, ending: "l1" })).toBe(true)
})

test.each([
  [["https://a.example"], null, 1, /one lying endpoint can end an order/],
  [
    ["https://a.example", "https://b.example"],
    null,
    2,
    /can stop new deposits and endings.*2 of 2/,
  ],
  [["https://a.example", "https://b.example", "https://c.example"], null, 2, /outvoted.*2 of 3/],
  [["https://a.example", "https://b.example"], 1, 1, /one lying endpoint can end an order/],
] as const)("describes the trust in %j with agree %s", (rpc, agree, needed, worst) => {
  // CAST: the description reads no other field.
  const chain = {
    rpc,
    agree,
    chainId: "SN_MAIN",
    confirmations: null,
    finality: null,
  } as unknown as Parameters<typeof describeStarknetTrust>[0]
  expect(describeStarknetTrust(chain)).toEqual({
    endpoints: rpc.length,
    agree: needed,
    finality: {
      seen: "2 blocks",
      reveal: "60 blocks",
      ending: "accepted on L1; up to a stake of 1000: 600 blocks",
    },
    worst: expect.stringMatching(worst),
  })
})
