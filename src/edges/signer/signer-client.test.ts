import { mkdirSync, mkdtempSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { createFrameReader, encodeFrame } from "./frames.ts"
import { shortPath } from "./short-path.ts"
import { createSignerClient } from "./signer-client.ts"
import { parseRequest } from "./wire.ts"

const dir = mkdtempSync(join(tmpdir(), "signer-client-"))
/** Longer than the address of a Unix socket, and its folder is not there before the first start. */
const deep = join(dir, "x".repeat(90), "signer", "signer.sock")

test("asks again until a signer in a deep folder has made it, at its first start too", async () => {
  const client = createSignerClient(deep, systemClock)
  await expect(client.ask({ kind: "identify" })).rejects.toMatchObject({
    code: "signer.unavailable",
    disposition: "transient",
  })

  mkdirSync(dirname(deep), { recursive: true })
  const server = createServer((socket) => {
    const read = createFrameReader((text) => {
      const { id } = parseRequest(text)
      socket.write(encodeFrame(JSON.stringify({ id, ok: true, result: { chains: [] } })))
    })
    socket.on("data", read)
  })
  await new Promise<void>((resolve) => server.listen(shortPath(deep), resolve))
  expect(await client.ask({ kind: "identify" })).toEqual({ chains: [] })
  client.close()
  await new Promise((resolve) => server.close(resolve))
})
