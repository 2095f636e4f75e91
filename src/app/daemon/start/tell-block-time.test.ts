import { describe, expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import type { ChainPort } from "#ports/chain.ts"
import { tellBlockTime } from "./tell-block-time.ts"

const NOW_S = 1_780_000_000

/**
 * One block time per endpoint in seconds; `null` for one that does not answer, and a text for one
 * on another network.
 */
function readTime(
  hosts: Readonly<Record<string, number | null | "foreign">>,
  port: Partial<ChainPort> = {},
) {
  const rpc = Object.keys(hosts).map((host) => `https://${host}`)
  const text = `service: { url: "http://127.0.0.1:1" }
chains: { base_sepolia: { family: evm, chain_id: 84532, rpc: ${JSON.stringify(rpc)},
    key: "env:K" } }
assets: { "base_sepolia:eth": { decimals: 18 } }`
  const config = parseConfig(text, {
    file: "b.yaml",
    secrets: (reference) => new Secret("k", reference),
  })
  const ask: AskHttp = async (url, body) => {
    const time = hosts[new URL(url).host]
    if (time == null) throw new Error("no answer")
    // CAST: our own RPC request.
    const { id, method } = body as { id: number; method: string }
    const seconds = time === "foreign" ? NOW_S + 90_000 : time
    const block = {
      number: "0x10",
      hash: `0x${"ab".repeat(32)}`,
      transactions: [],
      timestamp: `0x${seconds.toString(16)}`,
    }
    const result = method === "eth_chainId" ? (time === "foreign" ? "0x1" : "0x14a34") : block
    return JSON.stringify({ jsonrpc: "2.0", id, result })
  }
  // CAST: the code under test uses only this part of a port.
  return tellBlockTime(port as ChainPort, mustExist(config.chains[0], "the chain"), ask).blockTime
    ?.fetchBlockTime
}

describe("the time that a chain tells", () => {
  test("is the one that two endpoints have reached, so that one alone cannot make it later", async () => {
    const read = readTime({
      "a.example": NOW_S,
      "b.example": NOW_S + 90_000,
      "c.example": NOW_S - 2,
    })
    expect(await read?.()).toEqual({ ms: NOW_S * 1_000, slackMs: 120_000 })
  })

  test("does not count an endpoint on another network", async () => {
    const read = readTime({ "a.example": NOW_S, "b.example": "foreign", "c.example": NOW_S - 2 })
    expect(await read?.()).toEqual({ ms: (NOW_S - 2) * 1_000, slackMs: 120_000 })
  })

  test("is unknown while too few endpoints answer", async () => {
    await expect(readTime({ "a.example": NOW_S, "b.example": null })?.()).rejects.toMatchObject({
      code: "chain.unreadable",
      disposition: "transient",
    })
  })

  test("is that of its only endpoint", async () => {
    expect(await readTime({ "a.example": NOW_S })?.()).toMatchObject({ ms: NOW_S * 1_000 })
  })

  test("is not asked of a local test chain, where blocks come on request", () => {
    expect(readTime({ "127.0.0.1:8545": NOW_S, "localhost:8546": NOW_S })).toBeUndefined()
  })

  test("is left to a port that tells it itself", () => {
    const own = async () => ({ ms: 1, slackMs: 2 })
    expect(readTime({ "a.example": NOW_S }, { blockTime: { fetchBlockTime: own } })).toBe(own)
  })
})
