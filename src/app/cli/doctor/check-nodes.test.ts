import { describe, expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { urlOf } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { checkNodes } from "./check-nodes.ts"

const NOW_MS = Date.UTC(2026, 10, 21)
const [EVM, BITCOIN, STARKNET, SOLANA] = parseConfig(
  `{ service: { url: "http://127.0.0.1:1", app_id: x }, data_dir: ./d, assets: {}, rules: [],
     chains: {
       base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://one/secret-path", "http://two"],
           key: "env:NONE" },
       bitcoin_testnet: { family: bitcoin, network: testnet4, esplora: ["http://one/api/"],
           key: "env:NONE" },
       starknet_sepolia: { family: starknet, account: "0x1", rpc: ["http://one"], key: "env:NONE",
           chain_id: SN_SEPOLIA },
       solana_devnet: { family: solana, rpc: ["http://one"], key: "env:NONE" } } }`,
  { file: "test.yaml", secrets: (reference) => new Secret("", reference) },
).chains.map((chain) => chain)

const EVM_BLOCK = {
  number: "0x10",
  hash: `0x${"ab".repeat(32)}`,
  transactions: [],
  baseFeePerGas: "0x1",
  timestamp: `0x${(NOW_MS / 1_000).toString(16)}`,
}
const STARKNET_HEAD = { block_number: 5, block_hash: "0x5" }
const STARKNET_BLOCK = { ...STARKNET_HEAD, timestamp: NOW_MS / 1_000 }
const HASH = "ab".repeat(32)
const newest = (ageSeconds: number): string =>
  JSON.stringify([{ id: HASH, height: 7, timestamp: NOW_MS / 1_000 - ageSeconds }])
const PRICE = { price_in_fri: "0x5", price_in_wei: "0x1" }
const PRICES = { l2_gas_price: PRICE, l1_data_gas_price: PRICE }

/** An EVM node with a chain id and a block of that age. */
function evmNode(ageSeconds: number, chainId = 84_532): AskHttp {
  return async (_url, body) => {
    // CAST: the reader's own request.
    const { method } = body as { method: string }
    const timestamp = `0x${(NOW_MS / 1_000 - ageSeconds).toString(16)}`
    return JSON.stringify({
      result: method === "eth_chainId" ? `0x${chainId.toString(16)}` : { ...EVM_BLOCK, timestamp },
    })
  }
}

describe("the doctor's check of nodes", () => {
  test.each([
    ["fresh", evmNode(3), "ok", "height 16"],
    ["behind", evmNode(121), "warn", "121 s old"],
    ["ahead of our clock", evmNode(-31), "fail", "-31 s old"],
    ["on another network", evmNode(3, 1), "fail", "network 1, not 84532"],
  ] as const)("says of one that is %s what it found", async (_name, ask, status, found) => {
    const diagnoses = await checkNodes(mustExist(EVM, "the chain"), ask, { now: () => NOW_MS })
    expect(diagnoses[0]).toMatchObject({ status, found: expect.stringContaining(found) })
    expect(diagnoses[0]?.todo === null).toBe(status === "ok")
    expect(JSON.stringify(diagnoses)).not.toContain("secret-path")
  })

  test("warns of one silent endpoint, and fails when all are silent", async () => {
    const one: AskHttp = async (url, body) => {
      if (url === "http://two") throw new Error("connect ECONNREFUSED")
      return evmNode(3)(url, body)
    }
    const none: AskHttp = async () => "<html>"
    const statuses = async (ask: AskHttp): Promise<string[]> =>
      (await checkNodes(mustExist(EVM, "the chain"), ask, { now: () => NOW_MS })).map(
        ({ status }) => status,
      )
    expect(await statuses(one)).toEqual(["ok", "warn"])
    expect(await statuses(none)).toEqual(["fail", "fail"])
  })

  test("reports endpoints on different networks", async () => {
    const ask: AskHttp = (url, body) => evmNode(3, url === "http://two" ? 1 : 84_532)(url, body)
    const diagnoses = await checkNodes(mustExist(EVM, "the chain"), ask, { now: () => NOW_MS })
    expect(diagnoses.at(-1)).toMatchObject({ check: "base_sepolia endpoints", status: "fail" })
  })

  test("recognises Bitcoin's networks by their genesis block", async () => {
    const esplora =
      (genesis: string): AskHttp =>
      async (url) => {
        if (url === "http://one/api/block-height/0") return genesis
        if (url === "http://one/api/blocks") return newest(600)
        return HASH
      }
    const status = async (genesis: string) =>
      (
        await checkNodes(mustExist(BITCOIN, "the chain"), esplora(genesis), { now: () => NOW_MS })
      )[0]?.status
    expect(await status("00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043\n")).toBe(
      "ok",
    )
    expect(await status("000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f")).toBe(
      "fail",
    )
  })

  test.each([
    ["no estimate", async () => "{}", "its list is empty"],
    ["no such path", async () => Promise.reject(new Error("HTTP 404")), "HTTP 404"],
  ])("names a Bitcoin endpoint with %s, and fails without any other", async (_name, fees, why) => {
    const chain = mustExist(BITCOIN, "the chain")
    const esplora: AskHttp = async (address) => {
      const url = urlOf(address)
      if (url === "http://two/api/fee-estimates") return '{"2":5}'
      if (url.endsWith("/fee-estimates")) return fees()
      if (url.endsWith("/block-height/0"))
        return "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043"
      if (url.endsWith("/blocks")) return newest(600)
      return HASH
    }
    const feesOf = async (esploras: readonly string[]) =>
      // CAST: the same chain with other endpoints.
      (
        await checkNodes({ ...chain, esplora: esploras } as typeof chain, esplora, {
          now: () => NOW_MS,
        })
      ).filter(({ check }) => check.endsWith(" fees"))
    const found = `no fee estimate: ${why}`
    expect(await feesOf(["http://one/api"])).toMatchObject([
      { check: "bitcoin_testnet one fees", status: "fail", found },
    ])
    expect(await feesOf(["http://one/api", "http://two/api"])).toMatchObject([
      { status: "warn", found },
    ])
    expect(await feesOf(["http://two/api"])).toEqual([])
  })

  test.each([
    [
      "EVM",
      EVM,
      "base_sepolia one fees",
      { eth_chainId: "0x14a34", eth_getBlockByNumber: EVM_BLOCK },
      { eth_feeHistory: {} },
    ],
    [
      "Starknet",
      STARKNET,
      "starknet_sepolia one fees",
      {
        starknet_chainId: "0x534e5f5345504f4c4941",
        starknet_blockHashAndNumber: STARKNET_HEAD,
        starknet_getBlockWithTxHashes: STARKNET_BLOCK,
      },
      { starknet_getBlockWithTxHashes: { ...STARKNET_BLOCK, ...PRICES } },
    ],
    [
      "Solana",
      SOLANA,
      "solana_devnet one fees",
      { getGenesisHash: "abc", getSlot: 9, getBlockTime: NOW_MS / 1_000 },
      { getRecentPrioritizationFees: [] },
    ],
  ])(
    "asks an %s endpoint for its fees as the daemon does",
    async (_name, chain, check, known, fees) => {
      const asker =
        (answers: Readonly<Record<string, unknown>>): AskHttp =>
        async (_url, body) => {
          // CAST: the reader's own request.
          const { method } = body as { method: string }
          const result = answers[method]
          return JSON.stringify(
            result === undefined ? { error: { code: -32_601, message: "not found" } } : { result },
          )
        }
      const feesOf = async (ask: AskHttp) =>
        (await checkNodes(mustExist(chain, "the chain"), ask, { now: () => NOW_MS })).filter(
          (one) => one.check === check,
        )
      expect(await feesOf(asker({ ...known, ...fees }))).toEqual([])
      expect(await feesOf(asker(known))).toMatchObject([
        {
          status: "warn",
          found: expect.stringContaining("no fee estimate"),
          todo: expect.stringContaining("fees.unknown"),
        },
      ])
    },
  )

  test.each([
    ["a base fee above its cap", ["0xe8d4a51000"], /max_fee_per_gas/],
    ["a base fee unlike that of others", ["0x174876e800", "0x1"], /base fee per gas/],
    ["no base fee", [null], /EIP-1559/],
  ])("names EVM endpoints with %s, as the daemon does", async (_name, fees, words) => {
    const chain = mustExist(EVM, "the chain")
    const hosts = ["http://one", "http://two"].slice(0, fees.length)
    const ask: AskHttp = async (url, body) => {
      // CAST: the reader's own request.
      const { method } = body as { method: string }
      const baseFeePerGas = fees[hosts.indexOf(urlOf(url))]
      const answers: Readonly<Record<string, unknown>> = {
        eth_chainId: "0x14a34",
        eth_getBlockByNumber: { ...EVM_BLOCK, baseFeePerGas },
        eth_maxPriorityFeePerGas: "0x1",
        eth_feeHistory: {},
      }
      return JSON.stringify({ result: answers[method] })
    }
    const rpc = hosts as unknown as string[] // CAST: addresses without keys.
    const given = { ...chain, rpc } as typeof chain // CAST: the same chain with other endpoints.
    const found = (await checkNodes(given, ask, { now: () => NOW_MS })).filter(({ check }) =>
      check.endsWith(" fees"),
    )
    expect(found.map(({ status }) => status)).toEqual(["warn"])
    expect(found[0]?.found).toMatch(words)
  })

  test("reads Starknet's chain id as text", async () => {
    const ask: AskHttp = async (_url, body) => {
      // CAST: the reader's own request.
      const { method } = body as { method: string }
      const block = { ...STARKNET_BLOCK, timestamp: NOW_MS / 1_000 - 30 }
      return JSON.stringify({
        result: method === "starknet_chainId" ? "0x534e5f5345504f4c4941" : block,
      })
    }
    const [diagnosis] = await checkNodes(mustExist(STARKNET, "the chain"), ask, {
      now: () => NOW_MS,
    })
    expect(diagnosis).toMatchObject({ status: "ok", found: expect.stringContaining("SN_SEPOLIA") })
  })
})
