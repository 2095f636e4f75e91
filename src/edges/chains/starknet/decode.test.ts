import { expect, test } from "vitest"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { DepositRequest } from "#domain/deposit.ts"
import { decodeStarknetDeposit } from "./decode.ts"
import type { StarknetDepositRequest } from "./deposit-request.ts"
import { encodeShortString, formatFelt } from "./felt.ts"
import { deriveOrderIds, encodeInitiate, HASH_LAYOUTS, type HashLayout, SELECTORS } from "./htlc.ts"
import { hashTypedData } from "./typed-data.ts"

const HTLC = "0x06579d255314109429a4477d89629bc2b94f529ae01979c2f8014f9246482603"
const ACCOUNT = "0x00609190b1348bcc06da44d58c79709495c11a5a6f0b9e154e1209f2a17dd933"
const HASH = "e7b213af79add7fb7457238fc65df61cb4dea13b3ae374f1b5c69538e5fcb98a"
const REDEEMER = 0x078f8ae98fe78b5df9d3755b5910864c028d5249b4af685eb45687b1b76a4205n
const TERMS = { redeemer: REDEEMER, timelock: 2_880n, units: 50_000n, secretHash: HASH }
const chain = toChainId("starknet_sepolia")
const asset: Asset = {
  id: parseAssetId("starknet_sepolia:wbtc"),
  chain,
  decimals: 8,
  token: "0x3fe2b97",
  htlc: [HTLC],
}
const context = { chain, chainId: "SN_SEPOLIA", account: ACCOUNT, assets: [asset] }

type StarknetRequest = StarknetDepositRequest
type Message = Record<string, unknown>

function typedData(
  change: { domain?: Message; message?: Message; types?: Message; primaryType?: string } = {},
) {
  return {
    domain: { chainId: "SN_SEPOLIA", name: "HTLC", revision: "1", version: "1", ...change.domain },
    primaryType: change.primaryType ?? "Initiate",
    types: {
      StarknetDomain: ["name", "version", "chainId", "revision"].map((name) => ({
        name,
        type: "shortstring",
      })),
      Initiate: [
        { name: "redeemer", type: "ContractAddress" },
        { name: "amount", type: "u256" },
        { name: "timelock", type: "u128" },
        { name: "secretHash", type: "u128*" },
      ],
      ...change.types,
    },
    message: {
      redeemer: REDEEMER.toString(),
      amount: { high: "0x0", low: "0xc350" },
      timelock: "2880",
      secretHash: Array.from({ length: 8 }, (_, index) =>
        Number.parseInt(HASH.slice(index * 8, index * 8 + 8), 16),
      ),
      ...change.message,
    },
  }
}

function calldataOf(
  layout: HashLayout,
  destinationData: readonly bigint[] | null = null,
): string[] {
  return encodeInitiate({ terms: TERMS, layout, destinationData }).map(formatFelt)
}

function request(
  transaction: Partial<StarknetRequest["transaction"]> = {},
  typed: unknown = typedData(),
): StarknetRequest {
  const calldata = calldataOf("words")
  const call = { to: HTLC, selector: formatFelt(SELECTORS.initiate), calldata, ...transaction }
  return { family: "starknet", transaction: call, typedData: typed }
}

function codes(requested: DepositRequest): string[] {
  return decodeStarknetDeposit(context, requested).findings.map((finding) => finding.code)
}

const members = typedData().types.Initiate
const presets = { u256: ["low", "high"].map((name) => ({ name, type: "u128" })) }
const newer = {
  domain: { version: "2" },
  types: {
    ...presets,
    Initiate: [
      ...members,
      { name: "verifyingContract", type: "ContractAddress" },
      { name: "valid_until", type: "u128" },
    ],
  },
  message: {
    secretHash: [`0x${HASH.slice(0, 32)}`, `0x${HASH.slice(32)}`],
    verifyingContract: HTLC,
    valid_until: "912345",
  },
}

test("derives the published swap id of a live order", () => {
  const scope = {
    chainId: encodeShortString("SN_SEPOLIA"),
    initiator: BigInt(ACCOUNT),
    htlc: BigInt(HTLC),
  }
  const ids = deriveOrderIds(scope, TERMS, "words").map((id) => id.toString(16))
  expect(ids[0]).toBe("61ea20c8abf2a327035c2bc1170b3d32a13b271f14ad5a3739f995ce9a54ebf")
  const { extras } = decodeStarknetDeposit(context, request())
  expect(extras).toMatchObject({
    orderId: ids[0],
    orderIds: ids,
    layout: "words",
    destinationData: null,
  })
})

