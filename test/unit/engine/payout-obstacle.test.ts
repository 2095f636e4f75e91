import { expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import type { RedeemHeadroom } from "#domain/key-use.ts"
import { URGENT_FEE_FACTOR } from "#domain/redeem-fee-cap.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { ContractReader } from "#ports/chain/capabilities.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  WBTC,
  type World,
} from "../../support/fake-world.ts"

let world: World

test("an order whose payout cannot arrive ends unsigned, with the reason of the destination's port", async () => {
  world = createWorld()
  const daemon = world.start()
  const port = daemon.context.chains.get(chainOf(BTC))
  const fault = {
    code: "x.account_missing",
    message: "create the account",
    expected: "an account",
    found: "none",
  }
  replaceCheck(port, async () => [fault])
  await daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits: 10_000n })
  await daemon.reach("rejected")
  expect(daemon.order("order-1").data.reasons).toMatchObject([fault])
  expect(world.signatures).toEqual([])
})

const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }

/** Orders with our own secret after the deposit and before a solver's payout. */
async function fund(count: number): Promise<Daemon> {
  world = createWorld({ confirmations: 2 })
  Object.assign(world.service.conduct, { redeems: false, fills: false })
  const daemon = world.start({ settings: { ownSecrets } })
  for (let index = 0; index < count; index++)
    await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: 10_000n })
  await world.run(() => listOrders(count).every((id) => daemon.state(id) === "funded"), 600_000)
  return daemon
}

function listOrders(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `order-${index + 1}`)
}

test("a secret stays ours while its payout could not arrive", async () => {
  const daemon = await fund(1)
  const port = daemon.context.chains.get(chainOf(ARB))
  const fault = {
    code: "x.account_frozen",
    message: "the account is frozen",
    expected: "an open account",
    found: "frozen",
  }
  const faults = [fault]
  replaceCheck(port, async () => faults)
  world.service.conduct.fills = true
  const codes = () => daemon.reasons()
  await world.run(() => codes().includes(fault.code), 600_000)
  expect(world.service.reveals).toEqual([])
  const alerts = daemon.context.journal.listAlerts(99).map(({ reason }) => reason)
  const blocked = alerts.filter(({ code }) => code === "alarm.payout_blocked")
  expect(blocked).toMatchObject([{ cause: fault.code }])
  expect(blocked[0]?.message).toMatch(/the account is frozen\. Our secret stays ours/)
  faults.pop()
  await world.run(() => world.service.reveals.length === 1, 600_000)
})

test(
  "a payout that is blocked after its secret was told is an alarm, and is redeemed once it can " +
    "be",
  async () => {
    const daemon = await fund(1)
    const port = daemon.context.chains.get(chainOf(ARB))
    const isBlocked = () => world.service.reveals.length > 0
    const faults: { code: string; message: string; expected: string; found: string }[] = []
    const asked: unknown[] = []
    replaceCheck(port, async (...parts) => {
      asked.push(parts)
      return isBlocked() ? faults : []
    })
    faults.push({ code: "x.paused", message: "the token is paused", expected: "", found: "" })
    world.service.conduct.fills = true
    const alerts = () => daemon.context.journal.listAlerts(99).map(({ reason }) => reason)
    const blocked = () => alerts().filter(({ code }) => code === "alarm.payout_blocked")
    await world.run(() => blocked().length === 1, 600_000)
    expect(blocked()[0]?.message).toMatch(/the token is paused\. Our secret is told/)
    const { destinationOwner } = daemon.order("order-1").data.request
    const { destinationUnits: units } = daemon.order("order-1").data.terms ?? {}
    expect(asked).toContainEqual([ARB, destinationOwner, { htlc: null, units }])
    await daemon.reach("completed", "order-1", 3_600_000)
    expect(blocked()).toHaveLength(1)
  },
)

test.each<[string, (leg: LegObservation) => Partial<LegObservation>]>([
  ["secret.payout_missing", () => ({ initiated: null })],
  [
    "secret.payout_young",
    ({ initiated }) => ({ initiated: change(initiated, { revealable: false }) }),
  ],
  ["secret.payout_young", () => ({ agreed: false })],
  ["secret.payout_units", ({ initiated }) => ({ initiated: change(initiated, { units: 1n }) })],
  ["secret.payout_closed", () => ({ refundableAt: null })],
  [
    "secret.payout_closed",
    ({ initiated }) => ({
      redeemed: { ...mustExist(initiated, "a payout"), paidUnits: 1n, secret: null },
    }),
  ],
])("a secret stays ours while its proof shows %s (%#)", async (code, edit) => {
  const daemon = await fund(1)
  const port = mustExist(daemon.context.chains.get(chainOf(ARB)), "the port")
  const { observeLeg } = port
  const proof = { isFalse: true }
  Object.assign(port, {
    observeLeg: async (query: LegQuery) => {
      const leg = await observeLeg(query)
      // The observation before has shown the payout.
      return proof.isFalse && daemon.state("order-1") === "revealing"
        ? { ...leg, ...edit(leg) }
        : leg
    },
  })
  world.service.conduct.fills = true
  const codes = () => daemon.order("order-1").data.reasons.map((reason) => reason.code)
  await world.run(() => codes().includes(code), 600_000)
  expect(world.service.reveals).toEqual([])
  proof.isFalse = false
  await world.run(() => world.service.reveals.length === 1, 600_000)
})

function change<T extends object>(seen: T | null, edit: Partial<T>): T {
  return { ...mustExist(seen, "a payout"), ...edit }
}

