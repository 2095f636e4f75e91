import { afterEach, expect, it } from "vitest"
import { isoWeek } from "#sandbox/service/solver/payouts.ts"
import { BITCOIN_TO_EVM, type Harness, slowDown, startHarness, until } from "./service-harness.ts"

let harness: Harness | undefined
afterEach(async () => {
  await harness?.service.stop()
  harness = undefined
})

it("shows the running chains, funds addresses, advances chains and shows secrets without an app id", async () => {
  harness = await startHarness()
  const { call, evm, createOrder } = harness
  const info = (await call("GET", "/sandbox/info", { appId: null })).json
  expect(info).toMatchObject({
    dialect: "contract",
    appId: "ballast-sandbox",
    appIdHeader: "service-app-id",
  })
  expect(info.chains[1]).toMatchObject({
    name: "base_sepolia",
    family: "evm",
    url: "memory:base_sepolia",
    chainId: 84_532,
  })
  expect(info.chains[1].assets[0]).toMatchObject({ id: "base_sepolia:wbtc", decimals: 8 })

  const body = { address: "base_sepolia somebody", asset: "base_sepolia:usdc", amount: "5000000" }
  expect((await call("POST", "/sandbox/fund", { body, appId: null })).json).toEqual({
    tx: expect.any(String),
  })
  expect(await evm.balance(body.address, body.asset)).toBe(5_000_000n)
  for (const wrong of [{ asset: "moon:cheese" }, { address: "nobody" }, { amount: "0" }]) {
    expect((await call("POST", "/sandbox/fund", { body: { ...body, ...wrong } })).status).toBe(400)
  }
  expect(
    (await call("POST", "/sandbox/advance", { body: { chain: "base_sepolia", blocks: 7 } })).json,
  ).toEqual({
    height: "107",
  })

  const id = await createOrder()
  const { orders } = (await call("GET", "/sandbox/orders", { appId: null })).json
  expect(orders[0]).toMatchObject({
    id,
    phase: "open",
    secret: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

it("pays the affiliate fees of completed orders once, and records failed payouts", async () => {
  harness = await startHarness()
  const { call, createOrder, fetchOrder, bitcoin, evm, service } = harness
  const affiliate_fees = [
    { asset: "base_sepolia:usdc", address: "base_sepolia partner", fee: 10 },
    { asset: "base_sepolia:cbbtc", address: "base_sepolia partner", fee: 20 },
  ]
  const destination = { ...BITCOIN_TO_EVM.destination, amount: "993833" }
  const ids = [1, 2, 3].map(() => createOrder({ destination, affiliate_fees }))
  const [first, second] = await Promise.all(ids)
  for (const id of [first, second]) {
    bitcoin.deposit((await fetchOrder(`${id}`)).source_swap.swap_id, 1_000_000n)
  }
  await until(() => service.orders().filter((order) => order.phase === "complete").length === 2)

  // Two concurrent requests pay once. The third order never completed, so it earns no fee.
  slowDown(evm, "fund")
  const [one, two] = await Promise.all([
    call("POST", "/sandbox/payouts"),
    call("POST", "/sandbox/payouts"),
  ])
  const week = isoWeek(Date.now())
  expect(one.json.payouts).toEqual([
    expect.objectContaining({
      week,
      asset: "base_sepolia:usdc",
      amount: "1200000",
      tx: expect.any(String),
      reason: null,
    }),
    expect.objectContaining({
      asset: "base_sepolia:cbbtc",
      amount: "4000",
      tx: null,
      reason: "no local chain holds base_sepolia:cbbtc",
    }),
  ])
  expect(two.json.payouts.map((payout: { asset: string }) => payout.asset)).toEqual([
    "base_sepolia:cbbtc",
  ])
  expect(await evm.balance("base_sepolia partner", "base_sepolia:usdc")).toBe(1_200_000n)
  const state = (await call("GET", "/sandbox/payouts")).json
  expect(state.accrued.map((due: { asset: string }) => due.asset)).toEqual(["base_sepolia:cbbtc"])
  expect(state.payouts).toHaveLength(2)
})

it.each([
  ["2026-01-01", "2026-W01"],
  ["2027-01-03", "2026-W53"],
  ["2024-12-30", "2025-W01"],
  ["2026-11-22", "2026-W47"],
])("assigns %s to week %s", (day, week) => {
  expect(isoWeek(Date.parse(`${day}T12:00:00Z`))).toBe(week)
})
