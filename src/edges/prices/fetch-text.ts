import { type Dispatcher, request } from "undici"
import type { Clock } from "#lib/clock.ts"
import { readBody } from "#lib/read-body.ts"

/** A price is a few bytes; some endpoints list all their markets. */
export const MAX_PRICE_BYTES = 1024 * 1024

/** One time-out from the first byte to the last. Redirects are not followed. */
export async function fetchText(
  url: string,
  {
    clock,
    timeoutMs,
    dispatcher,
  }: { readonly clock: Clock; readonly timeoutMs: number; readonly dispatcher?: Dispatcher },
): Promise<string> {
  const timeout = new AbortController()
  const done = new AbortController()
  clock.sleep(timeoutMs, done.signal).then(() => {
    if (!done.signal.aborted) timeout.abort(new Error(`no whole answer within ${timeoutMs} ms`))
  })
  try {
    const response = await request(url, {
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": "ballast",
      },
      signal: timeout.signal,
      ...(dispatcher ? { dispatcher } : {}),
    })
    const text = await readBody(response.body, MAX_PRICE_BYTES)
    if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
    return text
  } finally {
    done.abort()
  }
}
