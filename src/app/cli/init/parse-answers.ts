import { ASSUMED_PRICES, guessPrice } from "#backtest/assumptions.ts"
import { FAMILIES, findPreset } from "#chains/families.ts"
import type { FamilyDefinition } from "#chains/family-definition.ts"
import { parseUnits } from "#domain/amount.ts"
import { parseAssetId } from "#domain/asset.ts"
import type { NativeCoin } from "#domain/native-coin.ts"
import { nearestName } from "#lib/nearest-name.ts"
import { refuseAnswer } from "./refuse-answer.ts"

/**
 * A chain of the new configuration; `needs` are the keys that only a person knows, without their
 * values.
 */
export type ChosenChain = {
  readonly name: string
  readonly network: "main" | "test"
  readonly family: FamilyDefinition
  readonly nativeCoin: NativeCoin
  /** One for each endpoint; endpoints of different providers check each other. */
  readonly urls: readonly string[]
  readonly needs: readonly { readonly key: string; readonly about: string }[]
}

export type HoldRule = { readonly amount: string; readonly asset: string; readonly from: string }

export type KnownAsset = {
  readonly id: string
  readonly decimals: number
  readonly token: string | null
}

/** Throws `init.answer` (refused), like every function of this file. */
export function parseTreasury(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/.test(text)) return text
  throw refuseAnswer(
    "treasury",
    `expected a name of letters, digits, spaces, dots and dashes, found "${text}"`,
  )
}

/** `CHAIN=URL,CHAIN=URL`, where a chain with several endpoints stands several times. */
export function parseChains(text: string): readonly ChosenChain[] {
  const chains = new Map<string, ChosenChain>()
  for (const entry of text.split(",")) {
    const chain = parseChain(entry.trim())
    const { name, urls, family } = chain
    const known = chains.get(name)?.urls ?? []
    if (urls.some((url) => known.includes(url)))
      throw refuseAnswer("chains", `${name} has the same URL twice`)
    if (known.length > 0 && family.endpointKey === null)
      throw refuseAnswer("chains", `${name} has one node only`)
    chains.set(name, { ...chain, urls: [...known, ...urls] })
  }
  return [...chains.values()]
}

type ChainName = { readonly name: string; readonly url: string; readonly example: string }

/** Chains by their name or their number in `CHAIN_NAMES`; `url` is empty where none is given. */
export function parseChainNames(text: string): readonly ChainName[] {
  return text.split(",").map((entry) => {
    const [written = "", url = ""] = entry.trim().split(/=(.*)/)
    const name = /^\d+$/.test(written) ? (CHAIN_NAMES[Number(written) - 1] ?? written) : written
    const { family } = parseChain(`${name}=${url === "" ? "https://node.example" : url}`)
    const example =
      family.endpointKey === "esplora"
        ? "https://esplora.example/api"
        : `https://${name.replaceAll("_", "-")}.example/KEY`
    return { name, url, example }
  })
}

function parseChain(entry: string): ChosenChain {
  const at = entry.indexOf("=")
  const [name, url] = at < 0 ? [entry, ""] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
  const found = findPreset(name)
  if (found === null) {
    const near = nearestName(name, CHAIN_NAMES)
    const hint =
      near === null ? `; Ballast knows ${CHAIN_NAMES.join(", ")}` : `; did you mean ${near}?`
    throw refuseAnswer("chains", `there is no chain "${name}"${hint}`)
  }
  if (!isHttpUrl(url))
    throw refuseAnswer("chains", `${name} needs the URL of a node, as ${name}=https://…`)
  const { family, preset } = found
  const known = new Set([
    ...Object.keys(preset.identity),
    ...Object.keys(preset.defaults),
    "family",
    "key",
  ])
  const needs = Object.entries(family.keys).flatMap(([key, schema]) =>
    known.has(key) || key === family.endpointKey || schema.safeParse(undefined).success
      ? []
      : [{ key, about: schema.description ?? "" }],
  )
  return {
    name,
    network: preset.network,
    family,
    nativeCoin: preset.nativeCoin,
    urls: [url],
    needs,
  }
}

export const CHAIN_NAMES: readonly string[] = FAMILIES.flatMap(({ presets }) =>
  presets.map(({ name }) => name),
)

