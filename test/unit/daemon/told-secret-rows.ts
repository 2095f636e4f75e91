import { expect } from "vitest"
import { readOverview } from "#daemon/views/read-overview.ts"
import { readSamples } from "#daemon/views/read-samples.ts"
import { chainOf } from "#domain/asset.ts"
import { describePayoutDeadline } from "#health/describe-payout-deadline.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import { viewOrder } from "#order/view.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { formatHealth } from "../../../src/app/cli/format/format-health.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

/*
 * An operator with one look a day sees the alarm of each way to lose a told secret's payout, with
 * its remedy, in `status`, `order`, the page and the metrics. Row 5 is in `nonce-behind.test.ts`,
 * row 7 in `restored-journal.test.ts`; rows 12 and 13 need no alarm.
 */

const ID = "order-1"
const HOUR_MS = 3_600_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }

let world: World
let daemon: Daemon
export const closeWorld = (): void => world.close()

const isTold = (): boolean => daemon.context.journal.listSecretDecisions(ID).includes("reveal")
const portOf = (asset: typeof ARB): ChainPort =>
  mustExist(daemon.context.chains.get(chainOf(asset)), "the port")

/** No read of one leg succeeds once the secret is told. */
function blindTo(side: LegQuery["side"]): void {
  const port = portOf(side === "source" ? ETH : ARB)
  const { observeLeg } = port
  Object.assign(port, {
    observeLeg: async (query: LegQuery) => {
      if (query.side !== side || !isTold()) return observeLeg(query)
      const fault = { code: "solana.history_too_long", message: "too long", details: {} }
      throw new AppError({ ...fault, disposition: "transient" })
    },
  })
}

const fail = (call: "signTransaction" | "broadcastTransaction"): void =>
  world.faults.inject(`arbitrum.${call}`, { before: failure("transient") }, 1_000_000)
/** No redemption can be planned. */
const refuse = (code: string): void =>
  world.faults.inject(
    "arbitrum.planTransaction",
    { lie: () => ({ refused: [{ code, message: "no" }] }) },
    1_000_000,
  )

type Row = {
  readonly row: string
  readonly code: string
  readonly todo: RegExp
  readonly isKept?: true
  /** The payout is lost: no deadline is left. */
  readonly isLost?: true
  readonly plant: () => void
}

export const ROWS: readonly Row[] = [
  {
    row: "1, 2, 11, 15: strangers or limits hide the payout",
    code: "alarm.leg_unreadable",
    todo: /send the redemption or the refund that the alarm names before its deadline/,
    plant: () => {
      blindTo("destination")
      fail("broadcastTransaction")
    },
  },
  {
    row: "3, 10: the source cannot be read",
    code: "alarm.leg_unreadable",
    todo: /send the redemption or the refund that the alarm names before its deadline/,
    plant: () => {
      blindTo("source")
      fail("broadcastTransaction")
    },
  },
  {
    row: "4: the source is taken, and the payout does not come",
    code: "alarm.source_redeemed",
    todo: /keep the pause until it has paid/,
    plant: () => {
      Object.assign(world.service.conduct, { takesSource: true, takesBack: true })
      refuse("x.reverted")
    },
  },
  ...(["broadcastTransaction", "signTransaction"] as const).map(
    (call): Row => ({
      isLost: true,
      row: `4: the same while every ${call} of our redemption fails`,
      code: "alarm.source_redeemed",
      todo: /keep the pause until it has paid/,
      plant: () => {
        Object.assign(world.service.conduct, { takesSource: true, takesBack: true })
        fail(call)
      },
    }),
  ),
  {
    row: "6: the signer refuses the redemption of a told secret",
    code: "alarm.payout_unredeemed",
    todo: /Remove the cause .* the signer's limit/,
    plant: () => fail("signTransaction"),
  },
  {
    row: "6: the signer would refuse the redemption",
    code: "alarm.payout_blocked",
    todo: /the signer's limit/,
    isKept: true,
    plant: () => {
      const ask = async (): Promise<void> => {
        const fault = { code: "signer.velocity", message: "the limit is used up", details: {} }
        throw new AppError({ ...fault, disposition: "transient" })
      }
      Object.assign(daemon.context, { keyRecord: { askHeadroom: ask } })
    },
  },
  {
    row: "8: the market is dearer than the payout",
    code: "alarm.payout_unredeemed",
    todo: /a fee cap/,
    plant: () => world.fees.set(chainOf(ARB), 1_000_000_000n),
  },
  {
    row: "9: the payee cannot receive",
    code: "alarm.payout_blocked",
    todo: /a block by the token's issuer/,
    isKept: true,
    plant: () => {
      const fault = { code: "x.frozen", message: "frozen", expected: "open", found: "frozen" }
      Object.assign(portOf(ARB), { contracts: { checkPayout: async () => [fault] } })
    },
  },
  {
    row: "8: no node ever has an estimate",
    code: "alarm.payout_unredeemed",
    todo: /a fee cap, the signer's limit, or a node/,
    plant: () =>
      world.faults.inject(
        "arbitrum.planTransaction",
        { before: failure("transient", "fees.unknown") },
        1_000_000,
      ),
  },
  {
    row: "9: our account is blocked once the secret is told",
    code: "alarm.payout_unredeemed",
    todo: /Remove the cause that the alarm or the order names/,
    plant: () => refuse("x.blocked"),
  },
  {
    row: "14: the wallet cannot pay a told secret's redemption",
    code: "redeem.unaffordable",
    todo: /Send the chain's coin to the address/,
    plant: () => refuse("funds.insufficient"),
  },
  {
    row: "14: the wallet could not pay the redemptions of all orders",
    code: "alarm.payout_blocked",
    todo: /too little coin for fees/,
    isKept: true,
    plant: () => {
      const native = { fetchNativeBalance: async () => 1n, fetchLeastBalance: async () => 0n }
      Object.assign(portOf(ARB), { native })
    },
  },
]

