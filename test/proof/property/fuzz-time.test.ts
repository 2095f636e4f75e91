import { createServer, type Server } from "node:http"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { createEndpoint } from "#chains/bitcoin/nodes/endpoint.ts"
import { evmDialect } from "#chains/evm/nodes/dialect.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { COMMANDS } from "#cli/command-list.ts"
import { parseArguments } from "#cli/parse-arguments.ts"
import { decodeKeystore } from "#config/secrets/keystore.ts"
import { formatUnits, parseFiat, parseUnits } from "#domain/amount.ts"
import { parseAssetId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { decodeJson } from "#lib/json.ts"
import { trimEndOf } from "#lib/trim-end.ts"
import { postCall } from "#nodes/json-rpc.ts"
import { decodeOrder } from "#order/step.ts"
import { parsePriceAnswer } from "#prices/parse-price-answer.ts"
import { parseDuration } from "#schema/duration.ts"
import { parseLimitAmount } from "#schema/limit-amount.ts"
import { createServiceClient } from "#service/client.ts"
import { parseWireJson } from "#service/wire-json.ts"
import { listen, stopServer } from "../../support/listen.ts"

/** Long enough that quadratic work takes many seconds, and linear work a few milliseconds. */
const CHARACTERS = 128 * 1024
/** Processor time, because other processes share the machine. */
const MAX_CPU_MS = 1_000

/**
 * Texts that repeat one short unit: backtracking needs repetition, and an end that does not match.
 */
const unit = fc.oneof(
  fc.constantFrom(
    '\\"',
    '"',
    "\\",
    "[",
    "{",
    '{"a":',
    "0",
    "9",
    "1.",
    "-",
    "e",
    " ",
    "\n",
    "/",
    "<",
    "%",
    "ab:",
    "\u202e",
  ),
  fc.stringMatching(/^["\\[\]{}:,0-9eE.+\- \n/<>%a-f]{1,5}$/),
)
const end = fc.constantFrom("", '"', "x", "]", "1", "\u0000", "}")
const hostile = fc
  .tuple(fc.constantFrom("", '"', "[", '{"result":"', "0.", "0x"), unit, end)
  .map(
    ([start, repeated, last]) =>
      start + repeated.repeat(Math.ceil(CHARACTERS / repeated.length)) + last,
  )

/** Froze a pattern that looked for whole strings. */
const WORST = '\\"'.repeat(CHARACTERS / 2)

const PARSERS: readonly (readonly [string, (text: string) => unknown])[] = [
  ["an answer of the service", parseWireJson],
  ["a price", (text) => parsePriceAnswer(text, { path: "a", timePath: null, maxAgeMs: 1 }, 0)],
  [
    "the text of a price",
    (text) =>
      parsePriceAnswer(JSON.stringify({ a: text }), { path: "a", timePath: "a", maxAgeMs: 1 }, 0),
  ],
  ["stored JSON", decodeJson],
  ["a stored order", decodeOrder],
  ["an amount", (text) => parseUnits(text, 18)],
  ["an amount in fiat", parseFiat],
  ["an asset id", parseAssetId],
  ["a duration", parseDuration],
  ["a limit", parseLimitAmount],
  ["a command line", (text) => parseArguments([text], COMMANDS)],
  ["a keystore", (text) => decodeKeystore(text, "password")],
  [
    "a text with an endpoint's keys",
    (text) => hideKeys("https://user:0123456789@x.example/0123456789abc?k=\\\\", text),
  ],
  ["a URL's end", (text) => trimEndOf(text, "/")],
]

describe.each(PARSERS)("%s that repeats itself", (_name, parse) => {
  test("is read or refused in linear time", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(cpuMs(() => ignoreRefusal(() => parse(text)))).toBeLessThan(MAX_CPU_MS)
      }),
      { numRuns: 25, examples: [[WORST]] },
    )
  })
})

test("an amount of many zeros is printed in linear time", () => {
  expect(cpuMs(() => formatUnits(10n ** 77n + 1n, 36))).toBeLessThan(MAX_CPU_MS)
})

describe("an HTTP answer that repeats itself", () => {
  let server: Server
  let url: string
  let body = ""
  beforeAll(async () => {
    server = createServer((_request, response) => response.end(body))
    url = (await listen(server)).url
  })
  afterAll(() => stopServer(server))

  const shared = { timeoutMs: 10_000, clock: systemClock }
  const service = {
    appId: "",
    appIdHeader: "x",
    pathPrefix: "",
    timeoutMs: 10_000,
    maxRequestsPerSecond: 1_000,
    orderExtras: true,
    depositReaders: [],
    clock: systemClock,
  }
  const readers: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      "bitcoin",
      () => createEndpoint({ url, ...shared, attempts: 1, restMs: 0, genesis: null }).fetchHead(),
    ],
    [
      "evm",
      () =>
        postCall(evmDialect, {
          address: url,
          timeoutMs: 10_000,
          method: "eth_chainId",
          params: [],
        }),
    ],
    ["solana", () => createSolanaRpc({ urls: [url], ...shared }).read("getSlot", [], z.int())],
    [
      "starknet",
      async () =>
        createStarknetRpc({ urls: [url], chainId: "x", ...shared }).nodes[0]?.ask("x", [], z.int()),
    ],
    ["the service", () => createServiceClient({ ...service, baseUrl: url }).listAssets()],
  ]

  test.each(readers)("is read or refused in linear time by %s", async (_name, read) => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        body = text
        const before = process.cpuUsage()
        await read().catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
        })
        const { user, system } = process.cpuUsage(before)
        expect((user + system) / 1_000).toBeLessThan(MAX_CPU_MS)
      }),
      { numRuns: 15, examples: [[WORST]] },
    )
  })
})

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** The verdict does not matter here; other tests check it. */
function ignoreRefusal(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}
