import { formatUnits, parseUnits } from "#domain/amount.ts"
import type { FirstLimits } from "./choose-limits.ts"
import type { ChosenChain, HoldRule, KnownAsset } from "./parse-answers.ts"

export type Answers = {
  readonly treasury: string
  readonly chains: readonly ChosenChain[]
  readonly settings: ReadonlyMap<string, Readonly<Record<string, string>>>
  readonly service: string
  readonly appId: string
  /** The reference that every chain's key has. */
  readonly key: string
  readonly assets: readonly KnownAsset[]
  readonly hold: HoldRule | null
  readonly limits: FirstLimits
  /** The address of the page, and the reference of its token; `null` without a page. */
  readonly page: { readonly listen: string; readonly token: string } | null
  /** A new keystore is written beside the configuration. */
  readonly isNew: boolean
}

/** The text of the first configuration: it observes, and its limits are small. */
export function formatFirstConfig(answers: Answers): string {
  const { treasury, chains, settings, service, appId, key, assets, hold, limits, page } = answers
  return [
    "# Written by `ballast init`. Ballast only observes with this file: it shows the orders " +
      "that the rules would make, and makes none.",
    "# docs/CONFIG.md explains every key; docs/GO-LIVE.md has the steps to mode: live.",
    "",
    `service: { url: ${quote(service)}, app_id: ${quote(appId)} }`,
    "data_dir: ./data",
    `treasury: ${quote(treasury)}`,
    "mode: observe",
    "",
    "chains:",
    ...chains.map((chain) => formatChain(chain, key, settings.get(chain.name) ?? {})),
    "",
    "# No asset has an HTLC contract yet. Before mode: live, `ballast discover` compares the " +
      "service's contracts with the chains and prints the lines.",
    "assets:",
    ...assets.map(formatAsset),
    "",
    ...formatRules(hold, assets),
    ...formatGuards(limits),
    ...formatPage(page),
    ...formatPrices(chains, assets),
    "",
  ].join("\n")
}

/** A day's orders and fees follow from the limits of one order. */
function formatGuards({ maxOrderFiat, maxCostBps }: FirstLimits): string[] {
  const dayFiat = maxOrderFiat * ORDERS_A_DAY
  const feesFiat = Math.max(LEAST_FEES_FIAT, Math.ceil((dayFiat * maxCostBps) / 10_000))
  return [
    "# Small limits, which still let the rule move: `ballast simulate` shows how often. " +
      "Raise one at a time, after",
    "# `ballast orders` has shown what it stopped.",
    "guards:",
    `  max_cost: ${maxCostBps}bps`,
    `  max_order: "${maxOrderFiat} usd"`,
    `  windows: [{ per: 24h, max: "${dayFiat} usd", max_fees: "${feesFiat} usd", max_count: 10 }]`,
    "  max_in_flight: 1",
    `  approve_above: "${maxOrderFiat / 2} usd"`,
    "",
  ]
}

const ORDERS_A_DAY = 4
const LEAST_FEES_FIAT = 10

function formatPage(page: Answers["page"]): string[] {
  if (page === null) return []
  const { listen, token } = page
  return [
    "# The dashboard and the metrics. The page asks for the token, which is in a file of its own.",
    `ops: { listen: ${quote(listen)}, token: ${quote(token)} }`,
    "",
  ]
}

function formatChain(
  { name, family, urls }: ChosenChain,
  key: string,
  more: Readonly<Record<string, string>>,
): string {
  const endpoints =
    family.endpointKey === null ? [] : [`${family.endpointKey}: [${urls.map(quote).join(", ")}]`]
  const set = Object.entries({ ...family.firstKeys, ...more }).map(
    ([name, value]) => `${name}: ${quote(value)}`,
  )
  return (
    `  ${name}: { ` +
    `${[`preset: ${name}`, ...endpoints, `key: ${quote(key)}`, ...set].join(", ")} }`
  )
}

function formatAsset({ id, decimals, token }: KnownAsset): string {
  const parts = [`decimals: ${decimals}`, ...(token === null ? [] : [`token: ${quote(token)}`])]
  return `  ${id}: { ${parts.join(", ")} }`
}

/**
 * The amount is the lower bound. The rule aims at half as much again, and lets twice that stand.
 */
function formatRules(hold: HoldRule | null, assets: readonly KnownAsset[]): string[] {
  const decimals = assets.find(({ id }) => id === hold?.asset)?.decimals
  if (hold === null || decimals === undefined) return ["rules: []", ""]
  const min = parseUnits(hold.amount, decimals)
  const amount = (units: bigint): string => `"${formatUnits(units, decimals)}"`
  return [
    "rules:",
    `  # Below min the rule refills ${hold.asset} from ${hold.from}; above max it moves the ` +
      "rest back.",
    `  - { id: hold, kind: band, asset: ${hold.asset}, min: ${amount(min)}, target: ` +
      `${amount((min * 3n) / 2n)}, max: ${amount(min * 3n)},`,
    `      sources: [${hold.from}], sinks: [${hold.from}], every: 5m }`,
    "",
  ]
}

/** Public sources without an account, by the symbol of the asset. */
const PRODUCTS: Readonly<Record<string, { readonly coinbase?: string; readonly kraken?: string }>> =
  {
    btc: { coinbase: "BTC-USD", kraken: "XBTUSD" },
    wbtc: { kraken: "WBTCUSD" },
    eth: { coinbase: "ETH-USD", kraken: "ETHUSD" },
    sol: { coinbase: "SOL-USD", kraken: "SOLUSD" },
    usdc: { kraken: "USDCUSD" },
  }

function formatPrices(chains: readonly ChosenChain[], assets: readonly KnownAsset[]): string[] {
  if (chains.every(({ network }) => network === "test"))
    return [
      "# Coins of test networks have no market. Ballast refuses this key together with a " +
        "main network.",
      "prices: { trust_service: true }",
    ]
  const sources = assets.flatMap(({ id }) =>
    Object.entries(PRODUCTS[id.slice(id.indexOf(":") + 1)] ?? {}).map(
      ([kind, product]) => `    - { asset: ${id}, kind: ${kind}, product: ${product} }`,
    ),
  )
  return sources.length === 0 ? ["prices: { sources: [] }"] : ["prices:", "  sources:", ...sources]
}

/** A JSON string is also a YAML string, with all its special characters escaped. */
function quote(text: string): string {
  return JSON.stringify(text)
}
