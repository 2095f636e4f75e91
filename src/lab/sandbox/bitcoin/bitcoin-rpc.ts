import { request } from "undici"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { parseRpcJson } from "./btc-amount.ts"

/**
 * A JSON-RPC client of one bitcoind. `readAuth` reads `user:password` from the cookie file for each
 * call, because each start of the node writes a new cookie.
 *
 * Throws `sandbox.bitcoin_rpc` (refused, with the node's `rpcCode` and `rpcMessage`) when the node
 * answers an error, and `sandbox.bitcoind_unreachable` (uncertain) when no usable answer comes.
 */
export function createBitcoinRpc(options: { url: string; readAuth: () => string }): BitcoinRpc {
  return {
    call: async (method, params, schema, wallet) => {
      const url = wallet === undefined ? options.url : `${options.url}/wallet/${wallet}`
      const text = await post(url, options.readAuth, method, params)
      const reply = Reply.safeParse(text)
      if (!reply.success) throw unreachableNode(method, new Error(reply.error.message))
      if (reply.data.error) throw refusedCall(method, reply.data.error)
      const result = schema.safeParse(reply.data.result)
      if (!result.success) throw unreachableNode(method, new Error(result.error.message))
      return result.data
    },
  }
}

export type BitcoinRpc = {
  /**
   * Amounts in the reply are bigint satoshis. Amounts in `params` are decimal text (`formatBtc`).
   */
  call<T>(
    method: string,
    params: readonly unknown[],
    schema: z.ZodType<T>,
    wallet?: string,
  ): Promise<T>
}

/** The node's error code and message, or `null` if `error` is not an answer of the node. */
export function rpcErrorOf(error: unknown): { code: number; message: string } | null {
  if (!(error instanceof AppError) || error.code !== "sandbox.bitcoin_rpc") return null
  return { code: Number(error.details["rpcCode"]), message: String(error.details["rpcMessage"]) }
}

const Reply = z.object({
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})

async function post(
  url: string,
  readAuth: () => string,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  try {
    return await postOnce(url, readAuth, method, params)
  } catch (error) {
    // A connection may break between two calls; a read has no effect, so it is asked again.
    if (method.startsWith("get")) return await postOnce(url, readAuth, method, params)
    throw error
  }
}

async function postOnce(
  url: string,
  readAuth: () => string,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  try {
    const response = await request(url, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(readAuth()).toString("base64")}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "1.0", id: method, method, params }),
    })
    return parseRpcJson(await response.body.text())
  } catch (error) {
    throw unreachableNode(method, error)
  }
}

function refusedCall(method: string, error: { code: number; message: string }): AppError {
  return new AppError({
    code: "sandbox.bitcoin_rpc",
    disposition: "refused",
    message: `bitcoind refused ${method}: ${error.message} (${error.code})`,
    details: { method, rpcCode: error.code, rpcMessage: error.message },
  })
}

function unreachableNode(method: string, cause: unknown): AppError {
  return new AppError({
    code: "sandbox.bitcoind_unreachable",
    disposition: "uncertain",
    message:
      `bitcoind gave no usable answer to ${method} (${String(cause)}); see debug.log in its data ` +
      "directory",
    details: { method },
    cause,
  })
}
