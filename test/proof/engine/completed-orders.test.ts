import { describe, expect, test } from "vitest"
import { ARB, BTC, createWorld, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { ledgerOf, leftAllowance, lostUnits } from "../../support/money.ts"

const UNITS = 10_000n
const ROUTES = [
  { name: "from Bitcoin", from: BTC, to: WBTC, way: "onchain" },
  { name: "to Bitcoin with an approval", from: WBTC, to: BTC, way: "onchain" },
  { name: "to Bitcoin without gas", from: WBTC, to: BTC, way: "gasless" },
  { name: "of a native coin", from: ETH, to: BTC, way: "onchain" },
  { name: "between two account chains", from: ARB, to: WBTC, way: "onchain" },
] as const
type Route = (typeof ROUTES)[number]

let world: World

describe("an order", () => {
  test.each(ROUTES)("$name is created, deposited once and completed", async (route) => {
    world = createWorld()
    const daemon = world.start({ policy: { way: route.way } })
    const { from, to } = route
    expect(await daemon.engine.submit({ from, to, sourceUnits: UNITS })).toEqual({
      ok: true,
      id: "order-1",
    })
    await daemon.reach("completed")
    expectPaidOnce(route)
    const { data } = daemon.order("order-1")
    expect(data.seen.destinationRedeemed?.txid).toMatch(/^[0-9a-f]{64}$/)
    expect(daemon.context.journal.listReserved("").size).toBe(0)
    expect(daemon.context.journal.listDueWork(Number.MAX_SAFE_INTEGER, 9)).toEqual([])
  })
})

describe("a process that dies", () => {
  const routes = ROUTES.filter(({ from }) => from !== ARB)

  describe.each(["after", "before"] as const)(
    "%s a write to the journal reached the disk",
    (when) => {
      test.each(routes)(
        "at any write continues the order $name and deposits once",
        async (route) => {
          for (let at = 1; ; at++) {
            const lives = await liveThrough(route, (life) => (life === 1 ? { at, when } : null))
            world.close()
            if (lives === 1) {
              expect(at).toBeGreaterThan(12)
              break
            }
          }
        },
      )

      test.each(routes)(
        "again and again at its second write continues the order $name, and deposits once",
        async (route) => {
          const lives = await liveThrough(route, (life) => (life < 60 ? { at: 2, when } : null))
          expect(lives).toBeGreaterThan(6)
        },
      )
    },
  )
})

/**
 * Runs one order through as many processes as it needs; resolves with their number when the order
 * is completed with one deposit.
 */
async function liveThrough(
  route: Route,
  deathOf: (life: number) => { at: number; when: "after" | "before" } | null,
): Promise<number> {
  const { from, to, way } = route
  world = createWorld({ confirmations: 2 })
  let submitted = false
  for (let life = 1; life < 200; life++) {
    const dies = deathOf(life)
    const daemon = world.start({ policy: { way }, ...(dies ? { dies } : {}) })
    if (!submitted) await daemon.engine.submit({ from, to, sourceUnits: UNITS }).catch(() => null)
    // The process died before the journal had the order: nothing was promised, and the operator
    // asks again.
    submitted = daemon.state("order-1") !== "none"
    if (!submitted) world.forgetIds()
    await world.run(() => !daemon.isAlive() || daemon.state("order-1") === "completed")
    if (daemon.isAlive()) {
      expectPaidOnce(route)
      return life
    }
    daemon.kill()
  }
  throw new Error("The order never ended")
}

function expectPaidOnce({ from, way }: Route): void {
  expect(lostUnits(world, from)).toBe(UNITS)
  const direct = ledgerOf(world, from).mined("initiate")
  expect(direct.map(({ ok }) => ok)).toEqual(way === "gasless" ? [] : [true])
  expect(leftAllowance(world)).toBe(0n)
}
