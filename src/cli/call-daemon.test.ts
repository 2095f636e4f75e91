import { mkdtempSync } from "node:fs"
import { createServer } from "node:http"
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
  const call = callSocket(socket, "GET", "/api/v1/status", undefined, 300)
  await expect(call).rejects.toMatchObject({
    ...{ code: "daemon.unreachable", disposition: "transient" },
    message: expect.stringMatching(/took the request and gave no answer within 0\.3 s; `ballast status`/),
  })
  await expect(call).rejects.not.toMatchObject({ message: expect.stringContaining("start it with") })
  server.closeAllConnections()
  server.close()
})
