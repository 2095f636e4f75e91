import { textAt } from "#schema/read-path.ts"

/**
 * The key of a price source whose prices are not in dollars, and the currency or market that the
 * source names; `null` for dollars, and where the source names none. Each limit and size in fiat
 * would count a foreign currency.
 */
export function findForeignQuote(
  source: unknown,
): { readonly key: string; readonly found: string } | null {
  const product = textAt(source, ["product"])
  switch (textAt(source, ["kind"]) ?? "json") {
    case "coinbase":
      return product === null || /-USD$/i.test(product) ? null : { key: "product", found: product }
    case "kraken":
      return product === null || /USD$/i.test(product) ? null : { key: "product", found: product }
    case "json":
      return findInJson(source)
    default:
      return null
  }
}

/** Only plain signs: a URL may name currencies for other reasons. */
function findInJson(source: unknown): { readonly key: string; readonly found: string } | null {
  const url = textAt(source, ["url"]) ?? ""
  const asset = textAt(source, ["asset"]) ?? ""
  const symbol = asset.slice(asset.indexOf(":") + 1).replace(/[^a-z0-9]/g, "")
  const path = textAt(source, ["path"]) ?? ""
  // It names the base of a list of rates, whose path then names the dollar.
  const names = /\busd[tc]?$/i.test(path) ? QUOTES : `${QUOTES}|currency`
  const query = `[?&](?:${names})=(${OTHERS})(?:&|$)`
  const coin = `${symbol}|btc|xbt|eth|sol`
  const market = `[/=](?:${coin})[-_]?(${OTHERS})(?:[/&?]|$)`
  const quoteFirst = `[/=](${OTHERS})[-_](?:${coin})(?:[/&?]|$)`
  const inPath = new RegExp(`(?:^|\\.)(${OTHERS})$`, "i").exec(path)
  const inUrl = [query, market, quoteFirst].flatMap(
    (pattern) => new RegExp(pattern, "i").exec(url)?.slice(1) ?? [],
  )
  if (inPath?.[1] !== undefined) return { key: "path", found: inPath[1] }
  return inUrl[0] === undefined ? null : { key: "url", found: inUrl[0] }
}

const QUOTES = "vs_currency|vs_currencies|convert|tsyms?|quote|quote_currency|counter"
const OTHERS =
  "eur|gbp|chf|jpy|cad|aud|nzd|sek|nok|dkk|pln|czk|huf|ron|try|brl|mxn|ars|clp|cop|inr|idr|krw|" +
  "cny|hkd|sgd|twd|thb|php|myr|vnd|zar|ngn|aed|sar|ils|rub|uah"
