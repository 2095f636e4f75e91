import { AppError } from "#lib/app-error.ts"
import { trimEndOf } from "#lib/trim-end.ts"

/**
 * Reads a non-negative decimal string in the asset's own unit into its smallest unit, exactly.
 *
 * Throws `domain.amount` (refused) for signs, exponents, separators, and more fraction digits than
 * the asset has. Written by hand: viem's `parseUnits` accepts signs and rounds additional digits,
 * which is wrong for money.
 */
export function parseUnits(text: string, decimals: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text.trim())
  if (!match) throw badAmount(text, "a plain decimal number such as 0.01")
  const fraction = match[2] ?? ""
  if (fraction.length > decimals)
    throw badAmount(text, `at most ${decimals} digits after the point`)
  return BigInt(`${match[1]}${fraction.padEnd(decimals, "0")}`)
}

/** Prints smallest units as an exact decimal in the asset's own unit, without trailing zeros. */
export function formatUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? "-" : ""
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = trimEndOf(digits.slice(digits.length - decimals), "0")
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`
}

/** Fiat is counted in millionths of the reference currency, as bigint, so that sums are exact. */
export const FIAT_DECIMALS = 6

/**
 * Reads a fiat decimal of any precision; digits beyond the sixth are rounded up, so that a limit is
 * never understated.
 */
export function parseFiat(text: string): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text.trim())
  if (!match) throw badAmount(text, "a plain decimal number such as 12.34")
  const fraction = match[2] ?? ""
  const kept = BigInt(`${match[1]}${fraction.slice(0, FIAT_DECIMALS).padEnd(FIAT_DECIMALS, "0")}`)
  return /[1-9]/.test(fraction.slice(FIAT_DECIMALS)) ? kept + 1n : kept
}

/**
 * The part that `lost` is of `whole` in basis points (1 bps = 0.01 %), rounded up. `whole` must be
 * above zero.
 */
export function basisPoints(lost: bigint, whole: bigint): bigint {
  const scaled = lost * 10_000n
  const quotient = scaled / whole
  return scaled > 0n && scaled % whole !== 0n ? quotient + 1n : quotient
}

function badAmount(text: string, expected: string): AppError {
  return new AppError({
    code: "domain.amount",
    disposition: "refused",
    message: `"${text}" is not an amount; expected ${expected}`,
    details: { text, expected },
  })
}

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/**
 * An amount with at most six significant digits and groups of three. It is cut, never rounded up;
 * the exact text stays in the title of its element.
 */
export function shortAmount(amount: string): string {
  const sign = amount.startsWith("-") ? "−" : ""
  const [whole = "0", places = ""] = amount.replace("-", "").split(".")
  if (whole.length > MOST_DIGITS)
    return `${sign}${shortAmount(`${whole.slice(0, -6)}.${whole.slice(-6)}`)} M`
  const zeros = whole === "0" ? (/^0*/.exec(places)?.[0].length ?? 0) : -whole.length
  const kept = places.slice(0, MOST_DIGITS + zeros).replace(/0+$/, "")
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, " ")
  return `${sign}${grouped}${kept === "" ? "" : `.${kept}`}`
}

const MOST_DIGITS = 6

/**
 * Money in the reference currency: `$784,952`, with cents below a thousand, below a cent with four
 * places, and in millions from seven digits on.
 */
export function money(text: string | null): string {
  if (text === null) return "unknown"
  const value = Math.abs(Number(text))
  if (value >= 1_000_000) return `${minusOf(text)}$${shortAmount(String(Math.trunc(value)))}`
  const places = value >= 1_000 ? 0 : value !== 0 && value < 0.01 ? 4 : 2
  const digits = value.toLocaleString("en-US", {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  })
  return `${minusOf(text)}$${digits}`
}

function minusOf(text: string): string {
  return text.startsWith("-") && Number(text) !== 0 ? "−" : ""
}
