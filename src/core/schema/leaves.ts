import { z } from "zod"
import { rememberKeys } from "#lib/known-keys.ts"
import { DURATION_PATTERN, formatDuration, parseDuration } from "./duration.ts"
import { BPS_PATTERN, FIAT_PATTERN, OWN_PATTERN, PERCENT_PATTERN } from "./limit-amount.ts"

/**
 * The kinds of values of configuration keys. Each names the expected form in one phrase that starts
 * with "expected"; the report of a problem adds the found value.
 */
export const SECRET_PROBLEM = "expected a reference to a secret"
const SECRET_FORMS = "env:NAME, file:PATH, keystore:PATH or credential:NAME"
/** How a reference to a secret begins. */
export const SECRET_REFERENCE = /^(env|file|keystore|credential|pkcs11|aws-kms|gcp-kms):.+$/s
export const SECRET_EXPECTED = `${SECRET_PROBLEM}: ${SECRET_FORMS}`

export function text(pattern: RegExp, expected: string) {
  return z
    .string({ error: `expected ${expected}` })
    .regex(pattern, { error: `expected ${expected}`, abort: true })
}

export function list<Item extends z.ZodType>(item: Item, expected: string, min = 0) {
  return z
    .array(item, { error: `expected ${expected}` })
    .min(min, { error: `expected ${expected}, at least one` })
}

export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `expected ${values.join(" or ")}` })
}

export function integer(min: number, max: number, what = "a whole number") {
  const expected = `expected ${what} from ${min} to ${max}`
  return z.int({ error: expected }).min(min, { error: expected }).max(max, { error: expected })
}

/** The schema's output is in milliseconds. */
export function duration(minMs: number) {
  const least = formatDuration(minMs)
  const expected = `expected a duration such as "30s", "6h" or "7d", at least ${least}`
  return z
    .string({ error: expected })
    .regex(DURATION_PATTERN, { error: expected, abort: true })
    .refine((written) => (parseDuration(written) ?? -1) >= minMs, { error: expected, abort: true })
    .transform((written) => parseDuration(written) ?? minMs)
}

export const flag = z.boolean({ error: "expected true or false" })

export const secretReference = z
  .string({ error: SECRET_EXPECTED })
  .regex(/^(env|file|keystore|credential):.+$/s, { error: SECRET_EXPECTED, abort: true })

export const assetId = text(
  /^[a-z0-9][a-z0-9_-]*:[a-z0-9_.-]+$/,
  "an asset id <chain>:<asset> in lower case, such as base_sepolia:wbtc",
)

export const httpUrl = text(
  /^https?:\/\/[^\s#?]+/,
  "a URL that starts with http:// or https://",
).refine(
  // Its access keys appear in no output from here on.
  (written) => rememberKeys(written),
  { error: "expected a URL that starts with http:// or https://" },
)

/** An address of any chain; a later check compares it with the form of its chain. */
export const address = text(/^[0-9A-Za-z]{8,128}$/, "an address in quotes")

const ownPhrase = 'a decimal in the asset\'s own unit, in quotes, such as "0.01"'

/** An amount in the asset's own unit. */
export const ownAmount = text(OWN_PATTERN, ownPhrase)

export const fiatAmount = text(
  FIAT_PATTERN,
  'an amount such as "200 usd", with at most six digits after the point',
)

/** A percentage or basis points. */
export const share = text(either(PERCENT_PATTERN, BPS_PATTERN), 'a share such as "10%" or "60bps"')

export const shareOrFiat = text(
  either(PERCENT_PATTERN, BPS_PATTERN, FIAT_PATTERN),
  'a share such as "60bps" or "0.6%", or an amount such as "0.40 usd"',
)

export const ownOrFiat = text(
  either(OWN_PATTERN, FIAT_PATTERN),
  `an amount such as "500 usd", or ${ownPhrase}`,
)

export const anyAmount = text(
  either(OWN_PATTERN, FIAT_PATTERN, PERCENT_PATTERN, BPS_PATTERN),
  `${ownPhrase}, an amount such as "500 usd", or a share such as "10%"`,
)

function either(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map((pattern) => pattern.source).join("|"))
}
