import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Agent } from "undici"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { ReferencePrice } from "#domain/price.ts"
import { systemClock } from "#lib/clock.ts"
import type { Address } from "#nodes/address.ts"
import {
  createPrices,
  MAX_PRICE_BYTES,
  type PriceSource,
  type PricesOptions,
} from "./create-prices.ts"

const WBTC = parseAssetId("base_sepolia:wbtc")
const BTC = parseAssetId("bitcoin_testnet:btc")
const ETH = parseAssetId("base_sepolia:eth")
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
  else if (kind === "moved")
    response.writeHead(302, { location: `${base}/price/{"price":1}` }).end('{"price":1}')
  else if (kind === "down") response.writeHead(503).end('{"price":1}')
  else if (kind === "big") response.end(`{"price":1,"x":"${"x".repeat(MAX_PRICE_BYTES)}"}`)
  else response.end(text)
}

type JsonSource = Extract<PriceSource, { kind: "json" }>
function source(path: string, more: Partial<JsonSource> = {}): JsonSource {
  const url = `${base}/${encodeURI(path)}`
  return {
    asset: WBTC,
    kind: "json",
    url,
    path: "price",
    timePath: null,
    maxAgeMs: 60_000,
    ...more,
  }
}
const says = (text: string, more: Partial<JsonSource> = {}): JsonSource =>
  source(`price/${text}`, more)
const open = (sources: readonly PriceSource[], more: Partial<PricesOptions> = {}) =>
  createPrices({ sources, maxSpreadBps: 100n, timeoutMs: 60_000, clock, dispatcher, ...more })
const fetchPrice = (...sources: PriceSource[]): Promise<ReferencePrice | null> =>
  open(sources).fetchPrice(WBTC)

test("a source is asked no faster than its known limit for all its prices", async () => {
  let nowMs = 0
  const jumping = {
    ...clock,
    now: () => nowMs,
    sleep: async (ms: number, signal?: AbortSignal) => {
      // The time-out of an exchange is another matter.
      if (signal !== undefined) return new Promise<void>(() => undefined)
      nowMs += ms
    },
  }
  const at = (text: string): Address => ({
    url: `${base}/${encodeURI(`price/${text}`)}`,
    headers: {},
    maxRequestsPerSecond: 2,
  })
  const sources = Array.from({ length: 8 }, () => says("", { url: at('{"price":1}') }))
  await open(sources, { clock: jumping }).fetchPrice(WBTC)
  // A second's worth at once, and two in each further second.
  expect(nowMs).toBeGreaterThanOrEqual(2_500)
})

describe("a price", () => {
  test("is null without a source", async () => {
    expect(
      await fetchPrice(says('{"price":1}', { asset: parseAssetId("base_sepolia:eth") })),
    ).toBeNull()
  })

  test.each([
    ['{"price":65000.10}', 65_000_100_000n],
    ['{"price":"65000.1234567"}', 65_000_123_456n],
    ['{"price":9007199254740993.000001}', 9_007_199_254_740_993_000_001n],
    ['{"price":6.5e4}', 65_000_000_000n],
    ['{"price":1E-6}', 1n],
  ])("is read exactly from %s", async (text, fiat) => {
    expect(await fetchPrice(says(text))).toEqual({ fiat, sources: 1, isUndated: true })
  })

  test("is found at a path through lists", async () => {
    const found = await fetchPrice(says('{"data":[{"price":2}]}', { path: "data.0.price" }))
    expect(found?.fiat).toBe(2_000_000n)
  })

  test("is the median of the sources that answer", async () => {
    const one = says('{"price":1.99}')
    const two = says('{"price":2}')
    const nine = says('{"price":2.02}')
    const median = { fiat: 2_000_000n, sources: 3, isUndated: true }
    expect(await fetchPrice(nine, one, two)).toEqual(median)
    expect(await fetchPrice(two, source("down"), one)).toEqual({
      fiat: 1_995_000n,
      sources: 2,
      isUndated: true,
      failed: [expect.stringMatching(/: HTTP 503$/)],
    })
  })
})

describe("sources that contradict each other", () => {
  test("lose one outlier against a majority", async () => {
    const found = await fetchPrice(says('{"price":9}'), says('{"price":2}'), says('{"price":2.01}'))
    const outliers = [{ source: new URL(base).host, fiat: 9_000_000n }]
    expect(found).toEqual({ fiat: 2_005_000n, sources: 2, outliers, isUndated: true })
  })

  test("give no price without a majority", async () => {
    await expect(fetchPrice(says('{"price":1}'), says('{"price":2}'))).rejects.toMatchObject({
      code: "prices.disagree",
      disposition: "transient",
    })
  })
})

describe("a demanded price", () => {
  test("is an error that names the key without a source, and no error for a priced asset", async () => {
    const prices = open([says('{"price":2}')], { required: true })
    await expect(prices.fetchPrice(ETH)).rejects.toMatchObject({
      code: "prices.missing",
      message: expect.stringContaining("prices.sources"),
    })
    expect((await prices.fetchPrice(WBTC))?.fiat).toBe(2_000_000n)
  })
})

