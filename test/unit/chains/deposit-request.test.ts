import { describe, expect, test } from "vitest"
import { bitcoinDepositReader } from "#chains/bitcoin/deposit-request.ts"
import { evmDepositReader } from "#chains/evm/deposit-request.ts"
import { solanaDepositReader } from "#chains/solana/deposit-request.ts"
import { starknetDepositReader } from "#chains/starknet/deposit-request.ts"

const READERS = {
  bitcoin: bitcoinDepositReader,
  evm: evmDepositReader,
  solana: solanaDepositReader,
  starknet: starknetDepositReader,
} as const

/** The families that find a deposit of theirs in an answer. */
function found(answer: Record<string, unknown>): string[] {
  return Object.entries(READERS)
    .filter(([, { select }]) => select(answer) !== undefined)
    .map(([family]) => family)
}

describe("an answer to a new order", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["an address", { to: "tb1q", amount: "5" }, ["bitcoin"]],
    ["an address that is no text", { to: 5 }, []],
    ["a serialized transaction", { versioned_tx: "AQ==" }, ["solana"]],
    ["a serialized transaction that is no text", { versioned_tx: null }, []],
    ["a transaction with a list of calldata", { transaction: { calldata: [] } }, ["starknet"]],
    ["a transaction with other calldata", { transaction: { calldata: "0x" } }, ["evm"]],
    ["a transaction with data", { transaction: { data: "0x" } }, ["evm"]],
    ["an older name", { initiate_transaction: { calldata: [] } }, ["starknet"]],
    ["a text as transaction", { transaction: "0x" }, ["evm"]],
    ["no transaction", { transaction: null }, []],
    ["nothing", {}, []],
  ])("with %s belongs to its family", (_, answer, families) => {
    expect(found(answer)).toEqual(families)
  })

  test("keeps the typed data and the approval beside the transaction", () => {
    const transaction = { data: "0x" }
    const answer = { transaction, typed_data: { a: 1 }, approval_transaction: { b: 2 } }
    expect(evmDepositReader.select(answer)).toEqual({
      transaction,
      approval: { b: 2 },
      typedData: { a: 1 },
    })
    expect(evmDepositReader.select({ transaction })).toEqual({
      transaction,
      approval: null,
      typedData: null,
    })
    const call = { calldata: ["1"] }
    expect(starknetDepositReader.select({ transaction: call, typed_data: "t" })).toEqual({
      transaction: call,
      typedData: "t",
    })
    expect(starknetDepositReader.select({ transaction: call })).toEqual({
      transaction: call,
      typedData: null,
    })
  })
})

describe("the transaction of an answer", () => {
  test("on EVM may lack its gas limit and the prefix of its data", () => {
    const transaction = { to: "0x1", value: "0x5", data: "abcd", chain_id: 1 }
    const parsed = evmDepositReader.schema.parse({ transaction, approval: null, typedData: 1 })
    expect(parsed).toEqual({
      family: "evm",
      transaction: { to: "0x1", valueUnits: 5n, data: "0xabcd", gasLimit: 0n, chainId: 1n },
      approval: null,
      typedData: 1,
    })
    const odd = { ...transaction, data: "abc" }
    const unread = { transaction: odd, approval: null, typedData: null }
    expect(evmDepositReader.schema.safeParse(unread).success).toBe(false)
  })

  test("on Starknet has felts in hex or decimal", () => {
    const parse = (selector: unknown, calldata: unknown) =>
      starknetDepositReader.schema.safeParse({
        transaction: { to: "0x1", selector, calldata },
        typedData: null,
      }).success
    expect(parse("0xAf", ["12", 5])).toBe(true)
    expect(parse("initiate", [])).toBe(false)
    expect(parse("0x", [])).toBe(false)
    expect(parse("0x1", ["x1"])).toBe(false)
  })

  test("on Solana is hex or exact base64", () => {
    const parse = (versioned_tx: string, versioned_tx_gasless: unknown = null) =>
      solanaDepositReader.schema.safeParse(
        solanaDepositReader.select({ versioned_tx, versioned_tx_gasless }),
      )
    expect(parse("0102ff").data).toEqual({ family: "solana", transaction: "AQL/" })
    expect(parse("AQL/").data).toEqual({ family: "solana", transaction: "AQL/" })
    for (const text of ["", "AQL", "AQ=", "A*L/", "AR=="]) expect(parse(text).success).toBe(false)
    // The relay's transaction is judged by the decoder, so that no form of it refuses the answer.
    for (const gasless of ["AQL/", "?", 7, {}])
      expect(parse("AQL/", gasless).data).toEqual({
        family: "solana",
        transaction: "AQL/",
        gasless,
      })
  })
})
