import { expect, test } from "vitest"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

const ID = "order-1"
const FAMILIES = ["evm", "solana", "starknet"] as const
/** Far apart, so that an order that is seen early was woken. */
const POLICY = {
  pollMinMs: 2_000,
  pollMaxMs: 10 * 60_000,
  patienceMs: 24 * 3_600_000,
  deadlineMarginMs: 0,
}
/**
 * A poll of the head, the least time between two observations, and the blocks until a transaction
 * shows.
 */
const SOON_MS = 8_000

let world: World

const seen = (daemon: Daemon) => daemon.order(ID).data.seen
const observations = (): number => world.faults.countCalls("arbitrum.observeLeg")

/**
 * An order whose deposit is seen, and whose solver does nothing, after it has been observed at
 * `poll.max` for a while.
 */
async function waitLong(family: (typeof FAMILIES)[number]): Promise<Daemon> {
  world = createWorld({ arbitrum: family })
  Object.assign(world.service.conduct, { fills: false, redeems: false, takesSource: false })
  const daemon = world.start({ policy: POLICY })
  await daemon.accept(ETH, ARB)
  await world.run(() => seen(daemon).sourceInitiated !== null)
  await world.pass(2 * 60_000)
  return daemon
}

test.each(FAMILIES)(
  "an order to %s is observed at poll.max, and at once when its HTLC changes",
  async (family) => {
    const daemon = await waitLong(family)
    const before = observations()
    await world.pass(2 * 60_000)
    expect(observations() - before).toBeLessThanOrEqual(1)
    world.service.conduct.fills = true
    await world.run(() => seen(daemon).destinationInitiated !== null, SOON_MS)
    await world.pass(30_000)
    world.service.conduct.redeems = true
    await world.run(() => seen(daemon).destinationRedeemed !== null, SOON_MS)
  },
)

test.each(FAMILIES)(
  "changes on %s that no head tells cost poll.max each, and no order",
  async (family) => {
    world = createWorld({ arbitrum: family })
    const pollMaxMs = 60_000
    Object.assign(world.service.conduct, { fills: false, takesSource: false })
    const daemon = world.start({
      policy: { ...POLICY, pollMaxMs },
      adaptPort: (port) => ({
        ...port,
        touched: {
          listTouchedLegs: async () => ({ height: await port.fetchHeight(), secretHashes: [] }),
        },
      }),
    })
    await daemon.accept(ETH, ARB)
    await world.run(() => seen(daemon).sourceInitiated !== null)
    await world.pass(3 * 60_000)
    Object.assign(world.service.conduct, { fills: true, takesSource: true })
    await world.run(() => seen(daemon).destinationRedeemed !== null, 2 * pollMaxMs + SOON_MS)
    await daemon.reach("completed", ID, 2 * pollMaxMs + SOON_MS)
  },
)

test.each(FAMILIES)(
  "a leg on %s that could not be read is read again before poll.max",
  async (family) => {
    const daemon = await waitLong(family)
    world.service.conduct.fills = true
    world.faults.inject("arbitrum.observeLeg", { before: failure("transient") }, 2)
    await world.run(() => seen(daemon).destinationInitiated !== null, 60_000)
  },
)
