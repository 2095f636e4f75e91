import fc from "fast-check"
import {
  type AbiEvent,
  type AbiFunction,
  getAddress,
  toEventSelector,
  toFunctionSelector,
} from "viem"
import { describe, expect, test } from "vitest"
import { messengerAbi, minterAbi, transmitterAbi, usdcAbi } from "#chains/evm/cctp/abi.ts"
import {
  type BurnCall,
  checkBurn,
  decodeBurn,
  decodeMint,
  encodeBurn,
  encodeMint,
} from "#chains/evm/cctp/calls.ts"
import { LIVE_ATTESTATION, LIVE_MESSAGE } from "../../../routes/cctp/live-mint.ts"

const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}` as const
const words = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hexOf)
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const burns: fc.Arbitrary<BurnCall> = fc.record({
  amountUnits: uint256,
  destinationDomain: uint32,
  mintRecipient: words,
  burnToken: fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => getAddress(hexOf(bytes))),
  destinationCaller: words,
  maxFeeUnits: uint256,
  minFinalityThreshold: uint32,
})

const BURN: BurnCall = {
  amountUnits: 100_000_000n,
  destinationDomain: 0,
  mintRecipient: `0x${"00".repeat(12)}${"ab".repeat(20)}`,
  burnToken: getAddress(`0x${"11".repeat(20)}`),
  destinationCaller: `0x${"00".repeat(32)}`,
  maxFeeUnits: 15_000n,
  minFinalityThreshold: 1_000,
}
const TERMS = {
  amountUnits: BURN.amountUnits,
  destinationDomain: 0,
  mintRecipient: BURN.mintRecipient,
  burnToken: BURN.burnToken,
  maxFeeUnits: 15_000n,
  finality: "fast",
} as const

/** Selectors and topics of the published ABIs, as live logs have them. */
test("the ABI has the selectors and topics of the live contracts", () => {
  const all = [...messengerAbi, ...transmitterAbi, ...minterAbi, ...usdcAbi]
  const selectorOf = (name: string): string =>
    all
      .filter((item): item is AbiFunction & typeof item => item.type === "function")
      .filter((item) => item.name === name)
      .map((item) => toFunctionSelector(item))
      .join()
  const topicOf = (name: string): string =>
    all
      .filter((item): item is AbiEvent & typeof item => item.type === "event")
      .filter((item) => item.name === name)
      .map((item) => toEventSelector(item))
      .join()
  expect({
    depositForBurn: selectorOf("depositForBurn"),
    getMinFeeAmount: selectorOf("getMinFeeAmount"),
    remoteTokenMessengers: selectorOf("remoteTokenMessengers"),
    localMinter: selectorOf("localMinter"),
    localMessageTransmitter: selectorOf("localMessageTransmitter"),
    isDenylisted: selectorOf("isDenylisted"),
    receiveMessage: selectorOf("receiveMessage"),
    usedNonces: selectorOf("usedNonces"),
    localDomain: selectorOf("localDomain"),
    version: selectorOf("version"),
    signatureThreshold: selectorOf("signatureThreshold"),
    isEnabledAttester: selectorOf("isEnabledAttester"),
    burnLimitsPerMessage: selectorOf("burnLimitsPerMessage"),
    getLocalToken: selectorOf("getLocalToken"),
    isBlacklisted: selectorOf("isBlacklisted"),
    minterAllowance: selectorOf("minterAllowance"),
  }).toEqual({
    depositForBurn: "0x8e0250ee",
    getMinFeeAmount: "0x516990e3",
    remoteTokenMessengers: "0x82a5e665",
    localMinter: "0xcb75c11c",
    localMessageTransmitter: "0x2c121921",
    isDenylisted: "0xe877a526",
    receiveMessage: "0x57ecfd28",
    usedNonces: "0xfeb61724",
    localDomain: "0x8d3638f4",
    version: "0x54fd4d50",
    signatureThreshold: "0xa82f2e26",
    isEnabledAttester: "0x7af82f60",
    burnLimitsPerMessage: "0xa56ec632",
    getLocalToken: "0x78a0565e",
    isBlacklisted: "0xfe575a87",
    minterAllowance: "0x8a6db9c3",
  })
  expect({
    DepositForBurn: topicOf("DepositForBurn"),
    MintAndWithdraw: topicOf("MintAndWithdraw"),
    MessageSent: topicOf("MessageSent"),
    MessageReceived: topicOf("MessageReceived"),
  }).toEqual({
    DepositForBurn: "0x0c8c1cbdc5190613ebd485511d4e2812cfa45eecb79d845893331fedad5130a5",
    MintAndWithdraw: "0x50c55e915134d457debfa58eb6f4342956f8b0616d51a89a3659360178e1ab63",
    MessageSent: "0x8c5261668696ce22758910d05bab8f186d6eb247ceac2af2e82c7dc17669b036",
    MessageReceived: "0xff48c13eda96b1cceacc6b9edeedc9e9db9d6226afbc30146b720c19d3addb1c",
  })
})

describe("the call of a burn", () => {
  test("keeps every argument through bytes and back", () => {
    fc.assert(
      fc.property(burns, (burn) => {
        expect(decodeBurn(encodeBurn(burn))).toEqual(burn)
      }),
    )
  })

  test("in any other form is none: a hook, another length, dirty words", () => {
    const data = encodeBurn(BURN)
    expect(decodeBurn(`0x779b432d${data.slice(10)}`)).toBeNull()
    expect(decodeBurn(`${data}00`)).toBeNull()
    expect(decodeBurn(data.slice(0, -2))).toBeNull()
    // The upper bytes of the domain's word.
    expect(decodeBurn(`${data.slice(0, 74)}01${data.slice(76)}`)).toBeNull()
    for (const text of ["", "0x", "0x8e0250ee", "burn"]) expect(decodeBurn(text)).toBeNull()
  })

  test("that does what the order says has no reason against it", () => {
    expect(checkBurn(BURN, TERMS)).toEqual([])
    expect(
      checkBurn({ ...BURN, minFinalityThreshold: 2_000 }, { ...TERMS, finality: "standard" }),
    ).toEqual([])
  })

  test.each([
    ["amountUnits", 100_000_001n],
    ["destinationDomain", 3],
    ["mintRecipient", `0x${"00".repeat(12)}${"ac".repeat(20)}`],
    ["burnToken", getAddress(`0x${"12".repeat(20)}`)],
    ["destinationCaller", BURN.mintRecipient],
    ["maxFeeUnits", 15_001n],
    ["minFinalityThreshold", 1_001],
  ] as const)("with another %s is refused, by its name", (field, value) => {
    const reasons = checkBurn({ ...BURN, [field]: value }, TERMS)
    expect(reasons).toMatchObject([{ code: "cctp.burn_differs", field, found: String(value) }])
  })

  test("whose fee could take all of it is refused", () => {
    const terms = { ...TERMS, maxFeeUnits: BURN.amountUnits }
    expect(checkBurn({ ...BURN, maxFeeUnits: BURN.amountUnits }, terms)).toMatchObject([
      { code: "cctp.fee_above_amount" },
    ])
  })
})

describe("the call of a mint", () => {
  test("of a live chain keeps message and attestation", () => {
    const data = encodeMint(LIVE_MESSAGE, LIVE_ATTESTATION)
    expect(decodeMint(data)).toEqual({ message: LIVE_MESSAGE, attestation: LIVE_ATTESTATION })
  })

  test("in any other form is none", () => {
    const data = encodeMint(LIVE_MESSAGE, LIVE_ATTESTATION)
    expect(decodeMint(`${data}00`)).toBeNull()
    expect(decodeMint(data.slice(0, -2))).toBeNull()
    expect(decodeMint(encodeMint(LIVE_MESSAGE, `0x${"00".repeat(20_000)}`))).toBeNull()
    for (const text of ["", "0x", "0x57ecfd28", "mint"]) expect(decodeMint(text)).toBeNull()
  })
})
