import { afterEach, describe, expect, test } from "vitest"
import { createEsplora } from "#chains/bitcoin/esplora.ts"
import { readFeeNeed } from "#chains/bitcoin/fees.ts"
import { fetchAgreement as reportBitcoin } from "#chains/bitcoin/nodes/reference.ts"
import { readMarket } from "#chains/evm/fees.ts"
import { fetchAgreement as reportEvm } from "#chains/evm/nodes/agree.ts"
import { createRpc as createEvmRpc } from "#chains/evm/rpc.ts"
import { createEndpoints, fetchAgreement as reportSolana } from "#chains/solana/nodes/endpoints.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { fetchPrices } from "#chains/solana/spend/fetch-prices.ts"
import { fetchAgreement as reportStarknet } from "#chains/starknet/nodes/compare-views.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { priceGas } from "#chains/starknet/spend/estimate.ts"
import type { Wallet } from "#chains/starknet/wallet.ts"
import { systemClock as clock } from "#lib/clock.ts"
import { findFeeOutliers } from "#nodes/quorum/fee-figures.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import { serve } from "./askers.ts"
import { FAMILIES } from "./families.ts"

/*
 * No block proves a fee, so the middle of the endpoints' fees counts. An endpoint that invents one
 * is outvoted, and the report of its chain names it with its figure.
 */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const CHAIN = { network: "ours", height: 1_000, ageMs: 0, units: 5 } as const
const hex = (value: number): string => `0x${value.toString(16)}`

/** `ask` reads the fee for a transaction; `answer` is a node's answer about its fee. */
type FeeFamily = {
  readonly open: (urls: readonly string[]) => {
    readonly ask: () => Promise<unknown>
    readonly report: () => Promise<AgreementReport>
  }
  readonly answer: (method: string, fee: number) => unknown
}

const shared = { timeoutMs: 2_000, clock } as const

const FEES: Readonly<Record<string, FeeFamily>> = {
  bitcoin: {
    open: (urls) => {
      const genesis = "ab".repeat(32)
      const esplora = createEsplora({ endpoints: urls, needed: 2, genesis, ...shared })
      return { ask: () => readFeeNeed(esplora, 500), report: () => reportBitcoin(esplora) }
    },
    answer: (path, fee) => (path === "/fee-estimates" ? { "2": fee } : undefined),
  },
  evm: {
    open: (urls) => {
      const rpc = createEvmRpc({
        urls,
        needed: 2,
        chainId: 8453,
        fastestBlockMs: 1_000,
        ...shared,
      })
      return { ask: () => readMarket(rpc, 100n), report: () => reportEvm(rpc) }
    },
    answer: (method, fee) => {
      if (method === "eth_feeHistory") return { reward: [[hex(fee)]], gasUsedRatio: [0.5] }
      return method === "eth_maxPriorityFeePerGas" ? hex(fee) : undefined
    },
  },
  solana: {
    open: (urls) => {
      const rpc = createSolanaRpc({ urls, genesisHash: "ours", ...shared })
      const endpoints = createEndpoints(rpc, 2, clock)
      return {
        ask: () => fetchPrices(["address"], endpoints),
        report: () => reportSolana(endpoints, "confirmed"),
      }
    },
    answer: (method, fee) =>
      method === "getRecentPrioritizationFees"
        ? [{ slot: 1, prioritizationFee: fee * 10_000 }]
        : undefined,
  },
  starknet: {
    open: (urls) => {
      const rpc = createStarknetRpc({ urls, needed: 2, chainId: "SN_MAIN", ...shared })
      // CAST: the price of gas needs no more of a wallet.
      const wallet = { rpc, maxFeeUnits: 10n ** 18n } as Wallet
      return {
        ask: () => priceGas(wallet, { l2: 1n, l1Data: 1n }),
        report: () => reportStarknet(rpc),
      }
    },
    answer: (method, fee) => {
      const price = { price_in_fri: hex(fee) }
      return method === "starknet_getBlockWithTxHashes"
        ? { l2_gas_price: price, l1_data_gas_price: price }
        : undefined
    },
  },
}

async function nodeOf(family: string, fee: number) {
  const { answer: other } = FAMILIES[family] ?? { answer: () => null }
  const answer = (method: string, params: readonly unknown[]): unknown => {
    const own = FEES[family]?.answer(method, fee)
    if (own === undefined) return other(method, params, CHAIN)
    // The block of a chain names its price of gas.
    return family === "starknet" ? { ...Object(other(method, params, CHAIN)), ...own } : own
  }
  const node = await serve((path, body) => {
    if (body === "") return { body: textOf(answer(path, [])) }
    // CAST: the clients' own requests.
    const asked = JSON.parse(body) as Call | readonly Call[]
    const one = ({ id, method, params }: Call): object => {
      const result = answer(method, params)
      const isBlock = method === "eth_getBlockByNumber"
      return { jsonrpc: "2.0", id, result: isBlock ? withBaseFee(result) : result }
    }
    return { body: JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked as Call)) }
  })
  stops.push(node.stop)
  return node
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

function withBaseFee(block: unknown): unknown {
  return block === null ? null : { ...Object(block), baseFeePerGas: "0x7" }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

async function reasonsOf(family: string, fees: readonly number[]) {
  const nodes = await Promise.all(fees.map((fee) => nodeOf(family, fee)))
  const { ask, report } = FEES[family]?.open(nodes.map(({ url }) => url)) ?? {}
  await ask?.()
  const { reasons = [] } = (await report?.()) ?? {}
  return { reasons, hosts: nodes.map(({ host }) => host) }
}

describe.each(Object.keys(FEES))("an endpoint of %s", (family) => {
  test("that invents a fee is named with its figure", async () => {
    const { reasons, hosts } = await reasonsOf(family, [40, 41, 9_000])
    const [found, ...others] = reasons
    expect(others).toEqual([])
    expect(found).toMatchObject({ code: "chain.fee_outlier", endpoint: hosts[2] })
    expect(found?.["fee"]).toMatch(/^90{3,}$/)
    expect(found?.message).toContain(`${hosts[2]} names a network fee of ${found?.["fee"]}`)
  })

  test("is not named for an honest difference", async () => {
    const { reasons } = await reasonsOf(family, [40, 60, 120])
    expect(reasons).toEqual([])
  })
})

describe("the outliers of fees", () => {
  const at = (...fees: readonly bigint[]) =>
    fees.map((fee, index) => ({ endpoint: `node${index}`, fee }))
  const scale = { unit: "sat/vB", least: 3n }
  const named = (...fees: readonly bigint[]) =>
    findFeeOutliers(at(...fees), scale).map(({ endpoint }) => endpoint)

  test("are ten times the middle one, or a tenth of it", () => {
    expect(named(10n, 10n, 100n)).toEqual(["node2"])
    expect(named(10n, 10n, 99n)).toEqual([])
    expect(named(1n, 10n, 10n)).toEqual(["node0"])
    expect(named(2n, 10n, 10n)).toEqual([])
  })

  test("are the higher one of two, since the lower one counts", () => {
    expect(named(5_000n, 10n)).toEqual(["node0"])
  })

  test("are none where the difference harms nothing", () => {
    expect(named(0n, 1n, 2n)).toEqual([])
    expect(named(7n)).toEqual([])
    expect(named()).toEqual([])
  })
})
