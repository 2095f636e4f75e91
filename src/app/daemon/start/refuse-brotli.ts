import { Agent, type Dispatcher, setGlobalDispatcher } from "undici"

/**
 * Makes every HTTP client in the process ask for bodies that are not compressed, because undici's
 * `request` does not decompress them, and refuse br and zstd bodies: Node releases before 24.22.1 /
 * 26.12.1 have a flaw in their Brotli decoder. It also bounds the size of every answer; the clients
 * have lower bounds of their own (`core/lib/read-body.ts`).
 */
export function refuseBrotli(): void {
  setGlobalDispatcher(
    new Agent({ connect: { timeout: 10_000 }, maxResponseSize: MAX_ANSWER_BYTES }).compose(
      withoutBrotli,
    ),
  )
}

/** Above the largest bound of any client. Without one, an answer could fill the memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

function withoutBrotli(dispatch: Dispatcher["dispatch"]): Dispatcher["dispatch"] {
  return (options, handler) => {
    const headers = Object.fromEntries(
      headerPairs(options.headers).filter(([key]) => key.toLowerCase() !== "accept-encoding"),
    )
    return dispatch(
      { ...options, headers: { ...headers, "accept-encoding": "identity" } },
      guardEncoding(handler),
    )
  }
}

function guardEncoding(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (controller, status, headers, socket) =>
      handler.onRequestUpgrade?.(controller, status, headers, socket),
    onResponseStart: (controller, status, headers, message) => {
      const encoding = String(headers["content-encoding"] ?? "")
      if (/\b(br|zstd)\b/i.test(encoding))
        return controller.abort(new Error(`refused content-encoding ${encoding}`))
      handler.onResponseStart?.(controller, status, headers, message)
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  }
}

/** undici takes headers as a record, an iterable of pairs, or a flat list of names and values. */
function headerPairs(headers: Dispatcher.DispatchOptions["headers"]): [string, string][] {
  if (!headers) return []
  if (Array.isArray(headers)) {
    return headers.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[String(name), String(headers[index + 1])]] : [],
    )
  }
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return entries.map(([name, value]) => [String(name), String(value)])
}
