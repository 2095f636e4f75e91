import { encodeFunctionData, getAddress, type Hex, parseAbi } from "viem"
import { expect, test } from "vitest"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { DecodedDeposit } from "#domain/deposit.ts"
import { describeDeposit } from "#sandbox/evm/evm-swap.ts"
import { decodeDeposit } from "./decode.ts"
import { encodeInitiate } from "./htlc.ts"
import { type EvmClaim, toClaim } from "./sample-claim.ts"
import type { Wallet } from "./wallet.ts"

const CHAIN = toChainId("base_sepolia")
const [HTLC, NATIVE_HTLC, TOKEN, REDEEMER, STRANGER] = ["a1", "a2", "b1", "c1", "d1"].map(address)
const HASH = "5e".repeat(32)
const TERMS = { redeemer: asHex(REDEEMER), timelock: 43_200n, units: 50_000n, secretHash: `0x${HASH}` } as const
const WBTC: Asset = { ...asset("wbtc", HTLC), token: TOKEN ?? "" }
const ETH = asset("eth", NATIVE_HTLC)
const wallet: Wallet = {
  chain: CHAIN,
  chainId: 84532,
  account: asHex(address("e1")),
  assets: [WBTC, ETH],
  confirmations: 1,
  maxFeePerGasUnits: 10n ** 12n,
  maxGasLimit: 2_000_000n,
}

test("decodes a valid claim from its bytes", () => {
  const decoded = decode(claimOf(WBTC))
  expect(decoded).toMatchObject({ findings: [], asset: WBTC.id, htlc: HTLC, units: 50_000n, timelock: 43_200n })
  expect(decoded).toMatchObject({ chain: CHAIN, redeemer: REDEEMER, secretHash: HASH, refundTo: wallet.account })
  expect(decoded.extras).toMatchObject({ functionName: "initiate", gasLimitClaim: "300000" })
  expect(JSON.parse(JSON.stringify(decoded.extras))).toEqual(decoded.extras)
})

test("decodes a native claim, whose value is the amount", () => {
  const decoded = decode(claimOf(ETH), ETH)
  expect(decoded).toMatchObject({ findings: [], asset: ETH.id, units: 50_000n, extras: { typedData: null } })
})

test("takes lower-case addresses, upper-case data, other spellings of numbers, and no typed data", () => {
  const claim = claimOf(WBTC)
  const typed = typedOf(claim)
  const transaction = { ...claim.transaction, to: claim.transaction.to.toLowerCase() }
  const data = `0x${transaction.data.slice(2).toUpperCase()}`
  const message = { redeemer: REDEEMER?.toLowerCase(), timelock: 43_200, amount: "50000", secretHash: HASH }
  const types = { Initiate: typed.types["Initiate"] }
  const typedData = { ...typed, types, domain: { ...typed.domain, chainId: "84532" }, message }
  const spelled = decode({ ...claim, transaction: { ...transaction, data }, typedData })
  expect(spelled).toEqual({ ...decode(claim), extras: { ...decode(claim).extras, to: transaction.to } })
  expect(decode({ ...claim, typedData: null })).toMatchObject({ findings: [], extras: { typedData: null } })
})

