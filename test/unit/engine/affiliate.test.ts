import { beforeEach, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { AffiliateFee } from "#domain/route/affiliate-fee.ts"
import { mustExist } from "#lib/assert.ts"
import { viewOrder } from "#order/view.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"

const ID = "order-1"
const USDC: AffiliateFee = {
  asset: parseAssetId("base_sepolia:usdc"),
  address: "base_sepolia/partner",
  feeBps: 10,
}
const CBBTC: AffiliateFee = {
  asset: parseAssetId("solana_testnet:cbbtc"),
  address: "another partner",
  feeBps: 20,
}

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
})

const start = (...affiliateFees: AffiliateFee[]): void => {
  daemon = world.start({ settings: { affiliateFees } })
}
const submit = () => daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
const quotes = () =>
  world.faults.calls
    .filter(({ method }) => method === "service.fetchQuotes")
    .map(({ args }) => args[0])

test("an order keeps the affiliate entries of its admission, and requests its quotes with their sum", async () => {
  start(USDC, CBBTC)
  await submit()
  daemon.kill()
  start()
  await daemon.reach("completed")
  expect(quotes()).toEqual(quotes().map(() => expect.objectContaining({ affiliateBps: 30 })))
  expect(world.service.orders[0]?.affiliateFees).toMatchObject([USDC, CBBTC])
})

test.each([
  ["in the asset's own unit if it is configured", new Map([[USDC.asset, 18]]), "1.5"],
  [
    "as unknown if it is not, because USDC has 6 decimals on some chains and 18 on others",
    new Map(),
    null,
  ],
])("the view shows the amount of a fee %s", async (_name, decimals, amount) => {
  start(USDC)
  await submit()
  await daemon.reach("completed")
  const { data, state } = daemon.order(ID)
  const serviceOrder = mustExist(data.serviceOrder, "the order read back")
  const fees = [{ ...USDC, units: 1_500_000_000_000_000_000n }]
  const order = { state, data: { ...data, serviceOrder: { ...serviceOrder, affiliateFees: fees } } }
  const [fee] = viewOrder(order, decimals, 0).affiliateFees
  expect(fee).toEqual({ ...USDC, amount, amountUnits: "1500000000000000000" })
})

test.each([
  [
    "an asset that is not paid out",
    { ...USDC, asset: parseAssetId("base_sepolia:wbtc") },
    "affiliate.asset",
  ],
  [
    "an address of another chain",
    { ...USDC, address: "bitcoin_testnet/partner" },
    "affiliate.address",
  ],
  ["more than everything", { ...USDC, feeBps: 10_001 }, "affiliate.sum"],
])("%s is refused before the service is asked", async (_name, fee, code) => {
  start(fee)
  expect(await submit()).toMatchObject({ ok: false, reasons: [{ code }] })
  expect(quotes()).toEqual([])
})

test("a quote for another sum is replaced by a new quote", async () => {
  start(USDC)
  const [quote] = await world.service.port.fetchQuotes({
    from: ETH,
    to: BTC,
    sourceUnits: 10_000n,
    affiliateBps: 0,
  })
  world.faults.inject("service.fetchQuotes", { lie: () => [{ ...quote, affiliateBps: 11 }] })
  await submit()
  await daemon.reach("completed")
  expect(world.service.orders).toHaveLength(1)
  expect(quotes()).toHaveLength(2)
})

test("an order that lacks an entry when it is read back gets no deposit", async () => {
  start(USDC, CBBTC)
  const forget = async () => {
    const real = await world.service.port.fetchOrder(world.service.orders[0]?.orderId ?? "")
    return { ...real, affiliateFees: real.affiliateFees.slice(0, 1) }
  }
  world.faults.inject("service.fetchOrder", { lie: forget }, 1_000)
  await submit()
  await daemon.reach("rejected")
  expect(daemon.reasons()).toEqual(["affiliate.record"])
  expect(world.signatures).toEqual([])
})
