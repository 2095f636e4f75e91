import { z } from "zod"
import { nearestName } from "./nearest-name.ts"
import { showKey } from "./problem.ts"

/** A map whose keys are all known. An unknown key becomes one sentence per key, with the name that was probably meant. */
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

/** A key that must be there. */
export function required<Schema extends z.ZodType>(schema: Schema, text: string): Schema {
  return schema.describe(`${text} Required.`)
}

/** A key that may be left out. The default stands in the description because it stands here, once. */
export function withDefault<Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema>,
  text: string,
): z.ZodPrefault<Schema> {
  const shown = typeof value === "string" && value !== "" ? value : JSON.stringify(value)
  return z.prefault(schema, value).describe(`${text} Default ${shown}.`)
}

/** A key that may be left out or `null`, which both mean that there is none. */
export function orNone<Schema extends z.ZodType>(schema: Schema, text: string): z.ZodPrefault<z.ZodNullable<Schema>> {
  return z.prefault(z.nullable(schema), null).describe(`${text} Default none.`)
}

function unknownKey(key: string, known: readonly string[], home: string | null): string {
  if (home !== null) return `unknown key here: ${showKey(key)} belongs to ${home}`
  const near = nearestName(key, known)
  if (near !== null) return `unknown key ${showKey(key)}; did you mean ${near}?`
  return `unknown key ${showKey(key)}; expected one of ${known.join(", ")}`
}
