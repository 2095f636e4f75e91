import { z } from "zod"
import { FAMILIES } from "#chains/families.ts"
import { configFileSchema } from "./schema.ts"

/**
 * The text of `config/ballast.schema.json`. Editors use it to check and complete the configuration
 * file.
 */
export function formatJsonSchema(): string {
  // The loader fills in presets before it checks the form, so only the written form may lack the
  // keys that a preset sets.
  const schema = z.toJSONSchema(configFileSchema, {
    io: "input",
    override: ({ jsonSchema }) => {
      const names = Object.keys(jsonSchema.properties ?? {})
      if (!names.includes("preset") || jsonSchema.required === undefined) return
      jsonSchema.required = jsonSchema.required.filter((key) => !PRESET_KEYS.has(key))
    },
  })
  const chains = schema.properties?.["chains"]
  const chain =
    typeof chains === "object" && typeof chains.additionalProperties === "object"
      ? chains.additionalProperties
      : {}
  // Without its family a chain may have the keys of several.
  if (chain.oneOf !== undefined) {
    chain.anyOf = chain.oneOf
    delete chain.oneOf
  }
  return `${JSON.stringify({ ...schema, title: "Ballast configuration" }, null, 2)}\n`
}

const PRESET_KEYS: ReadonlySet<string> = new Set([
  "family",
  ...FAMILIES.flatMap(({ presets }) => presets.flatMap(({ identity }) => Object.keys(identity))),
])
