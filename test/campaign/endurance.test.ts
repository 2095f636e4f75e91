import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { mustExist } from "../../src/core/lib/assert.ts"
import { findChildren } from "../support/child-processes.ts"
import { collectedHeapBytes, inspectable } from "../support/collected-heap.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
  writeDaemonConfig,
} from "../support/sandbox-process.ts"

/**
 * A minute, or as long as `npm run endurance` says; 0 where that run is under way beside this one.
 */
const SECONDS = Number(process.env["BALLAST_ENDURANCE_SECONDS"] ?? "60")
const TITLE = `many orders for ${SECONDS} s complete, memory stays bounded, and every process lives`
const MIB = 2 ** 20
/**
 * What an order leaves in memory for ever would show here: a thousand orders that keep 30 KiB each
 * are 30 MiB.
 */
const MOST_HEAP_GROWTH_BYTES = 24 * MIB
/**
 * Resident memory also grows while the collector waits, more so on a busy machine. A leak outside
 * the heap grows it further.
 */
const MOST_GROWTH_BYTES = 500 * MIB
const CHAINS = ["base_sepolia", "ethereum_sepolia", "solana_testnet"]
const ROUTES = [
  { from: "base_sepolia:wbtc", to: "solana_testnet:usdc", amount: "0.0005" },
  { from: "solana_testnet:usdc", to: "ethereum_sepolia:wbtc", amount: "50" },
  { from: "ethereum_sepolia:wbtc", to: "base_sepolia:wbtc", amount: "0.0005" },
]
/**
 * Two hours bring a thousand orders, ten minutes a third of them also on a busy machine; slots are
 * so short that ten minutes have more than 5 000.
 */
const IS_LONG = SECONDS >= 600
const SLOT_MS = IS_LONG ? 100 : 400
const MOST_OPEN = IS_LONG ? 40 : 12
const LEAST_ORDERS = IS_LONG ? Math.min(1_000, SECONDS * 0.5) : SECONDS / 6
/**
 * The time between two orders. Surfpool 1.5.0 copies all transactions for each new one: after some
 * thousand Solana orders within an hour it stops.
 */
const PACE_MS = SECONDS >= 3_600 ? (SECONDS * 1_000) / (LEAST_ORDERS * 1.1) : 0
const LEAST_SLOTS = IS_LONG ? 5_000 : SECONDS

let sandbox: SandboxProcess
let daemon: DaemonProcess
let ports: { readonly sandbox: number; readonly daemon: number }

beforeAll(async () => {
  const one = await inspectable()
  const two = await inspectable()
  ports = { sandbox: one.port, daemon: two.port }
  sandbox = await startSandboxProcess(
    ["--chains", CHAINS.join(","), "--solana-slot", String(SLOT_MS)],
    one.env,
  )
  // An order a second has two signatures or more, and the default of the limit is for fewer orders.
  const limits = {
    guards: { max_cost: "250bps", max_in_flight: 60 },
    signer: { signatures_per_hour: 50_000 },
  }
  const config = await writeDaemonConfig(sandbox, "endurance", limits)
  daemon = startDaemonProcess(config, two.env)
  await daemon.ready()
}, 180_000)

afterAll(() => stopAll(daemon, sandbox))

type Memory = { readonly heap: number; readonly resident: number }

async function memoryOf(name: "sandbox" | "daemon", pid: number): Promise<Memory> {
  return { heap: await collectedHeapBytes(pid, ports[name]), resident: residentBytes(pid) }
}

/** From the kernel. */
function residentBytes(pid: number): number {
  const [, kib = "0"] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kib) * 1024
}

/** Of the local chains' nodes, which are children of the sandbox. */
function nodeBytes(sandboxPid: number): number {
  const pids = ["anvil", "run-validator"].flatMap((name) => findChildren(sandboxPid, name))
  expect(pids).toHaveLength(CHAINS.length)
  return pids.reduce((sum, pid) => sum + residentBytes(pid), 0)
}

type Status = {
  pid: number
  service: string
  chains: { chain: string; state: string; restarts: number }[]
}

async function readSandbox(): Promise<Status> {
  // CAST: the sandbox's own route answers in this shape.
  return (await (await fetch(`${sandbox.service}/sandbox/status`)).json()) as Status
}

