import { type Address, encodeFunctionData, type Hex } from "viem"
import { describe, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { encodeApprove, encodeInitiate, htlcAbi } from "#chains/evm/htlc.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import {
  type EvmRequest,
  eth,
  htlcAddress,
  nativeHtlc,
  noOrder,
  sampleOptions,
  sampleRequest,
  sampleTerms,
  sampleTypedData,
  strangerAddress,
  tokenAddress,
  wbtc,
} from "../../../chains/evm/sample-order.ts"

const chain = createEvmChain(sampleOptions([]))

function decode(request: EvmRequest, asset = wbtc) {
  return chain.decodeDeposit(request, noOrder, asset)
}

function codesOf(request: EvmRequest, asset = wbtc): string[] {
  return decode(request, asset).findings.map(({ code }) => code)
}

test("decodes a valid request with its typed data", () => {
  const { extras, ...decoded } = decode(sampleRequest({}, sampleTypedData()))
  expect(decoded).toEqual({
    chain: "base_sepolia",
    family: "evm",
    htlcKind: "contract",
    isRefundableByUs: true,
    hasTypedData: true,
    htlc: htlcAddress,
    asset: wbtc,
    ...sampleTerms,
    refundTo: chain.account,
    findings: [],
  })
  expect(extras).toMatchObject({
    functionName: "initiate",
    value: "0",
    gasLimitClaim: "200000",
    approvalNote: null,
  })
  expect(JSON.parse(JSON.stringify(extras))).toEqual(extras)
  expect(extras["typedData"]).toMatchObject({ message: { amount: "1000000", timelock: "43200" } })
})

test("accepts numbers of typed data in each notation", () => {
  const data = sampleTypedData()
  const decimal = { ...data, message: { ...data.message, timelock: 43_200, amount: "1000000" } }
  const request = sampleRequest({}, { ...decimal, domain: { ...data.domain, chainId: 84_532 } })
  expect(codesOf(request)).toEqual([])
  expect(codesOf(sampleRequest({ to: htlcAddress.toLowerCase() }, undefined))).toEqual([])
})

describe("a changed transaction has a finding:", () => {
  const data = encodeInitiate(sampleTerms)
  const withSelector = (selector: string): string => selector + data.slice(10)
  const dirtyAddress = `${data.slice(0, 10)}1${data.slice(11)}`
  const other = encodeFunctionData({
    abi: htlcAbi,
    functionName: "refund",
    args: [`0x${"00".repeat(32)}`],
  })
  test.each([
    ["a foreign contract", { to: strangerAddress }, ["evm.htlc_unknown"]],
    ["no contract at all", { to: "nonsense" }, ["evm.htlc_unknown"]],
    ["another asset's contract", { to: nativeHtlc }, ["evm.htlc_unknown"]],
    ["another chain", { chainId: 1n }, ["evm.chain_id"]],
    ["another function", { data: withSelector("0xa9059cbb") }, ["evm.calldata"]],
    ["a refund", { data: other }, ["evm.calldata"]],
    ["bytes behind the arguments", { data: `${data}00` }, ["evm.calldata"]],
    ["too few bytes", { data: data.slice(0, -2) }, ["evm.calldata"]],
    ["dirt before an address", { data: dirtyAddress }, ["evm.calldata"]],
    ["no data", { data: "" }, ["evm.calldata"]],
    ["no hex", { data: `0x${"zz".repeat(132)}` }, ["evm.calldata"]],
    ["a value", { valueUnits: 1n }, ["evm.value"]],
  ])("%s", (_name, change, codes) => {
    expect(codesOf(sampleRequest(change))).toEqual(codes)
  })
})

