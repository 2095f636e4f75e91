import { request } from "undici"
import type { Config } from "#config/config.ts"
import { AppError } from "#lib/app-error.ts"

/**
 * Sends one request to the HTTP interface of the running daemon. A refusal is a normal answer with its JSON. Throws `daemon.unreachable`
 * (transient, exit 75) if nothing listens, and `daemon.token` (fatal) if the daemon has another token.
 */
export async function callDaemon(
  config: Config,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const { host, port, token } = config.ops
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}${path}`
  const headers = {
    "content-type": "application/json",
    ...(token ? { authorization: `Bearer ${token.reveal()}` } : {}),
  }
  try {
    const answer = await request(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headersTimeout: 60_000,
    })
    const text = await answer.body.text()
    if (answer.statusCode === 401) {
      throw new AppError({
        code: "daemon.token",
        disposition: "fatal",
        message: `The daemon at ${url} does not accept this token; set ops.token to the daemon's token`,
        details: { url },
      })
    }
    return { status: answer.statusCode, body: JSON.parse(text) }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError({
      code: "daemon.unreachable",
      disposition: "transient",
      message: `No daemon answers at ${url}; start it with \`ballast run\``,
      details: { url },
      cause: error,
    })
  }
}