test.each<[string, string, Partial<EvmClaim["transaction"]>]>([
  ["a contract that is not configured", "evm.htlc_unknown", { to: STRANGER ?? "" }],
  ["the contract of another asset", "evm.htlc_unknown", { to: NATIVE_HTLC ?? "" }],
  ["no address", "evm.htlc_unknown", { to: "htlc" }],
  ["another chain", "evm.chain_id", { chainId: 1n }],
  ["value along with a token", "evm.value", { valueUnits: 1n }],
  ["no data", "evm.calldata", { data: "0x" }],
  ["data that is not hex", "evm.calldata", { data: "initiate" }],
  ["bytes after the arguments", "evm.calldata", { data: `${encodeInitiate(TERMS)}00` }],
  ["a missing byte", "evm.calldata", { data: encodeInitiate(TERMS).slice(0, -2) }],
  [
    "dirty upper bytes of an address",
    "evm.calldata",
    { data: encodeInitiate(TERMS).replace("0x97ffc7ae00", "0x97ffc7ae01") },
  ],
  ["another selector", "evm.calldata", { data: encodeInitiate(TERMS).replace("97ffc7ae", "97ffc7af") }],
  ["a refund", "evm.calldata", { data: `0x7249fbb6${HASH}` }],
  ["a transfer", "evm.calldata", { data: transferCall() }],
])("finds %s", (_what, code, change) => {
  const claim = claimOf(WBTC)
  expect(codes(decode({ ...claim, typedData: null, transaction: { ...claim.transaction, ...change } }))).toEqual([code])
})

test.each([
  { redeemer: asHex(STRANGER) },
  { timelock: 1n },
  { units: 1n },
  { secretHash: `0x${"77".repeat(32)}` as const },
])("shows the call's own figures, and finds typed data that says otherwise: %o", (change) => {
  const claim = claimOf(WBTC)
  const data = encodeInitiate({ ...TERMS, ...change })
  const decoded = decode({ ...claim, transaction: { ...claim.transaction, data } })
  expect(codes(decoded)).toEqual(["evm.typed_data_message"])
  const plain = "secretHash" in change ? { secretHash: change.secretHash.slice(2) } : change
  expect(decoded).toMatchObject(plain)
  expect(decoded.extras["typedData"]).toBe(null)
})

test("finds a native value that is not the amount", () => {
  const claim = claimOf(ETH)
  for (const valueUnits of [0n, 49_999n]) {
    expect(codes(decode({ ...claim, transaction: { ...claim.transaction, valueUnits } }, ETH))).toEqual(["evm.value"])
  }
})

test.each<[string, string, (typed: Typed) => unknown]>([
  ["another name", "domain", (typed) => ({ ...typed, domain: { ...typed.domain, name: "Permit" } })],
  ["no version", "domain", (typed) => ({ ...typed, domain: { ...typed.domain, version: null } })],
  ["another chain", "domain", (typed) => ({ ...typed, domain: { ...typed.domain, chainId: 1 } })],
  ["another contract", "domain", (typed) => ({ ...typed, domain: { ...typed.domain, verifyingContract: TOKEN } })],
  ["a salt", "domain", (typed) => ({ ...typed, domain: { ...typed.domain, salt: "0x00" } })],
  ["another primary type", "primary", (typed) => ({ ...typed, primaryType: "Permit" })],
  ["a changed domain type", "types", (typed) => ({ ...typed, types: { ...typed.types, EIP712Domain: [] } })],
  ["fields in another order", "types", (typed) => withFields(typed, (fields) => fields.toReversed())],
  ["a field more", "types", (typed) => withFields(typed, (fields) => [...fields, { name: "x", type: "uint256" }])],
  [
    "a field of another type",
    "types",
    (typed) => withFields(typed, ([first, ...rest]) => [{ name: first?.name ?? "", type: "uint256" }, ...rest]),
  ],
  ["another redeemer", "message", (typed) => ({ ...typed, message: { ...typed.message, redeemer: STRANGER } })],
  ["another timelock", "message", (typed) => ({ ...typed, message: { ...typed.message, timelock: "0x1" } })],
  ["another amount", "message", (typed) => ({ ...typed, message: { ...typed.message, amount: 50_001 } })],
  ["a bigint of another amount", "message", (typed) => ({ ...typed, message: { ...typed.message, amount: 1n } })],
  ["an amount beyond 2^53", "message", (typed) => ({ ...typed, message: { ...typed.message, amount: 2 ** 60 } })],
  [
    "another hash",
    "message",
    (typed) => ({ ...typed, message: { ...typed.message, secretHash: `0x${"77".repeat(32)}` } }),
  ],
  ["no message", "form", (typed) => ({ ...typed, message: undefined })],
  ["text", "form", () => "typed data"],
])("finds typed data with %s", (_what, code, change) => {
  const claim = claimOf(WBTC)
  const decoded = decode({ ...claim, typedData: change(typedOf(claim)) })
  expect(codes(decoded)).toEqual([`evm.typed_data_${code}`])
  expect(decoded.extras["typedData"]).toBe(null)
})

