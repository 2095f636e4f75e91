import { describe, expect, test } from "vitest"
import { splitHash } from "#chains/starknet/htlc.ts"
import { checkTypedData, hashTypedData } from "#chains/starknet/typed-data.ts"

const HASH = "e7b213af79add7fb7457238fc65df61cb4dea13b3ae374f1b5c69538e5fcb98a"
const HTLC = 0x6579d25n
const expected = {
  redeemer: 0x78f8aen,
  timelock: 2_880n,
  units: 50_000n,
  secretHash: HASH,
  layout: "words",
  htlc: HTLC,
  chainId: "SN_SEPOLIA",
} as const

type Member = { readonly name: string; readonly type: string }
const DOMAIN: readonly Member[] = ["name", "version", "chainId", "revision"].map((name) => {
  return { name, type: "shortstring" }
})
const MEMBERS: readonly Member[] = [
  { name: "redeemer", type: "ContractAddress" },
  { name: "amount", type: "u256" },
  { name: "timelock", type: "u128" },
  { name: "secretHash", type: "u128*" },
]

type Changes = {
  readonly domain?: readonly Member[]
  readonly values?: Readonly<Record<string, unknown>>
  readonly members?: readonly Member[]
  readonly message?: Readonly<Record<string, unknown>>
}

function typedData({
  domain = DOMAIN,
  values = {},
  members = MEMBERS,
  message = {},
}: Changes = {}) {
  return {
    types: { StarknetDomain: domain, Initiate: members },
    primaryType: "Initiate",
    domain: { name: "HTLC", version: "1", chainId: "SN_SEPOLIA", revision: "1", ...values },
    message: {
      redeemer: "0x78f8ae",
      amount: { low: "50000", high: "0" },
      timelock: "2880",
      secretHash: splitHash(HASH, "words").map(String),
      ...message,
    },
  }
}

function codes(value: unknown, change: Partial<Parameters<typeof checkTypedData>[1]> = {}) {
  return checkTypedData(value, { ...expected, ...change }).findings.map(({ code }) => code)
}

describe("the domain", () => {
  test("may have felts and the contract", () => {
    const felts = DOMAIN.map(({ name }) => ({ name, type: "felt" }))
    const contract = { name: "verifyingContract", type: "ContractAddress" }
    expect(codes(typedData({ domain: felts }))).toEqual([])
    const values = { verifyingContract: `0x${HTLC.toString(16)}` }
    expect(codes(typedData({ domain: [...DOMAIN, contract], values }))).toEqual([])
  })

  test.each([0, 1, 2, 3])("without member %i is refused", (at) => {
    expect(codes(typedData({ domain: DOMAIN.toSpliced(at, 1) }))).toEqual(["starknet.typed_domain"])
  })

  test.each<[string, Changes]>([
    ["a member twice", { domain: [...DOMAIN, ...DOMAIN.slice(0, 1)] }],
    [
      "an unknown member with a value",
      {
        domain: [...DOMAIN, { name: "salt", type: "felt" }],
        values: { salt: "1" },
      },
    ],
    [
      "a known member without a value",
      {
        domain: [...DOMAIN, { name: "verifyingContract", type: "felt" }],
      },
    ],
    [
      "a type that hashes differently",
      {
        domain: [...DOMAIN.slice(0, 3), { name: "revision", type: "u256" }],
      },
    ],
  ])("with %s is refused", (_, changes) => {
    expect(codes(typedData(changes))).toEqual(["starknet.typed_domain"])
  })

  test("names the chain as text or felt", () => {
    expect(codes(typedData({ values: { chainId: "0x534e5f5345504f4c4941" } }))).toEqual([])
    expect(codes(typedData({ values: { chainId: 1 } }))).toEqual(["starknet.typed_chain_id"])
  })
})

describe("the message", () => {
  test.each(MEMBERS.map(({ name }) => name))("without %s is refused", (name) => {
    const members = MEMBERS.filter((member) => member.name !== name)
    expect(codes(typedData({ members }))).toEqual(["starknet.typed_member_missing"])
  })

  test("names the contract where its hash has halves", () => {
    const message = { secretHash: splitHash(HASH, "halves").map(String) }
    expect(codes(typedData({ message }), { layout: "halves" })).toEqual([
      "starknet.typed_member_missing",
    ])
    const members = [...MEMBERS, { name: "verifyingContract", type: "felt" }]
    const whole = { members, message: { ...message, verifyingContract: HTLC.toString() } }
    expect(codes(typedData(whole), { layout: "halves" })).toEqual([])
  })

  test.each([
    ["redeemer", "felt"],
    ["timelock", "felt"],
    ["secretHash", "felt*"],
  ])("may have %s as %s", (name, type) => {
    const members = MEMBERS.map((member) => (member.name === name ? { name, type } : member))
    expect(codes(typedData({ members }))).toEqual([])
  })

  test.each(["u128", "felt", "timestamp"])("may end at a %s", (type) => {
    const members = [...MEMBERS, { name: "valid_until", type }]
    expect(codes(typedData({ members, message: { valid_until: 912_345 } }))).toEqual([])
    expect(codes(typedData({ members, message: { valid_until: "soon" } }))).toEqual([
      "starknet.typed_valid_until",
    ])
  })

  test.each<[string, unknown]>([
    ["a word that is no felt", [...splitHash(HASH, "words").slice(1).map(String), "x"]],
    ["text", HASH],
    ["nothing", undefined],
  ])("with %s in place of the hash is refused", (_, secretHash) => {
    expect(codes(typedData({ message: { secretHash } }))).toEqual(["starknet.typed_secret_hash"])
  })

  test("of an undeclared or a prototype's member is refused", () => {
    for (const name of ["memo", "toString"]) {
      const members = [...MEMBERS, { name, type: "felt" }]
      expect(codes(typedData({ members }))).toEqual(["starknet.typed_member_unknown"])
    }
  })
})

test("one finding alone keeps the typed data unsigned", () => {
  const one = checkTypedData(typedData({ message: { timelock: "2881" } }), expected)
  expect(one.findings).toHaveLength(1)
  expect(one.typedData).toBeNull()
})

test("the rebuilt data is ours, and its hash that of the service's words", () => {
  const { typedData: rebuilt } = checkTypedData(typedData(), expected)
  expect(rebuilt).toMatchObject({
    primaryType: "Initiate",
    message: {
      redeemer: "0x78f8ae",
      amount: { low: "0xc350", high: "0x0" },
      timelock: "2880",
      secretHash: splitHash(HASH, "words").map(String),
    },
  })
  expect(rebuilt && hashTypedData(rebuilt, 7n)).toMatch(/^0x[0-9a-f]+$/)
  expect(rebuilt && hashTypedData(rebuilt, 7n)).not.toBe(rebuilt && hashTypedData(rebuilt, 8n))
})
