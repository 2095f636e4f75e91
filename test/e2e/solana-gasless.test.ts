import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Fault } from "../../src/lab/sandbox/service/faults.ts"
import { readBalances } from "../support/e2e-chain.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
} from "../support/sandbox-process.ts"

/* Tokens of Solana, whose deposit the relay of the service pays. */

/** Short slots, because a blockhash lives for 150 of them. */
const CHAINS = [
  "--chains",
  "base_sepolia,solana_testnet",
  "--dialect",
  "2026",
  "--solana-slot",
  "100",
]
const USDC = "solana_testnet:usdc"
const SOL = "solana_testnet:sol"
const WBTC = "base_sepolia:wbtc"
/** The client's timeout is short, so that it gives up on a silent relay within the test. */
const PATIENCE = { service: { timeout: "2s" } }

/** Each order has an amount of its own, so that its deposit is found by the amount. */
let nextCents = 10_100

type Case = {
  readonly relay: string
  readonly fault: Fault
  readonly ends: "gasless" | "onchain"
}

describe("a token of Solana, with direct deposits allowed", () => {
  const world = useWorld("auto")

  test.for<Case>([
    { relay: "works", fault: {}, ends: "gasless" },
    {
      relay: "answers 500 after having deposited",
      fault: { endpoint: "initiate", status: 500, effect: true },
      ends: "gasless",
    },
    {
      relay: "deposits and cuts the connection",
      fault: { endpoint: "initiate", drop: true },
      ends: "gasless",
    },
    {
      relay: "rejects",
      fault: { endpoint: "initiate", status: 400, error: "gasless is not enabled" },
      ends: "onchain",
    },
    {
      relay: "never answers and never deposits",
      fault: { endpoint: "initiate", hang: true },
      ends: "onchain",
    },
    {
      relay: "deposits after the client has given up",
      fault: { endpoint: "initiate", delayMs: 6_000 },
      ends: "gasless",
    },
    {
      relay: "tries when its blockhash is dead",
      fault: { endpoint: "initiate", delayMs: 30_000 },
      ends: "onchain",
    },
  ])(
    "is deposited once when the relay $relay: $ends",
    { timeout: 240_000 },
    async ({ fault, ends }) => {
      const { before, after, order } = await swap(world, fault)
      expect(order).toMatchObject({ outcome: "completed", deposit: ends })
      const paid = BigInt(order.amountUnits ?? 0)
      expect(spent(before, after, USDC)).toBe(paid)
      expect(await depositsOf(world.sandbox(), paid)).toBe(1)
      if (ends === "gasless") expect(spent(before, after, SOL)).toBe(0n)
    },
  )
})

describe("a token of Solana, with no other deposits allowed", () => {
  const world = useWorld("gasless")

  test("is never deposited when the relay rejects: the order ends once the signature is dead", {
    timeout: 240_000,
  }, async () => {
    const rejects = { endpoint: "initiate", status: 400 } as const
    const { before, after, order } = await swap(world, rejects)
    expect(order).toMatchObject({ outcome: "rejected", deposited: false })
    expect(order.reasons.map(({ code }) => code)).toContain("gasless.late")
    for (const asset of [USDC, SOL]) expect(spent(before, after, asset)).toBe(0n)
  })

  test("is not signed for a relay's transaction that does more", { timeout: 120_000 }, async () => {
    const hostile = { hostile: "relayed-solana-transfer" } as const
    const { before, after, order } = await swap(world, hostile)
    expect(order).toMatchObject({ outcome: "rejected", deposited: false })
    const codes = order.reasons.map(({ code }) => code)
    expect(codes).toContain("gasless.unavailable")
    expect(codes).toContain("solana.gasless_instructions")
    for (const asset of [USDC, SOL]) expect(spent(before, after, asset)).toBe(0n)
  })
})

type World = { readonly sandbox: () => SandboxProcess; readonly daemon: () => DaemonProcess }

function useWorld(deposit: string): World {
  let sandbox: SandboxProcess
  let daemon: DaemonProcess
  beforeAll(async () => {
    sandbox = await startSandboxProcess(CHAINS)
    daemon = startDaemonProcess(await writeE2eConfig(sandbox, deposit, PATIENCE, { deposit }))
    await daemon.ready()
  }, 120_000)
  afterAll(() => stopAll(daemon, sandbox))
  return { sandbox: () => sandbox, daemon: () => daemon }
}

async function swap(world: World, fault: Fault) {
  const sandbox = world.sandbox()
  await setFaults(sandbox, fault)
  const before = await readBalances(sandbox)
  const amount = (nextCents++ / 100).toFixed(2)
  const id = await acceptSwap(world.daemon(), { from: USDC, to: WBTC, amount })
  const order = await waitForOutcome(world.daemon(), id, 220_000)
  return { before, after: await readBalances(sandbox), order }
}

type Balances = Readonly<Record<string, bigint>>

function spent(before: Balances, after: Balances, asset: string): bigint {
  return (before[asset] ?? 0n) - (after[asset] ?? 0n)
}

/** The funded orders of this amount in the records of the service. */
async function depositsOf({ service }: SandboxProcess, units: bigint): Promise<number> {
  const answer = await fetch(`${service}/sandbox/orders`)
  type Stored = { source: { swap: { asset: string; units: string }; seen: { initiated: unknown } } }
  // CAST: the sandbox's own route.
  const { orders } = (await answer.json()) as { orders: readonly Stored[] }
  return orders.filter(
    ({ source: { swap, seen } }) =>
      swap.asset === USDC && swap.units === units.toString() && seen.initiated,
  ).length
}
