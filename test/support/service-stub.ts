import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Agent } from "undici"
import { DEPOSIT_READERS } from "#chains/families.ts"
import { parseAssetId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { type Clock, systemClock } from "#lib/clock.ts"
import { createPaces } from "#nodes/paces.ts"
import type { OrderRequest, QuoteRequest, ServicePort } from "#ports/service.ts"
import { createServiceClient, type ServiceClientOptions } from "#service/client.ts"
import { listen, stopServer } from "./listen.ts"
import { createJumpingClock } from "./request-limit.ts"

/**
 * A real HTTP server on loopback with the answers that a test puts into `answer`, and clients of
 * it.
 */
export async function startStub(): Promise<Stub> {
  const dispatcher = new Agent()
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += String(chunk)
    const { method = "", url = "", headers } = request
    stub.seen.push({ method, url, headers, body })
    stub.answer({ method, url, headers, body }, response)
  })
  const stub: Stub = {
    url: (await listen(server)).url,
    answer: replies(500, ""),
    seen: [],
    client: (more = {}) =>
      createServiceClient({
        ...DEFAULTS,
        depositReaders: DEPOSIT_READERS,
        baseUrl: stub.url,
        dispatcher,
        // A pause of the service costs no time.
        paces: createPaces(more.clock ?? createJumpingClock()),
        ...more,
      }),
    stop: async () => {
      await dispatcher.close()
      await stopServer(server)
    },
  }
  return stub
}

export type Stub = {
  readonly url: string
  answer: Answer
  seen: Seen[]
  client(more?: Partial<ServiceClientOptions>): ServicePort
  stop(): Promise<void>
}

export type Seen = {
  method: string
  url: string
  headers: IncomingMessage["headers"]
  body: string
}
export type Answer = (request: Seen, response: ServerResponse) => void

/** Waits between tries and requests cost nothing; the time-out is real. */
const fastClock: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(signal ? ms : Math.min(ms, 1), signal),
}

export const DEFAULTS = {
  appId: "app-1",
  appIdHeader: "service-app-id",
  pathPrefix: "/v2",
  timeoutMs: 3_000,
  maxRequestsPerSecond: 1_000,
  orderExtras: true,
  clock: fastClock,
}

export function replies(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Answer {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }
}

/**
 * A body of `test/fixtures/service`, made from the tables of the service interface and the field
 * notes.
 */
export function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/service/${name}.json`, import.meta.url), "utf8")
}

export const from = parseAssetId("base_sepolia:wbtc")
export const to = parseAssetId("bitcoin_testnet:btc")
export const ask: QuoteRequest = { from, to, sourceUnits: 1_000_000n, affiliateBps: 0 }
export const order: OrderRequest = {
  quote: {
    from,
    to,
    sourceUnits: 1_000_000n,
    destinationUnits: 997_000n,
    sourceFiat: null,
    destinationFiat: null,
    solverId: "bb22",
    estimatedSeconds: null,
  },
  sourceOwner: "0x44",
  destinationOwner: "bcrt1q",
  sourceExtras: { delegate: "abcd" },
  affiliateFees: [],
  nonce: "18446744073709551615",
}
export const HTML = "<html><body>Bad Gateway</body></html>"

/** The coded error that `work` fails with. */
export async function failure(
  work: Promise<unknown>,
): Promise<{ code: string; disposition: string; message: string; details: AppError["details"] }> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${String(error)}`)
  const { code, disposition, message, details } = error
  return { code, disposition, message, details }
}
