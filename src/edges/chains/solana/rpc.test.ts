import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { systemClock } from "#lib/clock.ts"
import { createRpc, type Rpc } from "./rpc.ts"

type Answer = { status?: number; headers?: Record<string, string>; body: string } | "hang"

const servers: Server[] = []
const hits: string[] = []
const number = z.union([z.number(), z.bigint()])
const ok = (result: string): Answer => ({ body: `{"jsonrpc":"2.0","id":1,"result":${result}}` })
const fault = (code: number, message: string): Answer => ({
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } }),
})

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  hits.length = 0
})

describe("reading", () => {
  it("keeps amounts beyond 2^53 exact", async () => {
    const rpc = rpcOver([await serve("a", ok("18446744073709551615"))])
    expect(await rpc.read("getX", [], number)).toBe(18_446_744_073_709_551_615n)
    expect(await rpcOver([await serve("b", ok("1.5"))]).read("getX", [], number)).toBe(1.5)
  })

  it("asks the next endpoint if one is down, fails, does not answer, or limits the rate", async () => {
    for (const failure of [
      { status: 502, body: "<html>" },
      { status: 429, body: "" },
      fault(-32005, "behind"),
      "hang",
    ] as const) {
      hits.length = 0
      const urls = [await serve("first", failure), await serve("second", ok("7"))]
      const rpc = rpcOver(urls, failure === "hang" ? 500 : 5_000)
      expect(await rpc.read("getX", [], number)).toBe(7)
      expect(hits).toEqual(["first", "second"])
    }
    const rpc = rpcOver(["http://127.0.0.1:1", await serve("third", ok("8"))])
    expect(await rpc.read("getX", [], number)).toBe(8)
  })

  it("fails as transient after three rounds, and names the host without the path of the URL", async () => {
    const url = `${await serve("down", { status: 503, body: "" })}/v1/secret-access-key`
    const failure = await rpcOver([url])
      .read("getX", [], number)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: "solana.unreachable", disposition: "transient" })
    expect(JSON.stringify(failure) + String(failure)).not.toContain("secret-access-key")
    expect(hits.length).toBe(3)
  })

  it("reports the retry-after time of a node, and does not wait for a long one", async () => {
    const limited = (seconds: string): Answer => ({
      status: 429,
      headers: { "retry-after": seconds },
      body: "",
    })
    const short = rpcOver([await serve("short", limited("1"))]).read("getX", [], number)
    await expect(short).rejects.toMatchObject({ details: { retryAfterMs: 1_000 } })
    const long = rpcOver([await serve("long", limited("60"))]).read("getX", [], number)
    await expect(long).rejects.toMatchObject({
      details: { retryAfterMs: expect.closeTo(60_000, -3) },
    })
    expect(hits).toEqual([..."short ".repeat(5).trim().split(" "), "long"])
  })

  it("counts an invalid answer as a failure of its endpoint: it asks the next one, and never holds", async () => {
    const page = {
      status: 403,
      headers: { "content-type": "text/html" },
      body: "<html>Forbidden</html>",
    }
    const invalid = [
      ok('"seven"'),
      { body: "<html>" },
      { body: '{"ok":true}' },
      page,
      fault(-32601, "no such method"),
    ]
    for (const answer of invalid) {
      hits.length = 0
      const urls = [await serve("odd", answer), await serve("good", ok("7"))]
      expect(await rpcOver(urls).read("getX", [], number)).toBe(7)
      expect(hits).toEqual(["odd", "good"])
      await expect(rpcOver(urls.slice(0, 1)).read("getX", [], number)).rejects.toMatchObject({
        disposition: "transient",
      })
    }
  })

  it("counts an explicit null as an answer", async () => {
    expect(await rpcOver([await serve("a", ok("null"))]).read("getX", [], z.null())).toBeNull()
  })

  it("compares the genesis hash of each endpoint once, before any other call, also before a write", async () => {
    const options = { timeoutMs: 5_000, clock: { ...systemClock, sleep: async () => {} } }
    const urls = [await serve("a", ok('"cluster"'))]
    const right = createRpc({ ...options, urls, genesisHash: "cluster" })
    for (const _ of [1, 2]) expect(await right.read("getX", [], z.string())).toBe("cluster")
    expect(hits).toEqual(["a", "a", "a"])
    const wrong = createRpc({ ...options, urls, genesisHash: "another" })
    const refusal = {
      code: "solana.wrong_network",
      disposition: "transient",
      details: { expected: "another" },
    }
    await expect(wrong.read("getX", [], z.string())).rejects.toMatchObject(refusal)
    const write = wrong.endpoints[0]?.write("sendTransaction", [], z.string())
    await expect(write).rejects.toMatchObject(refusal)
    // Three tries of the read and one of the write.
    expect(hits).toHaveLength(7)
    const mixed = createRpc({
      ...options,
      urls: [...urls, await serve("b", ok('"other"'))],
      genesisHash: "other",
    })
    expect(await mixed.read("getX", [], z.string())).toBe("other")
  })
})

function rpcOver(urls: readonly string[], timeoutMs = 5_000): Rpc {
  return createRpc({ urls, timeoutMs, clock: { ...systemClock, sleep: async () => {} } })
}

function serve(name: string, answer: Answer): Promise<string> {
  const server = createServer((_request, response) => {
    hits.push(name)
    if (answer === "hang") return
    response.writeHead(answer.status ?? 200, answer.headers ?? {})
    response.end(answer.body)
  })
  servers.push(server)
  return new Promise((resolve) => {
    // CAST: a server that listens on TCP has an AddressInfo.
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })
}
