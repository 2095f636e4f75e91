import { readFileSync } from "node:fs"
import { createServer, type Server, type ServerResponse } from "node:http"
import { join } from "node:path"
import { inspect } from "node:util"
import { pino } from "pino"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { createEndpoint } from "#chains/bitcoin/nodes/endpoint.ts"
import { evmDialect } from "#chains/evm/nodes/dialect.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { formatTable } from "#cli/format/table.ts"
import { AppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import { createLogger } from "#lib/log.ts"
import { postCall } from "#nodes/json-rpc.ts"
import { openNetwork } from "#nodes/open-network.ts"
import { createPrices } from "#prices/create-prices.ts"
import { createServiceClient } from "#service/client.ts"
import { WBTC } from "../../support/fake-world.ts"
import { freePort } from "../../support/free-port.ts"
import { listen, stopServer } from "../../support/listen.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const SECRETS = {
  user: "planted-user-4711",
  password: "planted-pass-4712",
  path: "planted-path-4713",
  query: "planted-query-4714",
}
const EVIL = "\u001b]0;owned\u0007\u009b2J\nok: paused\u202e"

type Reply = (path: string, response: ServerResponse) => void
let server: Server
let port = 0
let deadPort = 0
let reply: Reply = (_path, response) => response.end()
beforeAll(async () => {
  openNetwork()
  server = createServer((request, response) => reply(request.url ?? "", response))
  port = (await listen(server)).port
  deadPort = await freePort()
})
afterAll(() => stopServer(server))

const shared = { timeoutMs: 1_000, clock: { ...systemClock, sleep: async () => undefined } }
const service = {
  appId: "",
  appIdHeader: "x",
  pathPrefix: "",
  maxRequestsPerSecond: 1_000,
  orderExtras: true,
  depositReaders: [],
  timeoutMs: 1_000,
  clock: systemClock,
}
const READERS: readonly (readonly [string, (url: string) => Promise<unknown>])[] = [
  [
    "bitcoin",
    (url) => createEndpoint({ url, ...shared, attempts: 1, restMs: 0, genesis: null }).fetchHead(),
  ],
  [
    "evm",
    (url) =>
      postCall(evmDialect, { address: url, timeoutMs: 1_000, method: "eth_chainId", params: [] }),
  ],
  ["solana", (url) => createSolanaRpc({ urls: [url], ...shared }).read("getSlot", [], z.int())],
  [
    "starknet",
    async (url) =>
      createStarknetRpc({ urls: [url], chainId: "SN_MAIN", ...shared }).nodes[0]?.ask(
        "x",
        [],
        z.int(),
      ),
  ],
  ["the service", (baseUrl) => createServiceClient({ ...service, baseUrl }).listAssets()],
  [
    "a price source",
    (url) =>
      createPrices({
        sources: [{ asset: WBTC, kind: "json", url, path: "a", timePath: null, maxAgeMs: 1_000 }],
        maxSpreadBps: 100n,
        timeoutMs: 1_000,
        clock: systemClock,
      }).fetchPrice(WBTC),
  ],
]

const echo = (path: string): string => `bad ${path} ${SECRETS.user} ${SECRETS.password} ${EVIL}`
const REPLIES: readonly (readonly [string, Reply])[] = [
  [
    "repeats the request in a page",
    (path, response) => response.writeHead(404).end(`<pre>${echo(path)}</pre>`),
  ],
  [
    "repeats the request in the title of a page",
    (path, response) => response.writeHead(502).end(`<title>${echo(path)}</title>`),
  ],
  [
    "repeats the request in the title of a page in place of JSON",
    (path, response) => response.end(`<html><title>${SECRETS.path} ${path}</title></html>`),
  ],
  ["repeats the request in a text", (path, response) => response.writeHead(403).end(echo(path))],
  [
    "repeats the request in an error of JSON-RPC",
    (path, response) =>
      response.end(
        JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          error: { code: -32_000, message: echo(path), data: echo(path) },
        }),
      ),
  ],
  [
    "repeats the request in an error of the service",
    (path, response) =>
      response.writeHead(400).end(JSON.stringify({ status: "Error", error: echo(path) })),
  ],
  ["answers 500", (_path, response) => response.writeHead(500).end()],
  [
    "leads to another address",
    (path, response) =>
      response.writeHead(302, { location: `http://x.example${path}` }).end(echo(path)),
  ],
  ["closes the connection", (_path, response) => response.destroy()],
]

describe.each(READERS)("an endpoint of %s", (name, read) => {
  const urlAt = (at: number): string =>
    `http://${SECRETS.user}:${SECRETS.password}@127.0.0.1:${at}/${SECRETS.path}/v2?key=${SECRETS.query}`

  test.each(REPLIES)(
    "that %s gives an error without its secrets and without control characters",
    async (_what, how) => {
      reply = how
      expectHarmless(await failureOf(read(urlAt(port))))
    },
  )

  test("that nobody serves gives an error without its secrets", async () => {
    expectHarmless(await failureOf(read(urlAt(deadPort))))
  })

  test("cannot fill the memory with one answer", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "[")
    let sent = 0
    reply = (_path, response) => {
      const more = (): void => {
        while (sent < 200 && !response.destroyed) {
          sent++
          if (!response.write(chunk)) return void response.once("drain", more)
        }
        response.end()
      }
      more()
    }
    const error = await failureOf(read(`http://127.0.0.1:${port}`))
    expect(error, name).toBeInstanceOf(AppError)
    expect(sent).toBeLessThan(150)
  })
})

test("a table has one line for each row, whatever its cells hold", () => {
  const lines = formatTable(
    ["a", "b"],
    [
      [EVIL, "x"],
      ["1", "2"],
    ],
  ).split("\n")
  expect(lines.length).toBe(4)
  expect(lines.join("")).not.toMatch(/[\p{Cc}\u202e]/u)
})

test("the log prints no control character of a text or an error", () => {
  const file = join(temporaryFolder("ballast-log"), "log")
  const log = createLogger({ level: "info", pretty: false, destination: file })
  log.error(
    {
      err: new AppError({
        code: "x.y",
        disposition: "hold",
        message: EVIL,
        details: { found: EVIL },
      }),
      found: [{ text: EVIL }],
    },
    "x",
  )
  const line = readFileSync(file, "utf8")
  expect(line).toContain("owned")
  expect(JSON.parse(line)).toMatchObject({ err: { code: "x.y" } })
  // pino-pretty prints the decoded texts.
  expect(inspectTexts(JSON.parse(line))).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u)
})

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

function expectHarmless(error: unknown): void {
  if (!(error instanceof AppError)) throw new Error("no coded error", { cause: error })
  const shown = [
    inspect(error, { depth: 12, showHidden: false }),
    JSON.stringify(pino.stdSerializers.err(error)),
  ].join("\n")
  for (const secret of Object.values(SECRETS)) expect(shown).not.toContain(secret)
  expect(inspectTexts([error.message, error.details])).not.toMatch(/[\p{Cc}\u202e]/u)
}

/** All texts of a value, without escapes and joined by blanks. */
function inspectTexts(value: unknown): string {
  if (typeof value === "string") return value
  if (typeof value !== "object" || value === null) return ""
  return Object.values(value).map(inspectTexts).join(" ")
}