test("a secret stays ours on a chain where Ballast cannot redeem, or while the disk is full", async () => {
  const daemon = await fund(1)
  const port = mustExist(daemon.context.chains.get(chainOf(ARB)), "the port")
  const { estimateRedeemFee } = port
  Object.assign(port, { estimateRedeemFee: async () => null })
  const journal = daemon.context.journal
  const disk = { isFull: true }
  Object.assign(journal, { keepSpace: () => !disk.isFull })
  world.service.conduct.fills = true
  const codes = () => daemon.order("order-1").data.reasons.map((reason) => reason.code)
  await world.run(() => codes().includes("secret.unredeemable"), 600_000)
  expect(codes()).toContain("secret.no_space")
  Object.assign(port, { estimateRedeemFee })
  await world.run(() => !codes().includes("secret.unredeemable"), 600_000)
  expect(codes()).toEqual(["secret.no_space"])
  expect(world.service.reveals).toEqual([])
  disk.isFull = false
  await world.run(() => world.service.reveals.length === 1, 600_000)
})

test("no secret is told without the reserve for the redemptions of all orders in flight", async () => {
  const daemon = await fund(2)
  const port = daemon.context.chains.get(chainOf(ARB))
  const feeUnits = (await port?.estimateRedeemFee(ARB)) ?? 0n
  const gas = { units: 2n * URGENT_FEE_FACTOR * feeUnits - 1n }
  const native = { fetchNativeBalance: async () => gas.units, fetchLeastBalance: async () => 0n }
  if (port !== undefined) Object.assign(port, { native })
  world.service.conduct.fills = true
  const codes = () => listOrders(2).flatMap((id) => daemon.reasons(id))
  await world.run(() => codes().includes("secret.no_gas"), 600_000)
  expect(world.service.reveals).toEqual([])
  gas.units += 1n
  await world.run(() => world.service.reveals.length > 0, 600_000)
})

test("a node that names no fee at all leaves the reserve at the configured cap", async () => {
  const daemon = await fund(1)
  const port = mustExist(daemon.context.chains.get(chainOf(ARB)), "the port")
  const gas = { units: mustExist(port.capRedeemFee(ARB, null), "a cap") - 1n }
  Object.assign(port, {
    estimateRedeemFee: async () => 0n,
    native: { fetchNativeBalance: async () => gas.units, fetchLeastBalance: async () => 0n },
  })
  world.service.conduct.fills = true
  const codes = () => daemon.reasons()
  await world.run(() => codes().includes("secret.no_gas"), 600_000)
  expect(world.service.reveals).toEqual([])
  gas.units += 1n
  await world.run(() => world.service.reveals.length === 1, 600_000)
})

test.each([
  ["refuses", "signer.velocity", "transient"],
  ["does not answer", "signer.unavailable", "transient"],
] as const)("no secret is told while the signer %s", async (_, code, disposition) => {
  const daemon = await fund(2)
  const asked: RedeemHeadroom[] = []
  const signer = { refuses: true }
  const keyRecord = {
    listUses: async () => ({ first: null, uses: [] }),
    importUses: async () => null,
    askHeadroom: async (redemption: RedeemHeadroom) => {
      asked.push(redemption)
      if (!signer.refuses) return null
      throw new AppError({ code, disposition, message: "over the limit", details: {} })
    },
  }
  Object.assign(daemon.context, { keyRecord })
  world.service.conduct.fills = true
  const reasons = () => listOrders(2).flatMap((id) => daemon.order(id).data.reasons)
  await world.run(() => reasons().some((one) => one.code === "secret.no_headroom"), 600_000)
  expect(world.service.reveals).toEqual([])
  expect(reasons().find((one) => one.code === "secret.no_headroom")).toMatchObject({ cause: code })
  const feeUnits = await mostOffered(daemon)
  const [order] = asked.map((one) => daemon.order(one.order).data)
  const secretHash = order?.ownSecret?.hash
  expect(asked[0]).toEqual({
    order: order?.id,
    chain: chainOf(ARB),
    secretHash,
    feeUnits,
    others: 1,
  })
  signer.refuses = false
  await world.run(() => world.service.reveals.length === 2, 600_000)
})

/** The running daemon's port judges payouts in this way from now on. */
function replaceCheck(
  port: ChainPort | undefined,
  checkPayout: ContractReader["checkPayout"],
): void {
  if (port === undefined) return
  Object.assign(port, { contracts: { ...port.contracts, checkPayout } })
}

/** Fifty times the present fee, and at most the cap of a lock that is over. */
async function mostOffered(daemon: Daemon): Promise<bigint> {
  const port = daemon.context.chains.get(chainOf(ARB))
  const raised = URGENT_FEE_FACTOR * ((await port?.estimateRedeemFee(ARB)) ?? 0n)
  const { terms, serviceOrder } = daemon.order("order-1").data
  const { timelock } = mustExist(serviceOrder, "the order").destination
  const worthUnits = mustExist(terms, "the terms").destinationUnits
  const cap = mustExist(port?.capRedeemFee(ARB, { left: 0n, timelock, worthUnits }), "a cap")
  return raised < cap ? raised : cap
}

test("the signer is asked for no more than a redemption may offer at the end of its lock", async () => {
  const daemon = await fund(1)
  const port = mustExist(daemon.context.chains.get(chainOf(ARB)), "the port")
  Object.assign(port, { capRedeemFee: () => 3n })
  const asked: bigint[] = []
  const askHeadroom = async ({ feeUnits }: RedeemHeadroom) => {
    asked.push(feeUnits)
    return null
  }
  const unused = { listUses: async () => ({ first: null, uses: [] }), importUses: async () => null }
  Object.assign(daemon.context, { keyRecord: { ...unused, askHeadroom } })
  world.service.conduct.fills = true
  await world.run(() => world.service.reveals.length === 1, 600_000)
  expect(asked).toEqual([3n])
})
