import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { OrderView } from "../../src/core/order/view.ts"
import type { Fault } from "../../src/lab/sandbox/service/faults.ts"
import { chainOf, readBalances } from "../support/e2e-chain.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { countStrikes, setFaults } from "../support/e2e-faults.ts"
import { listInitiations } from "../support/e2e-initiations.ts"
import { acceptSwap, type Swap, waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
} from "../support/sandbox-process.ts"

const CHAINS = ["--chains", "base_sepolia,starknet_sepolia"]
const EVM = "base_sepolia:wbtc"
const STARKNET = "starknet_sepolia:wbtc"
/** The client's timeout is short, so that the client gives up on a silent relay within the test. */
const PATIENCE = { service: { timeout: "2s" } }

type Case = {
  readonly relay: string
  readonly fault: Fault
  readonly ends: readonly string[]
}

/**
 * Each order of the file has a distinct amount, so that the amount of an initiation identifies its
 * order.
 */
let nextSats = 110_001n

// Each group has its own sandbox and mostly waits, so the groups run concurrently.
describe("a relay of gasless signatures that fails, with direct deposits allowed", {
  concurrent: true,
}, () => {
  const world = useWorld([], "auto")

  test.for<Case>([
    {
      relay: "answers 500 after having submitted",
      fault: { endpoint: "initiate", status: 500, effect: true },
      ends: ["gasless"],
    },
    {
      relay: "submits and never answers",
      fault: { endpoint: "initiate", hang: true, effect: true },
      ends: ["gasless"],
    },
    {
      relay: "submits and cuts the connection",
      fault: { endpoint: "initiate", drop: true },
      ends: ["gasless"],
    },
    {
      relay: "rejects",
      fault: { endpoint: "initiate", status: 400, error: "gasless is not enabled for this app id" },
      ends: ["onchain"],
    },
    {
      relay: "never answers and never submits",
      fault: { endpoint: "initiate", hang: true },
      ends: ["onchain"],
    },
  ])("$relay: one initiation", { timeout: 120_000, concurrent: false }, (row) =>
    expectOneEach(world, row),
  )
})

describe("a relay that submits after the client has deposited directly", {
  concurrent: true,
}, () => {
  const world = useWorld([], "auto")

  // The delay is about as long as the timeout of the client, so that both deposits are pending at
  // the same time.
  test("one initiation", { timeout: 120_000 }, () =>
    expectOneEach(world, {
      fault: { endpoint: "initiate", delayMs: 20_500 },
      ends: ["gasless", "onchain"],
    }),
  )
})

describe("a relay of gasless signatures that fails, with no other deposits allowed", {
  concurrent: true,
}, () => {
  const world = useWorld([], "gasless")

  test.for<Case>([
    {
      relay: "rejects at first",
      fault: { endpoint: "initiate", status: 400, count: 2 },
      ends: ["gasless"],
    },
    {
      relay: "does not answer at first",
      fault: { endpoint: "initiate", hang: true, count: 2 },
      ends: ["gasless"],
    },
  ])(
    "$relay: the client repeats the same signature, one initiation",
    { timeout: 60_000, concurrent: false },
    (row) => expectOneEach(world, row),
  )
})

describe("a relay of gasless signatures that answers 202 with a status text", {
  concurrent: true,
}, () => {
  const world = useWorld(["--dialect", "2026"], "gasless")

  test("one initiation", { timeout: 60_000 }, async () => {
    await setFaults(world.sandbox(), { statusText: true })
    for (const { deposit } of await swapBothWays(world)) expect(deposit).toBe("gasless")
    expect(await countStrikes(world.sandbox())).toEqual([2])
  })
})

async function expectOneEach(world: World, { fault, ends }: Omit<Case, "relay">): Promise<void> {
  await setFaults(world.sandbox(), fault)
  const orders = await swapBothWays(world)
  const [struck = 0] = await countStrikes(world.sandbox())
  expect(struck).toBeGreaterThanOrEqual(2)
  for (const { deposit, transactions } of orders) {
    expect(ends).toContain(deposit)
    if (deposit === "gasless")
      expect(transactions.map(({ purpose }) => purpose)).not.toContain("deposit")
  }
}

type World = { readonly sandbox: () => SandboxProcess; readonly daemon: () => DaemonProcess }

function useWorld(args: readonly string[], deposit: string): World {
  let sandbox: SandboxProcess
  let daemon: DaemonProcess
  beforeAll(async () => {
    sandbox = await startSandboxProcess([...CHAINS, ...args])
    daemon = startDaemonProcess(await writeE2eConfig(sandbox, "relay", PATIENCE, { deposit }))
    await daemon.ready()
  }, 60_000)
  afterAll(() => stopAll(daemon, sandbox))
  return { sandbox: () => sandbox, daemon: () => daemon }
}

/**
 * Creates one order from EVM and one from Starknet concurrently, waits until both complete, and
 * checks chains and balances.
 */
async function swapBothWays(world: World): Promise<readonly OrderView[]> {
  const sandbox = world.sandbox()
  const before = await readBalances(sandbox)
  const swaps: Swap[] = [
    { from: EVM, to: STARKNET, amount: nextAmount() },
    { from: STARKNET, to: EVM, amount: nextAmount() },
  ]
  const ids = await Promise.all(swaps.map((swap) => acceptSwap(world.daemon(), swap)))
  const orders = await Promise.all(ids.map((id) => waitForOutcome(world.daemon(), id, 90_000)))
  expect(orders.map(({ outcome }) => outcome)).toEqual(["completed", "completed"])
  for (const order of orders) await expectOneInitiation(sandbox, order)
  const after = await readBalances(sandbox)
  const [evm, starknet] = orders
  expect((after[EVM] ?? 0n) - (before[EVM] ?? 0n)).toBe(received(starknet) - sent(evm))
  expect((after[STARKNET] ?? 0n) - (before[STARKNET] ?? 0n)).toBe(received(evm) - sent(starknet))
  return orders
}

async function expectOneInitiation(sandbox: SandboxProcess, order: OrderView): Promise<void> {
  const secretHash = await findSecretHash(sandbox, order)
  const initiations = await listInitiations(chainOf(sandbox, order.from), order.from)
  const units = sent(order)
  // Count by hash and by amount, because a second order at the service for the same swap would have
  // another hash.
  expect(initiations.filter((initiation) => initiation.secretHash === secretHash)).toEqual([
    { secretHash, units },
  ])
  expect(initiations.filter((initiation) => initiation.units === units)).toEqual([
    { secretHash, units },
  ])
}

async function findSecretHash(sandbox: SandboxProcess, order: OrderView): Promise<string> {
  const answer = await fetch(`${sandbox.service}/sandbox/orders`)
  // CAST: the sandbox's own route.
  const { orders } = (await answer.json()) as {
    orders: { id: string; source: { swap: { secretHash: string } } }[]
  }
  return (
    orders.find(({ id }) => id === order.serviceOrderId)?.source.swap.secretHash ?? "no such order"
  )
}

function nextAmount(): string {
  const sats = nextSats++
  return `0.${sats.toString().padStart(8, "0")}`
}

function sent(order: OrderView | undefined): bigint {
  return BigInt(order?.amountUnits ?? 0)
}

function received(order: OrderView | undefined): bigint {
  return BigInt(order?.destinationAmountUnits ?? 0)
}
