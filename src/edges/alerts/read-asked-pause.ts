import { z } from "zod"

const limitAnswer = z.object({
  /** Discord, in seconds. */
  retry_after: z.number().positive().optional(),
  /** Matrix. */
  retry_after_ms: z.number().positive().optional(),
  /** Telegram, in seconds. */
  parameters: z.object({ retry_after: z.number().positive().optional() }).optional(),
})

/** The pause that a chat names in its answer instead of a header. */
export function readAskedPause(text: string): number | null {
  const { data } = limitAnswer.safeParse(parseOrNull(text))
  const seconds = data?.retry_after ?? data?.parameters?.retry_after
  return data?.retry_after_ms ?? (seconds === undefined ? null : Math.ceil(seconds * 1_000))
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
