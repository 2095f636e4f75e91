import { rejectRequest } from "./reject-request.ts"

/**
 * Reads a request body. Integers beyond 2^53 (a u64 nonce written as a JSON number) come out as their source text, so that no digit is lost.
 *
 * Source text access is part of ECMAScript 2026 and present in Node 24; the type library does not know it yet.
 */
export function parseWireJson(text: string): unknown {
  try {
    return JSON.parse(text, keepBigIntegers)
  } catch (error) {
    return rejectRequest(400, `the body is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function keepBigIntegers(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value
}
