import { z } from "zod"
import { nearestName } from "#lib/nearest-name.ts"
import { showKey } from "./problem.ts"

/**
 * A map with a fixed set of keys. Each unknown key gets its own message, with the closest known
 * name.
 */
export function section<Shape extends z.ZodRawShape>(
  shape: Shape,
  homeOf: (key: string) => string | null = () => null,
) {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? (issue.keys ?? []).map((key: string) => unknownKey(key, known, homeOf(key))).join("\n")
        : "expected a map of keys",
  })
}

export function required<Schema extends z.ZodType>(schema: Schema, text: string): Schema {
  return schema.describe(`${text} Required.`)
}

/**
 * An optional key with a default. This function adds the default to the description, so that it is
 * written only once.
 */
export function withDefault<Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema>,
  text: string,
): z.ZodPrefault<Schema> {
  const shown = typeof value === "string" && value !== "" ? value : JSON.stringify(value)
  return z.prefault(schema, value).describe(`${text} Default ${shown}.`)
}

/** An optional key without a default; leaving it out and `null` mean the same. */
export function orNone<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.ZodPrefault<z.ZodNullable<Schema>> {
  return z.prefault(z.nullable(schema), null).describe(`${text} Default none.`)
}

function unknownKey(key: string, known: readonly string[], home: string | null): string {
  if (home !== null) return `unknown key here: ${showKey(key)} belongs to ${home}`
  const near = nearestName(key, known)
  if (near !== null) return `unknown key ${showKey(key)}; did you mean ${near}?`
  return `unknown key ${showKey(key)}; expected one of ${known.join(", ")}`
}
