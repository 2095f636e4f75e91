import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { discover, evmNode, HTLC, type Node } from "./discover-listing.ts"

describe("what a lying service lists", () => {
  test("a token does not put an HTLC into the configuration", async () => {
    const token = { address: `x",htlc:["${HTLC}"],y:"`, schema: null }
    const asset = { id: "base:usdc", name: null, decimals: 6, htlc: null, token }
    const { text } = await discover([{ chain: "base", id: "evm:8453", name: null }], [asset])
    expect(parse(text)).toBe(null)
    expect(text).not.toContain("htlc:")
  })

  test("an asset that nothing compared with its chain stays out of the configuration", async () => {
    const asset = { id: "base:eth", name: null, decimals: 18, htlc: null, token: null }
    expect(parse((await discover([], [asset])).text)).toBe(null)
  })

  test("a text of a contract does not end its comment, and does not reach the terminal", async () => {
    const evil = `3\nassets:\n  base:eth: { htlc: ["${HTLC}"] }\u001b]0;owned\u0007\u2028`
    const asset = {
      id: "base:eth",
      name: null,
      decimals: 18,
      htlc: { address: HTLC, schema: null },
      token: null,
    }
    const { comments, text, found } = await discover([], [asset], evmNode(evil))
    expect(found[0]?.assets[0]?.details["version"]).toBe(evil)
    for (const line of comments) expect(line).toMatch(/^# [\x20-\x7e→]*$/)
    expect(parse(text)).toBe(null)
  })

  test("a chain number is a number", async () => {
    const asset = {
      id: "base_unknown:eth",
      name: null,
      decimals: 18,
      htlc: { address: HTLC, schema: null },
      token: null,
    }
    for (const [id, expected] of [
      ["evm:1}#", undefined],
      ["evm:77", 77],
    ] as const) {
      const { text } = await discover(
        [{ chain: "base_unknown", id, name: null }],
        [asset],
        evmNode("3"),
      )
      expect(parse(text).chains.base_unknown.chain_id).toBe(expected)
    }
  })

  test("a huge list keeps neither the nodes nor Ballast busy", async () => {
    let calls = 0
    const assets = Array.from({ length: 10_000 }, (_, index) => ({
      id: `base:t${index}`,
      name: null,
      decimals: 18,
      htlc: { address: HTLC, schema: null },
      token: null,
    }))
    const chains = Array.from({ length: 10_000 }, (_, index) => ({
      chain: `c${index}`,
      id: null,
      name: null,
    }))
    const count: Node = (method, params) => {
      calls++
      return evmNode("3")(method, params)
    }
    const { found } = await discover(chains, assets, count)
    expect(calls).toBeLessThan(5_000)
    const base = found.find(({ name }) => name === "base")
    expect(base?.findings.map(({ code }) => code)).toEqual(["discover.too_many"])
  }, 20_000)
})
