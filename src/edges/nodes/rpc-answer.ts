import { z } from "zod"
import { parseScanned } from "./scan-json.ts"

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

/** What a schema found first: a hostile answer can have a fault for each of its values. */
export function firstIssues({ issues }: z.ZodError): string {
  return z.prettifyError(new z.ZodError(issues.slice(0, 3)))
}

export type RpcAnswer = z.infer<typeof answerSchema>
export type NodeError = z.infer<typeof errorSchema>

/** For a reader without a dialect. */
export function readRpcAnswer(text: string): { result: unknown; error: NodeError | null } {
  const { result, error = null } = answerSchema.parse(parseScanned(text))
  return { result, error }
}