/** From the metrics, because a list of orders has an end. */
async function countOrders(): Promise<{ open: number; completed: number; held: number }> {
  const { body } = await daemon.call("GET", "/metrics")
  const read = (line: string): number => {
    const [, value] = new RegExp(`^${line} (\\d+)$`, "m").exec(String(body)) ?? []
    if (value === undefined) throw new Error(`The metrics have no line ${line}`)
    return Number(value)
  }
  // A state without an order has no line; every accepted order is in one of these states or open.
  const inState = (state: string): number =>
    String(body).includes(`ballast_orders{state="${state}"}`)
      ? read(`ballast_orders\\{state="${state}"\\}`)
      : 0
  return {
    open: read("ballast_orders_in_flight"),
    completed: inState("completed"),
    held: inState("held"),
  }
}

/** These orders with their events, for a failure: their journal is gone with the test. */
async function describeOrders(
  title: string,
  isMeant: (state: string) => boolean = () => true,
): Promise<string> {
  // CAST: the daemon's own answers.
  const { orders } = (await daemon.call("GET", "/api/v1/orders?open=true&limit=60")).body as {
    orders: { id: string; state: string }[]
  }
  const ids = orders.filter(({ state }) => isMeant(state)).map(({ id }) => id)
  const views = await Promise.all(
    ids.map(async (id) => (await daemon.call("GET", `/api/v1/orders/${id}`)).body),
  )
  return `${title}: ${JSON.stringify(views, null, 1).slice(0, 60_000)}`
}

async function readSlot(): Promise<number> {
  const url = sandbox.chains.find(({ name }) => name === "solana_testnet")?.url ?? ""
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getSlot" })
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  })
  // CAST: the JSON-RPC answer of the validator.
  return ((await response.json()) as { result: number }).result
}

test.skipIf(SECONDS === 0)(TITLE, { timeout: (SECONDS + 180) * 1_000 }, async () => {
  const pids = { daemon: daemon.child.pid ?? 0, sandbox: (await readSandbox()).pid }
  const start = Date.now()
  const end = Date.now() + SECONDS * 1_000
  let accepted = 0
  let first: { daemon: Memory; sandbox: Memory; nodes: number } | null = null
  while (Date.now() < end) {
    const { open, held } = await countOrders()
    expect(held, held === 0 ? "" : await describeOrders("held", (state) => state === "held")).toBe(
      0,
    )
    if (open < MOST_OPEN && Date.now() >= start + accepted * PACE_MS) {
      const { status } = await daemon.call("POST", "/api/v1/swap", ROUTES[accepted % ROUTES.length])
      if (status < 300) accepted += 1
    } else await new Promise((resolve) => setTimeout(resolve, 300))
    // A quarter of the time is enough to load every module.
    if (first === null && Date.now() > end - SECONDS * 750)
      first = {
        daemon: await memoryOf("daemon", pids.daemon),
        sandbox: await memoryOf("sandbox", pids.sandbox),
        nodes: nodeBytes(pids.sandbox),
      }
  }
  await until("no order is open", async () => (await countOrders()).open === 0, 120_000).catch(
    async (error: unknown) => {
      throw new Error(await describeOrders("still open"), { cause: error })
    },
  )
  const { chains, service, pid } = await readSandbox()
  expect({ pid, service }).toEqual({ pid: pids.sandbox, service: "up" })
  expect(chains).toEqual(
    CHAINS.map((chain) => expect.objectContaining({ chain, state: "up", restarts: 0 })),
  )
  expect(daemon.child.exitCode).toBeNull()
  expect(accepted).toBeGreaterThan(LEAST_ORDERS)
  expect((await countOrders()).completed).toBe(accepted)
  expect(await readSlot()).toBeGreaterThan(LEAST_SLOTS)
  for (const name of ["daemon", "sandbox"] as const) {
    const before = mustExist(first, "the first measurement")[name]
    const after = await memoryOf(name, pids[name])
    process.stderr.write(
      `${name}: heap ${mib(before.heap)} -> ${mib(after.heap)}, resident ` +
        `${mib(before.resident)} -> ${mib(after.resident)}\n`,
    )
    expect(after.heap - before.heap).toBeLessThan(MOST_HEAP_GROWTH_BYTES)
    expect(after.resident - before.resident).toBeLessThan(MOST_GROWTH_BYTES)
  }
  const before = mustExist(first, "the first measurement").nodes
  const after = nodeBytes(pids.sandbox)
  process.stderr.write(`nodes: resident ${mib(before)} -> ${mib(after)}\n`)
  expect(after - before).toBeLessThan(CHAINS.length * MOST_GROWTH_BYTES)
})

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`
}
