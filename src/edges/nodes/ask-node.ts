import { z } from "zod"
import { type Address, hideSecrets, under } from "./address.ts"
import type { Question } from "./node-client.ts"
import type { RestClient } from "./rest-client.ts"
import { findBareWords, readRpcAnswer, SINGLE_ID } from "./rpc-answer.ts"
import { parsePathAnswer } from "./scan-json.ts"

/** Gets an address, or posts JSON to it. Throws on any failure, and for a status of 400 or more. */
export type AskHttp = (address: Address, body?: unknown) => Promise<string>

/**
 * Calls one method of a node. Throws `NodeRefusal` when the node answers with an error, and any
 * other error without an answer.
 */
export type AskNode = (method: string, params: unknown) => Promise<unknown>

/** The error that a node answers, such as a reverted call. */
export class NodeRefusal extends Error {
  readonly rpcCode: number
  constructor(rpcCode: number, message: string) {
    super(message)
    this.rpcCode = rpcCode
  }
}

/** Calls JSON-RPC methods of one endpoint, without a key. */
export function createRpcCall(address: Address, ask: AskHttp): AskNode {
  return async (method, params) => {
    const text = await ask(address, { jsonrpc: "2.0", id: SINGLE_ID, method, params })
    const bare = findBareWords(text)
    // Another endpoint may have a result.
    if (bare !== null) throw new Error(`${method}: ${hideSecrets(address, bare).slice(0, 300)}`)
    const { result, error } = readRpcAnswer(text)
    if (error === null) return result
    const { message, data } = error
    const more = data === undefined ? "" : ` (${JSON.stringify(data).slice(0, 300)})`
    throw new NodeRefusal(error.code, `${method}: ${message}${more}`)
  }
}

/**
 * One endpoint for a family's own reader, so that a probe asks what the daemon asks. Throws for an
 * answer of another form.
 */
export function createQuestion(address: Address, ask: AskHttp): Question {
  const call = createRpcCall(address, ask)
  return async (method, params, schema) => schema.parse(await call(method, params))
}

/** The same for a server of paths. It finds nothing where the server refuses a path. */
export function createPaths(address: Address, ask: AskHttp): Paths {
  const read: Paths["read"] = async (path, schema) =>
    schema.parse(parsePathAnswer(await ask(under(address, path))))
  const find: Paths["find"] = async (path, schema) => {
    try {
      return await read(path, schema)
    } catch (error) {
      if (error instanceof Error && /^HTTP 4\d\d$/.test(error.message)) return null
      throw error
    }
  }
  return { find, read }
}

type Paths = Pick<RestClient, "find" | "read">

/**
 * Asks one endpoint after the other until one answers. An endpoint's own error ends the search,
 * because the others run the same chain.
 */
export function createNodeCall(addresses: readonly Address[], ask: AskHttp): AskNode {
  return async (method, params) => {
    let last: unknown = new Error("no endpoint is configured")
    for (const address of addresses) {
      try {
        return await createRpcCall(address, ask)(method, params)
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
