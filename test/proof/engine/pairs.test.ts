import { beforeEach, describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import type { ChainPort } from "#ports/chain.ts"
import { HTLC } from "../../support/fake-ledger.ts"
import { ARB, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { leftAllowance, lostUnits } from "../../support/money.ts"
import { withSeenDepth } from "../../support/with-seen-depth.ts"

/* An approval and its deposit on adjacent nonces, sent together (ADR 35). */

const UNITS = 10_000n
const [FIRST, SECOND, THIRD] = ["order-1", "order-2", "order-3"] as const

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 5, pairs: true })
})

function start(
  adaptPort: (port: ChainPort) => ChainPort = (port) => port,
  way: "auto" | "onchain" = "onchain",
): void {
  daemon = world.start({ adaptPort: (port) => withSeenDepth(adaptPort(port), 1), policy: { way } })
}
const noncesOf = (id: string): string[] =>
  daemon.context.journal
    .listOf(id)
    .map(({ purpose, resources }) => `${purpose} ${resources.join()}`)
const holds = (): string[] => [...daemon.context.journal.listReserved("lock/")].sort()
const actions = (): string[] =>
  world.evm
    .branch()
    .blocks.flat()
    .map(({ action }) => action.kind)
/** The highest allowance that any block shows. */
const mostAllowed = (): bigint =>
  world.evm
    .branch()
    .states.map(({ allowances }) => allowances.get(`${WBTC}/${HTLC}`) ?? 0n)
    .reduce((most, units) => (units > most ? units : most), 0n)
const tooLate = (): void => world.clock.set(world.clock.now() + 30 * 60_000)

/** The deposit's plan is for more than its approval, so it reverts. */
function withWrongDeposit(port: ChainPort, isWrong: () => boolean): ChainPort {
  return {
    ...port,
    planTransaction: (intent, reserved) => {
      if (intent.action !== "initiate" || !isWrong()) return port.planTransaction(intent, reserved)
      return port.planTransaction(
        { ...intent, deposit: { ...intent.deposit, units: UNITS + 1n } },
        reserved,
      )
    },
  }
}

function expectNothingLeft(lost: bigint): void {
  expect(leftAllowance(world)).toBe(0n)
  expect(lostUnits(world, WBTC)).toBe(lost)
  expect(mostAllowed() <= UNITS).toBe(true)
  expect(holds()).toEqual([])
}

test("several deposits of one token are under way at once, each behind its own approval", async () => {
  start()
  world.autoMine = false
  await Promise.all([daemon.accept(WBTC), daemon.accept(WBTC), daemon.accept(WBTC)])
  await world.run(() =>
    [FIRST, SECOND, THIRD].every((id) => daemon.state(id) === "deposit-confirming"),
  )
  const pairs = [FIRST, SECOND, THIRD].map(noncesOf).sort()
  expect(pairs).toEqual(
    [0, 2, 4].map((nonce) => [`approve nonce:${nonce}`, `deposit nonce:${nonce + 1}`]),
  )
  expect(holds()).toHaveLength(3)
  world.autoMine = true
  await world.run(() => [FIRST, SECOND, THIRD].every((id) => daemon.state(id) === "completed"))
  expect(world.evm.mined("initiate").map(({ ok }) => ok)).toEqual([true, true, true])
  expect(mostAllowed()).toBe(0n)
  expectNothingLeft(3n * UNITS)
  expect(daemon.order(FIRST).data.networkFeeUnits).toBe(20n)
  expect(daemon.context.journal.listUnsettled(chainOf(WBTC), "base_sepolia/wallet")).toEqual([])
})

describe("a pair whose deposit fails", () => {
  test("leaves its allowance to the next approval of the account, and nothing at the end", async () => {
    let isFirst = true
    start((port) => withWrongDeposit(port, () => isFirst))
    world.autoMine = false
    await daemon.accept(WBTC)
    await daemon.reach("deposit-confirming", FIRST)
    isFirst = false
    await daemon.accept(WBTC)
    await daemon.reach("deposit-confirming", SECOND)
    world.autoMine = true
    await world.run(
      () => daemon.state(FIRST) === "rejected" && daemon.state(SECOND) === "completed",
    )
    expect(world.evm.mined("initiate").map(({ ok }) => ok)).toEqual([false, true])
    expect(noncesOf(FIRST)).toEqual(["approve nonce:0", "deposit nonce:1"])
    expectNothingLeft(UNITS)
  })

  test("as the last one sets its allowance back to zero", async () => {
    start((port) => withWrongDeposit(port, () => true))
    await daemon.accept(WBTC)
    await daemon.reach("rejected", FIRST)
    expect(world.evm.mined("approve").map(({ ok }) => ok)).toEqual([true, true])
    expectNothingLeft(0n)
  })
})

