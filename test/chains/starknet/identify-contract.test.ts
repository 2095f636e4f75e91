import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { starknetContractReader } from "#chains/starknet/identify-contract.ts"
import { mustExist } from "#lib/assert.ts"
import { type Address, urlOf } from "#nodes/address.ts"
import { createRpcCall, NodeRefusal } from "#nodes/ask-node.ts"
import type { LocalStarknetChain } from "#sandbox/starknet/starknet-chain.ts"
import { openStarknet } from "../local-chains.ts"

let local: LocalStarknetChain
beforeAll(async () => {
  local = await openStarknet()
})
afterAll(() => local.stop())

const ask = (method: string, params: unknown) => createRpcCall(local.url, post)(method, params)
async function post(url: Address, body: unknown): Promise<string> {
  const headers = { "content-type": "application/json" }
  return (await fetch(urlOf(url), { method: "POST", headers, body: JSON.stringify(body) })).text()
}
const wbtc = () =>
  mustExist(
    local.assets.find(({ id }) => id.endsWith(":wbtc")),
    "the token asset",
  )
const listed = (over: object = {}) => {
  const { htlc, token, decimals } = wbtc()
  return { htlc: htlc ?? "", token, decimals, ...over }
}
const NOWHERE = "0x0123"

describe("the identity of a Starknet contract", () => {
  test("is its class hash in a fixed form", async () => {
    const { htlc } = listed()
    const classHash = String(
      await ask("starknet_getClassHashAt", ["latest", `0x${BigInt(htlc).toString(16)}`]),
    )
    const identity = await starknetContractReader.readIdentity(ask, htlc)
    expect(identity).toEqual({ class: `0x${BigInt(classHash).toString(16).padStart(64, "0")}` })
  })

  test("contains the class that a proxy keeps in its storage", async () => {
    // starknet_keccak("Proxy_implementation_hash"), as OpenZeppelin's proxy of Cairo 0 publishes
    // it.
    const slot = "0xf920571b9f85bdd92a867cfdc73319d0f8836f0e69e06e4c5566b6203f75cc"
    const proxy = async (method: string, params: unknown) => {
      if (method !== "starknet_getStorageAt") return ask(method, params)
      return JSON.stringify(params).includes(slot) ? "0xabc" : "0x0"
    }
    const identity = await starknetContractReader.readIdentity(proxy, listed().htlc)
    expect(identity["implementation"]).toBe(`0x${"abc".padStart(64, "0")}`)
    const { findings } = await starknetContractReader.inspect(proxy, listed())
    expect(findings.map(({ code }) => code)).toEqual(["discover.proxy"])
  })

  test("says that an address has no contract", async () => {
    expect(await starknetContractReader.readIdentity(ask, NOWHERE)).toEqual({ class: "none" })
  })

  test("throws when the node fails", async () => {
    const failing = async () => {
      throw new NodeRefusal(-32603, "Internal error")
    }
    await expect(starknetContractReader.readIdentity(failing, NOWHERE)).rejects.toThrow(
      "Internal error",
    )
  })
})

describe("the inspection of a Starknet contract", () => {
  test("finds nothing to refuse in the sandbox's HTLC", async () => {
    const { findings, details } = await starknetContractReader.inspect(ask, listed())
    expect(findings).toEqual([])
    expect(BigInt(details["token"] ?? "0")).toBe(BigInt(listed().token ?? "0"))
  })

  test.each([
    ["another token", { token: NOWHERE }, "discover.wrong_token"],
    ["other decimals", { decimals: 18 }, "discover.decimals_differ"],
    ["an address without a contract", { htlc: NOWHERE }, "discover.not_a_contract"],
    ["a text that is no address", { htlc: "0xzz" }, "discover.not_an_address"],
  ])("finds %s", async (_name, over, code) => {
    const { findings } = await starknetContractReader.inspect(ask, listed(over))
    expect(findings.map((finding) => finding.code)).toContain(code)
  })
})
