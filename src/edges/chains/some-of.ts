import { z } from "zod"

/**
 * A list of estimates without the entries that are none: nodes write `null` or a text into some of
 * them. Refused where no entry of several is one, because that is no answer.
 */
export function someOf<T>(entry: z.ZodType<T>) {
  return z.array(z.unknown()).transform((all, context): readonly T[] => {
    const good = all.flatMap((one) => {
      const parsed = entry.safeParse(one)
      return parsed.success ? [parsed.data] : []
    })
    if (good.length > 0 || all.length === 0) return good
    context.addIssue({ code: "custom", message: "none of its estimates is one" })
    return z.NEVER
  })
}