describe("a pair that is too late", () => {
  test("and in no block has both nonces voided, so neither transaction can land", async () => {
    start()
    world.autoMine = false
    await daemon.accept(WBTC)
    await daemon.reach("deposit-confirming", FIRST)
    tooLate()
    await daemon.reach("void-confirming", FIRST)
    expect(noncesOf(FIRST).sort()).toEqual([
      "approve nonce:0",
      "deposit nonce:1",
      "revoke nonce:0",
      "void nonce:1",
    ])
    world.autoMine = true
    await daemon.reach("rejected", FIRST)
    expect(actions()).toEqual(["void", "void"])
    expectNothingLeft(0n)
  })

  test("and whose approval is mined has its deposit voided, and its allowance set back to zero", async () => {
    start()
    world.autoMine = false
    await daemon.accept(WBTC)
    await daemon.reach("deposit-confirming", FIRST)
    const [approval] = world.evm.mempool()
    world.evm.dropMempool()
    if (approval !== undefined) world.evm.submit(approval)
    world.evm.mine()
    tooLate()
    world.autoMine = true
    await daemon.reach("rejected", FIRST)
    expect(actions()).toEqual(["approve", "void", "approve"])
    expectNothingLeft(0n)
  })

  test("is voided also when the process dies after each of its writes", async () => {
    for (let at = 1; at <= 24; at++) {
      world.close()
      world = createWorld({ confirmations: 2, pairs: true })
      daemon = world.start({ dies: { at, when: "after" } })
      world.autoMine = false
      await daemon.accept(WBTC).catch(() => undefined)
      await world
        .run(() => !daemon.isAlive() || daemon.state(FIRST) === "deposit-confirming")
        .catch(() => undefined)
      daemon.kill()
      world.autoMine = true
      tooLate()
      daemon = world.start()
      if (daemon.context.journal.findOrder(FIRST) === null) continue
      await world.run(() => ["rejected", "completed", "refunded"].includes(daemon.state(FIRST)))
      expect(leftAllowance(world)).toBe(0n)
      expect(holds()).toEqual([])
    }
  }, 60_000)
})

test("a process that dies after each write of a pair makes one deposit, and leaves no allowance", async () => {
  for (let at = 1; at <= 30; at++) {
    world.close()
    world = createWorld({ confirmations: 2, pairs: true })
    daemon = world.start({ dies: { at, when: at % 2 === 0 ? "after" : "before" } })
    await daemon.accept(WBTC).catch(() => undefined)
    await world
      .run(() => !daemon.isAlive() || daemon.state(FIRST) === "completed")
      .catch(() => undefined)
    daemon.kill()
    daemon = world.start()
    if (daemon.context.journal.findOrder(FIRST) === null) continue
    await daemon.reach("completed", FIRST)
    expect(world.evm.mined("initiate")).toHaveLength(1)
    expect(noncesOf(FIRST)).toEqual(["approve nonce:0", "deposit nonce:1"])
    expect(leftAllowance(world)).toBe(0n)
  }
}, 60_000)

test("both signatures and both nonces are in the journal before the first byte is sent", async () => {
  const seen: string[][] = []
  start((port) => ({
    ...port,
    broadcastTransaction: async (transaction) => {
      seen.push([
        ...daemon.context.journal
          .listOf(FIRST)
          .map(({ purpose, raw }) => `${purpose} ${raw !== null}`),
        ...[...daemon.context.journal.listReserved("base_sepolia/")].sort(),
      ])
      await port.broadcastTransaction(transaction)
    },
  }))
  await daemon.accept(WBTC)
  await daemon.reach("completed", FIRST)
  const both = [
    "approve true",
    "deposit true",
    "base_sepolia/wallet/nonce:0",
    "base_sepolia/wallet/nonce:1",
  ]
  expect(seen).toEqual([both, both])
})