test("minds an approval only when it is for another token or spender, however large it is", () => {
  const claim = claimOf(WBTC)
  const approval = (to: string, spender: string) => ({ ...claim.transaction, to, data: approveCall(spender) })
  expect(codes(decode({ ...claim, approval: approval(WBTC.token ?? "", HTLC ?? "") }))).toEqual([])
  const foreign = [approval(STRANGER ?? "", HTLC ?? ""), approval(WBTC.token ?? "", STRANGER ?? ""), claim.transaction]
  for (const one of foreign) expect(codes(decode({ ...claim, approval: one }))).toEqual(["evm.approval_foreign"])
})

test("answers a claim of another family or for an unknown asset with findings", () => {
  const bitcoin = decodeDeposit({ family: "bitcoin", to: "tb1", units: 1n }, wallet, WBTC.id)
  expect(codes(bitcoin)).toEqual(["evm.claim_family"])
  const unknown = decodeDeposit(claimOf(WBTC), wallet, parseAssetId("base_sepolia:usdc"))
  expect(codes(unknown)).toContain("evm.htlc_unknown")
  expect(unknown.asset).toBe(null)
})

type Typed = {
  readonly domain: Record<string, unknown>
  readonly types: Record<string, readonly { name: string; type: string }[]>
  readonly message: Record<string, unknown>
}
type Fields = readonly { name: string; type: string }[]

function withFields(typed: Typed, change: (fields: Fields) => Fields): Typed {
  return { ...typed, types: { ...typed.types, Initiate: change(typed.types["Initiate"] ?? []) } }
}

function typedOf(claim: EvmClaim): Typed {
  // CAST: the sandbox's documented form.
  return claim.typedData as Typed
}

function decode(claim: EvmClaim, of: Asset = WBTC): DecodedDeposit {
  return decodeDeposit(claim, wallet, of.id)
}

function codes({ findings }: DecodedDeposit): readonly string[] {
  return findings.map(({ code }) => code)
}

function claimOf({ id, decimals, token, htlc: [htlc] }: Asset): EvmClaim {
  const local = { id, decimals, token: token === null ? null : asHex(token), htlc: asHex(htlc) }
  const swap = {
    side: "source" as const,
    chain: CHAIN,
    asset: id,
    units: TERMS.units.toString(),
    owner: wallet.account,
    swapId: "",
    initiator: wallet.account,
    redeemer: TERMS.redeemer,
    timelock: Number(TERMS.timelock),
    secretHash: HASH,
    extra: {},
  }
  return toClaim(JSON.parse(JSON.stringify(describeDeposit(84532, local, swap))))
}

function asset(symbol: string, htlc: string | undefined): Asset {
  return { id: parseAssetId(`base_sepolia:${symbol}`), chain: CHAIN, decimals: 8, token: null, htlc: [htlc ?? ""] }
}

function address(byte: string): string {
  return getAddress(`0x${byte.repeat(20)}`)
}

function asHex(text: string | undefined): Hex {
  return `0x${text?.slice(2)}`
}

function approveCall(spender: string): Hex {
  const abi = parseAbi(["function approve(address spender, uint256 value)"])
  return encodeFunctionData({ abi, args: [asHex(spender), 2n ** 256n - 1n] })
}

function transferCall(): Hex {
  return encodeFunctionData({
    abi: parseAbi(["function transfer(address to, uint256 value)"]),
    args: [asHex(STRANGER), 1n],
  })
}
