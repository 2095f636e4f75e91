import { z } from "zod"
import { configFileSchema } from "./schema.ts"

/** The text of `config/ballast.schema.json`. Editors use it to check and complete the configuration file. */
export function formatJsonSchema(): string {
  const schema = z.toJSONSchema(configFileSchema, { io: "input" })
  return `${JSON.stringify({ ...schema, title: "Ballast configuration" }, null, 2)}\n`
}