test(
  "a pause between the two sends the deposit only after it, and the approval is revoked when " +
    "that is too late",
  async () => {
    start((port) => ({
      ...port,
      broadcastTransaction: async (transaction) => {
        await port.broadcastTransaction(transaction)
        if (transaction.plan.action === "approve") void daemon.engine.pause({ kind: "all" })
      },
    }))
    await daemon.accept(WBTC)
    await world.run(() => world.evm.mined("approve").length === 1)
    await world.pass(20_000)
    expect(daemon.state(FIRST)).toBe("deposit-sending")
    expect(world.evm.mined("initiate")).toEqual([])
    tooLate()
    daemon.engine.resume({ kind: "all" })
    await daemon.reach("rejected", FIRST)
    expect(actions()).toEqual(["approve", "void", "approve"])
    expectNothingLeft(0n)
  },
)

test("a pair that waits too long gets a higher fee on both nonces", async () => {
  start()
  world.autoMine = false
  await daemon.accept(WBTC)
  await daemon.reach("deposit-confirming", FIRST)
  await world.run(() => noncesOf(FIRST).length === 4)
  expect(noncesOf(FIRST).sort()).toEqual([
    "approve nonce:0",
    "approve nonce:0",
    "deposit nonce:1",
    "deposit nonce:1",
  ])
  world.autoMine = true
  await daemon.reach("completed", FIRST)
  expect(
    world.evm
      .mined("approve")
      .concat(world.evm.mined("initiate"))
      .map(({ fee }) => fee),
  ).toEqual([20n, 20n])
  expectNothingLeft(UNITS)
})

test.each(["requeue", "drop"] as const)(
  "a reorganisation (%s) of both leads to the same deposit",
  async (what) => {
    start()
    await daemon.accept(WBTC)
    await daemon.reach("funded", FIRST)
    world.evm.reorganise(3, what)
    await daemon.reach("completed", FIRST)
    expect(noncesOf(FIRST)).toEqual(["approve nonce:0", "deposit nonce:1"])
    expectNothingLeft(UNITS)
  },
)

test("a reorganisation that keeps only the approval leads to the same deposit", async () => {
  start()
  world.autoMine = false
  await daemon.accept(WBTC)
  await daemon.reach("deposit-confirming", FIRST)
  const [approval] = world.evm.mempool()
  world.evm.mine()
  await daemon.reach("funded", FIRST)
  world.evm.reorganise(1, "drop")
  if (approval !== undefined) world.evm.submit(approval)
  world.evm.mine()
  world.autoMine = true
  await daemon.reach("completed", FIRST)
  expect(noncesOf(FIRST)).toEqual(["approve nonce:0", "deposit nonce:1"])
  expectNothingLeft(UNITS)
})

test("an approval that the nodes forget is sent again with the deposit that waits behind it", async () => {
  start()
  world.autoMine = false
  await daemon.accept(WBTC)
  await daemon.reach("deposit-confirming", FIRST)
  const deposit = world.evm.mempool().find(({ action }) => action.kind === "initiate")
  world.evm.dropMempool()
  if (deposit !== undefined) world.evm.submit(deposit)
  world.autoMine = true
  await daemon.reach("completed", FIRST)
  expect(noncesOf(FIRST)).toEqual(["approve nonce:0", "deposit nonce:1"])
  expectNothingLeft(UNITS)
})

test("an abandoned pair is voided, and another pair behind it goes on", async () => {
  start()
  world.autoMine = false
  await daemon.accept(WBTC)
  await daemon.reach("deposit-confirming", FIRST)
  await daemon.accept(WBTC)
  await daemon.reach("deposit-confirming", SECOND)
  expect(daemon.engine.operate(FIRST, "abandon", "anna")).toMatchObject({ ok: true })
  await daemon.reach("void-confirming", FIRST)
  world.autoMine = true
  await world.run(() => daemon.state(FIRST) === "abandoned" && daemon.state(SECOND) === "completed")
  expectNothingLeft(UNITS)
})

