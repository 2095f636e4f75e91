import { rejectRequest } from "./reject-request.ts"

/**
 * Parses a request body. An integer beyond 2^53, such as a u64 nonce as a JSON number, becomes its
 * source text, so that it keeps all digits.
 *
 * Source text access is part of ECMAScript 2026 and Node 24 has it; the TypeScript library does not
 * declare it yet.
 */
export function parseWireJson(text: string): unknown {
  try {
    return JSON.parse(text, keepBigIntegers)
  } catch (error) {
    return rejectRequest(
      400,
      `the body is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function keepBigIntegers(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value
}
