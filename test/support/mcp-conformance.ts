import { execFile } from "node:child_process"
import { createServer, request, type Server } from "node:http"
import { findFetched } from "./fetched-package.ts"
import { listen } from "./listen.ts"

/** Exactly this one: later versions may have other scenarios. */
const findSuite = (): string =>
  findFetched("@modelcontextprotocol/conformance", "0.2.0-alpha.12", "dist/index.js")

type Verdict = { readonly code: number; readonly output: string }

/** Runs one scenario of the suite against a server. */
export function runScenario(url: string, scenario: string, revision: string): Promise<Verdict> {
  const args = [findSuite(), "server", "--url", url, "--scenario", scenario]
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args, "--spec-version", revision],
      { timeout: 60_000, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : 1, output: `${stdout}\n${stderr}` }),
    )
  })
}

/** The suite sends no token: this adds it, and leaves `Host` and `Origin` as they are. */
export async function startRelay(
  port: number,
  token: string,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: { ...headers, authorization: `Bearer ${token}` },
      },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
      },
    )
    sent.on("error", () => answer.destroy())
    asked.pipe(sent)
  })
  return { url: `${(await listen(server)).url}/mcp`, server }
}
