import { z } from "zod"

/** Text, or a number as its text: services write amounts and ids both ways. */
export const textOrNumber = z.union([z.string().max(100_000), z.number()]).transform(String)

/**
 * A smallest-unit integer, as a string or a number. Signs, exponents, fractions and leading zeros
 * are refused: they are not amounts.
 */
export const wireUnits = textOrNumber
  .refine((text) => /^(0|[1-9]\d{0,77})$/.test(text), { error: "not a smallest-unit integer" })
  .transform(BigInt)

/** An integer in `0x` hex or in decimal, such as a call's `value` or `chain_id`. */
export const wireQuantity = textOrNumber
  .refine((text) => /^(0x[0-9a-fA-F]{1,64}|0|[1-9]\d{0,77})$/.test(text), {
    error: "not a hex or decimal integer",
  })
  .transform(BigInt)
