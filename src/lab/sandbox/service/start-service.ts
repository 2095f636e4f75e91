import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createAdaptorServer } from "@hono/node-server"
import { Hono } from "hono"
import { getPath } from "hono/utils/url"
import type { Logger } from "#lib/log.ts"
import type { LocalChain } from "../local-chain.ts"
import type { SandboxControl } from "../rehearsal.ts"
import { type AppIds, decideAppIds } from "./app-id.ts"
import { createOrderCreator } from "./create-order.ts"
import type { ServiceEnv } from "./fault-gate.ts"
import { createFaults, type Fault } from "./faults.ts"
import { type OrderStore, openOrderStore } from "./order-store.ts"
import type { Dialect } from "./order-wire.ts"
import { createQuoteBook } from "./quote-book.ts"
import { rejectionStatus } from "./reject-request.ts"
import { createRoutes } from "./routes.ts"
import { createSandboxRoutes } from "./sandbox-routes.ts"
import { startSolver } from "./solver/start-solver.ts"
import type { StoredOrder } from "./stored-order.ts"

/**
 * Starts the sandbox's swap service on the loopback interface: all of service-interface.md over
 * HTTP, and a solver on the local chains.
 *
 * Resolves when the server listens. `faults.ts` describes the faults, and `sandbox-routes.ts` the
 * endpoints that only the sandbox has.
 */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  const { chains, log, dialect = "contract", fixedFeeUsd = "0.10", gasless = true } = options
  const appIds = decideAppIds({ ...options, dialect })
  const { appId, appIdHeader, publishedClient } = appIds
  const store = openOrderStore(options.dbFile ?? null)
  const faults = createFaults()
  const book = openQuoteBook(options, fixedFeeUsd)
  const createOrder = createOrderCreator({
    chains,
    book,
    store,
    appId,
    dialect,
    deadlineSeconds: options.deadlineSeconds ?? null,
  })
  const app = new Hono<ServiceEnv>({ getPath: pathOf })
  app.route(
    "/",
    createRoutes({
      chains,
      book,
      store,
      faults,
      createOrder,
      appIds,
      dialect,
      gasless,
      fixedFeeUsd,
    }),
  )
  const info = { dialect, appId, appIdHeader, publishedClient }
  app.route(
    "/",
    createSandboxRoutes({ chains, store, faults, info, control: options.control ?? null }),
  )
  app.notFound(() => errorAnswer(404, "not found"))
  app.onError((error) => answerFailure(error, log))

  // CAST: without the option `createServer` the adaptor creates a plain HTTP server
  // (@hono/node-server, createAdaptorServer).
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  const url = await listen(server, options.port)
  const solver = startSolver({
    chains,
    store,
    faults,
    tickMs: options.tickMs ?? 250,
    repeatAfterMs: options.repeatAfterMs ?? 3_000,
    log,
  })
  let stopped: Promise<void> | null = null
  log.info(
    { url, chains: chains.map((chain) => chain.name), dialect },
    "sandbox swap service is up",
  )
  return {
    url,
    appIds: { appId, appIdHeader, publishedClient },
    orders: () => structuredClone(store.list()),
    setFaults: (next) => faults.set(next),
    stop: () => {
      stopped ??= stopAll(server, solver, store)
      return stopped
    },
  }
}

export type ServiceOptions = {
  readonly chains: readonly LocalChain[]
  /** Tells several services on the same chains apart: their solvers have other ids. */
  readonly name?: string
  /** 0 means any free port. */
  readonly port: number
  /**
   * Fiat price per whole unit by asset symbol (`btc`, `usdc`), decimal text. The service does not
   * swap assets without a price.
   */
  readonly prices: Readonly<Record<string, string>>
  /** Protocol and solver fee of the best solver. Default 30. */
  readonly feeBps?: number
  /** Default "0.10". */
  readonly fixedFeeUsd?: string
  /** Bounds of one order's source value. Defaults "0.50" and "1000000". */
  readonly minUsd?: string
  readonly maxUsd?: string
  /**
   * Default "ballast-sandbox". With this or `appIdHeader`, dialect 2026 refuses the header of the
   * published client.
   */
  readonly appId?: string
  /** Default "service-app-id". */
  readonly appIdHeader?: string
  readonly dialect?: Dialect
  /** Whether the service offers gasless initiation. Default true. */
  readonly gasless?: boolean
  /**
   * Time from creation in which the service must see the deposit. Default 1 h, or 6 h for a Bitcoin
   * source.
   */
  readonly deadlineSeconds?: number
  /** File that keeps the orders over a restart; without it they live in memory. */
  readonly dbFile?: string
  /** Time between two ticks of the solver. Default 250. */
  readonly tickMs?: number
  /** Time after which the solver repeats an action without effect. Default 3000. */
  readonly repeatAfterMs?: number
  /** Breaks and mends parts of the sandbox; absent where a test runs the service alone. */
  readonly control?: SandboxControl
  readonly log: Logger
}

export type LocalService = {
  /** Base address, such as `http://127.0.0.1:4400`. */
  readonly url: string
  /** The app ids that clients may send. */
  readonly appIds: Pick<AppIds, "appId" | "appIdHeader" | "publishedClient">
  /** Every stored order with its secret, oldest first; for tests. */
  orders(): readonly StoredOrder[]
  /** Replaces all active faults; `[]` clears them. */
  setFaults(faults: Fault | readonly Fault[]): void
  /** Stops solver and server and closes open connections. The caller stops the chains. */
  stop(): Promise<void>
}

function openQuoteBook(
  options: ServiceOptions,
  fixedFeeUsd: string,
): ReturnType<typeof createQuoteBook> {
  return createQuoteBook({
    chains: options.chains,
    ...(options.name === undefined ? {} : { name: options.name }),
    prices: options.prices,
    feeBps: options.feeBps ?? 30,
    fixedFeeUsd,
    minUsd: options.minUsd ?? "0.50",
    maxUsd: options.maxUsd ?? "1000000",
  })
}

async function stopAll(
  server: Server,
  solver: { stop(): Promise<void> },
  store: OrderStore,
): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await Promise.all([solver.stop(), closed])
  store.close()
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => {
      // CAST: a listening TCP server has an AddressInfo (node:net, server.address).
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}

function answerFailure(error: Error, log: Logger): Response {
  const status = rejectionStatus(error)
  if (status !== null) return errorAnswer(status, error.message)
  log.error({ err: error }, "the sandbox service failed to answer a request")
  return errorAnswer(500, `internal error: ${error.message}`)
}

/**
 * Clients append `/v2/…` to a base address that ends with a slash, and the proxies of live
 * deployments merge such slashes.
 */
function pathOf(request: Request): string {
  return getPath(request).replace(/\/{2,}/g, "/")
}

function errorAnswer(status: number, error: string): Response {
  return Response.json({ status: "Error", error }, { status })
}
