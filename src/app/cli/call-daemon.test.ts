import { mkdtempSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { callSocket } from "./call-daemon.ts"

const folder = (): string => mkdtempSync(join(tmpdir(), "ballast-call-"))

test("says that no daemon answers where there is no socket", async () => {
  const call = callSocket(join(folder(), "ballast.sock"), "GET", "/api/v1/status")
  await expect(call).rejects.toMatchObject({
    code: "daemon.unreachable",
    message: expect.stringContaining("No daemon"),
  })
})

test("does not say that the daemon is down when it took the request and is slow", async () => {
  const socket = join(folder(), "ballast.sock")
  const server = createServer(() => undefined)
  process.umask(0o077)
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  const call = callSocket(socket, "GET", "/api/v1/status", undefined, { answerMs: 300 })
  await expect(call).rejects.toMatchObject({
    code: "daemon.unreachable",
    disposition: "transient",
    message: expect.stringMatching(
      /took the request and gave no answer within 0\.3 s; `ballast status`/,
    ),
  })
  await expect(call).rejects.not.toMatchObject({
    message: expect.stringContaining("start it with"),
  })
  server.closeAllConnections()
  server.close()
})

test("says the same when the daemon stops in the middle of its answer", async () => {
  const socket = join(folder(), "ballast.sock")
  const server = createServer((_request, response) => void response.write('{"half":'))
  process.umask(0o077)
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  const call = callSocket(socket, "GET", "/api/v1/status", undefined, { answerMs: 300 })
  await expect(call).rejects.toMatchObject({
    code: "daemon.unreachable",
    message: expect.stringContaining("took the request and gave no answer"),
  })
  server.closeAllConnections()
  server.close()
})

test("gives a body to the daemon and its answer back, also with characters beyond ASCII", async () => {
  const socket = join(folder(), "ballast.sock")
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    response
      .writeHead(409)
      .end(
        JSON.stringify({ got: JSON.parse(Buffer.concat(chunks).toString()), by: request.method }),
      )
  })
  process.umask(0o077)
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  const answer = await callSocket(socket, "POST", "/api/v1/pause", { reason: "größer → kleiner" })
  expect(answer).toEqual({ status: 409, body: { got: { reason: "größer → kleiner" }, by: "POST" } })
  server.close()
})

test.each([
  ["harmless", "transient"],
  ["uncertain", "uncertain"],
] as const)(
  "a change whose repeat is %s and whose answer is lost is %s",
  async (repeat, disposition) => {
    const socket = join(folder(), "ballast.sock")
    const answers = [
      (response: ServerResponse) => void response.destroy(),
      (response: ServerResponse) => void response.writeHead(200).end("not JSON"),
      (response: ServerResponse) =>
        void response.writeHead(503).end('{"reasons":[{"code":"cluster.unreachable"}]}'),
    ]
    const server = createServer((_request, response) => answers.shift()?.(response))
    process.umask(0o077)
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    for (let left = answers.length; left > 0; left--) {
      const call = callSocket(socket, "POST", "/api/v1/resume", {}, { repeat, answerMs: 2_000 })
      await expect(call).rejects.toMatchObject({ code: "daemon.answer_lost", disposition })
    }
    server.close()
  },
)
