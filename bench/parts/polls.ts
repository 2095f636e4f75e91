import type { AssetId } from "#domain/asset.ts"
import type { OrderPolicy } from "#domain/order.ts"
import { mustExist } from "#lib/assert.ts"
import type { TouchReader } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import { swapKey } from "../../test/support/fake-chain.ts"
import type { FakeService } from "../../test/support/fake-service.ts"
import { createBlockScan } from "../../test/support/fake-touched-legs.ts"
import { ARB, BTC, type Daemon, ETH, openWorld, type World } from "../../test/support/fake-world.ts"
import { createAgreeingPort } from "../agreeing-port.ts"
import { ENDPOINTS } from "../ask-endpoints.ts"
import { atMost, type Part, type Row } from "../row.ts"

/** The bounds that a configuration has without `poll`. */
const USUAL = { pollMinMs: 2_000, pollMaxMs: 60_000 }
const FIXED = { pollMinMs: 5_000, pollMaxMs: 5_000 }
const EVM_BLOCK_MS = 2_000
const STEP_MS = 200
const SECOND_MS = 1_000

type Route = {
  readonly name: string
  readonly to: AssetId
  readonly family?: "solana" | "starknet"
  readonly blockMs: number
  /** From the request to the solver's payment. */
  readonly payAfterMs: number
}

const ROUTES: readonly Route[] = [
  { name: "EVM", to: ARB, blockMs: EVM_BLOCK_MS, payAfterMs: 30_000 },
  { name: "Solana", to: ARB, family: "solana", blockMs: 400, payAfterMs: 30_000 },
  { name: "Starknet", to: ARB, family: "starknet", blockMs: 4_000, payAfterMs: 30_000 },
  { name: "Bitcoin", to: BTC, blockMs: 600_000, payAfterMs: 60_000 },
]

/**
 * The questions that one waiting order asks its service, and the time from a payout's block until
 * Ballast has seen it, beside a poll every five seconds. Time is simulated, so the machine does not
 * matter.
 */
export const polls: Part = async (quick) => {
  const rows: Row[] = []
  for (const route of ROUTES) {
    const count = quick ? 4 : 12
    const ours = await measure(route, USUAL, count)
    const fixed = await measure(route, FIXED, count, false)
    const of = `to ${route.name}: `
    rows.push(
      {
        what: `${of}polls beside one every 5 s`,
        value: ours.polls / fixed.polls,
        unit: "×",
        goal: atMost(0.5),
      },
      { what: `${of}polls of an order`, value: ours.polls, unit: "", goal: null },
      {
        what: `${of}a payout is seen after`,
        value: ours.lateMs / 1_000,
        unit: "s",
        goal: atMost(fixed.lateMs / 1_000),
      },
    )
  }
  return rows
}

type Watching = { readonly polls: number; readonly lateMs: number }

async function measure(
  route: Route,
  policy: Partial<OrderPolicy>,
  count: number,
  follows = true,
): Promise<Watching> {
  const world = openWorld(route.family === undefined ? {} : { arbitrum: route.family })
  world.autoMine = false
  world.serviceActs = false
  const polled = countPolls(world)
  const { service } = world
  service.conduct.treat = ({ createdAtMs, orderId }) => {
    const pays = world.clock.now() - createdAtMs > route.payAfterMs * spread(orderId)
    return { fills: pays, redeems: pays, takesSource: pays }
  }
  const daemon = world.start({
    policy: { ...policy, patienceMs: 24 * 3_600_000, deadlineMarginMs: 0 },
    settings: { limits: { maxOrder: null, maxInFlight: count, windows: [] } },
    // A head that stands still wakes no order, so the poll is fixed.
    adaptPort: (port) => {
      const all = addEndpoints(world, port)
      return follows
        ? all
        : {
            ...all,
            touched: { listTouchedLegs: async () => ({ height: 0n, secretHashes: [] }) },
          }
    },
  })
  const found = await followOrders(world, daemon, route, { count, polled })
  world.close()
  return found
}