test("recognises the layout of the secret hash from the calldata", () => {
  // The halves of the hash as text, so that the expectation does not come from our own splitting.
  const halves = [
    "0x078f8ae98fe78b5df9d3755b5910864c028d5249b4af685eb45687b1b76a4205",
    "0xb40",
    "0xc350",
    "0x0",
  ]
  const calldata = [...halves, `0x${HASH.slice(0, 32)}`, `0x${HASH.slice(32)}`]
  const decoded = decodeStarknetDeposit(context, request({ calldata }, typedData(newer)))
  expect(decoded).toMatchObject({
    ...TERMS,
    redeemer: halves[0],
    findings: [],
    extras: { layout: "halves" },
  })
  expect(decoded.extras["orderIds"]).toHaveLength(1)
  expect(calldataOf("halves")).toEqual(calldata.map((felt) => formatFelt(BigInt(felt))))
  // The contract would take the halves in the other order for another hash, which the guard then
  // refuses.
  const swapped = [...halves, `0x${HASH.slice(32)}`, `0x${HASH.slice(0, 32)}`]
  const other = decodeStarknetDeposit(context, request({ calldata: swapped }, null))
  expect(other.secretHash).toBe(`${HASH.slice(32)}${HASH.slice(0, 32)}`)
})

test.each(HASH_LAYOUTS)("decodes destination data beside a hash in %s", (layout) => {
  const selector = formatFelt(SELECTORS.initiateWithData)
  const decoded = decodeStarknetDeposit(
    context,
    request({ selector, calldata: calldataOf(layout, [1n, 0xabcn]) }, null),
  )
  expect(decoded).toMatchObject({
    secretHash: HASH,
    findings: [],
    extras: { layout, destinationData: ["1", "abc"] },
  })
  const without = decodeStarknetDeposit(
    context,
    request({ selector, calldata: calldataOf(layout, []) }, null),
  )
  expect(without).toMatchObject({
    secretHash: HASH,
    findings: [],
    extras: { layout, destinationData: [] },
  })
})

test("refuses destination data that fits both layouts, and too much of it", () => {
  const selector = formatFelt(SELECTORS.initiateWithData)
  // As words the array is empty; as halves the third word is the length of the other six felts.
  const calldata = [
    ...calldataOf("words").slice(0, 6),
    "0x6",
    ...calldataOf("words").slice(7),
    "0x0",
  ]
  expect(codes(request({ selector, calldata }, null))).toEqual(["starknet.calldata"])
  const long = calldataOf("halves", Array<bigint>(65).fill(1n))
  expect(codes(request({ selector, calldata: long }, null))).toEqual(["starknet.destination_data"])
})

test("decodes an honest request, padded or not, without findings", () => {
  const unpadded = `0x${BigInt(HTLC).toString(16)}`
  expect(decodeStarknetDeposit(context, request({ to: unpadded }))).toMatchObject({
    asset: asset.id,
    family: "starknet",
    htlc: HTLC,
    units: 50_000n,
    redeemer: "0x078f8ae98fe78b5df9d3755b5910864c028d5249b4af685eb45687b1b76a4205",
    refundTo: ACCOUNT,
    secretHash: HASH,
    timelock: 2_880n,
    findings: [],
  })
})

test("accepts a request without typed data", () => {
  const decoded = decodeStarknetDeposit(context, request({}, null))
  expect(decoded.findings).toEqual([])
  expect(decoded.extras["typedData"]).toBeNull()
})

test("accepts the newer variant and strips the presets that it redeclares", () => {
  const decoded = decodeStarknetDeposit(context, request({}, typedData(newer)))
  expect(decoded.findings).toEqual([])
  expect(Object.keys(Object(decoded.extras["typedData"]).types)).toEqual([
    "StarknetDomain",
    "Initiate",
  ])
})

test("keeps the hash of the original in the normalised typed data", () => {
  const stripped = typedData({ ...newer, types: { Initiate: newer.types.Initiate } })
  for (const [original, sent] of [
    [typedData(), typedData()],
    [stripped, typedData(newer)],
  ] as const) {
    const normalised = decodeStarknetDeposit(context, request({}, sent)).extras["typedData"]
    const hashes = [original, normalised].map((each) =>
      hashTypedData(each as never, BigInt(ACCOUNT)),
    ) // CAST: both are SNIP-12 data.
    expect(hashes[1]).toBe(hashes[0])
  }
})

const felts = request().transaction.calldata
const replaced = (index: number, felt: string): string[] =>
  felts.map((each, at) => (at === index ? felt : each))

