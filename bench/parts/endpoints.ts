import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import { GENESIS } from "#chains/bitcoin/nodes/genesis.ts"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { createSolanaChain } from "#chains/solana/create-chain.ts"
import { type Asset, type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { addressOfOutput } from "#sandbox/bitcoin/regtest-address.ts"
import { ENDPOINTS } from "../ask-endpoints.ts"
import { type FakeNode, startEsploraNode, startEvmNode, startSolanaNode } from "../fake-nodes.ts"
import type { Part, Row } from "../row.ts"

const HTLC = "0x34AFAa48606c6b474392F694B3645fe56bd0f687"
const PROGRAM = "6eksgdCnSjUaGQWZ6iYvauv1qzvYPF33RTGTM1ZuyENx"
const AT_ONCE = 64
const BASE = { timeoutMs: 10_000, clock: systemClock }

type Candidate = {
  readonly name: string
  readonly asset: AssetId
  readonly start: () => Promise<FakeNode>
  readonly open: (urls: readonly string[], assets: readonly Asset[]) => ChainPort
  readonly legOf: (index: number) => Pick<LegQuery, "htlc" | "initiator" | "owner">
}

/**
 * The code of three families against nodes that answer at once: legs that are read a second, and
 * requests.
 */
export const endpoints: Part = async (quick) => {
  const rows: Row[] = []
  for (const candidate of CANDIDATES)
    rows.push(...(await measure(candidate, quick ? 1_000 : 4_000)))
  return rows
}

async function measure(
  { name, asset, start, open, legOf }: Candidate,
  count: number,
): Promise<Row[]> {
  const nodes = await Promise.all(Array.from({ length: ENDPOINTS }, start))
  const known: Asset = {
    id: asset,
    chain: chainOf(asset),
    decimals: 8,
    token: null,
    htlc: htlcOf(name),
  }
  const chain = open(
    nodes.map(({ url }) => url),
    [known],
  )
  const observe = async (index: number): Promise<void> => {
    const leg = await chain.observeLeg(queryOf(asset, index, legOf(index)))
    if (!leg.agreed)
      throw new Error(`${name}: the endpoints do not agree: ${JSON.stringify(leg.doubts)}`)
  }
  // The first observation checks the network.
  await observe(0)
  const startMs = performance.now()
  const before = requestsOf(nodes)
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) await observe(next++)
    }),
  )
  const seconds = (performance.now() - startMs) / 1_000
  const requests = requestsOf(nodes) - before
  for (const node of nodes) node.close()
  return [
    {
      what: `${name}: legs read a second, ${AT_ONCE} at once`,
      value: count / seconds,
      unit: "/s",
      goal: null,
    },
    { what: `${name}: requests for a leg`, value: requests / count, unit: "", goal: null },
  ]
}

function requestsOf(nodes: readonly FakeNode[]): number {
  return nodes.reduce((sum, { requests }) => sum + requests(), 0)
}

function htlcOf(name: string): readonly string[] {
  return name === "EVM" ? [HTLC] : name === "Solana" ? [PROGRAM] : []
}

/** A payout that is not there yet. */
function queryOf(
  asset: AssetId,
  index: number,
  leg: Pick<LegQuery, "htlc" | "initiator" | "owner">,
): LegQuery {
  return {
    side: "destination",
    asset,
    units: 10_000n,
    redeemer: leg.owner,
    timelock: 100n,
    fromHeight: 4_900n,
    secretHash: index.toString(16).padStart(64, "0"),
    hints: { initiateTx: null, redeemTx: null, refundTx: null },
    ...leg,
  }
}

const WEI = 10n ** 9n
const [ETH, BTC, SOL] = ["base_sepolia:eth", "bitcoin_testnet:btc", "solana_testnet:sol"].map(
  parseAssetId,
)
const CANDIDATES: readonly Candidate[] = [
  {
    name: "EVM",
    asset: mustExist(ETH, "an asset"),
    start: startEvmNode,
    open: (rpc, assets) =>
      createEvmChain({
        ...BASE,
        chain: chainOf(mustExist(ETH, "an asset")),
        chainId: 1,
        rpc,
        assets,
        key: readKey("evm"),
        finality: { seen: 1, reveal: 1, ending: 1 },
        maxFeePerGasUnits: WEI,
        maxTipPerGasUnits: WEI,
      }),
    legOf: () => ({ htlc: HTLC, initiator: `0x${"22".repeat(20)}`, owner: `0x${"33".repeat(20)}` }),
  },
  {
    name: "Bitcoin",
    asset: mustExist(BTC, "an asset"),
    start: () => startEsploraNode(GENESIS.regtest ?? ""),
    open: (esplora, assets) =>
      createBitcoinChain({
        ...BASE,
        chain: chainOf(mustExist(BTC, "an asset")),
        network: "regtest",
        esplora,
        assets,
        key: readKey("bitcoin"),
        addressType: "p2tr",
        confirmations: 1,
        maxFeeRate: 10,
      }),
    legOf: (index) => ({ htlc: addressAt(index), initiator: null, owner: addressAt(0) }),
  },
  {
    name: "Solana",
    asset: mustExist(SOL, "an asset"),
    start: startSolanaNode,
    open: (rpc, assets) =>
      createSolanaChain({
        ...BASE,
        chain: chainOf(mustExist(SOL, "an asset")),
        rpc,
        assets,
        key: readKey("solana"),
        commitment: "confirmed",
        confirmations: null,
        maxPriorityFeeMicroLamports: 1n,
      }),
    legOf: () => ({ htlc: PROGRAM, initiator: PROGRAM, owner: PROGRAM }),
  },
]

function readKey(name: string): Secret {
  const file = join(import.meta.dirname, "../../config/sandbox-keys", name)
  return new Secret(readFileSync(file, "utf8").trim(), `file:${name}`)
}

/** A script of version 0 with another hash for each leg. */
function addressAt(index: number): string {
  const script = Buffer.from(`0014${index.toString(16).padStart(40, "0")}`, "hex")
  return mustExist(addressOfOutput(script), "an address")
}
