import { afterAll, beforeAll, expect, test } from "vitest"
import type { OrderView } from "../../src/core/order/view.ts"
import type { Fault } from "../../src/lab/sandbox/service/faults.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, type Swap } from "../support/e2e-orders.ts"
import { SEED } from "../support/fixed-seed.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  TOKEN,
  until,
} from "../support/sandbox-process.ts"

/**
 * The first service of the sandbox is 2 bps cheaper, so it wins while it is honest. It lies, stalls
 * or overcharges at random.
 */
const FAULTS: readonly (readonly Fault[])[] = [
  [],
  [{ quoteBps: 15_000 }],
  [{ quoteBps: 10_050 }],
  [{ quoteBps: 9_000 }],
  [{ zeroQuote: true }],
  [{ emptyQuotes: true }],
  [{ endpoint: "quote", hang: true }],
  [{ endpoint: "quote", status: 500 }],
  [{ endpoint: "quote", html: true }],
  [{ endpoint: "create", hang: true }],
  [{ endpoint: "create", status: 400, error: "insufficient liquidity" }],
  [{ endpoint: "create", drop: true }],
  [{ endpoint: "get", status: 503 }],
  [{ hostile: "amounts-differ" }],
  [{ hostile: "drained-amount" }],
  [{ hostile: "timelock-too-short" }],
  [{ hostile: "destination-owner-swapped" }],
]
const ROUTES = [
  { from: "base_sepolia:eth", to: "ethereum_sepolia:eth", amount: "0.025" },
  { from: "ethereum_sepolia:eth", to: "base_sepolia:eth", amount: "0.025" },
  { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.001" },
  { from: "ethereum_sepolia:wbtc", to: "base_sepolia:eth", amount: "0.001" },
] as const
const RUN_MS = 40_000
const FAULT_MS = 2_000
const ORDER_MS = 1_000

let sandbox: SandboxProcess
let daemon: DaemonProcess
let file: string
let urls: { readonly faulty: string; readonly honest: string }
beforeAll(async () => {
  sandbox = await startSandboxProcess([
    "--services",
    "2",
    "--chains",
    "base_sepolia,ethereum_sepolia",
  ])
  const [faulty = "", honest = ""] = sandbox.services ?? []
  urls = { faulty, honest }
  const keys = { app_id: "ballast-sandbox", timeout: "2s", poll: { min: "1s", max: "3s" } }
  const config = await writeE2eConfig(sandbox, "two-services", {
    service: null,
    services: { faulty: { ...keys, url: faulty }, honest: { ...keys, url: honest } },
    guards: { rest_after_failure: "1s", max_cost: "150bps" },
    rules: [{ id: "dca", kind: "recurring", schedule: "*/8 * * * * *", ...ROUTES[1] }],
    books: { reconcile_every: "2s" },
  })
  file = config.file
  daemon = startDaemonProcess(config)
  await daemon.ready()
}, 120_000)
afterAll(() => stopAll(daemon, sandbox))

test("beside a service that lies, stalls and overcharges at random, orders go where they should " +
  "and nothing is lost", {
  timeout: 240_000,
}, async () => {
  const seed = SEED
  const random = createRandom(seed)
  const given: string[] = [`seed ${seed}`]
  const ids: string[] = []
  // At the beginning the cheaper service is honest, so it gets an order.
  ids.push(await acceptSwap(daemon, ROUTES[0]))
  await until(
    "the first order ended",
    async () => (await daemon.order(ids[0] ?? "")).outcome !== null,
  )
  const untilMs = Date.now() + RUN_MS
  const changing = changeFaults(untilMs, random, given)
  for (let turn = 0; Date.now() < untilMs; turn++) {
    ids.push(...(await requestSwap(ROUTES[turn % ROUTES.length] ?? ROUTES[0])))
    await sleep(ORDER_MS)
  }
  await changing
  await setFaults({ service: urls.faulty })
  await until("the rule is paused between two of its orders", pauseBetweenOrders)
  const areFinal = async (): Promise<boolean> =>
    (await readOrders()).every(({ outcome }) => outcome !== null)
  await until("every order ended", areFinal, 90_000).catch(async (error: unknown) => {
    const open = (await readOrders()).filter(({ outcome }) => outcome === null)
    throw new Error(`${String(error)}; ${given.join(" ")}: ${JSON.stringify(open)}`)
  })
  const orders = await readOrders()
  const told = JSON.stringify({
    given,
    orders: orders.map(({ id, service, state, reasons }) => ({ id, service, state, reasons })),
  })

  const ofHonest = orders.filter(({ service }) => service === "honest")
  expect(ofHonest.length, told).toBeGreaterThan(10)
  expect(
    ofHonest.filter(({ outcome }) => outcome !== "completed"),
    told,
  ).toEqual([])
  expect(orders.find(({ id }) => id === ids[0])).toMatchObject({
    service: "faulty",
    outcome: "completed",
  })
  for (const order of orders) {
    expectFairPrice(order, told)
    expect(["completed", "rejected"], told).toContain(order.outcome)
    expect(order.deposited, told).toBe(order.outcome === "completed")
  }
  await expectBooksToAgree()
  await expectReport(orders)
  await expectWhy(orders, ids[0] ?? "")
})

/**
 * A pause keeps an order of the rule that has no deposit yet open, so it begins when the rule has
 * none.
 */
async function pauseBetweenOrders(): Promise<boolean> {
  await daemon.call("POST", "/api/v1/pause", { rule: "dca" })
  const isIdle = (await readOrders()).every(
    ({ rule, outcome }) => rule !== "dca" || outcome !== null,
  )
  if (!isIdle) await daemon.call("POST", "/api/v1/resume", { rule: "dca" })
  return isIdle
}

async function readOrders(): Promise<OrderView[]> {
  const { body } = await daemon.call("GET", "/api/v1/orders?limit=500")
  // CAST: the daemon's own interface.
  return (body as { orders: OrderView[] }).orders
}

/**
 * The new order's id; nothing where the quotes disagree and no reference price proves one of them.
 */
async function requestSwap(swap: Swap): Promise<string[]> {
  const { status, body } = await daemon.call("POST", "/api/v1/swap", swap)
  // CAST: the daemon's own interface.
  const { id, reasons } = body as { id?: string; reasons?: { code: string }[] }
  if (status === 202 && id !== undefined) return [id]
  expect(
    reasons?.map(({ code }) => code),
    JSON.stringify(body),
  ).toContain("quote.unproven")
  return []
}

/**
 * No order is made at a price that is worse than the honest one by more than `max_cost`, which is 1
 * %.
 */
function expectFairPrice({ considered, service }: OrderView, told: string): void {
  const unitsOf = (name: string | null): bigint[] =>
    considered.filter((one) => one.service === name).map(({ receiveUnits }) => BigInt(receiveUnits))
  const honest = unitsOf("honest")
  const accepted = unitsOf(service)
  if (honest.length === 0 || accepted.length === 0) return
  const best = (units: bigint[]): bigint => units.reduce((a, b) => (a > b ? a : b))
  expect(best(accepted) * 100n, told).toBeGreaterThanOrEqual(best(honest) * 99n)
}

async function changeFaults(untilMs: number, random: () => number, given: string[]): Promise<void> {
  while (Date.now() < untilMs) {
    const faults = FAULTS[Math.floor(random() * FAULTS.length)] ?? []
    given.push(JSON.stringify(faults))
    await setFaults({ service: urls.faulty }, ...faults)
    await sleep(FAULT_MS)
  }
}

/** Every wallet holds what the double-entry books say, to the unit. */
async function expectBooksToAgree(): Promise<void> {
  const readStates = async (): Promise<readonly string[]> => {
    const { body } = await daemon.call("GET", "/api/v1/reconciliation")
    // CAST: the daemon's own interface.
    return (body as { assets: { state: string }[] }).assets.map(({ state }) => state)
  }
  await until("books and chains agree", async () => agree(await readStates()), 30_000)
}

function agree(states: readonly string[]): boolean {
  return states.length > 0 && states.every((state) => state === "agrees")
}

async function expectReport(orders: readonly OrderView[]): Promise<void> {
  const { stdout } = await runBallast(["report", "--by", "service", "--json", "--config", file], {
    env: { BALLAST_OPS_TOKEN: TOKEN },
  })
  // CAST: the command's own answer.
  const { lines } = JSON.parse(stdout) as {
    lines: { group: string; counts: Record<string, number>; toPayoutMs: unknown }[]
  }
  const honest = lines.find(({ group }) => group === "honest")
  expect(honest?.counts).toEqual({
    completed: orders.filter(({ service }) => service === "honest").length,
  })
  expect(honest).toMatchObject({ successBps: 10_000, toPayoutMs: { median: expect.any(Number) } })
  const { body } = await daemon.call("GET", "/api/v1/status")
  expect(body).toMatchObject({
    services: [{ name: "faulty" }, { name: "honest", inFlight: 0, rest: null }],
  })
  const metrics = await daemon.call("GET", "/metrics")
  expect(metrics.body).toMatch(/ballast_service_resting\{service="honest"\} 0/)
}

/** `ballast why` and `ballast order` show the quotes of both services. */
async function expectWhy(orders: readonly OrderView[], first: string): Promise<void> {
  const ruled = orders.filter(({ rule, considered }) => rule === "dca" && considered.length > 0)
  expect(ruled.length).toBeGreaterThan(0)
  const read = async (...args: string[]): Promise<string> =>
    (await runBallast([...args, "--config", file], { env: { BALLAST_OPS_TOKEN: TOKEN } })).stdout
  // CAST: the command's own answer.
  const { quotes } = JSON.parse(await read("why", "dca", "--json")) as {
    quotes: Record<string, Partial<OrderView>>
  }
  for (const { id, considered } of ruled) expect(quotes[id]?.considered).toEqual(considered)
  const shown = await read("order", first)
  expect(shown).toMatch(/quote {5}honest \(/)
  expect(shown).toMatch(/quote {5}faulty \(/)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** mulberry32: the same seed gives the same faults. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
