import { join } from "node:path"
import { familyNamed } from "#chains/families.ts"
import { band } from "#policy/rules/band/band.ts"
import { recurring } from "#policy/rules/recurring/recurring.ts"

/** The line that `ballast sandbox --json` prints once it is ready. */
export type SandboxSummary = {
  readonly service: string
  /** With several services: all of them. */
  readonly services?: readonly string[]
  readonly chains: readonly {
    readonly name: string
    readonly family: string
    readonly url: string
    readonly chainId: number | string | null
    readonly assets: readonly {
      readonly id: string
      readonly decimals: number
      readonly token: string | null
      readonly htlc: string | null
    }[]
  }[]
  readonly cctp?: {
    readonly attester: string
    readonly contracts: readonly {
      readonly chain: string
      readonly domain: number
      readonly messenger: string
      readonly transmitter: string
      readonly lookupTable?: string
    }[]
  }
  readonly missing: readonly { readonly chain: string; readonly reason: string }[]
}

export type Route = {
  readonly from: string
  readonly to: string
  readonly deposit?: "auto" | "onchain"
}

const KEYS = join(import.meta.dirname, "..", "..", "..", "..", "config", "sandbox-keys")

/**
 * The configuration of a daemon on a running sandbox: config/sandbox.yaml with this sandbox's
 * addresses.
 */
export function demoConfig(
  sandbox: SandboxSummary,
  options: { dataDir: string; routes: readonly Route[]; deposit: string },
): Record<string, unknown> {
  return {
    service: { url: sandbox.service, app_id: "ballast-sandbox", poll: { min: "1s", max: "3s" } },
    data_dir: options.dataDir,
    ops: { listen: "127.0.0.1:0", token: "env:BALLAST_OPS_TOKEN" },
    chains: Object.fromEntries(
      sandbox.chains.map((chain) => [chain.name, chainEntry(chain, options.deposit)]),
    ),
    assets: Object.fromEntries(
      sandbox.chains.flatMap(({ assets }) =>
        assets.map(({ id, decimals, token, htlc }) => [
          id,
          { decimals, ...(token ? { token } : {}), ...(htlc ? { htlc: [htlc] } : {}) },
        ]),
      ),
    ),
    ...routesOf(sandbox),
    rules: listSwapRules(options.routes),
    guards: GUARDS,
    // A person watches, so the balances of the page follow the orders.
    books: { reconcile_every: "15s" },
    // The coins of the sandbox have no market.
    prices: { trust_service: true },
    log: { level: "info" },
  }
}

/** The stand-ins for CCTP, where the sandbox has them between two of its chains. */
function routesOf({ cctp, chains }: SandboxSummary): Record<string, unknown> {
  const places = (cctp?.contracts ?? []).filter(({ chain }) =>
    chains.some(({ name }) => name === chain),
  )
  if (cctp === undefined || places.length < 2) return {}
  return {
    routes: {
      cctp: {
        assets: places.map(({ chain }) => `${chain}:usdc`),
        max_in_flight: "50000 usd",
        service: cctp.attester,
        contracts: Object.fromEntries(
          places.map(({ chain, domain, messenger, transmitter }) => [
            chain,
            { domain, messenger, transmitter },
          ]),
        ),
        lookup_tables: Object.fromEntries(
          places.flatMap(({ chain, lookupTable }) =>
            lookupTable === undefined ? [] : [[chain, lookupTable]],
          ),
        ),
      },
    },
  }
}

/**
 * The rules of a demo without an end: swaps on the first routes, a band, an order that waits for an
 * approval, and one that a limit refuses. Without Bitcoin and the token on Base only the swaps.
 */
export function showRules(
  sandbox: SandboxSummary,
  routes: readonly Route[],
): Record<string, unknown> {
  const have = new Set(sandbox.chains.flatMap(({ assets }) => assets.map(({ id }) => id)))
  const swaps = listSwapRules(routes)
  if (!have.has(BITCOIN) || !have.has(HOT)) return { rules: swaps }
  const large = { kind: recurring.kind, timezone: "UTC", from: BITCOIN, to: HOT }
  return {
    rules: [
      ...swaps,
      {
        id: "hot-wallet",
        kind: band.kind,
        asset: HOT,
        min: "1.0005",
        target: "1.002",
        max: "1.1",
        sources: [BITCOIN],
        sinks: [BITCOIN],
        every: "20s",
      },
      { id: "needs-approval", schedule: "40 */2 * * * *", amount: "0.008", ...large },
      { id: "refused", schedule: "50 */2 * * * *", amount: "0.02", ...large },
    ],
    guards: { ...GUARDS, max_order: "1000 usd", approve_above: "700 usd", approval_ttl: "5m" },
  }
}

