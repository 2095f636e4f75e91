import { describe, expect, test } from "vitest"
import { type AssetId, chainOf } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { ChainPort } from "#ports/chain.ts"
import { bytesOf, MAX_FEE } from "../../support/fake-chain.ts"
import type { FakeLedger } from "../../support/fake-ledger.ts"
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
import { withCapability } from "../../support/wrap-port.ts"

/*
 * The fee of a redemption after a told secret: it may rise to the worth of the payout as the lock
 * ends, and no further (ADR 30).
 */

const ID = "order-1"
const UNITS = 100_000n
const MINUTE_MS = 60_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")

let world: World
let daemon: Daemon

/**
 * The payout's chain of each family. The service never redeems, and the solver takes the payout
 * back as soon as it can.
 */
const FAMILIES = [
  ["evm", ARB],
  ["starknet", ARB],
  ["solana", ARB],
  ["bitcoin", BTC],
] as const

async function begin(
  family: (typeof FAMILIES)[number][0],
  to: AssetId,
  adapt: (port: ChainPort) => ChainPort = (port) => port,
): Promise<FakeLedger> {
  world = createWorld({ confirmations: 2, ...(family === "bitcoin" ? {} : { arbitrum: family }) })
  Object.assign(world.service.conduct, { redeems: false, takesBack: true })
  // A redemption that does not land is known to have expired after more than sixty slots, and then
  // a second one needs a few.
  if (family === "solana") Object.assign(world.service.conduct, { destinationTimelock: 140n })
  const destinationExtras = { delegate: "de".repeat(32) }
  const estimatePayoutFee = async () => 20n
  const adaptPort = (port: ChainPort): ChainPort =>
    adapt(
      port.family === "bitcoin"
        ? withCapability({ ...port, destinationExtras }, "outputs", { estimatePayoutFee })
        : port,
    )
  const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }
  const settings = { ownSecrets }
  daemon = world.start({ settings, adaptPort })
  await daemon.accept(ETH, to, UNITS)
  const ledger = to === BTC ? world.bitcoin : world.arbitrum
  await world.run(() => ledger.state().swaps.size > 0)
  return ledger
}

const spike = (to: AssetId, fee: bigint): Map<string, bigint> => world.fees.set(chainOf(to), fee)
const reach = (state: string): Promise<void> => daemon.reach(state, ID, 180 * MINUTE_MS)
const isRedeemSent = (ledger: FakeLedger): boolean =>
  ledger.heard().some(({ action }) => action.kind === "redeem")

describe.each(FAMILIES)("a payout on %s", (family, to) => {
  // On Bitcoin our redemption is the first to tell the secret, so it is not sent any more once too
  // little of the lock is left.
  test.skipIf(family === "bitcoin").each([50n, 500n, 4_500n])(
    "is redeemed at %s times the usual fee",
    async (times) => {
      const ledger = await begin(family, to)
      spike(to, 10n * times)
      await reach("completed")
      const [redeemed, ...more] = ledger.mined("redeem")
      expect(redeemed).toMatchObject({ fee: 10n * times, ok: true })
      expect(more).toEqual([])
      const [payout] = ledger.state().swaps.values()
      const height = ledger.state().txs.get(redeemed?.txid ?? "")?.height ?? 0n
      const start = payout?.initiated.height ?? 0n
      const lock = payout?.timelock ?? 0n
      // It waited for lower fees while two thirds of the lock passed.
      expect((height - start) * 3n).toBeGreaterThan(lock * 2n - 10n)
    },
  )

  test.each([50n, 500n, 4_500n])(
    "is redeemed when the fee rises %s times after the redemption was sent",
    async (times) => {
      const ledger = await begin(family, to)
      await world.run(() => {
        if (isRedeemSent(ledger)) spike(to, 10n * times)
        return isRedeemSent(ledger)
      })
      await reach("completed")
      expect(ledger.mined("redeem").map(({ fee }) => fee)).toEqual([10n * times])
    },
  )

  test("is redeemed when nodes refuse its redemption for a fee that rose after the signature", async () => {
    const refuseCheap = (port: ChainPort): ChainPort => ({
      ...port,
      broadcastTransaction: async (transaction) => {
        const { action, fee } = bytesOf(transaction)
        if (action.kind !== "redeem") return port.broadcastTransaction(transaction)
        spike(to, 500n)
        if (fee < 500n) throw failure("uncertain", "evm.not_taken")
        return port.broadcastTransaction(transaction)
      },
    })
    const ledger = await begin(family, to, (port) =>
      port.chain === chainOf(to) ? refuseCheap(port) : port,
    )
    await reach("completed")
    expect(ledger.mined("redeem").map(({ fee }) => fee)).toEqual([500n])
  })

  test("is not redeemed for more than it is worth", async () => {
    const ledger = await begin(family, to)
    spike(to, 2n * UNITS)
    const end = (): boolean => {
      const [payout] = ledger.state().swaps.values()
      return payout?.refunded != null
    }
    await world.run(end, 180 * MINUTE_MS)
    const fees = ledger
      .heard()
      .flatMap(({ action, fee }) => (action.kind === "redeem" ? [fee] : []))
    expect(fees.filter((fee) => fee > UNITS)).toEqual([])
    expect(MAX_FEE * 50n).toBeLessThan(UNITS)
  })
})

describe("a payout in a token", () => {
  const FIAT = new Map<string, bigint>([
    [WBTC, 1_000_000_000_000n],
    [ETH, 1_000_000_000_000n],
  ])
  // Without prices it stays at fifty times the cap.
  const begun = async (isPriced: boolean): Promise<void> => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, { redeems: false, takesBack: true })
    const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }
    const prices = {
      fetchPrice: async (asset: AssetId) => {
        const fiat = isPriced ? (FIAT.get(asset) ?? null) : null
        return fiat === null ? null : { fiat, sources: 1 }
      },
    }
    daemon = world.start({ settings: { ownSecrets }, prices })
    await daemon.accept(ARB, WBTC, UNITS)
    await world.run(() => world.evm.state().swaps.size > 0)
    spike(ETH, 45_000n)
  }

  test("is redeemed for a fee that the prices of its quote show to be smaller", async () => {
    await begun(true)
    await reach("completed")
    expect(world.evm.mined("redeem")).toMatchObject([{ fee: 45_000n, ok: true }])
  })

  test("is redeemed for fifty times the cap at most where no price is known", async () => {
    await begun(false)
    await world.run(
      () => [...world.evm.state().swaps.values()].some(({ refunded }) => refunded != null),
      180 * MINUTE_MS,
    )
    expect(world.evm.mined("redeem")).toEqual([])
  })
})
