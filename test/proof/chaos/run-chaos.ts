import { setTimeout as sleep } from "node:timers/promises"
import { Agent, setGlobalDispatcher } from "undici"
import { mustExist } from "#lib/assert.ts"
import type { OrderView } from "#order/view.ts"
import { readBalance } from "../../support/read-balance.ts"
import { createRandom, type Random } from "../fault-sim/random.ts"
import { type AuditedOrder, type AuditResult, audit } from "./audit.ts"
import { drawRequest } from "./draw-request.ts"
import type { Watch } from "./flow.ts"
import { injectFault, targetOf } from "./inject-fault.ts"
import { type ChaosFault, sampleFault } from "./sample-fault.ts"
import { settle } from "./settle.ts"
import { startWorld, type World } from "./start-world.ts"
import { watchBitcoin } from "./watch-bitcoin.ts"
import { watchEvm } from "./watch-evm.ts"
import { watchSolana } from "./watch-solana.ts"
import { watchStarknet } from "./watch-starknet.ts"

export type ChaosOptions = {
  readonly seed: number
  readonly minutes: number
  readonly dir: string
  readonly dialect: "contract" | "2026"
  /**
   * Faults go on past `minutes` until this many were injected, so that no slow machine or lucky
   * draw makes a run without faults.
   */
  readonly leastFaults: number
  /** Requests go on past `minutes` until the daemon accepted this many. */
  readonly leastOrders: number
  /** The service may restart without its orders, although it holds signatures for them. */
  readonly forgetting: boolean
  readonly say: (text: string) => void
}

export type ChaosResult = AuditResult & {
  readonly seconds: number
  readonly orders: readonly AuditedOrder[]
  readonly faults: readonly ChaosFault["kind"][]
  /** Requests that the daemon refused, by the code of the first reason. */
  readonly refusals: Readonly<Record<string, number>>
}

/** Mean time between two faults, and between two requests. */
const FAULT_MS = 2_200
const REQUEST_MS = 1_300

const ANSWER_MS = 20_000

/**
 * Starts all processes, injects faults for a while, waits until all orders rest, and audits the
 * result.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { say, seed, minutes } = options
  const startedMs = performance.now()
  // Killed and frozen processes do not answer, and undici's usual timeout is five minutes.
  setGlobalDispatcher(
    new Agent({ headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS, keepAliveTimeout: 10 }),
  )
  const world = await startWorld(options)
  try {
    const watches = await Promise.all(world.chains.map((part) => startWatch(world, part.name)))
    const start = await readBalances(world)
    const until = performance.now() + minutes * 60_000
    say(`Everything is up after ${seconds(startedMs)} s; seed ${seed}, data in ${options.dir}`)
    const random = createRandom(seed)
    const [requests, faults] = await Promise.all([
      keepRequesting(world, random.fork(), { until, least: options.leastOrders }),
      keepInjectingFaults(world, random.fork(), {
        until,
        least: options.leastFaults,
        forgetting: options.forgetting,
        say: (text) => say(`${seconds(startedMs)} s: ${text}`),
      }),
    ])
    say(`${seconds(startedMs)} s: no more faults; waiting until all orders rest`)
    const orders = await settle(world, (text) => say(`${seconds(startedMs)} s: ${text}`))
    const evidence = await Promise.all(
      world.chains.map(({ name }, index) =>
        mustExist(watches[index], name).read(listSent(orders, name)),
      ),
    )
    const result = audit({
      orders,
      accepted: requests.accepted,
      evidence,
      start,
      end: await readBalances(world),
    })
    return { ...result, seconds: seconds(startedMs), orders, faults, refusals: requests.refusals }
  } finally {
    await world.stop()
  }
}

/**
 * The transactions that orders have sent on this chain. An order signs transactions for its source
 * chain only.
 */
function listSent(orders: readonly OrderView[], chain: string): string[] {
  const ours = orders.filter(({ from }) => from.startsWith(`${chain}:`))
  return ours.flatMap(({ transactions }) => transactions.map(({ tx }) => tx))
}

