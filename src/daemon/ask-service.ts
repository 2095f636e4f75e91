import { request } from "undici"
import type { ServiceConfig } from "#config/config.ts"
import { parsePeerJson } from "#lib/peer-json.ts"
import { readBody } from "#lib/read-body.ts"

const MOST_BYTES = 4 * 1024 * 1024

/**
 * Asks a service for its list of chains, and resolves with the status and the `Date` header of a sign of life. A service need not have this list, so an
 * error of its own is a sign of life too. Throws for the answers of a gateway whose service is away, and for a success that is not JSON.
 */
export async function askService(
  { url, pathPrefix }: Pick<ServiceConfig, "url" | "pathPrefix">,
  limitMs: number,
): Promise<{ readonly status: number; readonly date: string | string[] | undefined }> {
  const path = `${pathPrefix}/chains`
  const limits = { headersTimeout: limitMs, bodyTimeout: limitMs }
  const answer = await request(`${url.replace(/\/$/, "")}${path}`, limits)
  const text = await readBody(answer.body, MOST_BYTES)
  const { statusCode: status, headers } = answer
  if ([502, 503, 504].includes(status)) throw new Error(`HTTP ${status}`)
  if (status < 300 && !isJson(text)) throw new Error(`its answer to GET ${path} is not JSON`)
  return { status, date: headers["date"] }
}

function isJson(text: string): boolean {
  try {
    parsePeerJson(text)
    return true
  } catch {
    // The caller reports it: the text of a broken service is of no use.
    return false
  }
}
