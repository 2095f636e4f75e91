import type { AssetId } from "#domain/asset.ts"
import { symbolOf } from "#domain/route/affiliate-fee.ts"
import type { Config, PegConfig } from "../config.ts"
import { type ConfigFinding, findingOf, type Judged } from "./finding.ts"

/**
 * Assets without a price of our own, prices that rest on one source, pegs that nothing watches, and
 * decimals that are not the usual ones.
 */
export function judgePrices({ config, isReal, mains }: Judged): ConfigFinding[] {
  return [
    ...judgeTrust(config, mains),
    ...findUnpriced(config, isReal),
    ...(isReal ? findSingleSources(config) : []),
    ...config.prices.pegs.flatMap((peg, index) => judgePeg(config, peg, index)),
    ...judgeTwoServices(config),
    ...judgeDecimals(config),
  ]
}

/** The assets that have neither a source nor a peg with a priced asset. */
function listUnpriced({ assets, prices }: Pick<Config, "assets" | "prices">): readonly AssetId[] {
  const priced = new Set(prices.sources.map(({ asset }) => asset))
  const pegged = prices.pegs
    .filter((peg) => peg.assets.some((asset) => priced.has(asset)))
    .flatMap((peg) => peg.assets)
  return assets.map(({ id }) => id).filter((id) => !priced.has(id) && !pegged.includes(id))
}

function judgeTrust({ prices }: Config, mains: readonly string[]): ConfigFinding[] {
  const [main] = mains
  if (!prices.trustService || main === undefined) return []
  const message = `trust_service lets the service name any price, and ${main} is a main network`
  const todo = "remove trust_service, and add prices.sources"
  const path = ["prices", "trust_service"]
  return [findingOf("trustService", { severity: "refuse", path, message, todo })]
}

function findUnpriced(config: Config, isReal: boolean): ConfigFinding[] {
  if (config.mode !== "live" || config.prices.trustService) return []
  return listUnpriced(config).map((asset) => {
    const product = `${symbolOf(asset).toUpperCase()}-USD`
    const source = `{ asset: "${asset}", kind: coinbase, product: "${product}" }`
    return findingOf("noPrice", {
      severity: isReal ? "fail" : "warn",
      path: ["prices", "sources"],
      subjects: [asset],
      message: `${asset} has no price of our own, so each of its orders is refused`,
      todo: `add ${source} to prices.sources, or put it into a peg`,
    })
  })
}

function findSingleSources({ prices }: Config): ConfigFinding[] {
  const counts = Map.groupBy(prices.sources, ({ asset }) => asset)
  return [...counts]
    .filter(([, sources]) => sources.length === 1)
    .map(([asset, [source]]) =>
      findingOf("onePriceSource", {
        path: ["prices", "sources", source === undefined ? 0 : prices.sources.indexOf(source)],
        subjects: [asset],
        message: `the price of ${asset} rests on one source, which is believed`,
        todo:
          "add two sources of other providers: then the median counts, and one liar " +
          "is outvoted",
      }),
    )
}

function judgePeg({ prices }: Config, { assets }: PegConfig, index: number): ConfigFinding[] {
  const priced = assets.filter((asset) => prices.sources.some((source) => source.asset === asset))
  if (priced.length >= 2) return []
  const found = priced.length === 0 ? "no member has a source" : `only ${priced[0]} has a source`
  return [
    findingOf("pegUnwatched", {
      path: ["prices", "pegs", index],
      message: `nothing watches this peg: ${found}`,
      todo: "add a source for a second member to prices.sources",
    }),
  ]
}

/** Two services that disagree prove nothing against each other. */
function judgeTwoServices(config: Config): ConfigFinding[] {
  const unpriced = listUnpriced(config)
  if (config.services.length !== 2 || unpriced.length === 0) return []
  const message =
    `two services without reference prices of ${unpriced.join(", ")}: where they disagree, no ` +
    "order is made (quote.unproven)"
  const todo = "add prices.sources, or a third service"
  return [findingOf("twoServices", { path: ["services"], subjects: unpriced, message, todo })]
}

/**
 * The decimals of well-known coins: most chains have the first number. The chain itself decides, so
 * that this is a question.
 */
const USUAL_DECIMALS: Readonly<Record<string, readonly number[]>> = {
  btc: [8, 18],
  wbtc: [8],
  cbbtc: [8],
  usdc: [6, 18],
  usdt: [6, 18],
  eth: [18],
  sol: [9],
  strk: [18],
}

function judgeDecimals({ assets }: Config): ConfigFinding[] {
  return assets.flatMap(({ id, decimals }): ConfigFinding[] => {
    const usual = USUAL_DECIMALS[symbolOf(id)]
    if (usual === undefined || usual.includes(decimals)) return []
    const message =
      `${id} has ${decimals} decimals here, and ${symbolOf(id)} usually has ` +
      `${usual.join(" or ")}`
    const todo = `write decimals: ${usual[0]}, or compare with the chain by \`ballast doctor\``
    const path = ["assets", id, "decimals"]
    return [findingOf("unusualDecimals", { path, subjects: [id], message, todo })]
  })
}
