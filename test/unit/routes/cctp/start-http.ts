import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

type Answer = { readonly status?: number; readonly body: unknown }

/** A server of one test: answers by method and path, and the questions in their order. */
export async function startHttp(
  answer: (question: string) => Answer,
): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const question = `${request.method} ${request.url}`
    asked.push(question)
    const { status = 200, body } = answer(question)
    response.writeHead(status, { "content-type": "application/json" })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.close()
  })
  // CAST: a listening TCP server has such an address.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked }
}