/**
 * Every endpoint shows the same ledger. Each scan of Bitcoin's blocks remembers its own last block.
 */
function addEndpoints({ bitcoin }: World, port: ChainPort): ChainPort {
  if (ENDPOINTS === 1) return port
  if (port.family !== "bitcoin") return createAgreeingPort([port, port])
  const scan = createBlockScan(bitcoin)
  const listTouchedLegs: TouchReader["listTouchedLegs"] = async (since, waiting) =>
    scan(
      since,
      waiting.map(({ query }) => query),
    )
  return createAgreeingPort([port, { ...port, touched: { listTouchedLegs } }])
}

/** Counts the questions of each order from the time at which its deposit is seen. */
function countPolls({ services }: World): Map<string, number> {
  const polled = new Map<string, number>()
  const main: FakeService = mustExist(services.get("main"), "the service")
  const { port } = main
  const fetchOrder: typeof port.fetchOrder = (orderId) => {
    polled.set(orderId, (polled.get(orderId) ?? 0) + 1)
    return port.fetchOrder(orderId)
  }
  services.set("main", { ...main, port: { ...port, fetchOrder } })
  return polled
}

async function followOrders(
  world: World,
  daemon: Daemon,
  route: Route,
  { count, polled }: { readonly count: number; readonly polled: ReadonlyMap<string, number> },
): Promise<Watching> {
  const { clock } = world
  const target = route.to === BTC ? world.bitcoin : world.arbitrum
  const started = Array.from({ length: count }, (_, index) => index * 700)
  const startMs = clock.now()
  const before = new Map<string, number>()
  const paidMs = new Map<string, number>()
  const seenMs = new Map<string, number>()
  for (let opened = 0; seenMs.size < count; ) {
    const nowMs = clock.now() - startMs
    if (opened < count && nowMs >= (started[opened] ?? 0)) {
      const answer = await daemon.engine.submit({ from: ETH, to: route.to, sourceUnits: 10_000n })
      if (!answer.ok) throw new Error(JSON.stringify(answer.reasons))
      opened++
    }
    if (nowMs % SECOND_MS < STEP_MS) world.service.act()
    if (nowMs % EVM_BLOCK_MS < STEP_MS) world.evm.mine()
    if (nowMs % route.blockMs < STEP_MS) target.mine()
    await world.pass(STEP_MS)
    for (const { orderId, secretHash } of world.service.orders) {
      const order = daemon.order(orderOf(daemon, orderId))
      if (order.data.seen.sourceInitiated !== null && !before.has(orderId))
        before.set(orderId, polled.get(orderId) ?? 0)
      const key = swapKey(target, target === world.bitcoin ? "bitcoin_testnet" : "", {
        secretHash,
        initiator: "solver",
      })
      const isPaid = (target.state().swaps.get(key)?.redeemed ?? null) !== null
      if (isPaid && !paidMs.has(orderId)) paidMs.set(orderId, clock.now())
      if (order.data.seen.destinationRedeemed !== null && !seenMs.has(orderId))
        seenMs.set(orderId, clock.now())
    }
    if (nowMs > 3 * 3_600_000) throw new Error(`only ${seenMs.size} of ${count} payouts were seen`)
  }
  const ids = [...seenMs.keys()]
  const polls = ids.map((id) => (polled.get(id) ?? 0) - (before.get(id) ?? 0))
  const late = ids.map((id) => (seenMs.get(id) ?? 0) - (paidMs.get(id) ?? 0))
  return { polls: mean(polls), lateMs: mean(late) }
}

function orderOf({ context }: Daemon, serviceOrderId: string): string {
  const row = context.journal
    .listOrders({})
    .find(({ snapshot }) => snapshot.includes(serviceOrderId))
  return mustExist(row, "the order").id
}

/** Between 0.7 and 1.3, by the order. */
function spread(orderId: string): number {
  return 0.7 + (Number.parseInt(orderId.slice(-4), 16) % 61) / 100
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