describe("a feed on a chain", () => {
  const FEED = { kind: "chainlink", address: "0x1", sequencer: null } as const
  const feed: PriceSource = {
    asset: WBTC,
    kind: "feed",
    chain: "base",
    feed: FEED,
    maxAgeMs: 60_000,
  }

  test("is read through the chain, and its price must be fresh", async () => {
    const readFeed = (atMs: number) => async () => ({ fiat: 5n, atMs })
    expect(await open([feed], { readFeed: readFeed(NOW_MS - 60_000) }).fetchPrice(WBTC)).toEqual({
      fiat: 5n,
      sources: 1,
    })
    const late = open([feed], { readFeed: readFeed(NOW_MS - 60_001) }).fetchPrice(WBTC)
    await expect(late).rejects.toMatchObject(
      unavailable("chainlink feed on base: the price is 61 s old"),
    )
    const ahead = open([feed], { readFeed: readFeed(NOW_MS + 61_000) }).fetchPrice(WBTC)
    await expect(ahead).rejects.toMatchObject(unavailable("from the future"))
  })
})

describe("pegged assets", () => {
  const pegs = [{ assets: [WBTC, BTC], toleranceBps: 50n }]
  const btc = (price: string) => says(`{"price":${price}}`, { asset: BTC })

  test("share a price, and have a peg while one of them is priced", async () => {
    const prices = open([btc("100")], { pegs, required: true })
    expect((await prices.fetchPrice(WBTC))?.fiat).toBe(100_000_000n)
    expect(prices.findPeg?.(WBTC, BTC)).toEqual({ toleranceBps: 50n })
    expect(prices.findPeg?.(WBTC, ETH)).toBeNull()
    expect(open([], { pegs }).findPeg?.(WBTC, BTC)).toBeNull()
    await expect(open([], { pegs, required: true }).fetchPrice(WBTC)).rejects.toMatchObject({
      code: "prices.missing",
    })
  })

  test("each keep their own price within the tolerance", async () => {
    const prices = open([btc("100"), says('{"price":99.5025}')], { pegs })
    expect((await prices.fetchPrice(WBTC))?.fiat).toBe(99_502_500n)
    expect((await prices.fetchPrice(BTC))?.fiat).toBe(100_000_000n)
    expect(await prices.checkPegs?.()).toEqual([])
  })

  test("have no price, and a reason with both prices, outside the tolerance", async () => {
    const prices = open([btc("100"), says('{"price":99.4}')], { pegs })
    for (const asset of [WBTC, BTC]) {
      await expect(prices.fetchPrice(asset)).rejects.toMatchObject({
        code: "prices.peg_broken",
        disposition: "transient",
      })
    }
    expect(await prices.checkPegs?.()).toMatchObject([
      {
        code: "prices.peg_broken",
        lowest: `${WBTC} at 99.4`,
        highest: `${BTC} at 100`,
        deviation: "61 bps",
      },
    ])
  })

  test("do not use the price of another when their own source is silent", async () => {
    const prices = open([btc("100"), source("down")], { pegs })
    await expect(prices.fetchPrice(WBTC)).rejects.toMatchObject({ code: "prices.unavailable" })
    expect(await prices.checkPegs?.()).toMatchObject([
      { code: "prices.peg_unwatched", asset: WBTC },
    ])
  })
})

describe("freshness", () => {
  const timed = (time: string): PriceSource =>
    says(`{"price":1,"time":${time}}`, { timePath: "time" })
  const seconds = NOW_MS / 1_000

  test.each([
    [`${seconds - 60}`],
    [`${NOW_MS - 60_000}`],
    ['"2026-03-02T07:59:00Z"'],
    [`${seconds + 60}`],
  ])("is given at %s", async (time) => {
    expect(await fetchPrice(timed(time))).toEqual({ fiat: 1_000_000n, sources: 1 })
  })

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
    ["a negative price", 'price/{"price":-1}', '"-1" at price is no price'],
    ["HTML", "price/<html>1</html>", "not JSON"],
    ["an inherited name", "price/{}", "nothing at price"],
    ["a redirect", "moved", "HTTP 302"],
    ["an error", "down", "HTTP 503"],
    ["too long an answer", "big", "larger than"],
  ])("comes from %s", async (_name, path, why) => {
    await expect(fetchPrice(source(path))).rejects.toMatchObject(unavailable(why))
  })

  test.each([
    ["silence", "hang"],
    ["half an answer", "trickle"],
  ])("comes from %s", async (_name, path) => {
    const impatient = open([source(path)], { timeoutMs: 500 })
    await expect(impatient.fetchPrice(WBTC)).rejects.toMatchObject(unavailable("within 500 ms"))
  })

  test("comes from a closed port, and the error hides the path of the URL", async () => {
    const error = await fetchPrice(says("", { url: "http://127.0.0.1:1/secret" })).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject(unavailable("127.0.0.1:1: "))
    expect(String(error)).not.toContain("/secret")
  })
})

function unavailable(why: string): object {
  return {
    code: "prices.unavailable",
    disposition: "transient",
    message: expect.stringContaining(why),
  }
}
