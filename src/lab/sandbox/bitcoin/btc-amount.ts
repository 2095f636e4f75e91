/**
 * Formats satoshis as a decimal text in bitcoin, as bitcoind reads and prints it: always eight
 * decimals, and exact without floats.
 */
export function formatBtc(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(9, "0")
  return `${units < 0n ? "-" : ""}${digits.slice(0, -8)}.${digits.slice(-8)}`
}

/**
 * Parses a reply of bitcoind. Amounts become bigint satoshis, everything else is plain JSON.
 *
 * bitcoind prints every amount as a JSON number with exactly eight decimals (`ValueFromAmount` in
 * its source). The reviver of JSON.parse receives this source text beside the rounded number, so no
 * digit is lost. If a node printed amounts in another form, the caller's schema would refuse the
 * number.
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
