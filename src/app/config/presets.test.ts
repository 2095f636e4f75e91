import { describe, expect, test } from "vitest"
import { familyOf } from "#chains/families.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import type { Config } from "./config.ts"
import { configHash } from "./hash.ts"
import { parseConfig } from "./load.ts"

const RPC = 'rpc: ["http://127.0.0.1:1"], key: "env:K"'
const parse = (chains: string, more = ""): Config =>
  parseConfig(`service: { url: "http://127.0.0.1:1" }\nchains:\n  ${chains}\n${more}`, {
    file: "b.yaml",
    secrets: (reference) => new Secret("k", reference),
  })
const chainOf = (text: string) => parse(text).chains[0]

function problemsOf(chains: string, more = ""): readonly string[] {
  try {
    parse(chains, more)
  } catch (error) {
    if (error instanceof AppError && error.code === "config.invalid")
      return error.message.split("\n").slice(1)
    throw error
  }
  return []
}

describe("a preset", () => {
  test("sets family, identity, coin, block time, fee caps, finality and explorer", () => {
    expect(chainOf(`treasury: { preset: bnbchain, ${RPC} }`)).toMatchObject({
      chain: "treasury",
      family: "evm",
      preset: "bnbchain",
      chainId: 56,
      finality: { seen: 2, reveal: "finalized", ending: "finalized" },
      nativeCoin: { symbol: "BNB", decimals: 18 },
      blockTime: { ms: 450, fastestMs: 225, slowestMs: 900, from: "preset" },
      maxFeePerGasWei: 10_000_000_000n,
      maxTipPerGasWei: 3_000_000_000n,
      explorer: { tx: "https://bscscan.com/tx/{tx}" },
    })
  })

  test("of each family needs only the nodes and the key", () => {
    const bitcoin = 'esplora: ["http://127.0.0.1:1"], key: "env:K"'
    expect(chainOf(`bitcoin_testnet: { preset: bitcoin_testnet, ${bitcoin} }`)).toMatchObject({
      network: "testnet4",
    })
    expect(chainOf(`solana: { preset: solana, ${RPC} }`)).toMatchObject({ family: "solana" })
    expect(chainOf(`starknet: { preset: starknet, account: "0x1", ${RPC} }`)).toMatchObject({
      chainId: "SN_MAIN",
    })
  })

  test("of a test network keeps little coin for a redemption, and can pay the network", () => {
    const capOf = (preset: string) => chainOf(`x: { preset: ${preset}, ${RPC} }`)
    for (const name of ["ethereum_sepolia", "base_sepolia", "citrea_testnet"])
      expect(capOf(name)).toMatchObject({ maxFeePerGasWei: 20_000_000_000n })
    expect(capOf("monad_testnet")).toMatchObject({ maxFeePerGasWei: 1_000_000_000_000n })
  })

  test("is taken from the chain's own name, unless the chain has a family", () => {
    expect(chainOf(`base: { ${RPC} }`)).toMatchObject({ preset: "base", chainId: 8453 })
    const own = chainOf(`base_sepolia: { family: evm, chain_id: 84532, ${RPC} }`)
    expect(own).toMatchObject({ preset: null, explorer: null, maxFeePerGasWei: 500_000_000_000n })
  })

  test(
    "is not needed for the depths and the tip cap of a known chain: its id says which chain it " +
      "is",
    () => {
      const ethereum = { seen: 2, reveal: "safe", ending: "finalized" }
      const byId = (id: number, more = "") =>
        chainOf(`x: { family: evm, chain_id: ${id}, ${more} ${RPC} }`)
      for (const id of [1, 8453, 10, 130, 42161])
        expect(byId(id)).toMatchObject({ finality: ethereum })
      expect(byId(8453)).toMatchObject({ maxTipPerGasWei: 500_000_000n })
      // Unknown chains and test networks.
      for (const id of [84532, 424242])
        expect(byId(id)).toMatchObject({ finality: { seen: 1, reveal: 2, ending: 3 } })
      expect(byId(424242)).toMatchObject({ maxTipPerGasWei: 10_000_000_000n })
      expect(byId(1, 'max_priority_fee_per_gas: "7 wei",')).toMatchObject({ maxTipPerGasWei: 7n })
      expect(byId(1, "finality: { ending: 64 },")).toMatchObject({
        finality: { ...ethereum, ending: 64 },
      })
      expect(byId(1, "confirmations: 4,")).toMatchObject({
        finality: { seen: 4, reveal: 4, ending: 4 },
      })
      expect(
        problemsOf(`x: { family: evm, chain_id: 1, finality: { ending: latest }, ${RPC} }`)[0],
      ).toContain(
        "chains.x.finality.ending: expected a whole number from 1 to 10000, safe or finalized",
      )
    },
  )

  test("does not replace a chain's missing keys", () => {
    const problems = problemsOf("base:", 'guards: { min_native: { base: "1" } }')
    expect(problems.join("\n")).toContain("chains.base: expected a map of keys, found nothing")
  })

  test("yields to explicit keys", () => {
    const text =
      `base: { preset: base, block_time: 4s, max_fee_per_gas: "7 gwei", timelock: { min: 5 }, ` +
      `${RPC} }`
    expect(chainOf(text)).toMatchObject({
      blockTime: { ms: 4_000, from: "configuration" },
      maxFeePerGasWei: 7_000_000_000n,
      timelock: { min: 5n, max: null },
    })
  })

  test("fixes which chain it is", () => {
    expect(problemsOf(`base: { preset: base, chain_id: 8453, family: evm, ${RPC} }`)).toEqual([])
    expect(problemsOf(`base: { preset: base, chain_id: 1, ${RPC} }`)).toEqual([
      "b.yaml:3:35: chains.base.chain_id: expected 8453 or no chain_id, because the preset " +
        "base is that chain, found the number 1",
    ])
    expect(problemsOf(`base: { preset: base, family: solana, ${RPC} }`)).toEqual([
      "b.yaml:3:33: chains.base.family: expected evm or no family, because the preset base " +
        'is that chain, found "solana"',
    ])
  })

  test("of another chain than the one that the chain's own name means is refused", () => {
    const refusal = (name: string, preset: string): string =>
      `expected ${name} or another name of the chain, because services call the chain of the ` +
      `preset ${name} so, found "${preset}"`
    expect(problemsOf(`base: { preset: base_sepolia, ${RPC} }`)).toEqual([
      `b.yaml:3:19: chains.base.preset: ${refusal("base", "base_sepolia")}`,
    ])
    expect(problemsOf(`solana: { preset: solana_testnet, ${RPC} }`)).toEqual([
      `b.yaml:3:21: chains.solana.preset: ${refusal("solana", "solana_testnet")}`,
    ])
    expect(problemsOf(`hyperliquid: { preset: hyperevm, ${RPC} }`)).toEqual([])
    expect(problemsOf(`treasury: { preset: base_sepolia, ${RPC} }`)).toEqual([])
  })

  test("with an unknown name is reported at its place, with the nearest name", () => {
    expect(problemsOf(`x: { preset: bass, ${RPC} }`)).toEqual([
      "b.yaml:3:16: chains.x.preset: expected the name of a preset, found bass; did you mean base?",
    ])
  })

  test("leaves a mistake in another key at the place of that key", () => {
    expect(problemsOf(`base: { preset: base, rpcs: [], ${RPC} }`)).toEqual([
      "b.yaml:3:25: chains.base.rpcs: unknown key rpcs; did you mean rpc?",
    ])
    expect(problemsOf('base: { preset: base, key: "env:K" }')[0]).toMatch(
      /^b\.yaml:3:9: chains\.base\.rpc: expected/,
    )
  })

  test("changes the hash of a configuration", () => {
    const plain = configHash(parse(`base: { family: evm, chain_id: 8453, ${RPC} }`))
    expect(configHash(parse(`base: { preset: base, ${RPC} }`))).not.toBe(plain)
    expect(configHash(parse(`base: { ${RPC} }`))).toBe(
      configHash(parse(`base: { preset: base, ${RPC} }`)),
    )
  })
})