/** `CHAIN.KEY=VALUE,…` as chain → key → value. */
export function parseSettings(
  text: string | null,
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const settings = new Map<string, Record<string, string>>()
  for (const entry of text === null ? [] : text.split(",")) {
    const [, chain, key, value] = /^\s*([a-z0-9_-]+)\.([a-z_]+)=(.+?)\s*$/.exec(entry) ?? []
    if (chain === undefined || key === undefined || value === undefined)
      throw refuseAnswer("set", `expected CHAIN.KEY=VALUE, found "${entry.trim()}"`)
    settings.set(chain, { ...settings.get(chain), [key]: value })
  }
  return settings
}

export function parseService(text: string): string {
  if (isHttpUrl(text)) return text
  throw refuseAnswer(
    "service",
    `expected a URL that starts with http:// or https://, found "${text}"`,
  )
}

export function parseKeys(text: string): string {
  if (text === "new" || /^(env|file|keystore|credential|pkcs11):\S/.test(text)) return text
  // A pasted key must not appear in a message.
  throw refuseAnswer(
    "keys",
    "expected new, or a reference such as keystore:PATH, env:NAME or file:PATH; no key itself",
  )
}

/** `0.01 base_sepolia:wbtc from bitcoin_testnet:btc`; `null` for `none` and for an empty answer. */
export function parseHold(text: string, assets: readonly KnownAsset[]): HoldRule | null {
  if (text === "" || text === "none") return null
  const [, amount, asset, from] = /^(\d+(?:\.\d+)?)\s+(\S+)\s+from\s+(\S+)$/.exec(text) ?? []
  if (amount === undefined || asset === undefined || from === undefined)
    throw refuseAnswer(
      "hold",
      `expected "0.01 CHAIN:ASSET from CHAIN:ASSET", or none; found "${text}"`,
    )
  const held = knownAsset(asset, assets)
  knownAsset(from, assets)
  if (asset === from) throw refuseAnswer("hold", `${asset} cannot be refilled from itself`)
  const digits = (amount.split(".")[1] ?? "").length
  if (digits > held.decimals)
    throw refuseAnswer("hold", `${asset} has at most ${held.decimals} digits after the point`)
  if (parseUnits(amount, held.decimals) <= 0n)
    throw refuseAnswer("hold", "the amount must be above zero")
  return { amount, asset: parseAssetId(asset), from: parseAssetId(from) }
}

/**
 * Holds about 500 dollars of the first asset, at the round prices of the simulator, refilled from
 * the second; `none` where one of the two has no such price, or where only one asset is known.
 */
export function suggestHold([held, from]: readonly KnownAsset[]): string {
  const amount = held === undefined ? null : roundAmount(held.id)
  if (amount === null || held === undefined || from === undefined) return "none"
  return guessPrice(parseAssetId(from.id)) === null
    ? "none"
    : `${amount} ${held.id} from ${from.id}`
}

/** 1, 2 or 5 with zeros. */
function roundAmount(id: string): string | null {
  const price = ASSUMED_PRICES[guessPrice(parseAssetId(id)) ?? ""]?.startFiat
  if (price === undefined) return null
  const amount = HOLD_FIAT / Number(price)
  const power = 10 ** Math.floor(Math.log10(amount))
  const digit = [5, 2, 1].find((each) => each * power <= amount * ROUNDING) ?? 1
  return power >= 1
    ? String(digit * power)
    : (digit * power).toFixed(Math.round(-Math.log10(power)))
}

const HOLD_FIAT = 500_000_000
const ROUNDING = 1.000_001

/** `null` for `none`. The schema of the configuration checks the rest. */
export function parseListen(text: string): string | null {
  if (text === "none") return null
  if (/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/.test(text)) return text
  throw refuseAnswer(
    "listen",
    `expected HOST:PORT, such as 127.0.0.1:7070, or none; found "${text}"`,
  )
}

function knownAsset(id: string, assets: readonly KnownAsset[]): KnownAsset {
  const found = assets.find((asset) => asset.id === id)
  if (found !== undefined) return found
  const ids = assets.map((asset) => asset.id)
  const near = nearestName(id, ids)
  throw refuseAnswer(
    "hold",
    `there is no asset ${id} ` +
      `here${near === null ? `; known: ${ids.join(", ")}` : `; did you mean ${near}?`}`,
  )
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s#?,]+$/.test(text) && URL.canParse(text)
}
