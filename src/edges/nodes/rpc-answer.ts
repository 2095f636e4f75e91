import { z } from "zod"
import { parseScanned } from "./scan-json.ts"

/** The error that a node names, in any of the forms that nodes and their gateways write. */
export type NodeError = {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/**
 * `"error": null`, `false`, an empty text, list or object, or the code 0 without words is no error.
 * Without a result beside it the answer has another form.
 */
export const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.unknown().optional().transform(readError),
})
/** Some gateways write the ids as texts. */
const idSchema = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number),
])
/** The only call of a request. An answer without a known id is that of a gateway with a fault. */
export const SINGLE_ID = 1

/** Why a lone answer is none of this call, in words; `null` where it is. */
export function findForeignId(answer: unknown): string | null {
  const { data } = z.object({ id: idSchema }).safeParse(answer)
  if (data === undefined || data.id === SINGLE_ID) return null
  return `it has the id ${data.id} of another call, not ${SINGLE_ID}`
}

export const batchSchema = z.array(answerSchema.extend({ id: idSchema }))

const EMPTY = z.union([
  z.array(z.unknown()).max(0),
  z.strictObject({ code: z.literal(0).optional(), message: z.literal(["", null]).optional() }),
])
const errorSchema = z.object({
  code: z.coerce.number().catch(0),
  message: z.string().catch("an error without words"),
  data: z.unknown().optional(),
})

function readError(value: unknown): NodeError | null {
  if (!value || EMPTY.safeParse(value).success) return null
  return errorSchema.safeParse(value).data ?? { code: 0, message: String(value) }
}

/** What a schema found first: a hostile answer can have a fault for each of its values. */
export function firstIssues({ issues }: z.ZodError): string {
  return z.prettifyError(new z.ZodError(issues.slice(0, 3)))
}

export type RpcAnswer = z.infer<typeof answerSchema>

/** The words of a gateway in the place of an answer; `null` of any other text. */
export function findBareWords(text: string): string | null {
  const { data } = bareSchema.safeParse(parseScanned(text))
  return data?.message ?? null
}

const bareSchema = z.object({
  message: z.string().min(1),
  result: z.undefined().optional(),
  error: z.null().optional(),
})

/** For a reader without a dialect. */
export function readRpcAnswer(text: string): { result: unknown; error: NodeError | null } {
  const found = parseScanned(text)
  const { result, error } = answerSchema.parse(found)
  const foreign = findForeignId(found)
  if (foreign !== null) throw new Error(`the answer is mixed up: ${foreign}`)
  return { result, error }
}
