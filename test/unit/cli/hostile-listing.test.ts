import fc from "fast-check"
import { encodeAbiParameters, encodeFunctionResult, parseAbi } from "viem"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import {
  formatComments,
  formatFindings,
  formatFragment,
} from "../../../src/app/cli/discover/format-discovery.ts"
import {
  type DiscoveredChain,
  type InspectionWorld,
  inspectChain,
} from "../../../src/app/cli/discover/inspect-chain.ts"
import { readCatalogue } from "../../../src/app/cli/discover/read-catalogue.ts"
import { parseAssetList, parseChainList } from "../../../src/edges/service/wire-listing.ts"

const HTLC = "0x1111111111111111111111111111111111111111"

type Node = (method: string, params: unknown) => unknown

/**
 * The printed YAML of a service that lists these entries; `node` answers for every chain, if it is
 * given.
 */
async function discover(chains: readonly unknown[], assets: readonly unknown[], node?: Node) {
  const service = {
    listChains: async () => parseChainList(chains),
    listAssets: async () => parseAssetList(assets),
    listPolicy: async () => ({ allows: () => true }),
  }
  // CAST: the catalogue reads only these lists.
  const catalogue = await readCatalogue(service as never)
  const world: InspectionWorld = {
    urlsOf: () => (node ? ["http://127.0.0.1:1"] : []),
    configured: [],
    assets: [],
    ask: async (_url, body) => {
      // CAST: every family asks its node by a POST with a JSON-RPC body.
      const { method, params } = body as { method: string; params: unknown }
      return JSON.stringify({ jsonrpc: "2.0", id: 1, result: node?.(method, params) })
    },
  }
  const found: DiscoveredChain[] = []
  for (const chain of catalogue.chains) found.push(await inspectChain(chain, world))
  const comments = formatComments([...formatFindings(found), ...catalogue.unreadable])
  return { found, comments, text: [...comments, formatFragment(found)].join("\n") }
}

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

  test("the printed text is YAML for all texts of a service", async () => {
    const plain = fc.string({ unit: "binary", maxLength: 40 })
    const contract = fc.option(fc.record({ address: plain, schema: fc.option(plain) }))
    const asset = fc.record({
      id: fc.oneof(
        plain,
        fc.constant("base:usdc"),
        fc.constant("bitcoin:btc"),
        fc.constant("solana:sol"),
      ),
      name: fc.option(plain),
      decimals: fc.oneof(fc.integer(), fc.constant(8)),
      htlc: contract,
      token: contract,
    })
    const chain = fc.record({
      chain: fc.oneof(plain, fc.constant("base"), fc.constant("bitcoin")),
      id: fc.option(plain),
      name: fc.option(plain),
      assets: fc.array(asset, { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(chain, { maxLength: 3 }),
        fc.array(asset, { maxLength: 3 }),
        async (chains, assets) => {
          const { text } = await discover(chains, assets)
          const configuration = parse(text) ?? {}
          for (const [id, printed] of Object.entries(configuration.assets ?? {})) {
            expect(id).toMatch(/^bitcoin:/)
            expect(printed).toEqual({ decimals: expect.any(Number) })
          }
        },
      ),
    )
  })
})

const abi = parseAbi(["function version() view returns (string)"])

/** A node of a chain with one contract that answers `version()` with the text. */
function evmNode(version: string): Node {
  return (method, params) => {
    if (method === "eth_getCode") return "0x6001"
    if (method === "eth_getStorageAt") return `0x${"0".repeat(64)}`
    if (method === "eth_chainId") return "0x2105"
    // CAST: the parameters of eth_call.
    const [{ data }] = params as [{ data: string }]
    if (data.startsWith("0x54fd4d50"))
      return encodeFunctionResult({ abi, functionName: "version", result: version })
    if (data.startsWith("0xfc0c546a"))
      return encodeAbiParameters(
        [{ type: "address" }],
        ["0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"],
      )
    return "0x"
  }
}
