import type { ChainConfig } from "#chains/chain-config.ts"
import { formatUnits } from "#domain/amount.ts"
import type { Asset } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { formatSpan } from "#health/format-span.ts"

/**
 * Writes the amounts of a sentence in the asset's own unit; `about` is the asset of amounts that
 * name none.
 */
export type Humanise = (text: string, about?: string | null) => string

type Known = {
  readonly assets: readonly Pick<Asset, "id" | "decimals">[]
  readonly chains: readonly Pick<ChainConfig, "chain" | "nativeCoin">[]
}
type Unit = { readonly decimals: number; readonly name: string }

/**
 * Reasons store smallest units, because a replay compares them; a person reads them in the asset's
 * own unit. A number without a known asset stays as it is: a wrong unit would be worse.
 */
export function createHumaniser(known: Known | null): Humanise {
  if (known === null) return (text) => text
  return (text, about = null) => {
    const [, coin = null] = COIN.exec(text) ?? []
    const [, named = null] = NAMED.exec(text) ?? []
    const unit =
      (coin === null ? null : findUnit(known, `${coin}:native`)) ??
      findUnit(known, named) ??
      findUnit(known, about)
    if (unit === null) return text
    const show = (digits: string): string =>
      `${formatUnits(BigInt(digits), unit.decimals)} ${unit.name}`
    return text
      .replace(SPAN, (_match, seconds: string) => `within ${formatSpan(Number(seconds) * 1_000)}`)
      .replace(
        LIMIT,
        (_match, found: string, max: string) => `(${show(found)}, at most ${show(max)})`,
      )
      .replace(
        BOUNDS,
        (_match, min: string, max: string) => `within the range of ${show(min)} to ${show(max)}`,
      )
      .replace(VALUE, (_match, found: string, max: string) => `(${found} usd, at most ${max} usd)`)
      .replace(AMOUNT, (_match, digits: string) => show(digits))
      .replace(BARE, (digits: string) => (unit.decimals < LEAST_DECIMALS ? digits : show(digits)))
  }
}

/** The reason with a readable message; its numbers stay, for programs. */
export function humaniseReason(
  humanise: Humanise,
  reason: Reason,
  about: { from: string; to: string } | null,
): Reason {
  const asset =
    reason["asset"] ?? (TO_CODES.includes(reason.code) ? about?.to : about?.from) ?? null
  return { ...reason, message: humanise(reason.message, asset) }
}

/** Reasons whose amounts are in the bought asset. */
const TO_CODES: readonly string[] = ["alarm.payout_short", "quote.too_good", "quote.unproven"]

const ID = "[a-z0-9_]+:[a-z0-9._-]+"
const COIN = /units of (?:the coin|the native coin) of ([a-z0-9_]+)/i
const NAMED = new RegExp(`\\d (?:smallest )?(?:units of )?(${ID})`, "i")
/** An amount with its unit, as the sentences of reasons write it. */
const AMOUNT = new RegExp(
  `(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${ID})?`,
  "gi",
)
/** The limits on sold units, whose sentences name no unit. Limits on value have other sentences. */
const LIMIT =
  /(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g
const VALUE_LIMITS = [
  "worth more than one order may be",
  "would be worth more than allowed",
  "would cost more than allowed",
]
const VALUE = new RegExp(
  `(?<=(?:${VALUE_LIMITS.join("|")}) )\\(([\\d.]+), at most ([\\d.]+)\\)`,
  "g",
)
/** The service states its bounds in smallest units of the sold asset. */
const BOUNDS = /within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi
const SPAN = /(?<=Orders |orders )within (\d+) s\b/g
/** More digits than any height, slot or time in seconds has. */
const BARE = /(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g
const LEAST_DECIMALS = 6

function findUnit({ assets, chains }: Known, id: string | null): Unit | null {
  const asset = assets.find((one) => one.id === id)
  if (asset !== undefined) return { decimals: asset.decimals, name: asset.id }
  const coin = chains.find(({ chain }) => `${chain}:native` === id)?.nativeCoin
  return coin === undefined ? null : { decimals: coin.decimals, name: coin.symbol }
}
