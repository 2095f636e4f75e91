import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { BookedEntry, Posting } from "#domain/ledger.ts"

/**
 * Entries as plain-text accounting, for hledger and ledger:
 * https://hledger.org/hledger.html#journal. Each asset is a quoted commodity, every amount is
 * exact, and each transaction balances commodity by commodity. The fiat value is a tag, so that it
 * does not take part in the balance.
 */
export function formatLedger(
  entries: readonly BookedEntry[],
  decimalsOf: (asset: AssetId) => number,
): string {
  const transactions = entries
    .filter(({ postings }) => postings.length > 0)
    .map((entry) => formatOne(entry, decimalsOf))
  return ["; Written by ballast. Times are UTC.\n", ...transactions].join("\n")
}

function formatOne(entry: BookedEntry, decimalsOf: (asset: AssetId) => number): string {
  const at = new Date(entry.atMs).toISOString()
  const title = entry.reverses === null ? entry.kind : `${entry.kind} reversed`
  const note = [entry.orderId, entry.note].filter((part) => part !== null).join(", ")
  const tags = [
    ["entry", String(entry.id)],
    ["time", at.slice(11, 23)],
    ...(entry.orderId === null ? [] : [["order", entry.orderId]]),
    ...(entry.tx === null ? [] : [["tx", entry.tx]]),
    ...(entry.reverses === null ? [] : [["reverses", String(entry.reverses)]]),
  ]
  const head = `${at.slice(0, 10)} * ${plain(note === "" ? title : `${title} | ${note}`)}`
  const comments = tags.map(([name, value]) => `    ; ${name}: ${plain(value ?? "")}`)
  const postings = entry.postings.map((posting) => formatPosting(posting, decimalsOf))
  return `${[head, ...comments, ...postings].join("\n")}\n`
}

function formatPosting(
  { account, asset, units, fiat }: Posting,
  decimalsOf: (asset: AssetId) => number,
): string {
  const amount = `${formatUnits(units, decimalsOf(asset))} "${asset}"`
  const value = fiat === null ? "" : `  ; fiat: ${formatUnits(fiat, FIAT_DECIMALS)}`
  return `    ${account.padEnd(52)}  ${amount}${value}`
}

/**
 * Removes characters that would end the line, begin a comment, or (comma) end the value of a tag.
 */
function plain(text: string): string {
  return text.replace(/[\r\n;]/g, " ").replaceAll(",", " -")
}
