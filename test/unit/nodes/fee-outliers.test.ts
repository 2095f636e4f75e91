import { afterEach, describe, expect, test } from "vitest"
import { createEsplora } from "#chains/bitcoin/esplora.ts"
import { readFeeNeed } from "#chains/bitcoin/fees.ts"
import { fetchAgreement as reportBitcoin } from "#chains/bitcoin/nodes/reference.ts"
import { readMarket, tipFigure } from "#chains/evm/fees.ts"
import { fetchAgreement as reportEvm } from "#chains/evm/nodes/agree.ts"
import { createRpc as createEvmRpc } from "#chains/evm/rpc.ts"
import { createEndpoints, fetchAgreement as reportSolana } from "#chains/solana/nodes/endpoints.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { fetchPrices } from "#chains/solana/spend/fetch-prices.ts"
import { fetchAgreement as reportStarknet } from "#chains/starknet/nodes/compare-views.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { priceGas } from "#chains/starknet/spend/estimate.ts"
import { DEPOSIT_GAS } from "#chains/starknet/spend/gas-prices.ts"
import type { Wallet } from "#chains/starknet/wallet.ts"
import { systemClock as clock } from "#lib/clock.ts"
import { createFeeFigures, figureIn, findFeeOutliers } from "#nodes/quorum/fee-figures.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import { createManualClock } from "../../support/manual-clock.ts"
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

/** In the units in which the nodes below name their fees. */
const CAP = 500n
const KEYS: Readonly<Record<string, string>> = {
  bitcoin: "max_fee_rate",
  evm: "max_priority_fee_per_gas",
  solana: "max_priority_fee",
  starknet: "max_fee",
}
const shared = { timeoutMs: 2_000, clock } as const

const FEES: Readonly<Record<string, FeeFamily>> = {
  bitcoin: {
    open: (urls) => {
      const genesis = "ab".repeat(32)
      const esplora = createEsplora({ endpoints: urls, needed: 2, genesis, ...shared })
      return { ask: () => readFeeNeed(esplora, Number(CAP)), report: () => reportBitcoin(esplora) }
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
      return { ask: () => readMarket(rpc, CAP, { feeCap: CAP }), report: () => reportEvm(rpc) }
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
        ask: () => fetchPrices(["address"], endpoints, CAP * 10_000n),
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
      const wallet = { rpc, maxFeeUnits: CAP * DEPOSIT_GAS.l2 } as Wallet
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

async function nodeOf(family: string, fee: number, baseFee = 7) {
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
      return { jsonrpc: "2.0", id, result: isBlock ? withBaseFee(result, baseFee) : result }
    }
    return { body: JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked as Call)) }
  })
  stops.push(node.stop)
  return node
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

function withBaseFee(block: unknown, baseFee: number): unknown {
  return block === null ? null : { ...Object(block), baseFeePerGas: hex(baseFee) }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

async function reasonsOf(family: string, fees: readonly number[], baseFee?: number) {
  const nodes = await Promise.all(fees.map((fee) => nodeOf(family, fee, baseFee)))
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

  test("and the others that ask for more than the cap are named once, with its key", async () => {
    const { reasons } = await reasonsOf(family, [501, 700, 702])
    expect(reasons).toMatchObject([{ code: "chain.fee_above_cap", key: KEYS[family] }])
    const [reason] = reasons
    const { message = "", fee = "", cap = "" } = { ...reason }
    expect(message).toContain(`a network fee of ${fee} `)
    expect(message).toContain(`${KEYS[family]} allows ${cap}: Ballast offers no more`)
    expect([fee, cap]).toEqual([expect.stringMatching(/^70+$/), expect.stringMatching(/^50+$/)])
  })

  test("that alone asks for more than the cap names no fee above it", async () => {
    const { reasons } = await reasonsOf(family, [500, 500, 800])
    expect(reasons).toEqual([])
  })

  test("is not named for an honest difference", async () => {
    const { reasons } = await reasonsOf(family, [40, 60, 120])
    expect(reasons).toEqual([])
  })
})

test("a base fee above the cap is named with the cap's key", async () => {
  const { reasons } = await reasonsOf("evm", [40, 41], 501)
  const about = { fee: "501", cap: "500", key: "max_fee_per_gas" }
  expect(reasons).toMatchObject([{ code: "chain.fee_above_cap", ...about }])
  expect((await reasonsOf("evm", [40, 41], 500)).reasons).toEqual([])
})

test("a tip that recent blocks do not explain is not offered, and so not above the cap", async () => {
  const suggested = 90_000n
  const { wanted } = figureIn({ suggested, paid: 1n }, tipFigure(CAP))
  expect(wanted).toBeLessThan(CAP)
  expect(figureIn({ suggested, paid: 40_000n }, tipFigure(CAP)).wanted).toBe(suggested)
})

test("one endpoint is asked again only while its fee is above the cap", async () => {
  const manual = createManualClock(1_000_000)
  const figures = createFeeFigures(manual, 1)
  const scale = { unit: "sat/vB", least: 1n, cap: { most: CAP, key: "max_fee_rate" } }
  let reads = 0
  const read = async (fee: bigint) => {
    manual.set(manual.now() + 301_000)
    await figures.beside(Promise.resolve(), async () => {
      reads += 1
      figures.note([{ endpoint: "a", ok: true, value: { fee, wanted: fee } }], scale)
    })
    return figures.list().map(({ code }) => code)
  }
  expect(await read(900n)).toEqual([])
  figures.note([{ endpoint: "a", ok: true, value: { fee: 900n, wanted: 900n } }], scale)
  expect([await read(900n), reads]).toEqual([["chain.fee_above_cap"], 1])
  const urgent = { ...scale, cap: { ...scale.cap, most: 50n * CAP } }
  figures.note([{ endpoint: "a", ok: true, value: { fee: 900n, wanted: 900n } }], urgent)
  expect(figures.list().map(({ code }) => code)).toEqual(["chain.fee_above_cap"])
  expect([await read(400n), reads]).toEqual([[], 2])
  expect([await read(900n), reads]).toEqual([[], 2])
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
