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
  const query = `[?&](?:vs_currency|vs_currencies|convert|tsyms|quote)=(${OTHERS})(?:&|$)`
  const market = `[/=](?:${symbol}|btc|xbt|eth|sol)[-_]?(${OTHERS})(?:[/&?]|$)`
  const inPath = new RegExp(`(?:^|\\.)(${OTHERS})$`, "i").exec(textAt(source, ["path"]) ?? "")
  const inUrl = new RegExp(query, "i").exec(url) ?? new RegExp(market, "i").exec(url)
  if (inPath?.[1] !== undefined) return { key: "path", found: inPath[1] }
  return inUrl?.[1] === undefined ? null : { key: "url", found: inUrl[1] }
}

const OTHERS = "eur|gbp|chf|jpy|cad|aud|nzd|sek|nok|dkk|pln|czk|try|brl|mxn|inr|krw|cny|hkd|sgd|zar"