describe("destination data", () => {
  const served = (bytes: number): string => encodeInitiate(sampleTerms, `0x${"d5".repeat(bytes)}`)

  test("is kept beside the same terms, at any length up to the limit", () => {
    expect(served(3).slice(0, 10)).toBe("0x4ede0ab7")
    for (const bytes of [0, 3, 32, 512]) {
      const decoded = decode(sampleRequest({ data: served(bytes) }))
      expect(decoded).toMatchObject({ ...sampleTerms, refundTo: chain.account, findings: [] })
      expect(decoded.extras["destinationData"]).toBe(`0x${"d5".repeat(bytes)}`)
    }
    expect(decode(sampleRequest()).extras["destinationData"]).toBeNull()
  })

  test.each([
    ["above the limit", served(513)],
    ["far above the limit", served(50_000)],
    ["with dirt in its padding", `${served(3).slice(0, -2)}01`],
    ["with bytes behind it", `${served(3)}${"00".repeat(32)}`],
    ["with a length that is too large", served(3).replace(/03(d5d5d5)/, "21$1")],
    ["at another place", served(3).replace(/a0(0{63}3d5)/, "c0$1")],
    ["without its padding", served(3).slice(0, -58)],
  ])("%s has a finding", (_name, data) => {
    const decoded = decode(sampleRequest({ data }))
    expect(decoded.findings.map(({ code }) => code)).toEqual(["evm.calldata"])
    expect(decoded).toMatchObject({ redeemer: "", units: 0n, extras: { destinationData: null } })
  })

  test("in the typed data's message changes nothing, because the type does not name it", () => {
    const data = sampleTypedData()
    const more = { ...data, message: { ...data.message, destinationData: "0x1234" } }
    const plain = decode(sampleRequest({}, data))
    const decoded = decode(sampleRequest({ data: served(3) }, more))
    expect(decoded.findings).toEqual([])
    expect(decoded.extras["typedData"]).toEqual(plain.extras["typedData"])
    expect(JSON.stringify(decoded.extras["typedData"])).not.toContain("destinationData")
  })
})

describe("a deposit on behalf of", () => {
  const { redeemer, timelock, units, secretHash } = sampleTerms
  const onBehalf = (initiator: Address, more: readonly [] | readonly [Hex]): Hex => {
    const args = [initiator, redeemer, timelock, units, `0x${secretHash}`] as const
    return more.length === 0
      ? encodeFunctionData({ abi: htlcAbi, functionName: "initiateOnBehalf", args })
      : encodeFunctionData({
          abi: htlcAbi,
          functionName: "initiateOnBehalf",
          args: [...args, ...more],
        })
  }

  test.each([
    ["0x13d4a787", []],
    ["0xa66a8641", ["0x1234"]],
  ] as const)(
    "another account (%s) would refund that account, and our own is a plain deposit",
    (selector, more) => {
      const foreign = onBehalf(strangerAddress, more)
      expect(foreign.slice(0, 10)).toBe(selector)
      // `verifyDeposit` refuses any other `refundTo` than our account.
      expect(decode(sampleRequest({ data: foreign }))).toMatchObject({
        ...sampleTerms,
        refundTo: strangerAddress,
      })
      const own = decode(sampleRequest({ data: onBehalf(requireAddress(chain.account), more) }))
      expect(own).toMatchObject({ ...sampleTerms, refundTo: chain.account, findings: [] })
    },
  )
})

test("names the asset of the contract in the request", () => {
  expect(decode(sampleRequest({ to: nativeHtlc })).asset).toBe(eth)
  expect(decode(sampleRequest({ to: strangerAddress })).asset).toBeNull()
})

test("returns other terms unchanged, so that the guard can compare them", () => {
  const terms = {
    ...sampleTerms,
    units: 7n,
    redeemer: strangerAddress,
    timelock: 1n,
    secretHash: "aa".repeat(32),
  }
  expect(decode(sampleRequest({ data: encodeInitiate(terms) }))).toMatchObject({
    ...terms,
    findings: [],
  })
})

test("decodes a native deposit with its amount as value, and without a gasless variant", () => {
  const native = { to: nativeHtlc, valueUnits: sampleTerms.units }
  expect(codesOf(sampleRequest(native), eth)).toEqual([])
  expect(codesOf(sampleRequest({ ...native, valueUnits: 0n }), eth)).toEqual(["evm.value"])
  expect(codesOf(sampleRequest({ ...native, valueUnits: 1_000_001n }), eth)).toEqual(["evm.value"])
  const data = sampleTypedData()
  const typed = { ...data, domain: { ...data.domain, verifyingContract: nativeHtlc } }
  const decoded = decode(sampleRequest(native, typed), eth)
  expect(decoded.findings).toEqual([])
  expect(decoded.extras["typedData"]).toBeNull()
})