function seconds(sinceMs: number): number {
  return Math.round((performance.now() - sinceMs) / 1000)
}

/** Waits for an exponentially distributed time, as between independent events. */
async function pause(random: Random, meanMs: number): Promise<void> {
  await sleep(-Math.log(1 - random.next()) * meanMs)
}

async function keepRequesting(
  world: World,
  random: Random,
  { until, least }: { until: number; least: number },
): Promise<{ accepted: string[]; refusals: Record<string, number> }> {
  const accepted: string[] = []
  const refusals: Record<string, number> = {}
  for (let number = 1; performance.now() < until || accepted.length < least; number++) {
    const request = drawRequest(random, number)
    try {
      const { status, body } = await world.daemon.process.call("POST", "/api/v1/swap", request)
      // CAST: our own interface: {id} or {reasons}.
      const { id, reasons } = body as { id?: string; reasons?: { code: string }[] }
      if (status === 202 && id !== undefined) accepted.push(id)
      else count(refusals, reasons?.[0]?.code ?? "unknown")
    } catch (error) {
      // A daemon that died during the request may have accepted the order; the audit finds it by
      // its amount. A refused connection accepted none.
      if (!String(error instanceof Error ? error.cause : error).includes("ECONNREFUSED"))
        count(refusals, "no answer")
    }
    await pause(random, REQUEST_MS)
  }
  return { accepted, refusals }
}

function count(refusals: Record<string, number>, why: string): void {
  refusals[why] = (refusals[why] ?? 0) + 1
}

async function keepInjectingFaults(
  world: World,
  random: Random,
  {
    until,
    least,
    forgetting,
    say,
  }: { until: number; least: number; forgetting: boolean; say: (text: string) => void },
): Promise<ChaosFault["kind"][]> {
  const injected: ChaosFault["kind"][] = []
  const underWay = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  for (;;) {
    await pause(random, FAULT_MS)
    if ((performance.now() > until && injected.length >= least) || failures.length > 0) break
    const fault = sampleFault(random, forgetting)
    const target = targetOf(fault)
    if (underWay.has(target)) continue
    injected.push(fault.kind)
    say(describe(fault))
    const done = injectFault(world, fault)
      .catch((error: unknown) => {
        // A chain or service that is down because of another fault cannot receive this one.
        if (isOutOfReach(error)) say(`not injected: ${describe(fault)}`)
        else failures.push(error)
      })
      .finally(() => underWay.delete(target))
    underWay.set(target, done)
  }
  await Promise.all(underWay.values())
  if (failures.length > 0) throw failures[0]
  return injected
}

const OUT_OF_REACH =
  /ECONNREFUSED|ECONNRESET|other side closed|fetch failed|timeout|timed out|ended before/i

function isOutOfReach(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error)
  return OUT_OF_REACH.test(text)
}

function describe(fault: ChaosFault): string {
  return JSON.stringify(fault).replace(/[{}"]/g, "").replaceAll(",", ", ").replace("kind:", "")
}

async function readBalances(world: World): Promise<Record<string, bigint>> {
  const reads = world.chains.flatMap(({ host: { line } }) =>
    line.assets.map(async ({ id }) => [id, await readBalance(line, id)] as const),
  )
  return Object.fromEntries(await Promise.all(reads))
}

function startWatch(world: World, name: string): Promise<Watch> {
  const part = world.chains.find((chain) => chain.name === name)
  if (!part) throw new Error(`no chain ${name}`)
  const { family, assets } = part.host.line
  // The node restarts at another address after a kill.
  const url = (): string => part.host.line.url
  const foremost = assets[0]?.id ?? ""
  switch (family) {
    case "bitcoin":
      return watchBitcoin(url, foremost)
    case "evm":
      return watchEvm(url, assets, name)
    case "solana":
      return watchSolana(url, assets)
    case "starknet":
      return watchStarknet(url, assets)
  }
}
