import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, expect, it } from "vitest"
import { restMs } from "#sandbox/service/solver/start-solver.ts"
import type { LocalService, ServiceOptions } from "#sandbox/service/start-service.ts"
import { createMemoryChain } from "./memory-chain.ts"
import { BITCOIN_TO_EVM, type Harness, type Json, startHarness, until } from "./service-harness.ts"

const services: LocalService[] = []
const folders: string[] = []
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
async function open(options: Partial<ServiceOptions> = {}): Promise<Harness> {
  const harness = await startHarness(options)
  services.push(harness.service)
  return harness
}

const UNITS = 1_000_000n

async function createAndPay(harness: Harness, units = UNITS): Promise<string> {
  const id = await harness.createOrder()
  harness.bitcoin.deposit((await harness.fetchOrder(id)).source_swap.swap_id, units)
  return id
}

function storedPhase(harness: Harness, id: string): string | undefined {
  return harness.service.orders().find((order) => order.id === id)?.phase
}

function callsOf(harness: Harness, method: string): number {
  const calls = [...harness.bitcoin.control.calls, ...harness.evm.control.calls]
  return calls.filter((call) => call.startsWith(`${method} `)).length
}

it(
  "funds the destination after an exact deposit, redeems it with the secret, and then redeems " +
    "the source",
  async () => {
    const harness = await open()
    const id = await createAndPay(harness)
    await until(() => storedPhase(harness, id) === "complete")
    const order: Json = await harness.fetchOrder(id)
    expect(await harness.evm.balance("base_sepolia user", "base_sepolia:wbtc")).toBe(996_833n)
    expect(await harness.bitcoin.balance("bitcoin_testnet solver", "bitcoin_testnet:btc")).toBe(
      UNITS,
    )
    for (const swap of [order.source_swap, order.destination_swap]) {
      expect(swap).toMatchObject({
        filled_amount: swap.amount,
        refund_tx_hash: "",
        current_confirmations: 1,
      })
      expect(swap.secret).toMatch(/^[0-9a-f]{64}$/)
      expect(swap.redeem_tx_hash).toMatch(/^[0-9a-f]{64}$/)
      expect(Number(swap.redeem_block_number)).toBeGreaterThan(Number(swap.initiate_block_number))
      expect(
        [swap.initiate_timestamp, swap.redeem_timestamp].every((time) => time.endsWith("Z")),
      ).toBe(true)
    }
    expect([
      callsOf(harness, "initiate"),
      callsOf(harness, "redeem"),
      callsOf(harness, "refund"),
    ]).toEqual([1, 2, 0])
  },
)

it("shows no secret, on no leg, before the destination is redeemed", async () => {
  const harness = await open()
  harness.service.setFaults({ neverRedeem: true })
  const id = await createAndPay(harness)
  await until(async () => (await harness.fetchOrder(id)).destination_swap.filled_amount !== "0")
  const secret = harness.service.orders()[0]?.secret
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect((await harness.call("GET", `/v2/orders/${id}`)).text).not.toContain(secret)
  expect((await harness.call("GET", "/v2/orders")).text).not.toContain(secret)
  harness.service.setFaults([])
  await until(() => storedPhase(harness, id) === "complete")
  expect((await harness.fetchOrder(id)).destination_swap.secret).toBe(secret)
})

it("waits for exactly the confirmations that each chain requires", async () => {
  const bitcoin = createMemoryChain({
    name: "bitcoin_testnet",
    family: "bitcoin",
    requiredConfirmations: 3,
  })
  const evm = createMemoryChain({
    name: "base_sepolia",
    family: "evm",
    symbols: ["wbtc"],
    requiredConfirmations: 2,
  })
  const opened = await open({ chains: [bitcoin, evm] })
  const harness = { ...opened, bitcoin, evm }
  bitcoin.control.autoMine = false
  evm.control.autoMine = false
  const id = await createAndPay(harness)
  const order = await until(async () => {
    const read = await harness.fetchOrder(id)
    return read.source_swap.initiate_tx_hash !== "" && read
  })
  expect(order.source_swap).toMatchObject({
    current_confirmations: 0,
    initiate_block_number: "0",
    initiate_timestamp: null,
  })
  bitcoin.mine(2)
  await sleep(60)
  expect(callsOf(harness, "initiate")).toBe(0)
  bitcoin.mine(1)
  await until(() => callsOf(harness, "initiate") === 1)
  evm.mine(1)
  await sleep(60)
  expect(callsOf(harness, "redeem")).toBe(0)
  evm.mine(1)
  await until(() => callsOf(harness, "redeem") === 1)
  expect(
    (
      await until(async () => {
        const read = await harness.fetchOrder(id)
        return read.destination_swap.redeem_tx_hash !== "" && read
      })
    ).destination_swap.redeem_block_number,
  ).toBe("0")
})

