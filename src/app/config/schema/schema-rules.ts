import { z } from "zod"
import { RULE_KINDS } from "#policy/rules/registry.ts"

const [first, ...others] = RULE_KINDS

/** One rule. Its kind decides which other keys it has. */
export const ruleSchema = z.discriminatedUnion(
  "kind",
  [first.schema, ...others.map(({ schema }) => schema)],
  {
    error: `expected ${RULE_KINDS.map(({ kind }) => kind).join(" or ")}`,
  },
)
