import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import { gzipSync } from "node:zlib"
import { getGlobalDispatcher, setGlobalDispatcher } from "undici"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { createEndpoint } from "#chains/bitcoin/nodes/endpoint.ts"
import { evmDialect } from "#chains/evm/nodes/dialect.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { systemClock } from "#lib/clock.ts"
import { createAsk } from "#nodes/create-ask.ts"
import { postCall } from "#nodes/json-rpc.ts"
import { openNetwork } from "#nodes/open-network.ts"
import { stopServer } from "../support/listen.ts"

/*
 * Answers of a real HTTP server: too large ones are a failure of their endpoint, and never fill the
 * memory. It measures the memory of the whole process, so that this file needs a process of its
 * own.
 */

const MEGABYTE = 1024 * 1024
const STREAMED_BYTES = 150 * MEGABYTE
const GROWTH_BYTES = 40 * MEGABYTE

let url = ""
const server = createServer((request, response) => {
  request.resume()
  if (request.url?.startsWith("/endless")) void streamEndlessly(response)
  else answer(String(request.headers["accept-encoding"] ?? ""), response)
})
beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // CAST: a TCP server has an address with a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => stopServer(server))

/** One read of each client, at a base URL. */
const CLIENTS: Readonly<Record<string, (base: string) => Promise<unknown>>> = {
  evm: (base) =>
    postCall(evmDialect, { address: base, timeoutMs: 60_000, method: "eth_chainId", params: [] }),
  "evm blocks": (base) =>
    postCall(evmDialect, {
      address: base,
      timeoutMs: 60_000,
      method: "eth_getBlockByNumber",
      params: ["0x1", true],
    }),
  solana: async (base) =>
    createSolanaRpc({ urls: [base], timeoutMs: 60_000, clock: systemClock }).endpoints[0]?.write(
      "getSlot",
      [],
      z.unknown(),
    ),
  starknet: async (base) => {
    const rpc = createStarknetRpc({
      urls: [base],
      chainId: "SN_SEPOLIA",
      timeoutMs: 60_000,
      clock: systemClock,
    })
    const [first] = await rpc.askAll(({ write }) => write("starknet_blockNumber", [], z.number()))
    if (first?.ok !== true) throw first?.error
    return first.value
  },
  bitcoin: (base) =>
    createEndpoint({
      url: base,
      timeoutMs: 60_000,
      clock: systemClock,
      attempts: 1,
      restMs: 0,
      genesis: null,
    }).fetchHead(),
  "doctor and discover": (base) => createAsk(20_000)(base, {}),
}

describe.each(Object.entries(CLIENTS))("the client of %s", (name, ask) => {
  test("stops reading an answer without end, as a failure of this endpoint that passes", {
    timeout: 30_000,
  }, async () => {
    const before = process.memoryUsage().rss
    let peak = before
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 2)
    const error = await ask(`${url}/endless`).then(
      () => null,
      (cause: unknown) => cause,
    )
    clearInterval(sampling)
    expect(inspect(error, { depth: 5 })).toContain("larger than")
    if (name !== "doctor and discover") expect(error).toMatchObject({ disposition: "transient" })
    const allowed = name === "evm blocks" ? 2 * 64 * MEGABYTE : GROWTH_BYTES
    expect(peak - before).toBeLessThan(allowed)
  })
})

describe("a server that can compress", () => {
  test.each(Object.entries(CLIENTS))(
    "gives the client of %s a readable answer",
    async (name, ask) => {
      const known = getGlobalDispatcher()
      openNetwork()
      try {
        // Starknet compares the network first, and this server is on none.
        const failure = name === "starknet" ? { code: "starknet.wrong_network" } : null
        if (failure === null) expect(await ask(url)).toBeTruthy()
        else await expect(ask(url)).rejects.toMatchObject(failure)
      } finally {
        setGlobalDispatcher(known)
      }
    },
  )
})

async function streamEndlessly(response: ServerResponse): Promise<void> {
  const chunk = Buffer.alloc(MEGABYTE, "1")
  response.on("error", () => undefined)
  response.writeHead(200, { "content-type": "application/json" })
  response.write('{"jsonrpc":"2.0","id":1,"result":"')
  for (let sent = 0; sent < STREAMED_BYTES && !response.destroyed; sent += chunk.length) {
    if (!response.write(chunk))
      await Promise.race([once(response, "drain"), once(response, "close")])
  }
  response.end('"}')
}

function answer(accepted: string, response: ServerResponse): void {
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" })
  const isCompressed = /gzip/.test(accepted)
  const bitcoin = "7"
  const body = response.req.url === "/blocks/tip/height" ? bitcoin : text
  response.writeHead(200, {
    "content-type": "application/json",
    ...(isCompressed ? { "content-encoding": "gzip" } : {}),
  })
  response.end(isCompressed ? gzipSync(body) : body)
}