const readNow = () =>
  readOverview({
    journal: daemon.context.journal,
    nowMs: world.clock.now(),
    dataDir: "/nonexistent",
    config: null,
    daemon: { answers: true, pid: 1, startedAtMs: 0, version: "1", waitsFor: [] },
    live: null,
  })

export async function checkRow(row: Row): Promise<void> {
  const { code, todo, isKept = false, isLost = false, plant } = row

  world = createWorld({ confirmations: 2 })
  Object.assign(world.service.conduct, { redeems: false, takesSource: false, fills: false })
  world.tickMs = 5_000
  daemon = world.start({ settings: { ownSecrets } })
  await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: 10_000n })
  await world.run(() => daemon.state(ID) === "funded")
  plant()
  world.service.conduct.fills = true
  const isRaised = () =>
    daemon.context.journal.listAlerts(99).some(({ reason }) => reason.code === code)
  await world.run(isRaised, HOUR_MS)
  const overview = readNow()
  const problem = overview.problems.find((one) => one.code === code && one.order === ID)
  expect(problem?.todo).toMatch(todo)
  expect(problem?.command).toBe(`ballast order ${ID}`)
  expect(isTold()).toBe(!isKept)
  const status = formatHealth(overview)
    .map(({ text }) => text)
    .join("\n")
  expect(status).toContain(problem?.sentence)
  expect(status).toContain(`${problem?.todo}  ->  ${problem?.command}`)
  const [shown] = overview.orders
  const config = { mode: "live", assets: [], alerts: { receivers: [] }, dataDir: "/nonexistent" }
  const samples = readSamples({
    overview,
    // CAST: the total needs no more; a wallet that was not read yet is missing in it.
    summary: { totalFiat: "0", unread: [ETH], unpriced: [], swaps: {} } as never,
    journal: daemon.context.journal,
    // CAST: the samples of orders and alarms need no more of the configuration.
    config: config as never,
    turns: { workMs: null, rulesMs: null },
    deliveries: { deliveries: [], receivers: {} } as never,
    traces: null,
  })
  expect(samples["ballast_alarms_open"]).toContainEqual({ labels: { code }, value: 1 })
  expect(samples["ballast_treasury_usd"]).toEqual([])
  if (isLost) expect(daemon.state(ID)).toBe("held")
  if (isKept || isLost) return
  const capUnits = daemon.order(ID).data.seen.payoutLock?.capUnits?.toString()
  const at = shown?.deadline ?? ""
  const view = viewOrder(daemon.order(ID), new Map(), world.clock.now())
  expect(view.payoutDeadline).toMatchObject({ at, capUnits })
  const order = describePayoutDeadline(view, world.clock.now())
  expect(order).toMatch(new RegExp(`^before .*(left|over since .*), estimated.* ${capUnits}`))
  expect(status).toContain(`(${problem?.left} left)`)
  expect(shown?.ends).toContain(`offer up to ${capUnits}`)
  expect(problem?.deadline).toBe(at)
  expect(samples["ballast_order_deadline_timestamp_seconds"]).toContainEqual(
    expect.objectContaining({ value: Date.parse(at) / 1_000 }),
  )
  expect(samples["ballast_redemption_fee_units"]).toContainEqual({
    labels: { chain: chainOf(ARB), bound: "cap" },
    value: Number(capUnits),
  })
}