describe("beside an order that has the allowance alone", () => {
  beforeEach(() => {
    world.service.conduct.offersGasless = true
    world.service.conduct.relays = false
  })

  test("a pair is signed only after it", async () => {
    start(undefined, "auto")
    await daemon.accept(WBTC)
    await daemon.reach("gasless-confirming", FIRST)
    world.service.conduct.offersGasless = false
    await daemon.accept(WBTC)
    await daemon.reach("deposit-signing", SECOND)
    await world.pass(20_000)
    expect(noncesOf(SECOND)).toEqual([])
    await world.run(
      () => daemon.state(SECOND) === "completed" || daemon.state(SECOND) === "rejected",
    )
    expect(leftAllowance(world)).toBe(0n)
  })

  test("the gasless order waits for the pairs before it, and no further pair begins meanwhile", async () => {
    world.service.conduct.offersGasless = false
    start(undefined, "auto")
    world.autoMine = false
    await daemon.accept(WBTC)
    await daemon.reach("deposit-confirming", FIRST)
    world.service.conduct.offersGasless = true
    world.service.conduct.relays = true
    await daemon.accept(WBTC)
    await daemon.reach("allowing", SECOND)
    await world.pass(2_000)
    world.service.conduct.offersGasless = false
    await daemon.accept(WBTC)
    await world.pass(20_000)
    expect(noncesOf(SECOND)).toEqual([])
    expect(noncesOf(THIRD)).toEqual([])
    world.autoMine = true
    await world.run(() => [FIRST, SECOND, THIRD].every((id) => daemon.state(id) === "completed"))
    expectNothingLeft(3n * UNITS)
  })
})

test("a pair takes no two nonces with a used one between them", async () => {
  start()
  world.faults.inject("base.signTransaction", { before: failure("transient") }, 1)
  world.autoMine = false
  await Promise.all([
    daemon.accept(),
    daemon.accept(WBTC),
    daemon.accept(ETH, ARB),
    daemon.accept(WBTC),
  ])
  await world.run(() =>
    ["order-1", "order-2", "order-3", "order-4"].every((id) => /confirming/.test(daemon.state(id))),
  )
  for (const id of ["order-1", "order-2", "order-3", "order-4"]) {
    const numbers = noncesOf(id).map((text) => Number(/\d+$/.exec(text)?.[0]))
    if (numbers.length === 2) expect((numbers[1] ?? 0) - (numbers[0] ?? 0)).toBe(1)
  }
  world.autoMine = true
  await world.run(() =>
    ["order-1", "order-2", "order-3", "order-4"].every((id) => daemon.state(id) === "completed"),
  )
})

test.each(["starknet", "solana"] as const)(
  "several deposits on %s are under way at once",
  async (arbitrum) => {
    world.close()
    world = createWorld({ confirmations: 5, arbitrum })
    start()
    world.autoMine = false
    await Promise.all([daemon.accept(ARB), daemon.accept(ARB), daemon.accept(ARB)])
    await world.run(() =>
      [FIRST, SECOND, THIRD].every((id) => daemon.state(id) === "deposit-confirming"),
    )
    world.autoMine = true
    await world.run(() => [FIRST, SECOND, THIRD].every((id) => daemon.state(id) === "completed"))
    expect(holds()).toEqual([])
  },
)

test("an order with an approval of its own goes on with it when its chain has pairs, beside pairs " +
  "that wait for it", async () => {
  const left = new Set<string>()
  for (let at = 3; at <= 16; at++) {
    world.close()
    const options = { confirmations: 2, pairs: false }
    world = createWorld(options)
    daemon = world.start({ dies: { at, when: "after" } })
    await daemon.accept(WBTC).catch(() => undefined)
    await world
      .run(() => !daemon.isAlive() || daemon.state(FIRST) === "completed")
      .catch(() => undefined)
    daemon.kill()
    options.pairs = true
    daemon = world.start()
    if (daemon.context.journal.findOrder(FIRST) === null) continue
    left.add(daemon.state(FIRST))
    const wasAlone = holds().length === 1
    await daemon.accept(WBTC)
    await world.run(() => [FIRST, SECOND].every((id) => daemon.state(id) === "completed"))
    const counts = noncesOf(FIRST).length
    expect(counts).toBe(2)
    if (wasAlone) expect(daemon.order(FIRST).data.transactions.approve.isPaired).toBeUndefined()
    expect(world.evm.mined("initiate").map(({ ok }) => ok)).toEqual([true, true])
    expectNothingLeft(2n * UNITS)
  }
  for (const state of [
    "approve-signing",
    "approve-sending",
    "approve-confirming",
    "deposit-planning",
  ])
    expect(left).toContain(state)
}, 60_000)
