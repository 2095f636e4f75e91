import { z } from "zod"
import { parsePeerJson } from "#lib/peer-json.ts"

const errorSchema = z.object({
  code: z.number().default(0),
  message: z.string(),
  data: z.unknown().optional(),
})

/** `"error": null` beside a result is no error. */
export const answerSchema = z.object({
  result: z.unknown().optional(),
  error: errorSchema.nullish(),
})
export const batchSchema = z.array(answerSchema.extend({ id: z.int() }))

export type RpcAnswer = z.infer<typeof answerSchema>
export type NodeError = z.infer<typeof errorSchema>

/** For a reader without a dialect. */
export function readRpcAnswer(text: string): { result: unknown; error: NodeError | null } {
  const { result, error = null } = answerSchema.parse(parsePeerJson(text))
  return { result, error }
}