describe("changed typed data has a finding:", () => {
  const data = sampleTypedData()
  const { domain, message, types } = data
  const [redeemer, timelock, amount, secretHash] = types.Initiate
  test.each([
    ["another name", { domain: { ...domain, name: "HTLC2" } }, "name"],
    ["no version", { domain: { ...domain, version: 1 } }, "version"],
    ["another chain", { domain: { ...domain, chainId: "0x1" } }, "chain_id"],
    [
      "another contract",
      { domain: { ...domain, verifyingContract: strangerAddress } },
      "verifying_contract",
    ],
    ["a salt", { domain: { ...domain, salt: `0x${"00".repeat(32)}` } }, "domain"],
    ["another primary type", { primaryType: "Permit" }, "primary_type"],
    [
      "a field more",
      { types: { ...types, Initiate: [...types.Initiate, { name: "x", type: "uint8" }] } },
      "types",
    ],
    ["a field less", { types: { ...types, Initiate: [redeemer, timelock, amount] } }, "types"],
    [
      "another order",
      { types: { ...types, Initiate: [timelock, redeemer, amount, secretHash] } },
      "types",
    ],
    [
      "another width",
      {
        types: {
          ...types,
          Initiate: [redeemer, timelock, { name: "amount", type: "uint128" }, secretHash],
        },
      },
      "types",
    ],
    [
      "a domain type of its own",
      { types: { ...types, EIP712Domain: types.EIP712Domain.slice(1) } },
      "domain_type",
    ],
    ["another redeemer", { message: { ...message, redeemer: strangerAddress } }, "redeemer"],
    ["another timelock", { message: { ...message, timelock: "0xa8c1" } }, "timelock"],
    ["another amount", { message: { ...message, amount: "1000001" } }, "amount"],
    ["an inexact amount", { message: { ...message, amount: 1e21 } }, "amount"],
    [
      "another secret hash",
      { message: { ...message, secretHash: `0x${"aa".repeat(32)}` } },
      "secret_hash",
    ],
  ])("%s", (_name, change, part) => {
    const decoded = decode(sampleRequest({}, { ...data, ...change }))
    expect(decoded.findings.map(({ code }) => code)).toEqual([`evm.typed_data_${part}`])
    expect(decoded.extras["typedData"]).toBeNull()
  })

  test.each([
    ["a text"],
    [7],
    [[]],
    [{}],
    [{ domain: null, types: 1 }],
    [{ ...data, types: { Initiate: [null] } }],
  ])("%j is no typed data", (typed) =>
    expect(codesOf(sampleRequest({}, typed))).toEqual(["evm.typed_data_form"]),
  )
})

test("records the service's approval, but never uses it", () => {
  const approval = (to: string, data: string): EvmRequest => ({
    ...sampleRequest(),
    approval: { to, data, valueUnits: 0n, gasLimit: 0n, chainId: 84_532n },
  })
  const unlimited = decode(approval(tokenAddress, encodeApprove(htlcAddress, 2n ** 256n - 1n)))
  expect(unlimited).toMatchObject({ findings: [], extras: { approvalNote: "unlimited" } })
  expect(codesOf(approval(tokenAddress, encodeApprove(htlcAddress, 1_000_000n)))).toEqual([])
  expect(codesOf(approval(tokenAddress, encodeApprove(strangerAddress, 1n)))).toEqual([
    "evm.approval_foreign",
  ])
  expect(codesOf(approval(strangerAddress, encodeApprove(htlcAddress, 1n)))).toEqual([
    "evm.approval_foreign",
  ])
  expect(codesOf(approval(tokenAddress, "0x1234"))).toEqual(["evm.approval_foreign"])
})

test("returns a finding for a request of another family", () => {
  const decoded = chain.decodeDeposit({ family: "bitcoin", to: "bcrt1", units: 1n }, noOrder, wbtc)
  expect(decoded).toMatchObject({ asset: null, units: 0n, findings: [{ code: "evm.claim" }] })
})
