import { afterEach, describe, expect, test } from "vitest"
import { evmContractReader } from "#chains/evm/identify-contract.ts"
import { mustExist } from "#lib/assert.ts"
import { urlOf } from "#nodes/address.ts"
import { createRpcCall } from "#nodes/ask-node.ts"
import { callAnvil } from "#sandbox/evm/call-anvil.ts"
import { assets, chain, local, useLocalChain } from "./local-scene.ts"

useLocalChain()

const IMPLEMENTATION_SLOT = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"
const BEACON_SLOT = "a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50"
/** Delegates every call to the address in the slot of EIP-1967, and passes the result on. */
const PROXY = `0x365f5f375f5f365f7f${IMPLEMENTATION_SLOT}545af43d5f5f3e6036573d5ffd5b3d5ff3`
/** `implementation()` and every other call answer the word of storage slot 0. */
const BEACON = "0x5f545f5260205ff3"
const AT = "0x00000000000000000000000000000000000c0de1"
const BEACON_AT = "0x00000000000000000000000000000000000c0de2"

const set = (code: string, at = AT) => callAnvil(local.client, "anvil_setCode", [at, code])
const store = (slot: string, address: string, at = AT) =>
  callAnvil(local.client, "anvil_setStorageAt", [
    at,
    `0x${slot}`,
    `0x${address.slice(2).padStart(64, "0")}`,
  ])
const ask = (method: string, params: unknown) =>
  createRpcCall(local.url, async (url, body) => {
    const answer = await fetch(urlOf(url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    return answer.text()
  })(method, params)
const wbtc = () =>
  mustExist(
    assets.find(({ token }) => token !== null),
    "the token asset",
  )
const htlc = () => mustExist(wbtc().htlc[0], "its HTLC")
const listed = (over: Partial<{ htlc: string; token: string | null; decimals: number }> = {}) => ({
  htlc: htlc(),
  token: wbtc().token,
  decimals: 8,
  ...over,
})
const codesOf = ({ findings }: { findings: readonly { severity: string; code: string }[] }) =>
  findings.map(({ severity, code }) => `${severity} ${code}`)
const identity = (at: string) => evmContractReader.readIdentity(ask, at)

afterEach(async () => {
  await set("0x")
  for (const slot of [IMPLEMENTATION_SLOT, BEACON_SLOT]) await store(slot, "0x00")
})

describe("the identity of an EVM contract", () => {
  test("is the hash of its code, as the chain itself computes it", async () => {
    const { code } = await identity(htlc())
    // EXTCODEHASH (EIP-1052) of the HTLC, returned by a contract that runs on the same node: PUSH20
    // address, EXTCODEHASH, return.
    await set(`0x73${htlc().slice(2)}3f5f5260205ff3`)
    expect(await ask("eth_call", [{ to: AT, data: "0x" }, "latest"])).toBe(code)
  })

  test("is the same through the port, and changes with one byte of the code", async () => {
    const before = await identity(htlc())
    expect(await chain.contracts?.fetchContractIdentity(htlc())).toEqual(before)
    const code = String(await ask("eth_getCode", [htlc(), "latest"]))
    await set(`${code.slice(0, -2)}00`, htlc())
    try {
      expect(await identity(htlc())).not.toEqual(before)
    } finally {
      await set(code, htlc())
    }
    expect(await identity(htlc())).toEqual(before)
  })

  test("says that an address has no code", async () => {
    expect(await identity(AT)).toEqual({ code: "none" })
  })

  test(
    "contains the implementation of an EIP-1967 proxy, and changes when the proxy gets another " +
      "one",
    async () => {
      const own = await identity(htlc())
      await set(PROXY)
      await store(IMPLEMENTATION_SLOT, htlc())
      const proxy = await identity(AT)
      expect(proxy["implementation"]).toBe(own["code"])
      await store(IMPLEMENTATION_SLOT, wbtc().token ?? "")
      const upgraded = await identity(AT)
      expect(upgraded["code"]).toBe(proxy["code"])
      expect(upgraded["implementation"]).not.toBe(proxy["implementation"])
    },
  )

  test("follows a beacon to the implementation that the beacon names", async () => {
    await set(PROXY)
    await set(BEACON, BEACON_AT)
    await store(BEACON_SLOT, BEACON_AT)
    await store("00", htlc(), BEACON_AT)
    expect((await identity(AT))["implementation"]).toBe((await identity(htlc()))["code"])
  })

  test.each([
    ["EIP-1167", "0x363d3d373d3d3d363d73", "5af43d82803e903d91602b57fd5bf3"],
    [
      "EIP-1167 with immutable arguments",
      "0x363d3d373d3d3d363d73",
      `5af43d82803e903d91602b57fd5bf3${"ab".repeat(96)}`,
    ],
    ["a clone with PUSH0", "0x365f5f375f5f365f73", "5af43d5f5f3e5f3d91602a57fd5bf3"],
    ["EIP-7702", "0xef0100", ""],
  ])("follows %s to its implementation", async (_name, before, after) => {
    await set(`${before}${htlc().slice(2).toLowerCase()}${after}`)
    expect((await identity(AT))["implementation"]).toBe((await identity(htlc()))["code"])
  })
})

describe("the inspection of an EVM contract", () => {
  test("finds nothing to refuse in the sandbox's HTLC, and shows token and version", async () => {
    const { details, findings } = await evmContractReader.inspect(ask, listed())
    expect(findings.filter(({ severity }) => severity === "unusable")).toEqual([])
    expect(details).toMatchObject({
      token: wbtc().token,
      domain: expect.stringMatching(/^HTLC [123]$/),
    })
  })

  test("finds another token, other decimals, and an address without code", async () => {
    const other = mustExist(assets.find(({ token }) => token === null)?.htlc[0], "the native HTLC")
    const wrongToken = codesOf(await evmContractReader.inspect(ask, listed({ token: other })))
    expect(wrongToken).toContain("unusable discover.wrong_token")
    const wrongDecimals = codesOf(await evmContractReader.inspect(ask, listed({ decimals: 18 })))
    expect(wrongDecimals).toEqual(["unusable discover.decimals_differ"])
    expect(codesOf(await evmContractReader.inspect(ask, listed({ htlc: AT })))).toEqual([
      "unusable discover.not_a_contract",
    ])
    expect(codesOf(await evmContractReader.inspect(ask, listed({ htlc: "0x12" })))).toEqual([
      "unusable discover.not_an_address",
    ])
  })

  test("shows a proxy, its implementation and a foreign signing domain", async () => {
    await set(PROXY)
    await store(IMPLEMENTATION_SLOT, htlc())
    const found = await evmContractReader.inspect(ask, listed({ htlc: AT }))
    expect(codesOf(found)).toContain("review discover.proxy")
    expect(found.details["implementation"]?.toLowerCase()).toBe(htlc().toLowerCase())
  })

  test("throws when the node does not answer, instead of finding a contract without functions", async () => {
    const silent = async (method: string, params: unknown) => {
      if (method === "eth_call") throw new Error("connect ECONNREFUSED")
      return ask(method, params)
    }
    await expect(evmContractReader.inspect(silent, listed())).rejects.toThrow("ECONNREFUSED")
  })
})
