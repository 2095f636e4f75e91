import { z } from "zod"
import { parsePeerJson } from "#lib/peer-json.ts"
import { type AskNode, NodeRefusal } from "./contract-reader.ts"
import type { AskHttp } from "./family-definition.ts"

/**
 * Calls JSON-RPC methods of one endpoint, without a key. Throws `NodeRefusal` with the endpoint's
 * own error text.
 */
export function createRpcCall(url: string, ask: AskHttp): AskNode {
  return async (method, params) => {
    const answer = answerSchema.parse(
      parsePeerJson(await ask(url, { jsonrpc: "2.0", id: 1, method, params })),
    )
    if (answer.error)
      throw new NodeRefusal(answer.error.code, `${method}: ${describeNodeError(answer.error)}`)
    return answer.result
  }
}

/**
 * Asks one endpoint after the other until one answers. An endpoint's own error ends the search,
 * because the others run the same chain.
 */
export function createNodeCall(urls: readonly string[], ask: AskHttp): AskNode {
  return async (method, params) => {
    let last: unknown = new Error("no endpoint is configured")
    for (const url of urls) {
      try {
        return await createRpcCall(url, ask)(method, params)
      } catch (error) {
        if (error instanceof NodeRefusal) throw error
        last = error
      }
    }
    throw last
  }
}

/** A quantity of Ethereum-like JSON-RPC: at most 256 bits. */
export const hexQuantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i)

const errorSchema = z.object({
  code: z.number().default(0),
  message: z.string(),
  data: z.unknown().optional(),
})
const answerSchema = z.object({ result: z.unknown().optional(), error: errorSchema.nullish() })

function describeNodeError({ message, data }: z.infer<typeof errorSchema>): string {
  return data === undefined ? message : `${message} (${JSON.stringify(data).slice(0, 300)})`
}
