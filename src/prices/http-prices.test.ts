import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Agent } from "undici"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { ReferencePrice } from "#domain/price.ts"
import { systemClock } from "#lib/clock.ts"
import { createHttpPrices, MAX_PRICE_BYTES, type PriceSource } from "./http-prices.ts"

const WBTC = parseAssetId("base_sepolia:wbtc")
const NOW_MS = Date.UTC(2026, 2, 2, 8)
const clock = { ...systemClock, now: () => NOW_MS }
const dispatcher = new Agent()

/** `/price/<text>` answers that text; the other paths misbehave. */
const server: Server = createServer(({ url = "" }, response) => {
  const [, kind = "", text = ""] = decodeURIComponent(url).split(/^\/(\w+)\/?/)
  answer(kind, text, response)
})
let base = ""
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // CAST: a server that listens on TCP has an AddressInfo.
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await dispatcher.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function answer(kind: string, text: string, response: ServerResponse): void {
  if (kind === "hang") return
  if (kind === "trickle") response.write('{"price":')
  else if (kind === "moved") response.writeHead(302, { location: `${base}/price/{"price":1}` }).end('{"price":1}')
  else if (kind === "down") response.writeHead(503).end('{"price":1}')
  else if (kind === "big") response.end(`{"price":1,"x":"${"x".repeat(MAX_PRICE_BYTES)}"}`)
  else response.end(text)
}

function source(path: string, more: Partial<PriceSource> = {}): PriceSource {
  return { asset: WBTC, url: `${base}/${encodeURI(path)}`, path: "price", timePath: null, maxAgeMs: 60_000, ...more }
}
const says = (text: string, more: Partial<PriceSource> = {}): PriceSource => source(`price/${text}`, more)
const fetchPrice = (...sources: PriceSource[]): Promise<ReferencePrice | null> =>
  createHttpPrices({ sources, timeoutMs: 150, clock, dispatcher }).fetchPrice(WBTC)

describe("a price", () => {
  test("is null without a source", async () => {
    expect(await fetchPrice(says('{"price":1}', { asset: parseAssetId("base_sepolia:eth") }))).toBeNull()
  })

  test.each([
    ['{"price":65000.10}', 65_000_100_000n],
    ['{"price":"65000.1234567"}', 65_000_123_456n],
    ['{"price":9007199254740993.000001}', 9_007_199_254_740_993_000_001n],
    ['{"price":6.5e4}', 65_000_000_000n],
    ['{"price":1E-6}', 1n],
  ])("is read exactly from %s", async (text, fiat) => {
    expect(await fetchPrice(says(text))).toEqual({ fiat, sources: 1 })
  })

  test("is found at a path through lists", async () => {
    const found = await fetchPrice(says('{"data":[{"price":2}]}', { path: "data.0.price" }))
    expect(found?.fiat).toBe(2_000_000n)
  })

  test("is the median of the sources that answer", async () => {
    const [one, two, nine] = [says('{"price":1}'), says('{"price":2}'), says('{"price":9}')]
    expect(await fetchPrice(nine, one, two)).toEqual({ fiat: 2_000_000n, sources: 3 })
    expect(await fetchPrice(two, source("down"), one)).toEqual({ fiat: 1_500_000n, sources: 2 })
  })
})

describe("freshness", () => {
  const timed = (time: string): PriceSource => says(`{"price":1,"time":${time}}`, { timePath: "time" })
  const seconds = NOW_MS / 1_000

  test.each([[`${seconds - 60}`], [`${NOW_MS - 60_000}`], ['"2026-03-02T07:59:00Z"'], [`${seconds + 60}`]])(
    "is given at %s",
    async (time) => {
      expect(await fetchPrice(timed(time))).toEqual({ fiat: 1_000_000n, sources: 1 })
    },
  )

  test.each([
    [`${seconds - 61}`, "61 s old"],
    [`${NOW_MS - 60_001}`, "61 s old"],
    ['"2026-03-02T07:58:00Z"', "120 s old"],
    ['"2026-03-02T08:00:00"', "no time at time"],
    [`${seconds + 61}`, "from the future"],
    ["null", "neither number nor text at time"],
  ])("is not given at %s", async (time, why) => {
    await expect(fetchPrice(timed(time))).rejects.toMatchObject(unavailable(why))
  })
})

describe("no price, and never zero,", () => {
  test.each([
    ["a missing path", 'price/{"prize":1}', "nothing at price"],
    ["null", 'price/{"price":null}', "neither number nor text"],
    ["zero", 'price/{"price":0.0000001}', "is zero"],
    ["a price too small to count", 'price/{"price":0.0000015}', "too small"],
    ["a negative price", 'price/{"price":-1}', "no price at price"],
    ["HTML", "price/<html>1</html>", "not JSON"],
    ["an inherited name", "price/{}", "nothing at price"],
    ["a redirect", "moved", "HTTP 302"],
    ["an error", "down", "HTTP 503"],
    ["too long an answer", "big", "larger than"],
    ["silence", "hang", "within 150 ms"],
    ["half an answer", "trickle", "within 150 ms"],
  ])("comes from %s", async (_name, path, why) => {
    await expect(fetchPrice(source(path))).rejects.toMatchObject(unavailable(why))
  })

  test("comes from a closed port, and the error hides the path of the URL", async () => {
    const error = await fetchPrice(says("", { url: "http://127.0.0.1:1/secret" })).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject(unavailable("127.0.0.1:1: "))
    expect(String(error)).not.toContain("/secret")
  })
})

function unavailable(why: string): object {
  return { code: "prices.unavailable", disposition: "transient", message: expect.stringContaining(why) }
}