it(
  "does not fund after a deposit of a wrong amount, and relays the refund strictly after the " +
    "timelock",
  async () => {
    const harness = await open()
    const id = await createAndPay(harness, UNITS - 1n)
    await until(async () => (await harness.fetchOrder(id)).source_swap.filled_amount === "999999")
    harness.bitcoin.mine(20)
    await sleep(60)
    expect([callsOf(harness, "initiate"), callsOf(harness, "refund")]).toEqual([0, 0])
    harness.bitcoin.mine(1)
    await until(() => storedPhase(harness, id) === "refunded")
    const { source_swap, destination_swap } = await harness.fetchOrder(id)
    expect(source_swap.refund_tx_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(Number(source_swap.refund_block_number)).toBeGreaterThan(0)
    expect([source_swap.secret, destination_swap.initiate_tx_hash]).toEqual(["", ""])
    expect(await harness.bitcoin.balance("bitcoin_testnet user", "bitcoin_testnet:btc")).toBe(
      UNITS - 1n,
    )
  },
)

it("does not fund after a late deposit, and refunds the deposit", async () => {
  const harness = await open({ deadlineSeconds: 0 })
  const id = await harness.createOrder()
  await sleep(5)
  harness.bitcoin.deposit((await harness.fetchOrder(id)).source_swap.swap_id, UNITS)
  await until(async () => (await harness.fetchOrder(id)).source_swap.filled_amount !== "0")
  await sleep(30)
  expect(callsOf(harness, "initiate")).toBe(0)
  expect(harness.service.orders()[0]?.note).toContain("after the deadline")
  harness.bitcoin.mine(21)
  await until(() => storedPhase(harness, id) === "refunded")
})

it("uses the block time of a deposit that it observes late", async () => {
  const harness = await open({ deadlineSeconds: 1 })
  harness.bitcoin.control.clockSkewMs = -60_000
  const id = await harness.createOrder()
  const { swap_id } = (await harness.fetchOrder(id)).source_swap
  harness.bitcoin.control.broken = "node is down"
  harness.bitcoin.deposit(swap_id, UNITS)
  await sleep(1_050)
  harness.bitcoin.control.broken = null
  await until(() => storedPhase(harness, id) === "complete")
})

it("does not fund after a deposit whose source timelock is over", async () => {
  const harness = await open()
  harness.bitcoin.control.broken = "node is down"
  const id = await createAndPay(harness)
  harness.bitcoin.mine(30)
  harness.bitcoin.control.broken = null
  await until(() => storedPhase(harness, id) === "refunded")
  expect(callsOf(harness, "initiate")).toBe(0)
})

it("continues with other orders while one chain is down, and resumes the affected order later", async () => {
  const harness = await open()
  const stuck = await harness.createOrder({
    source: { asset: "solana_testnet:sol", owner: "solana_testnet user", amount: "4000000000" },
    destination: { ...BITCOIN_TO_EVM.destination, amount: "998000" },
  })
  harness.solana.deposit((await harness.fetchOrder(stuck)).source_swap.swap_id, 4_000_000_000n)
  harness.solana.control.broken = "node is down"
  const id = await createAndPay(harness)
  await until(() => storedPhase(harness, id) === "complete")
  expect(storedPhase(harness, stuck)).toBe("open")
  harness.solana.control.broken = null
  await until(() => storedPhase(harness, stuck) === "complete")
})

it("shows the instant refund of a bitcoin deposit when the chain can build it", async () => {
  const harness = await open()
  const describeSource = harness.bitcoin.describeSource
  Object.assign(harness.bitcoin, {
    describeSource: async (request: Parameters<typeof describeSource>[0]) => {
      const { swap, response } = await describeSource(request)
      return { swap: { ...swap, instantRefundTx: "" }, response }
    },
    instantRefundTx: async () => "0200abcd",
  })
  const id = await harness.createOrder()
  const { swap_id, instant_refund_tx } = (await harness.fetchOrder(id)).source_swap
  expect(instant_refund_tx).toBe("")
  harness.bitcoin.deposit(swap_id, UNITS)
  await until(() => storedPhase(harness, id) === "complete")
  expect((await harness.fetchOrder(id)).source_swap.instant_refund_tx).toBe("0200abcd")
})

it("does not repeat an action while its transaction can still be pending", async () => {
  const harness = await open({ repeatAfterMs: 60_000 })
  const id = await createAndPay(harness)
  harness.evm.control.autoMine = false
  harness.evm.control.hidePending = true
  await until(() => callsOf(harness, "initiate") === 1)
  harness.evm.mine(1)
  await until(() => callsOf(harness, "redeem") === 1)
  await sleep(60)
  expect(callsOf(harness, "redeem")).toBe(1)
  harness.evm.mine(1)
  await until(() => storedPhase(harness, id) === "complete")
})

it("never works twice at once on the same order, even on a slow chain", async () => {
  const harness = await open({ repeatAfterMs: 0 })
  const observeSwap = harness.bitcoin.observeSwap
  let running = 0
  let most = 0
  Object.assign(harness.bitcoin, {
    observeSwap: async (swap: Parameters<typeof observeSwap>[0]) => {
      running += 1
      most = Math.max(most, running)
      await sleep(30)
      running -= 1
      return observeSwap(swap)
    },
  })
  const id = await createAndPay(harness)
  await until(() => storedPhase(harness, id) === "complete")
  expect(most).toBe(1)
  expect(callsOf(harness, "initiate")).toBe(1)
})

it("repeats a failed action", async () => {
  const harness = await open()
  const initiate = harness.evm.initiate
  let failures = 0
  Object.assign(harness.evm, {
    initiate: (swap: Parameters<typeof initiate>[0]) => {
      failures += 1
      return failures <= 2 ? Promise.reject(new Error("nonce too low")) : initiate(swap)
    },
  })
  const id = await createAndPay(harness)
  await until(() => storedPhase(harness, id) === "complete")
  expect(failures).toBe(3)
})

it.each(["answered", "lost"])(
  "does not fund twice when it restarts after an initiation whose answer was %s",
  async (answer) => {
    const folder = mkdtempSync(join(tmpdir(), "service-"))
    folders.push(folder)
    const dbFile = join(folder, "orders.jsonl")
    const first = await open({ dbFile })
    first.evm.control.autoMine = false
    first.evm.control.loseInitiateAnswer = answer === "lost"
    first.evm.control.hidePending = answer === "answered"
    first.evm.control.hidePending = answer === "answered"
    const id = await createAndPay(first)
    await until(() => callsOf(first, "initiate") === 1)
    if (answer === "answered")
      await until(() => first.service.orders()[0]?.destination.seen.initiated)
    await first.service.stop()
    // A crash in the middle of a write leaves half a line behind.
    appendFileSync(dbFile, '{"order":{"id":"ab')

    first.evm.control.loseInitiateAnswer = false
    const { bitcoin, evm, solana, starknet } = first
    const second = {
      ...(await open({ dbFile, chains: [bitcoin, evm, solana, starknet] })),
      bitcoin,
      evm,
    }
    await sleep(100)
    evm.mine(1)
    evm.control.autoMine = true
    await until(() => storedPhase(second, id) === "complete")
    expect(callsOf(second, "initiate")).toBe(1)
    expect(await evm.balance("base_sepolia user", "base_sepolia:wbtc")).toBe(996_833n)
    expect(
      readFileSync(dbFile, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
        .at(-1).order.phase,
    ).toBe("complete")
  },
)

it("funds after a restart if the earlier attempt never reached the chain", async () => {
  const folder = mkdtempSync(join(tmpdir(), "service-"))
  folders.push(folder)
  const dbFile = join(folder, "orders.jsonl")
  const first = await open({ dbFile })
  const { bitcoin, evm } = first
  const initiate = evm.initiate
  let asked = 0
  const mute = () => {
    asked += 1
    return new Promise<string>(() => {})
  }
  Object.assign(evm, { initiate: mute })
  const id = await createAndPay(first)
  await until(() => asked === 1)
  await first.service.stop()
  Object.assign(evm, { initiate })
  const second = { ...(await open({ dbFile, chains: [bitcoin, evm] })), bitcoin, evm }
  await until(() => storedPhase(second, id) === "complete")
})

it(
  "observes an order without a deposit more rarely as it gets older, and one with a deposit at " +
    "each tick",
  async () => {
    const harness = await open({ tickMs: 60_000 })
    await harness.createOrder()
    const [order] = harness.service.orders()
    if (order === undefined) throw new Error("no order")
    const restAfter = (ageMs: number, change: Partial<typeof order> = {}): number =>
      restMs({ ...order, ...change }, order.createdAtMs + ageMs)
    expect([0, 1_000, 20_000, 3_600_000].map((ageMs) => restAfter(ageMs))).toEqual([
      0, 100, 2_000, 3_000,
    ])
    expect(restAfter(20_000, { depositSeenAtMs: order.createdAtMs })).toBe(0)
  },
)

it(
  "gives a chain that does not answer a bounded number of questions, and works on the others " +
    "meanwhile",
  async () => {
    const solana = createMemoryChain({ name: "solana_testnet", family: "solana", symbols: ["sol"] })
    const bitcoin = createMemoryChain({ name: "bitcoin_testnet", family: "bitcoin" })
    const evm = createMemoryChain({ name: "base_sepolia", family: "evm", symbols: ["wbtc"] })
    let asked = 0
    const stopped = Promise.withResolvers<never>()
    solana.observeSwap = () => {
      asked += 1
      return stopped.promise
    }
    const harness = { ...(await open({ chains: [solana, bitcoin, evm] })), bitcoin, evm }
    const fromSolana = {
      asset: "solana_testnet:sol",
      owner: "solana_testnet user",
      amount: "4000000000",
    }
    const quote = { ...BITCOIN_TO_EVM.destination, amount: "998495" }
    for (let index = 0; index < 60; index++)
      await harness.createOrder({ source: fromSolana, destination: quote })
    const id = await createAndPay(harness)
    await until(() => storedPhase(harness, id) === "complete")
    expect(asked).toBe(8)
    stopped.reject(new Error("the node is gone"))
  },
)