test.each<[string, string, StarknetRequest]>([
  ["an unknown contract", "starknet.htlc_unknown", request({ to: "0x1234" })],
  ["a token as target", "starknet.htlc_unknown", request({ to: asset.token ?? "" })],
  ["another selector", "starknet.selector", request({ selector: formatFelt(SELECTORS.approve) })],
  ["a selector that is no felt", "starknet.selector", request({ selector: "initiate" })],
  ["a felt too many", "starknet.calldata", request({ calldata: [...felts, "0x0"] })],
  ["a felt too few", "starknet.calldata", request({ calldata: felts.slice(1) })],
  ["a word above 32 bits", "starknet.calldata", request({ calldata: replaced(11, "0x100000000") })],
  [
    "an initiate with destination data",
    "starknet.calldata",
    request({ calldata: [...calldataOf("halves"), "0x0"] }),
  ],
  [
    "a half above 128 bits",
    "starknet.calldata",
    request({ calldata: [...calldataOf("halves").slice(0, 5), `0x1${"0".repeat(32)}`] }),
  ],
  [
    "an amount half above 128 bits",
    "starknet.calldata",
    request({ calldata: replaced(2, `0x1${"0".repeat(32)}`) }),
  ],
  [
    "a value above the field",
    "starknet.calldata",
    request({ calldata: replaced(0, `0x${"f".repeat(64)}`) }),
  ],
  ["no hex at all", "starknet.calldata", request({ calldata: replaced(4, "__proto__") })],
  ["the zero redeemer", "starknet.redeemer", request({ calldata: replaced(0, "0x0") })],
  [
    "typed data of another type",
    "starknet.typed_primary",
    request({}, typedData({ primaryType: "Permit" })),
  ],
  [
    "typed data of another chain",
    "starknet.typed_chain_id",
    request({}, typedData({ domain: { chainId: "SN_MAIN" } })),
  ],
  [
    "typed data of the old revision",
    "starknet.typed_revision",
    request({}, typedData({ domain: { revision: "0" } })),
  ],
  [
    "another signed redeemer",
    "starknet.typed_redeemer",
    request({}, typedData({ message: { redeemer: "5" } })),
  ],
  [
    "another signed amount",
    "starknet.typed_amount",
    request({}, typedData({ message: { amount: { low: "0xc351", high: "0x0" } } })),
  ],
  [
    "a signed amount with a high half",
    "starknet.typed_amount",
    request({}, typedData({ message: { amount: { low: "0xc350", high: "0x1" } } })),
  ],
  [
    "another signed timelock",
    "starknet.typed_timelock",
    request({}, typedData({ message: { timelock: "2881" } })),
  ],
  [
    "another signed secret hash",
    "starknet.typed_secret_hash",
    request({}, typedData({ message: { secretHash: [1, 2, 3, 4, 5, 6, 7, 8] } })),
  ],
  [
    "another verifying contract",
    "starknet.typed_contract",
    request({}, typedData({ ...newer, message: { ...newer.message, verifyingContract: "0x77" } })),
  ],
  [
    "another contract in the domain",
    "starknet.typed_contract",
    request({}, typedData({ domain: { verifyingContract: "0x77" } })),
  ],
  [
    "a member that nobody knows",
    "starknet.typed_member_unknown",
    request(
      {},
      typedData({ types: { Initiate: [...members, { name: "delegate", type: "felt" }] } }),
    ),
  ],
  [
    "a member named like a method of every object",
    "starknet.typed_member_unknown",
    request(
      {},
      typedData({ types: { Initiate: [...members, { name: "constructor", type: "felt" }] } }),
    ),
  ],
  [
    "a required member that is not signed",
    "starknet.typed_member_missing",
    request({}, typedData({ types: { Initiate: members.slice(1) } })),
  ],
  [
    "typed data beside halves that does not name the contract",
    "starknet.typed_member_missing",
    request({ calldata: calldataOf("halves") }),
  ],
  [
    "a member of another type",
    "starknet.typed_member_type",
    request(
      {},
      typedData({ types: { Initiate: members.map((each) => ({ ...each, type: "string" })) } }),
    ),
  ],
  [
    "a member declared twice",
    "starknet.typed_member_twice",
    request({}, typedData({ types: { Initiate: [...members, ...members.slice(0, 1)] } })),
  ],
  [
    "a preset with another meaning",
    "starknet.typed_preset",
    request({}, typedData({ types: { u256: [{ name: "low", type: "felt" }] } })),
  ],
  [
    "a domain with a member of its own",
    "starknet.typed_domain",
    request({}, typedData({ types: { StarknetDomain: [{ name: "salt", type: "felt" }] } })),
  ],
  ["typed data that is none", "starknet.typed_data", request({}, "sign me")],
])("finds %s", (_case, code, requested) => {
  expect(codes(requested)).toContain(code)
})

test("accepts a domain that names the contract", () => {
  expect(codes(request({}, typedData({ domain: { verifyingContract: HTLC } })))).not.toContain(
    "starknet.typed_contract",
  )
})

test("never throws for any calldata", () => {
  const hostile = [undefined, null, 7, {}, [null], [{}], ["0x"], ["-1"], ["1e3"]]
  for (const calldata of hostile) {
    // CAST: a hostile service could send this.
    const requested = request({ calldata: calldata as never })
    expect(codes(requested)).toContain("starknet.calldata")
  }
  expect(codes({ family: "bitcoin", to: "x", units: 1n })).toEqual(["starknet.family"])
})
