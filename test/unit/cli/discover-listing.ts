import { encodeAbiParameters, encodeFunctionResult, parseAbi } from "viem"
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

export const HTLC = "0x1111111111111111111111111111111111111111"

export type Node = (method: string, params: unknown) => unknown

/**
 * The printed YAML of a service that lists these entries; `node` answers for every chain, if it is
 * given.
 */
export async function discover(
  chains: readonly unknown[],
  assets: readonly unknown[],
  node?: Node,
) {
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

const abi = parseAbi(["function version() view returns (string)"])

/** A node of a chain with one contract that answers `version()` with the text. */
export function evmNode(version: string): Node {
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