const BITCOIN = "bitcoin_testnet:btc"
const HOT = "base_sepolia:wbtc"

/** Each route swaps every half minute; the routes start seven seconds apart. */
function listSwapRules(routes: readonly Route[]): Record<string, unknown>[] {
  return routes.map(({ from, to }, index) => ({
    id: `demo-${index + 1}`,
    kind: recurring.kind,
    timezone: "UTC",
    from,
    to,
    amount: amountFor(from),
    schedule: `${(index * 7) % 30},${((index * 7) % 30) + 30} * * * * *`,
  }))
}

/**
 * Of a payout of a hundred dollars on Bitcoin, the bound of the redeemer's own fee is 154 basis
 * points.
 */
const GUARDS = { max_cost: "250bps", max_in_flight: 24 }

/** About a hundred dollars at the sandbox's fixed prices, in the asset's own unit. */
export function amountFor(asset: string): string {
  const amounts: Record<string, string> = {
    btc: "0.001",
    wbtc: "0.001",
    eth: "0.025",
    sol: "0.5",
    strk: "200",
    usdc: "100",
    cbbtc: "0.001",
  }
  return amounts[asset.split(":")[1] ?? ""] ?? "1"
}

function chainEntry(
  { family, url, chainId }: SandboxSummary["chains"][number],
  deposit: string,
): Record<string, unknown> {
  return {
    family,
    ...familyNamed(family).sandboxKeys({ url, chainId, deposit }),
    key: `file:${join(KEYS, family)}`,
  }
}

/**
 * Bitcoin with tokens and native coins of each other family, in both directions. The first six
 * orders have all families and USDC.
 */
export function defaultRoutes(sandbox: SandboxSummary): Route[] {
  const wanted = [
    "base_sepolia:wbtc",
    "solana_testnet:usdc",
    "starknet_sepolia:wbtc",
    "base_sepolia:eth",
    "ethereum_sepolia:wbtc",
    "solana_testnet:sol",
  ]
  const have = new Set(sandbox.chains.flatMap(({ assets }) => assets.map(({ id }) => id)))
  const others = wanted.filter((asset) => have.has(asset))
  const bitcoin = "bitcoin_testnet:btc"
  if (!have.has(bitcoin))
    return others.slice(1).flatMap((to) => [
      { from: others[0] ?? to, to },
      { from: to, to: others[0] ?? to },
    ])
  return others.flatMap((asset) => [
    { from: bitcoin, to: asset },
    { from: asset, to: bitcoin },
  ])
}

/** USDC between the chains of CCTP, and USDC for a coin that a service alone swaps. */
function usdcRoutes({ cctp, chains }: SandboxSummary): Route[] {
  const burnt = (cctp?.contracts ?? []).map(({ chain }) => `${chain}:usdc`)
  const [from, to, ...more] = burnt
  if (from === undefined || to === undefined) return []
  const swapped = chains.flatMap(({ assets }) => assets.map(({ id }) => id))
  const pairs = swapped.includes(BITCOIN) ? [{ from, to: BITCOIN }] : []
  const further = more.flatMap((third) => [
    { from, to: third },
    { from: third, to: from },
  ])
  return [{ from, to }, { from: to, to: from }, ...further, ...pairs]
}

/**
 * Every ordered pair of chains, with the main asset of each, and USDC over each kind of route.
 * Every second route of a chain sends its deposit on chain instead of gasless.
 */
export function allRoutes(sandbox: SandboxSummary): Route[] {
  const mainAssets = sandbox.chains.map(
    ({ assets }) => (assets.find(({ id }) => id.endsWith(":wbtc")) ?? assets[0])?.id ?? "",
  )
  const ways = ["auto", "onchain"] as const
  const pairs = mainAssets.flatMap((from) =>
    mainAssets
      .filter((to) => to !== from)
      .map((to, index) => ({ from, to, deposit: ways[index % 2] ?? "auto" })),
  )
  return [...usdcRoutes(sandbox), ...pairs]
}
