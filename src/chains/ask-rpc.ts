import { z } from "zod"
import type { AskHttp } from "./family-definition.ts"

export type RpcCall = (method: string, params: unknown) => Promise<unknown>

/** Calls JSON-RPC methods of one endpoint, for doctor probes. Throws the endpoint's own error text. */
export function createRpcCall(url: string, ask: AskHttp): RpcCall {
  return async (method, params) => {
    const answer = answerSchema.parse(JSON.parse(await ask(url, { jsonrpc: "2.0", id: 1, method, params })))
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
}

/** A quantity of Ethereum-like JSON-RPC. */
export const hexQuantity = z.string().regex(/^0x[0-9a-f]+$/i)

const answerSchema = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).nullish() })
