import { request } from "undici"
import type { AskHttp } from "#chains/family-definition.ts"
import { readBody } from "#lib/read-body.ts"

/** One HTTP exchange per call, without a retry. */
export function createAsk(timeoutMs: number): AskHttp {
  return async (url, body) => {
    const post = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    } as const
    const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
    const answer = await request(url, { ...limits, ...(body === undefined ? {} : post) })
    const text = await readBody(answer.body)
    if (answer.statusCode >= 400) throw new Error(`HTTP ${answer.statusCode}`)
    return text
  }
}
