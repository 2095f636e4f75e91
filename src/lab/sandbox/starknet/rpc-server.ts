import { createServer, type IncomingMessage } from "node:http"
import { AppError } from "#lib/app-error.ts"
import type { Devnet } from "./devnet.ts"
import { rpcError } from "./rpc-error.ts"
import { createMethods, PARAMETER_NAMES, type Params } from "./rpc-methods.ts"

/**
 * Serves a devnet as JSON-RPC 2.0 over HTTP on loopback, with single calls and batches. Each
 * request asks `open` for the devnet, so that a server can lag behind. `port` 0 means any free
 * port.
 */
export async function startRpcServer(
  open: () => Devnet,
  port: number,
): Promise<{ url: string; freeze: (frozen: boolean) => void; stop: () => Promise<void> }> {
  let frozen = Promise.withResolvers<void>()
  frozen.resolve()
  const answer = (body: unknown): unknown =>
    Array.isArray(body) ? body.map(answerOne) : answerOne(body)
  const answerOne = (request: unknown): unknown => answerRequest(createMethods(open()), request)
  const server = createServer((request, response) => {
    readBody(request).then(async (text) => {
      await frozen.promise
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify(answer(parseJson(text))))
    }, response.destroy.bind(response))
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  const address = server.address()
  const bound = typeof address === "object" && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${bound}`,
    freeze: (wanted) => {
      frozen.resolve()
      if (wanted) frozen = Promise.withResolvers()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("utf8")
}

/**
 * Parses the body. Invalid JSON becomes `null`, which is no valid request, so the server answers
 * -32600.
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function answerRequest(methods: ReturnType<typeof createMethods>, request: unknown): unknown {
  const { id = null, method, params } = isRecord(request) ? request : {}
  try {
    if (typeof method !== "string") throw rpcError(-32600)
    if (!isImplemented(methods, method)) throw rpcError(-32601, method)
    return {
      jsonrpc: "2.0",
      id,
      result: methods[method](nameParams(PARAMETER_NAMES[method], params)),
    }
  } catch (error) {
    return { jsonrpc: "2.0", id, error: describeError(error) }
  }
}

function isImplemented<T extends object>(
  methods: T,
  name: string,
): name is Extract<keyof T, string> {
  return Object.hasOwn(methods, name)
}

function nameParams(names: readonly string[], params: unknown): Params {
  if (params === undefined || params === null) return {}
  if (!Array.isArray(params)) return isRecord(params) ? params : {}
  if (params.length > names.length)
    throw rpcError(-32602, `expected at most ${names.length} parameters`)
  return Object.fromEntries(params.map((value, index) => [names[index] ?? "", value]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/**
 * Formats an error. `data` is a text or an object with a text, as the specification defines it for
 * each error.
 */
function describeError(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof AppError && error.code === "starknet.felt") {
    return { code: -32602, message: "Invalid params", data: error.message }
  }
  const code = error instanceof AppError ? error.details["rpcCode"] : undefined
  if (!(error instanceof AppError) || typeof code !== "number") {
    return { code: -32603, message: error instanceof Error ? error.message : String(error) }
  }
  const text = error.details["data"]
  if (code === 41)
    return { code, message: error.message, data: { transaction_index: 0, execution_error: text } }
  if (code === 40) return { code, message: error.message, data: { revert_error: text } }
  return { code, message: error.message, ...(text === undefined ? {} : { data: text }) }
}
