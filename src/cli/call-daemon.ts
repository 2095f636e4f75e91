import { request } from "undici"
import type { Config } from "#config/config.ts"
import { AppError } from "#lib/app-error.ts"

/**
 * One request to the running daemon's HTTP interface. Refusals come back as their JSON; throws `daemon.unreachable` (transient, exit 75)
 * when nothing listens, `daemon.token` (fatal) when the token is not the daemon's.
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
        message: `The daemon at ${url} does not take this token; set ops.token as it has it`,
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
