import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { OrderView } from "../../src/core/order/view.ts"
import {
  HOSTILE_NAMES,
  type HostileName,
  hostileMode,
} from "../../src/lab/sandbox/hostile/hostile-modes.ts"
import { readBalance } from "../support/read-balance.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
  writeDaemonConfig,
} from "../support/sandbox-process.ts"

/** One route per source family. Every family is the destination of one route. */
const ROUTES = {
  bitcoin: { from: "bitcoin_testnet:btc", to: "base_sepolia:wbtc", amount: "0.002" },
  evm: { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.002" },
  solana: { from: "solana_testnet:sol", to: "starknet_sepolia:wbtc", amount: "1" },
  starknet: { from: "starknet_sepolia:wbtc", to: "solana_testnet:sol", amount: "0.002" },
} as const
type Family = keyof typeof ROUTES

/** In these modes the daemon makes a deposit, because the attack comes after the deposit. */
const AFTER_THE_DEPOSIT: readonly HostileName[] = [
  "source-redeemed-without-destination",
  "reports-redeem-falsely",
]
/** They attack the gasless way of tokens alone (`solana-gasless.test.ts`). */
const RELAYED: readonly HostileName[] = ["relayed-solana-transfer"]
const BEFORE = HOSTILE_NAMES.filter(
  (name) => !AFTER_THE_DEPOSIT.includes(name) && !RELAYED.includes(name),
)

/**
 * The reason codes by mode: each order that the mode attacks must show one of them to the operator.
 */
const NAMED: { readonly [name in HostileName]?: RegExp } = {
  "drained-amount": /^verify\.deposit_amount$/,
  "foreign-recipient":
    /^(bitcoin\.address_underived|evm\.htlc_unknown|solana\.initiate_count|starknet\.htlc_unknown)$/,
  "unlimited-approval": /^(evm\.calldata|starknet\.selector)$/,
  "extra-solana-instruction": /^solana\.extra_instruction$/,
  "wrong-network-address": /^(bitcoin\.address_network|evm\.chain_id|starknet\.typed_chain_id)$/,
  "reused-secret-hash": /^verify\.secret_hash_reused$/,
  "timelock-too-short": /^verify\.timelock_source$/,
  "timelock-too-long": /^verify\.timelock_source$/,
  "destination-lock-longer": /^verify\.timelock_margin$/,
  "destination-owner-swapped": /^verify\.destination_owner$/,
  "foreign-order-id":
    /^(verify\.secret_hash_source|verify\.source_|bitcoin\.swap_id_mismatch|service\.not_found)/,
  "amounts-differ": /^verify\.destination_amount$/,
  "redeemed-already": /^verify\.destination_redeem$/,
  "typed-data-differs": /^(evm\.typed_data_redeemer|starknet\.typed_redeemer)$/,
}

describe("a hostile service", () => {
  let sandbox: SandboxProcess
  let daemon: DaemonProcess
  beforeAll(async () => {
    sandbox = await startSandboxProcess([
      "--dialect",
      "2026",
      "--chains",
      "bitcoin_testnet,base_sepolia,solana_testnet,starknet_sepolia",
    ])
    expect(sandbox.missing).toEqual([])
    daemon = startDaemonProcess(await writeDaemonConfig(sandbox, "hostile"))
    await daemon.ready()
    // One honest order of each family: some modes use the secret hash or the id of an earlier
    // order.
    const orders = await Promise.all(Object.values(ROUTES).map(swap))
    for (const id of orders) await ended(id)
  }, 120_000)
  afterAll(() => stopAll(daemon, sandbox))

  test.for(BEFORE)(
    "that tries %s moves no funds, and the operator sees the reason",
    { timeout: 60_000 },
    async (name) => {
      await setFaults({ hostile: name })
      const families = hostileMode(name).families.filter(
        (family): family is Family => family in ROUTES,
      )
      const before = await readBalances(families)
      const orders = await Promise.all(families.map((family) => swap(ROUTES[family])))
      for (const [index, id] of orders.entries()) {
        const order = await ended(id)
        const codes = order.reasons.map(({ code }) => code)
        expect({
          family: families[index],
          outcome: order.outcome,
          deposited: order.deposited,
          codes,
        }).toMatchObject({
          outcome: "rejected",
          deposited: false,
        })
        expect(order.transactions).toEqual([])
        expect(
          codes.filter((code) => NAMED[name]?.test(code)),
          `${families[index]}: ${codes.join()}`,
        ).not.toEqual([])
        for (const reason of order.reasons) expect(reason.message.length).toBeGreaterThan(15)
      }
      expect(await readBalances(families)).toEqual(before)
    },
  )

  test("that redeems the source without paying is noticed within seconds, and the order goes on " +
    "watching for a late payout", {
    timeout: 60_000,
  }, async () => {
    await setFaults({ hostile: "source-redeemed-without-destination" })
    const id = await swap(ROUTES.starknet)
    const isAlarmed = async (): Promise<boolean> =>
      (await alerts()).some(({ orderId }) => orderId === id)
    await until("there is an alarm", isAlarmed, 40_000)
    const order = await daemon.order(id)
    expect(order.held).toBe(false)
    expect(order.reasons.map(({ code }) => code)).toContain("alarm.source_redeemed")
    expect(order.outcome).toBeNull()
    const seenAt = Date.parse(order.seen["sourceRedeemed"]?.at ?? "")
    const alert = (await alerts()).find(({ orderId }) => orderId === id)
    expect(alert?.reason.code).toBe("alarm.source_redeemed")
    // Ten seconds for a destination that is behind, and the next observation, each five seconds at
    // most.
    expect((alert?.atMs ?? 0) - seenAt).toBeGreaterThanOrEqual(10_000)
    expect((alert?.atMs ?? 0) - seenAt).toBeLessThan(20_000)
  })

  test("that has taken a deposit gets no other one until an operator acknowledges the alarm", async () => {
    const { status, body } = await daemon.call("POST", "/api/v1/swap", ROUTES.evm)
    expect({ status, body }).toMatchObject({ status: 409, body: { reasons: [{ code: "paused" }] } })
    const refused = await daemon.call("POST", "/api/v1/resume", {})
    expect(refused).toMatchObject({ status: 409, body: { reasons: [{ code: "pause.alarm" }] } })
    const ids = (refused.body as { reasons: readonly { alarm: string }[] }).reasons.map(
      ({ alarm }) => alarm,
    )
    expect(await daemon.call("POST", "/api/v1/resume", { acknowledge: ids })).toMatchObject({
      status: 200,
    })
  })

  test("that reports a false redemption completes no order, and raises an alarm", {
    timeout: 90_000,
  }, async () => {
    await setFaults({ hostile: "reports-redeem-falsely" })
    const id = await swap({ ...ROUTES.bitcoin, from: "starknet_sepolia:wbtc", amount: "0.003" })
    await until(
      "the report is seen",
      async () => (await daemon.order(id)).state === "redeem-reported",
      40_000,
    )
    await until(
      "there is an alarm",
      async () => (await alerts()).some(({ orderId }) => orderId === id),
      50_000,
    )
    const order = await daemon.order(id)
    expect(order.outcome).toBeNull()
    expect(order.reported).not.toBeNull()
    expect(order.seen["destinationRedeemed"]).toBeNull()
    expect(order.reasons.map(({ code }) => code)).toContain("alarm.report_unproven")
  })

  async function setFaults(faults: object): Promise<void> {
    const answer = await fetch(`${sandbox.service}/sandbox/faults`, {
      method: "POST",
      body: JSON.stringify(faults),
    })
    expect(answer.status).toBe(200)
  }

  async function swap(route: { from: string; to: string; amount: string }): Promise<string> {
    const { from, to, amount } = route
    const answer = await daemon.call("POST", "/api/v1/swap", { from, to, amount })
    expect(answer.status, JSON.stringify(answer.body)).toBe(202)
    return (answer.body as { id: string }).id
  }

  async function ended(id: string): Promise<OrderView> {
    await until(
      "the order has ended",
      async () => (await daemon.order(id)).outcome !== null,
      45_000,
    )
    return daemon.order(id)
  }

  type Alert = { orderId: string | null; atMs: number; reason: { code: string } }
  async function alerts(): Promise<readonly Alert[]> {
    const { body } = await daemon.call("GET", "/api/v1/status")
    return (body as { alerts: readonly Alert[] }).alerts
  }

  /**
   * The balances of all coins and tokens on these chains; the daemon must not even spend a network
   * fee.
   */
  async function readBalances(families: readonly string[]): Promise<Record<string, bigint>> {
    const assets = sandbox.chains
      .filter(({ family }) => families.includes(family))
      .flatMap((chain) => chain.assets.map(({ id }) => ({ chain, id })))
    const entries = await Promise.all(
      assets.map(async ({ chain, id }) => [id, await readBalance(chain, id)] as const),
    )
    return Object.fromEntries(entries)
  }
})
