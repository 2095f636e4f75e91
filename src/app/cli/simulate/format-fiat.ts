import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"

/** To the cent. */
export function formatFiat(fiat: bigint): string {
  const cents = fiat / 10n ** BigInt(FIAT_DECIMALS - 2)
  const [whole = "", fraction = ""] = formatUnits(cents, 2).split(".")
  return `${whole}.${fraction.padEnd(2, "0")}`
}
