import { beforeEach, describe, expect, test } from "vitest"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { findLedgerFaults, walletUnits } from "../../support/check-ledger.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { ledgerOf } from "../../support/money.ts"

const START_UNITS = 1_000_000n
const UNITS = 10_000n

let world: World

describe("the books of an order", () => {
  test.each([
    { name: "from Bitcoin", from: BTC, to: WBTC, way: "onchain" },
    { name: "to Bitcoin with an approval", from: WBTC, to: BTC, way: "onchain" },
    { name: "to Bitcoin without gas", from: WBTC, to: BTC, way: "gasless" },
    { name: "of a native coin", from: ETH, to: BTC, way: "onchain" },
    { name: "between two account chains", from: ARB, to: WBTC, way: "onchain" },
  ] as const)("$name say what the chains say, to the unit", async ({ from, to, way }) => {
    world = createWorld()
    const daemon = world.start({ policy: { way } })
    await daemon.engine.submit({ from, to, sourceUnits: UNITS })
    await daemon.reach("completed")
    expectTrueBooks(daemon)
    const { journal } = daemon.context
    const accounts = Object.fromEntries(
      journal.listAccounts("").map((row) => [`${row.account} ${row.asset}`, row.units]),
    )
    // The quote costs 30 basis points; one unit is worth one fiat unit.
    expect(accounts[`expenses:swap ${from}`]).toBe(30n)
    expect(accounts[`equity:exchange ${from}`]).toBe(UNITS - 30n)
    expect(accounts[`equity:exchange ${to}`]).toBe(30n - UNITS)
    expect(journal.listAccounts("assets:in-transit:")).toEqual([])
    const fee = Object.entries(accounts).filter(([name]) => name.startsWith("expenses:network:"))
    expect(fee.length > 0).toBe(true)
  })

  test("of a refund have nothing left in transit, and contain the fees", async () => {
    world = createWorld()
    world.service.conduct.fills = false
    world.service.conduct.takesSource = false
    const daemon = world.start()
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await daemon.reach("refunded")
    expectTrueBooks(daemon)
    expect(daemon.context.journal.listAccounts("assets:in-transit:")).toEqual([])
    expect(daemon.context.journal.listAccounts("expenses:network:refund")).toHaveLength(1)
  })

  test("reverse, by a separate entry, a transaction that a reorganisation removed", async () => {
    world = createWorld({ confirmations: 4 })
    const daemon = world.start()
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await world.run(() =>
      daemon.context.journal.listEntries({}).some(({ kind }) => kind === "deposit"),
    )
    world.evm.reorganise(3, "requeue")
    world.autoMine = false
    await world.run(() =>
      daemon.context.journal.listEntries({}).some(({ reverses }) => reverses !== null),
    )
    expectTrueBooks(daemon)
    world.autoMine = true
    await daemon.reach("completed")
    expectTrueBooks(daemon)
    const deposits = daemon.context.journal.listEntries({}).filter(({ kind }) => kind === "deposit")
    expect(deposits.map(({ reverses }) => reverses === null)).toEqual([true, false, true])
  })

  describe("contain the fee of a void", () => {
    let daemon: Daemon
    beforeEach(async () => {
      world = createWorld({ confirmations: 2 })
      daemon = world.start()
      world.autoMine = false
      await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
      await daemon.reach("deposit-confirming")
      world.clock.set(world.clock.now() + 11 * 60_000)
    })
    const signed = (): number => daemon.order("order-1").data.transactions.void.signed.length
    const hold = async (): Promise<void> => {
      await daemon.reach("void-confirming")
      world.faults.inject("base.observeTransaction", { before: failure("hold") })
      await daemon.reach("held")
    }
    const expectVoidBooked = async (): Promise<void> => {
      await daemon.reach("rejected")
      expect(world.evm.mined("void").map(({ fee }) => fee)).toEqual([
        daemon.order("order-1").data.networkFeeUnits,
      ])
      expect(daemon.context.journal.listAccounts("expenses:network:void")).toHaveLength(1)
      expectTrueBooks(daemon)
    }

    test.each([1, 2])("that was signed %i times before its order was held", async (times) => {
      await world.run(() => signed() === times)
      await hold()
      daemon.engine.operate("order-1", "retry", "anna")
      await daemon.reach("void-confirming")
      expect(signed()).toBe(times)
      expect(world.signatures.filter((entry) => entry.startsWith("void "))).toHaveLength(times)
      world.autoMine = true
      await expectVoidBooked()
    })

    test("that landed while the daemon was not running", async () => {
      await hold()
      for (let block = 0; block < 3; block++) world.evm.mine()
      daemon.engine.operate("order-1", "retry", "anna")
      await expectVoidBooked()
    })
  })

  test("contain the fee of an approval whose allowance is gone", async () => {
    world = createWorld({ confirmations: 2 })
    const daemon = world.start()
    world.autoMine = false
    await daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits: UNITS })
    await daemon.reach("approve-confirming")
    world.faults.inject("base.findMissingApproval", { lie: () => null }, 1_000_000)
    for (let block = 0; block < 3; block++) world.evm.mine()
    daemon.engine.operate("order-1", "abandon", "anna")
    await daemon.reach("abandoned")
    expect(daemon.order("order-1").data.networkFeeUnits).toBe(10n)
    expect(daemon.context.journal.listAccounts("expenses:network:approve")).toHaveLength(1)
    expectTrueBooks(daemon)
  })

  test.each<TransactionObservation>([
    { status: "unseen" },
    { status: "pending" },
    { status: "excluded", by: "a transaction of a stranger", final: false },
  ])(
    "contain the fee of an approval that a node shows as $status when its revocation is final",
    async (shown) => {
      world = createWorld({ confirmations: 2 })
      let isBehind = false
      const daemon = world.start({
        adaptPort: (port) => ({
          ...port,
          observeTransaction: async (ours) =>
            isBehind && isApproval(ours) ? shown : port.observeTransaction(ours),
        }),
      })
      const isApproval = ({ txid }: SignedTransaction): boolean =>
        daemon.order("order-1").data.transactions.approve.signed.some((one) => one.txid === txid)
      world.autoMine = false
      await daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits: UNITS })
      await daemon.reach("approve-confirming")
      daemon.engine.operate("order-1", "abandon", "anna")
      for (let block = 0; block < 3; block++) world.evm.mine()
      await daemon.reach("revoke-confirming")
      isBehind = true
      world.autoMine = true
      await world.pass(60_000)
      expect(world.evm.mined("approve")).toHaveLength(2)
      expect(daemon.state("order-1")).toBe("revoke-confirming")
      isBehind = false
      await daemon.reach("abandoned")
      expect(daemon.context.journal.listAccounts("expenses:network:approve")).toHaveLength(1)
      expectTrueBooks(daemon)
    },
  )
})

function expectTrueBooks({ context }: Daemon): void {
  expect(findLedgerFaults(context.journal)).toEqual([])
  const booked = walletUnits(context.journal)
  for (const asset of [ETH, WBTC, ARB, BTC]) {
    const units = ledgerOf(world, asset).state().balances.get(asset) ?? 0n
    expect(booked.get(asset) ?? 0n, asset).toBe(units - START_UNITS)
  }
}
