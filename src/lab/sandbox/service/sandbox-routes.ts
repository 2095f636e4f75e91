import { Hono } from "hono"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { LocalChain } from "../local-chain.ts"
import type { SandboxControl } from "../rehearsal.ts"
import { amountText, parseShape } from "./create-body.ts"
import type { ServiceEnv } from "./fault-gate.ts"
import type { Fault, Faults } from "./faults.ts"
import type { OrderStore } from "./order-store.ts"
import { parseWireJson } from "./parse-wire-json.ts"
import { rejectRequest } from "./reject-request.ts"
import { listAccrued, payAffiliates } from "./solver/payouts.ts"

/**
 * The endpoints that only the sandbox has. They answer plain JSON without an envelope and need no
 * app id.
 *
 *   GET  /sandbox/info                              chains with their urls, assets, chain ids and
 *                                                   timelocks
 *   GET  /sandbox/orders                            every stored order, with its secret
 *   GET  /sandbox/faults, POST /sandbox/faults      see faults.ts
 *   POST /sandbox/fund {address, asset, amount}     the faucet, in smallest units → {tx}
 *   POST /sandbox/advance {chain, blocks}           → {height}
 *   GET  /sandbox/payouts, POST /sandbox/payouts    accrued and paid affiliate fees; POST pays them
 *                                                   → {payouts}
 *   GET  /sandbox/status                            orders, completed ones, and the state and
 *                                                   restarts of each part
 *   POST /sandbox/break {part, forMs?}              `service` or a chain answers no more, for this
 *                                                   long or until it is mended → status
 *   POST /sandbox/mend {part?}                      mends this part, or all → status
 */
export function createSandboxRoutes(options: SandboxRouteOptions): Hono<ServiceEnv> {
  const { chains, store, faults } = options
  const app = new Hono<ServiceEnv>()
  app.get("/sandbox/info", () => json({ ...options.info, chains: chains.map(describeChain) }))
  app.get("/sandbox/orders", () => json({ orders: store.list() }))
  app.get("/sandbox/faults", () => json({ faults: faults.list() }))
  app.post("/sandbox/faults", async (context) => {
    // CAST: `set` validates the shape of its argument.
    faults.set(parseWireJson(await context.req.text()) as Fault | readonly Fault[])
    return json({ faults: faults.list() })
  })
  app.post("/sandbox/fund", async (context) => {
    const { address, asset, amount } = parseShape(fundBody, parseWireJson(await context.req.text()))
    const chain = chains.find((candidate) => candidate.assets.some((listed) => listed.id === asset))
    if (!chain) return rejectRequest(400, `no local chain holds ${asset}`)
    if (!chain.isAddress(address))
      return rejectRequest(400, `${address} is not an address on ${chain.name}`)
    return json({ tx: await chain.fund(address, asset, BigInt(amount)) })
  })
  app.post("/sandbox/advance", async (context) => {
    const { chain: name, blocks } = parseShape(advanceBody, parseWireJson(await context.req.text()))
    const chain = chains.find((candidate) => candidate.name === name)
    if (!chain) return rejectRequest(400, `no local chain named ${name}`)
    await chain.advance(blocks)
    return json({ height: await chain.height() })
  })
  let paying = Promise.resolve<unknown>(undefined)
  app.get("/sandbox/payouts", () => json({ accrued: listAccrued(store), payouts: store.payouts() }))
  app.post("/sandbox/payouts", async () => {
    // Runs one at a time: two concurrent runs would both pay the same fees.
    const run = paying.then(() => payAffiliates(store, chains))
    paying = run.catch(() => undefined)
    return json({ payouts: await run })
  })
  if (options.control !== null) addRehearsal(app, store, options.control)
  return app
}

function addRehearsal(app: Hono<ServiceEnv>, store: OrderStore, control: SandboxControl): void {
  const startedAt = new Date().toISOString()
  const status = (): Response => {
    const orders = store.list()
    const completed = orders.filter(({ phase }) => phase === "complete").length
    return json({
      pid: process.pid,
      startedAt,
      orders: orders.length,
      completed,
      ...control.report(),
    })
  }
  app.get("/sandbox/status", status)
  app.post("/sandbox/break", async (context) => {
    const { part, forMs } = parseShape(breakBody, parseWireJson(await context.req.text()))
    refuseUnknown(() => control.break(part, forMs ?? null))
    return status()
  })
  app.post("/sandbox/mend", async (context) => {
    const { part } = parseShape(mendBody, parseWireJson(await context.req.text()))
    refuseUnknown(() => control.mend(part ?? null))
    return status()
  })
}

/** An unknown part is the client's mistake. */
function refuseUnknown(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError && error.disposition === "refused")
      rejectRequest(400, error.message)
    throw error
  }
}

type SandboxRouteOptions = {
  readonly chains: readonly LocalChain[]
  readonly store: OrderStore
  readonly faults: Faults
  /** Shown by `/sandbox/info` beside the chains. */
  readonly info: Readonly<Record<string, unknown>>
  /** `null` where a test runs the service alone. */
  readonly control: SandboxControl | null
}

const fundBody = z.object({ address: z.string(), asset: z.string(), amount: amountText })
const breakBody = z.object({ part: z.string(), forMs: z.int().min(1).optional() })
const mendBody = z.object({ part: z.string().optional() })
const advanceBody = z.object({ chain: z.string(), blocks: z.int().min(1) })

function describeChain(chain: LocalChain): Record<string, unknown> {
  const { name, family, url, assets, chainId, timelocks, requiredConfirmations } = chain
  return { name, family, url, chainId, timelocks, requiredConfirmations, assets }
}

function json(value: unknown): Response {
  return new Response(plainJson(value), { headers: { "content-type": "application/json" } })
}
