import { describe, expect, test } from "vitest"
import type { ChainConfig } from "#chains/chain-config.ts"
import { parseConfig } from "#config/load.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { urlOf } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { checkNodes } from "./check-nodes.ts"

const NOW_MS = Date.UTC(2026, 10, 21)
const HEIGHT = 1_000_000

function chain(text: string): ChainConfig {
  const file = `service: { url: "http://127.0.0.1:1" }\nchains: { ${text} }\n`
  const config = parseConfig(file, {
    file: "test.yaml",
    secrets: (reference) => new Secret("", reference),
  })
  return mustExist(config.chains[0], "the chain")
}

const RPC = 'rpc: ["http://one"], key: "env:K"'
const at = (height: number, blockMs: number): number =>
  Math.floor((NOW_MS - (HEIGHT - height) * blockMs) / 1_000)

/** A node of any family with a block every `blockMs`. */
function nodeWith(blockMs: number): AskHttp {
  return async (url, body) => {
    if (body === undefined) return esplora(urlOf(url), blockMs)
    // CAST: the reader's own request.
    const { method, params } = body as { method: string; params: readonly unknown[] }
    return JSON.stringify({ result: answer(method, params, blockMs) })
  }
}

function answer(method: string, params: readonly unknown[], blockMs: number): unknown {
  const [first] = params
  if (method === "eth_chainId") return "0x2105"
  if (method === "eth_getBlockByNumber") {
    const height = first === "latest" ? HEIGHT : Number(first)
    return {
      number: `0x${height.toString(16)}`,
      hash: `0x${"ab".repeat(32)}`,
      transactions: [],
      timestamp: `0x${at(height, blockMs).toString(16)}`,
    }
  }
  if (method === "starknet_chainId") return `0x${Buffer.from("SN_MAIN").toString("hex")}`
  if (method === "starknet_blockHashAndNumber") return { block_number: HEIGHT, block_hash: "0x5" }
  if (method === "starknet_getBlockWithTxHashes") {
    // CAST: the reader's own request.
    const { block_number: height = HEIGHT } = first as { block_number?: number }
    return { block_number: height, block_hash: "0x5", timestamp: at(height, blockMs) }
  }
  if (method === "getGenesisHash") return "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
  if (method === "getSlot") return HEIGHT
  // Every third slot has no block.
  if (method === "getBlockTime")
    return first !== HEIGHT && Number(first) % 3 === 0 ? null : at(Number(first), blockMs)
  throw new Error(method)
}

function esplora(url: string, blockMs: number): string {
  if (url.endsWith("/block-height/0"))
    return "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
  const height = /block-height\/(\d+)$/.exec(url)?.[1]
  if (height !== undefined) return hashAt(Number(height))
  if (url.endsWith("/blocks"))
    return JSON.stringify([{ id: hashAt(HEIGHT), height: HEIGHT, timestamp: at(HEIGHT, blockMs) }])
  const asked = Number(`0x${/([0-9a-f]{64})$/.exec(url)?.[1]}`)
  return JSON.stringify({ height: asked, timestamp: at(asked, blockMs) })
}

const hashAt = (height: number): string => height.toString(16).padStart(64, "0")

const paceOf = async (config: ChainConfig, ask: AskHttp) =>
  (await checkNodes(config, ask, { now: () => NOW_MS })).filter(({ check }) =>
    check.endsWith("block time"),
  )

describe.each([
  ["bitcoin", 'bitcoin: { esplora: ["http://one"], key: "env:K" }', 600_000],
  ["evm", `base: { ${RPC} }`, 2_000],
  ["solana", `solana: { ${RPC} }`, 400],
  ["starknet", `starknet: { account: "0x1", ${RPC} }`, 2_000],
] as const)("the doctor measures the block time on %s from two headers", (_family, text, ms) => {
  test("and is content with a difference of a fifth", async () => {
    expect(await paceOf(chain(text), nodeWith(ms))).toEqual([])
    expect(await paceOf(chain(text), nodeWith(ms * 1.2))).toEqual([])
    expect(await paceOf(chain(text), nodeWith(ms * 0.8))).toEqual([])
  })

  test("and reports one of more than a quarter, with the line to write", async () => {
    const [slow, ...more] = await paceOf(chain(text), nodeWith(ms * 1.3))
    expect(more).toEqual([])
    expect(slow).toMatchObject({ status: "warn", found: expect.stringContaining("measured") })
    expect(slow?.todo).toMatch(/set block_time: \d+(ms|s|m) of the chain/)
    expect(await paceOf(chain(text), nodeWith(ms * 0.5))).toMatchObject([{ status: "warn" }])
  })
})

test("the doctor says that a block time is a guess, and what it should be", async () => {
  const guess = chain(`x: { family: evm, chain_id: 424242, ${RPC} }`)
  const silent: AskHttp = async () => "<html>"
  expect(await paceOf(guess, silent)).toEqual([])
  const ask: AskHttp = async (url, body) => {
    // CAST: the reader's own request.
    const { method } = body as { method: string }
    return method === "eth_chainId" ? '{"result":"0x67932"}' : nodeWith(200)(url, body)
  }
  expect(await paceOf(guess, ask)).toMatchObject([
    { status: "warn", todo: expect.stringContaining("block_time: 200ms") },
  ])
})

test("the doctor says when it could not measure", async () => {
  const ask: AskHttp = async (url, body) => {
    // CAST: the reader's own request.
    const { method, params } = body as { method: string; params: readonly unknown[] }
    if (method === "eth_getBlockByNumber" && params[0] !== "latest") return '{"result":null}'
    return nodeWith(2_000)(url, body)
  }
  const [finding] = await paceOf(chain(`base: { ${RPC} }`), ask)
  expect(finding).toMatchObject({ status: "warn", found: expect.stringContaining("not measured") })
})

test("the doctor asks nothing more of a chain whose blocks come on request", async () => {
  const local = chain(
    'b: { family: bitcoin, network: regtest, esplora: ["http://one"], key: "env:K" }',
  )
  expect(await paceOf(local, nodeWith(1_000))).toEqual([])
})