describe("the block time", () => {
  test("of a chain with a known id is that of the chain, also without its preset", () => {
    expect(chainOf(`x: { family: evm, chain_id: 42161, ${RPC} }`)?.blockTime).toMatchObject({
      ms: 250,
      from: "preset",
    })
    expect(chainOf(`x: { family: evm, chain_id: 42161, ${RPC} }`)).toMatchObject({
      preset: null,
      explorer: null,
    })
  })

  test("of an unknown EVM chain is a guess with a wide range, until the configuration says it", () => {
    const guess = chainOf(`x: { family: evm, chain_id: 424242, ${RPC} }`)?.blockTime
    expect(guess).toEqual({ ms: 2_000, fastestMs: 100, slowestMs: 15_000, from: "guess" })
    expect(
      chainOf(`x: { family: evm, chain_id: 424242, block_time: 200ms, ${RPC} }`)?.blockTime,
    ).toEqual({
      ms: 200,
      fastestMs: 100,
      slowestMs: 400,
      from: "configuration",
    })
  })

  test("is two seconds on Starknet", () => {
    expect(
      chainOf(`x: { family: starknet, account: "0x1", chain_id: SN_OTHER, ${RPC} }`)?.blockTime.ms,
    ).toBe(2_000)
  })
})

describe("a chain family that is not supported is named", () => {
  const BASE = `base: { ${RPC} }`
  const EVM = `0x${"22".repeat(20)}`
  const TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"

  test.each([
    [
      "as a family",
      `x: { family: tron, ${RPC} }`,
      "",
      "b.yaml:3:16: chains.x.family: tron is of the chain family Tron,",
    ],
    [
      "as a chain that pretends to be of another family",
      `tron: { family: evm, chain_id: 728126428, ${RPC} }`,
      "",
      "b.yaml:3:3: chains.tron: tron is of the chain family Tron,",
    ],
    [
      "as a preset",
      `x: { preset: sui, ${RPC} }`,
      "",
      "chains.x.preset: sui is of the chain family Sui,",
    ],
    [
      "as an asset",
      BASE,
      "assets: { litecoin:ltc: { decimals: 8 } }",
      "assets.litecoin:ltc: litecoin:ltc is of the chain family Litecoin,",
    ],
    [
      "as an affiliate's payout",
      BASE,
      `affiliate: [{ asset: "sui:usdc", address: "${EVM}", fee_bps: 1 }]`,
      "affiliate[0].asset: sui:usdc is of the chain family Sui,",
    ],
    [
      "as a rule's asset",
      BASE,
      "assets: { base:eth: { decimals: 18 } }\nrules: [{ id: a, kind: recurring, schedule: " +
        `"0 9 * * *", from: base:eth, to: "xrpl:xrp", amount: "1" }]`,
      "rules[0].to: xrpl:xrp is of the chain family XRPL,",
    ],
    [
      "as an allowed destination",
      BASE,
      `guards: { destinations: [own, ${TRON}] }`,
      "guards.destinations[1]: this is an address of Tron,",
    ],
    [
      "as a rule's destination that has the form of a Solana address",
      `solana: { ${RPC} }`,
      "assets: { solana:sol: { decimals: 9 } }\nrules: [{ id: a, kind: sweep, from: " +
        `solana:sol, keep: "1", to: solana:sol, destination: ${TRON}, every: 1h }]`,
      "rules[0].destination: this is an address of Tron,",
    ],
    [
      "as Alpen's signet, not its EVM chain",
      `alpen_signet: { ${RPC} }`,
      "",
      "the chain family Alpen signet,",
    ],
    ["as Lightning", `lightning: { ${RPC} }`, "", "the chain family Lightning,"],
    ["as Spark", `spark: { ${RPC} }`, "", "the chain family Spark,"],
  ])("%s", (_name, chains, more, expected) => {
    const problems = problemsOf(chains, more).join("\n")
    expect(problems).toContain(expected)
    expect(problems).toContain(
      "not supported yet; Ballast supports Bitcoin, EVM chains, Solana and Starknet",
    )
  })
})

test("another Solana cluster is another chain, so orders in flight forbid the change", () => {
  const text = (preset: string): string => `x: { preset: ${preset}, ${RPC} }`
  const main = parse(text("solana"))
  const devnet = parse(text("solana_testnet"))
  const identities = [main, devnet].map(({ chains }) =>
    chains.map((chain) => familyOf(chain).identityOf(chain)),
  )
  expect(identities[0]).not.toEqual(identities[1])
})
