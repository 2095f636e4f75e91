import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { BTC, createWorld, defaultSettings, ETH } from "../../../support/fake-world.ts"
import { failure } from "../../../support/faults.ts"
import { withCapability } from "../../../support/wrap-port.ts"

/*
 * A redemption that would be the first to tell the secret, and whose lock nearly ends: one endpoint
 * alone, in league with the solver, cannot talk Ballast into sending it.
 */

const ID = "order-1"
const MINUTE_MS = 60_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const settings = {
  ...defaultSettings(),
  ownSecrets: { keeper, modeOf: () => "own" as const, maxServiceSecret: null },
}
const TAKEN = {
  txid: "f".repeat(64),
  height: 1n,
  confirmations: 9,
  seen: true,
  revealable: false,
  final: false,
  paidUnits: 1n,
  secret: null,
} as const

const withKey = (port: ChainPort): ChainPort =>
  port.family === "bitcoin"
    ? withCapability({ ...port, destinationExtras: { delegate: "de".repeat(32) } }, "outputs", {
        estimatePayoutFee: async () => 20n,
      })
    : port

/** From the last moments of the payout's lock on, one endpoint shows one leg so. */
async function begin(side: LegQuery["side"], lied: Partial<LegObservation>) {
  const world = createWorld({ confirmations: 2 })
  Object.assign(world.service.conduct, { redeems: false, takesBack: true })
  const broadcastTransaction = async (): Promise<never> => Promise.reject(failure("transient"))
  const deaf = (port: ChainPort): ChainPort =>
    port.family === "bitcoin" ? { ...withKey(port), broadcastTransaction } : withKey(port)
  const first = world.start({ settings, adaptPort: deaf })
  await first.accept(ETH, BTC)
  await first.reach("redeem-sending")
  first.kill()
  const [payout] = world.bitcoin.state().swaps.values()
  const lockEnds = (payout?.initiated.height ?? 0n) + (payout?.timelock ?? 0n)
  await world.run(() => world.bitcoin.height() >= lockEnds - 3n, 90 * MINUTE_MS)
  let isLying = true
  const lying = (port: ChainPort): ChainPort => ({
    ...withKey(port),
    observeLeg: async (query) => {
      const leg = await port.observeLeg(query)
      return isLying && query.side === side ? { ...leg, ...lied, agreed: false } : leg
    },
  })
  const daemon = world.start({ settings, adaptPort: lying })
  await world.pass(5 * MINUTE_MS)
  const told = world.bitcoin.heard().filter(({ action }) => action.kind === "redeem")
  isLying = false
  await daemon.reach("refunded", ID, 60 * MINUTE_MS)
  return told
}

test.each<[string, LegQuery["side"], Partial<LegObservation>]>([
  ["the deposit as taken", "source", { redeemed: TAKEN }],
  ["the payout with a longer lock", "destination", { refundableAt: 100_000n }],
])("an endpoint that shows %s releases no secret", async (_, side, lied) => {
  expect(await begin(side, lied)).toEqual([])
})
