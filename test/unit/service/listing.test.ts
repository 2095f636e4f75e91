import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { RoutePolicy } from "#domain/route/service-listing.ts"
import { startHarness } from "../../chains/sandbox/service/service-harness.ts"
import { publishedOrderbook, publishedUtils } from "../../support/published-wire.ts"
import { failure, replies, startStub } from "../../support/service-stub.ts"

const { Assets, ChainAsset, RouteValidator } = publishedOrderbook
const stub = await startStub()
afterAll(stub.stop)

const served = (assets: unknown): object => ({
  id: "evm:84532",
  chain: "base_sepolia",
  name: "Base Sepolia",
  icon: "https://icons/base.svg",
  explorer_url: "https://sepolia.basescan.org",
  confirmation_target: 1,
  source_timelock: "43200",
  destination_timelock: "3600",
  supported_htlc_schemas: ["evm:htlc", "evm:htlc_erc20"],
  supported_token_schemas: ["evm:erc20"],
  assets,
})
const wbtc = {
  id: "base_sepolia:WBTC",
  name: "Wrapped Bitcoin",
  chain: "evm:84532",
  icon: "https://icons/wbtc.svg",
  htlc: { address: "0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50", schema: "evm:htlc_erc20" },
  token: { address: "0x394B1DA3dDC0c6A3AD96AE73Ca40aB95B5eA1C0D", schema: "evm:erc20" },
  decimals: 8,
  min_amount: "50000",
  max_amount: 1_000_000,
  price: 65000.5,
}

test("every asset of the published list can be read, also those of chains that Ballast cannot swap", async () => {
  const published = Object.values(Assets).flatMap((ofChain) => Object.values(ofChain))
  const listed = published.filter((asset) => "id" in asset && typeof asset.id === "string")
  expect(listed.length).toBeGreaterThan(60)
  stub.answer = replies(200, { status: "Ok", result: listed })
  const { items, unreadable } = await stub.client().listAssets()
  expect(unreadable).toEqual([])
  expect(items.map(({ id }) => id)).toEqual(listed.map(({ id }) => String(id).toLowerCase()))
  const chains = new Set(items.map(({ id }) => id.split(":")[0]))
  for (const name of ["bitcoin", "base", "solana", "starknet", "tron", "litecoin", "sui"])
    expect(chains).toContain(name)
})

test("the assets of a chain carry contracts and bounds", async () => {
  stub.answer = replies(200, { status: "Ok", result: [served([wbtc])] })
  const { items, unreadable } = await stub.client().listChains()
  expect(unreadable).toEqual([])
  expect(items).toEqual([
    {
      chain: "base_sepolia",
      id: "evm:84532",
      name: "Base Sepolia",
      assets: [
        {
          id: "base_sepolia:wbtc",
          name: "Wrapped Bitcoin",
          decimals: 8,
          htlc: wbtc.htlc,
          token: wbtc.token,
          isActive: null,
          minUnits: 50_000n,
          maxUnits: 1_000_000n,
          price: "65000.5",
          solver: null,
        },
      ],
      unreadable: [],
    },
  ])
})

test.each([
  ["an address with a line break", { htlc: { address: "0xaa\n  owner: 0xbb", schema: null } }],
  ["an amount with a fraction", { min_amount: "0.5" }],
  ["an id that is no asset", { id: "wbtc" }],
  ["no decimals", { decimals: undefined }],
])("%s makes one asset unreadable, not the list", async (_name, change) => {
  stub.answer = replies(200, {
    status: "Ok",
    result: [served([{ ...wbtc, ...change }, wbtc]), served([])],
  })
  const { items } = await stub.client().listChains()
  expect(items[0]?.assets.map(({ id }) => id)).toEqual(["base_sepolia:wbtc"])
  expect(items[0]?.unreadable).toHaveLength(1)
  expect(items[1]?.assets).toEqual([])
})

test("the lists of the sandbox can be read, and its policy allows the pairs that it quotes", async () => {
  const { service } = await startHarness({ dialect: "2026" })
  try {
    const client = stub.client({ baseUrl: service.url, appId: "ballast-sandbox" })
    const assets = await client.listAssets()
    const chains = await client.listChains()
    const policy = await client.listPolicy()
    expect([assets.unreadable, chains.unreadable]).toEqual([[], []])
    expect(chains.items.flatMap((chain) => chain.assets)).toEqual(
      expect.arrayContaining([...assets.items]),
    )
    expect(assets.items.map(({ id }) => id)).toContain("starknet_sepolia:wbtc")
    expect(chains.items.find(({ chain }) => chain === "solana_testnet")).toMatchObject({
      id: "solana:103",
    })
    const [btc, wbtc, usdc] = ["bitcoin_testnet:btc", "base_sepolia:wbtc", "base_sepolia:usdc"].map(
      parseAssetId,
    )
    if (!btc || !wbtc || !usdc) throw new Error("three assets")
    expect([policy.allows(btc, wbtc), policy.allows(wbtc, usdc), policy.allows(btc, btc)]).toEqual([
      true,
      false,
      false,
    ])
  } finally {
    await service.stop()
  }
})

test("a service without the lists gives a coded refusal", async () => {
  stub.answer = replies(404, { status: "Error", error: "not found" })
  const client = stub.client()
  for (const work of [client.listAssets(), client.listChains(), client.listPolicy()]) {
    expect(await failure(work)).toMatchObject({ code: "service.not_found", disposition: "refused" })
  }
})

test("a policy allows exactly the routes that the published client allows", async () => {
  const names = ["bitcoin:btc", "base:wbtc", "base:usdc", "ethereum:usdc", "solana:sol", "xrpl:xrp"]
  const part = fc.constantFrom("*", "", "bitcoin", "base", "ethereum", "solana", "xrpl")
  const symbol = fc.constantFrom("*", "", "btc", "WBTC", "usdc", "sol", "xrp")
  const pattern = fc.oneof(
    fc.constant("*"),
    fc.tuple(part, symbol).map(([a, b]) => `${a}:${b}`),
  )
  const rule = fc
    .tuple(pattern, fc.constantFrom("->", "<->", " -> "), pattern)
    .map(([a, arrow, b]) => `${a}${arrow}${b}`)
  const rules = fc.uniqueArray(rule, { maxLength: 3 })
  const policies = fc.record({
    default: fc.constantFrom("open" as const, "closed" as const),
    isolation_groups: rules,
    blacklist_pairs: rules,
    whitelist_overrides: rules,
  })
  await fc.assert(
    fc.asyncProperty(policies, async (wire) => {
      stub.answer = replies(200, { status: "Ok", result: wire })
      const policy: RoutePolicy = await stub.client().listPolicy()
      const validator = new RouteValidator(
        `${stub.url}/v2/policy`,
        new publishedUtils.ApiKey("a".repeat(64)),
      )
      for (const from of names) {
        for (const to of names) {
          const theirs = await validator.isValidRoute(ChainAsset.from(from), ChainAsset.from(to))
          expect([from, to, policy.allows(parseAssetId(from), parseAssetId(to))]).toEqual([
            from,
            to,
            theirs,
          ])
        }
      }
    }),
    { numRuns: 60 },
  )
})
