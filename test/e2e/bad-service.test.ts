import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Fault } from "../../src/lab/sandbox/service/faults.ts"
import { chainOf, readBalances } from "../support/e2e-chain.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { listInitiations } from "../support/e2e-initiations.ts"
import { acceptSwap, refuseSwap, untilReason, waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
} from "../support/sandbox-process.ts"

const FROM = "base_sepolia:wbtc"
const TO = "ethereum_sepolia:wbtc"
const STRANGER = "0x00000000000000000000000000000000000bad01"

let sandbox: SandboxProcess
let daemon: DaemonProcess
/** Each order has a distinct amount, so that the amount of an initiation identifies its order. */
let nextSats = 150_001n

beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  const config = await writeE2eConfig(sandbox, "service", { service: { timeout: "1s" } })
  daemon = startDaemonProcess(config)
  await daemon.ready()
}, 60_000)
afterAll(() => stopAll(daemon, sandbox))

test.for<{ what: string; fault: Fault; code: string }>([
  { what: "a quote of zero", fault: { zeroQuote: true }, code: "service.quote_zero" },
  { what: "no quotes", fault: { emptyQuotes: true }, code: "quote.none" },
])("$what: the swap is refused with $code", async ({ fault, code }) => {
  await setFaults(sandbox, fault)
  await expectUnchangedBalances(async () => {
    expect(await refuseSwap(daemon, nextSwap())).toMatchObject([{ code }])
  })
})

describe("a service that does not answer correctly", () => {
  /**
   * This fault stops all orders that pass the fault under test, so that none reaches its deposit.
   */
  const barrier: Fault = { endpoint: "get", status: 503 }
  const waiting: { readonly id: string; readonly units: bigint }[] = []
  let before: Record<string, bigint>
  beforeAll(async () => {
    before = await readBalances(sandbox)
  })

  // Each order stays waiting while the next case sets its fault, so an accepted order must survive
  // all faults.
  test.for<{ what: string; fault: Fault; says: RegExp }>([
    { what: "with HTML", fault: { html: true }, says: /^service\.unavailable$/ },
    { what: "with HTML and 200", fault: { html: true, status: 200 }, says: /^service\.malformed$/ },
    { what: "with 500", fault: { status: 500 }, says: /^service\.unavailable$/ },
    {
      what: "with a cut connection",
      fault: { endpoint: "quote", drop: true },
      says: /^service\.unavailable$/,
    },
    { what: "at all", fault: { hang: true }, says: /^service\.unavailable$/ },
    {
      what: "with HTML, having created the order",
      fault: { endpoint: "create", html: true, effect: true },
      says: /^service\.uncertain$|^create\.unknown$/,
    },
    {
      what: "at all, having created the order",
      fault: { endpoint: "create", hang: true, effect: true },
      says: /^service\.uncertain$|^create\.unknown$/,
    },
    {
      what: "when the order is read back",
      fault: { endpoint: "get", html: true },
      says: /^service\.unavailable$/,
    },
  ])("$what: the order is accepted and waits, and no funds move", async ({ fault, says }) => {
    await setFaults(sandbox, fault, barrier)
    const swap = nextSwap()
    const id = await acceptSwap(daemon, swap)
    waiting.push({ id, units: swap.units })
    const order = await untilReason(daemon, id, says)
    expect(order).toMatchObject({ held: false, deposited: false, transactions: [] })
    expect(await readBalances(sandbox)).toEqual(before)
    expect(await daemon.call("GET", "/readyz")).toMatchObject({ status: 200 })
  })

  test("completes every order with one deposit after the faults end", async () => {
    expect(waiting).toHaveLength(8)
    await setFaults(sandbox)
    const orders = await Promise.all(waiting.map(({ id }) => waitForOutcome(daemon, id, 100_000)))
    expect(orders.map(({ outcome }) => outcome)).toEqual(orders.map(() => "completed"))
    const after = await readBalances(sandbox)
    const total = waiting.reduce((sum, { units }) => sum + units, 0n)
    expect((before[FROM] ?? 0n) - (after[FROM] ?? 0n)).toBe(total)
    const initiations = await listInitiations(chainOf(sandbox, FROM), FROM)
    for (const { units } of waiting) {
      expect(initiations.filter((initiation) => initiation.units === units)).toHaveLength(1)
    }
  })
})

describe("a service whose order differs from the request", () => {
  test.for<{ what: string; fault: Fault }>([
    {
      what: "a destination amount below the quote",
      fault: { mutateOrder: { destination_swap: { amount: "149000" } } },
    },
    {
      what: "a destination amount of nothing",
      fault: { mutateOrder: { destination_swap: { amount: "0" } } },
    },
    {
      what: "a source amount above the quote",
      fault: { mutateOrder: { source_swap: { amount: "999999" } } },
    },
    {
      what: "another receiver",
      fault: { mutateOrder: { destination_swap: { redeemer: STRANGER } } },
    },
    {
      what: "another asset",
      fault: { mutateOrder: { destination_swap: { asset: "ethereum_sepolia:usdc" } } },
    },
    {
      what: "unequal secret hashes",
      fault: { mutateOrder: { destination_swap: { secret_hash: "ab".repeat(32) } } },
    },
    { what: "a timelock of one block", fault: { mutateOrder: { source_swap: { timelock: 1 } } } },
    {
      what: "a redemption already there",
      fault: { mutateOrder: { destination_swap: { redeem_tx_hash: `0x${"cd".repeat(32)}` } } },
    },
    { what: "another contract to pay", fault: { mutateCreate: { transaction: { to: STRANGER } } } },
    {
      what: "another contract to sign for",
      fault: { mutateCreate: { typed_data: { domain: { verifyingContract: STRANGER } } } },
    },
    {
      what: "another amount to sign for",
      fault: { mutateCreate: { typed_data: { message: { amount: "0xf4240" } } } },
    },
    {
      what: "another redeemer to sign for",
      fault: { mutateCreate: { typed_data: { message: { redeemer: STRANGER } } } },
    },
    {
      what: "another chain to sign for",
      fault: { mutateCreate: { typed_data: { domain: { chainId: "0x1" } } } },
    },
    {
      what: "no order at all",
      fault: { endpoint: "create", status: 400, error: "the price has moved" },
    },
  ])("$what: it is rejected with a reason, and no funds move", async ({ fault }) => {
    await setFaults(sandbox, fault)
    await expectUnchangedBalances(async () => {
      const order = await waitForOutcome(daemon, await acceptSwap(daemon, nextSwap()), 30_000)
      expect(order).toMatchObject({ outcome: "rejected", deposited: false, transactions: [] })
      expect(order.reasons.length).toBeGreaterThan(0)
      for (const { code } of order.reasons)
        expect(code).toMatch(/^(verify|evm)\.|^service\.refused$/)
    })
  })
})

async function expectUnchangedBalances(work: () => Promise<void>): Promise<void> {
  const before = await readBalances(sandbox)
  await work()
  expect(await readBalances(sandbox)).toEqual(before)
}

function nextSwap(): { from: string; to: string; amount: string; units: bigint } {
  const units = nextSats++
  return { from: FROM, to: TO, amount: `0.${units.toString().padStart(8, "0")}`, units }
}
