import { request } from "undici"
import { readBody } from "#lib/read-body.ts"
import type { Secret } from "#lib/secret.ts"

const MOST_ANSWER_BYTES = 64 * 1024

/** `null`: the collector took them. Redirects are not followed. */
export async function postSpans(
  otlp: Secret,
  body: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { origin, pathname, username, password } = new URL(otlp.reveal())
  const login = Buffer.from(
    `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
  ).toString("base64")
  const authorization = username === "" ? {} : { authorization: `Basic ${login}` }
  const path = `${pathname.replace(/\/$/, "")}/v1/traces`
  try {
    const answer = await request(`${origin}${path}`, {
      method: "POST",
      body,
      signal,
      headers: { "content-type": "application/json", "user-agent": "ballast", ...authorization },
    })
    await readBody(answer.body, MOST_ANSWER_BYTES)
    return answer.statusCode >= 200 && answer.statusCode < 300 ? null : `HTTP ${answer.statusCode}`
  } catch (error) {
    // The message of a foreign error may repeat the URL with its key.
    return error instanceof Error && "code" in error ? String(error.code) : "no answer"
  }
}
