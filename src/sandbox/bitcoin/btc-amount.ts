/** Satoshis as the decimal text in bitcoin that bitcoind takes and prints: always eight decimals. Exact: no float is involved. */
export function formatBtc(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(9, "0")
  return `${units < 0n ? "-" : ""}${digits.slice(0, -8)}.${digits.slice(-8)}`
}

/**
 * Reads a reply of bitcoind. Amounts become bigint satoshis, everything else is plain JSON.
 *
 * bitcoind prints every amount as a JSON number with exactly eight decimals (`ValueFromAmount` in its source), and the text of
 * a number is what the reviver is handed beside the rounded value. Should a node ever print amounts otherwise, the
 * caller's schema refuses the number: nothing is rounded in silence.
 */
export function parseRpcJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== "number") return value
    const amount = /^(-?)(\d+)\.(\d{8})$/.exec(context?.source ?? "")
    if (!amount) return value
    const units = BigInt(`${amount[2]}${amount[3]}`)
    return amount[1] === "-" ? -units : units
  })
}
