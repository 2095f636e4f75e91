import { createHash } from "node:crypto"
import { beforeEach, describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import type { SecretMode } from "#domain/order.ts"
import { REDEEM_WAIT_MS } from "#domain/time-to-redeem.ts"
import type { EngineContext } from "#engine/context.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { NativeBalance } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import { identityOfCode } from "../../support/fake-chain.ts"
import { HTLC } from "../../support/fake-ledger.ts"
import type { Conduct } from "../../support/fake-service.ts"
import {
  ARB,
  ASSETS,
  BTC,
  createWorld,
  type Daemon,
  defaultSettings,
  ETH,
  type StartOptions,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { withCapability } from "../../support/wrap-port.ts"

/*
 * The client chooses the secret: the solver can take the deposit only after we told it, and we tell
 * it only for a proven payout (ADR 30).
 */

const ID = "order-1"
const UNITS = 10_000n
const MINUTE_MS = 60_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")

let world: World
let daemon: Daemon

function options(mode: SecretMode = "own", more: StartOptions = {}): StartOptions {
  const ownSecrets = { keeper, modeOf: () => mode, maxServiceSecret: null }
  return { ...more, settings: { ...defaultSettings(), ...more.settings, ownSecrets } }
}

async function begin(
  conduct: Partial<Conduct> = {},
  mode: SecretMode = "own",
  more: StartOptions = {},
): Promise<void> {
  world = createWorld({ confirmations: 2 })
  Object.assign(world.service.conduct, conduct)
  daemon = world.start(options(mode, more))
  await daemon.accept(ETH, ARB)
}

const reach = (state: string, maxMs = 90 * MINUTE_MS): Promise<void> =>
  daemon.reach(state, ID, maxMs)
const states = (): string[] => daemon.context.journal.listEvents(ID).map(({ state }) => state)
const decisions = (): readonly string[] => daemon.context.journal.listSecretDecisions(ID)
const balance = (): bigint =>
  (world.evm.state().balances.get(ETH) ?? 0n) + (world.arbitrum.state().balances.get(ARB) ?? 0n)
/** Both coins count alike here; quote cost and fees are a few hundred units. */
const lost = (): bigint => 2_000_000n - balance()

describe("an order with our own secret", () => {
  test("tells it after the payout is proven, and completes when the service redeems", async () => {
    await begin()
    await reach("completed")
    const [told] = world.service.reveals
    const hash = createHash("sha256")
      .update(Buffer.from(told?.secret ?? "", "hex"))
      .digest("hex")
    expect(hash).toBe(daemon.order(ID).data.deposit?.secretHash)
    expect(daemon.order(ID).data.ownSecret).toMatchObject({
      hash,
      status: "revealed",
      isTold: true,
    })
    expect(decisions()).toEqual(["reveal"])
    expect(world.arbitrum.mined("redeem")).toEqual([])
    expect(states()).toContain("revealing")
  })

  test("redeems the payout itself when the service does not", async () => {
    await begin({ redeems: false })
    await reach("completed")
    expect(world.arbitrum.mined("redeem")).toHaveLength(1)
    expect(lost()).toBeLessThan(200n)
    const fee = daemon.context.journal
      .listEntries({ orderId: ID })
      .filter(({ note }) => note === "redeem")
    expect(fee.flatMap(({ postings }) => postings.map(({ asset }) => asset))).toEqual([ARB, ARB])
    expect(daemon.order(ID).data.networkFeeUnits).toBe(10n)
  })

  test("redeems it although solver and service take the source at once and hide the payout", async () => {
    await begin({ redeems: false, takesBack: true })
    await reach("completed")
    expect(lost()).toBeLessThan(200n)
  })

  test("redeems it also when the service refuses the secret", async () => {
    await begin({ redeems: false })
    world.faults.inject("service.revealSecret", { before: failure("refused") }, 9)
    await reach("completed")
    expect(lost()).toBeLessThan(200n)
  })

  describe("redeems it although the source does not show our deposit any more, and sends that again", () => {
    let sentAgainMs: number[] = []
    const hasForgotten = (): boolean => world.service.reveals.length > 0
    const forgetful = (port: ChainPort): ChainPort => ({
      ...port,
      ...(port.chain === chainOf(ETH)
        ? {
            broadcastTransaction: async (transaction) => {
              if (hasForgotten() && transaction.plan.action === "initiate")
                sentAgainMs.push(world.clock.now())
              return port.broadcastTransaction(transaction)
            },
            observeLeg: async (query) => {
              const leg = await port.observeLeg(query)
              return hasForgotten()
                ? { ...leg, initiated: null, redeemed: null, refunded: null }
                : leg
            },
            observeTransaction: async (ours) =>
              hasForgotten() ? { status: "unseen" } : port.observeTransaction(ours),
          }
        : {}),
    })
    beforeEach(() => {
      sentAgainMs = []
    })
    const redeemed = (): Promise<void> =>
      world.run(() => world.arbitrum.mined("redeem").length > 0, 30 * MINUTE_MS)

    test("because later nonces of the account wait behind it, other redemptions among them", async () => {
      await begin({ redeems: false, takesBack: true }, "own", { adaptPort: forgetful })
      await redeemed()
      expect(states()).not.toContain("held")
      expect(sentAgainMs.length).toBeGreaterThan(0)
    })

    test("but not after its window", async () => {
      await begin({ redeems: false, takesBack: true, deadlineAfterMs: 60_000 }, "own", {
        adaptPort: forgetful,
      })
      await redeemed()
      const { sendUntilMs } = daemon.order(ID).data
      expect(sentAgainMs.length).toBeGreaterThan(0)
      expect(sentAgainMs.filter((atMs) => atMs > (sendUntilMs ?? 0))).toEqual([])
    })

    test("but not while everything is paused", async () => {
      await begin({ redeems: false, takesBack: true }, "own", { adaptPort: forgetful })
      await reach("revealed")
      const paused = daemon.engine.pause({ kind: "all" })
      sentAgainMs = []
      await redeemed()
      await paused
      expect(sentAgainMs).toEqual([])
    })

    test("and not while a block has it after all", async () => {
      const mined = (port: ChainPort): ChainPort => {
        const { observeTransaction } = port
        return { ...forgetful(port), observeTransaction }
      }
      await begin({ redeems: false, takesBack: true }, "own", { adaptPort: mined })
      await redeemed()
      expect(sentAgainMs).toEqual([])
    })
  })

  test.each<[string, Partial<Conduct>]>([
    ["pays too little", { fillShortUnits: 5n }],
    ["locks the payout too shortly", { fillTimelock: 5n }],
    ["pays another account", { fillsForAnother: true }],
    ["pays nothing", { fills: false }],
  ])("tells nothing when the solver %s, and gets its deposit back", async (_, conduct) => {
    await begin(conduct)
    await reach("refunded")
    expect(world.service.reveals).toEqual([])
    expect(decisions()).toEqual(["withhold"])
    expect(lost()).toBeLessThan(100n)
  })

  test.each([
    ["revealing", true],
    ["redeem-sending", false],
  ])(
    "reads the chains again after its process stood still in %s, before it tells the secret",
    async (state, redeems) => {
      let readAtMs = 0
      let isFrozen = false
      const ages: number[] = []
      const adaptPort = (port: ChainPort): ChainPort => ({
        ...port,
        observeLeg: async (query) => {
          readAtMs = world.clock.now()
          return port.observeLeg(query)
        },
        observeTransaction: async (ours) => {
          readAtMs = world.clock.now()
          return port.observeTransaction(ours)
        },
        broadcastTransaction: async (transaction) => {
          if (transaction.plan.action === "redeem") ages.push(world.clock.now() - readAtMs)
          return port.broadcastTransaction(transaction)
        },
      })
      const adaptContext = (context: EngineContext): EngineContext => {
        const service = mustExist(context.services.get("main"), "the service")
        const revealSecret: typeof service.revealSecret = async (...given) => {
          ages.push(world.clock.now() - readAtMs)
          // Ballast redeems the payout itself then.
          if (!redeems) throw failure("refused")
          return service.revealSecret(...given)
        }
        return {
          ...context,
          services: new Map([["main", { ...service, revealSecret }]]),
          proveLease: async () => {
            if (isFrozen || daemon.state(ID) !== state) return
            isFrozen = true
            world.clock.set(world.clock.now() + 6 * MINUTE_MS)
          },
        }
      }
      await begin({ redeems }, "own", { adaptPort, adaptContext })
      await reach("completed")
      expect([isFrozen, ages.length > 0, ages.filter((ms) => ms > 5 * MINUTE_MS)]).toEqual([
        true,
        true,
        [],
      ])
    },
  )

  test("is not refunded by an operator after its secret was told, and redeems its payout", async () => {
    await begin({ redeems: false, takesSource: false })
    await reach("revealed")
    expect(daemon.engine.operate(ID, "refund", "anna")).toMatchObject({ ok: false })
    await reach("completed")
    expect(states().filter((state) => state.startsWith("refund"))).toEqual([])
  })

  test("is redeemed at once when an operator asks, and not before its secret is told", async () => {
    await begin({ redeems: false, takesSource: false })
    await reach("funded")
    const early = daemon.engine.operate(ID, "redeem", "anna")
    expect(early).toMatchObject({ ok: false, reasons: [{ code: "secret.unrevealed" }] })
    expect(decisions()).toEqual([])
    await reach("revealed")
    const toldAt = daemon.order(ID).data.ownSecret?.revealedAt ?? 0
    expect(daemon.engine.operate(ID, "redeem", "anna")).toEqual({
      ok: true,
      state: "redeem-planning",
    })
    await world.run(() => world.arbitrum.mined("redeem").length === 1)
    expect(daemon.context.clock.now() - toldAt).toBeLessThan(REDEEM_WAIT_MS)
    await reach("completed")
    expect(world.arbitrum.mined("redeem")).toHaveLength(1)
    expect(daemon.engine.operate(ID, "redeem", "anna")).toMatchObject({ ok: false })
  })

  test("is not given up for a height that endpoints do not agree about", async () => {
    let lies = true
    const adaptPort = (port: ChainPort): ChainPort => ({
      ...port,
      observeLeg: async (query) => {
        const leg = await port.observeLeg(query)
        return lies && query.isExact === true
          ? { ...leg, agreed: false, height: 1_000_000_000n }
          : leg
      },
    })
    await begin({}, "own", { adaptPort })
    await world.run(() => states().includes("revealing"))
    await world.pass(10_000)
    expect(decisions()).toEqual([])
    lies = false
    await reach("completed")
    expect(decisions()).toEqual(["reveal"])
  })

  test("tells nothing while the payout is young", async () => {
    world = createWorld({ confirmations: 12 })
    daemon = world.start(options())
    await daemon.accept(ETH, ARB)
    await world.run(() => world.arbitrum.state().swaps.size > 0)
    await world.pass(6_000)
    expect(world.service.reveals).toEqual([])
    await reach("completed")
    expect(world.service.reveals).toHaveLength(1)
  })

  test.each([
    [32, "rejected", 0],
    [31, "completed", 1],
  ] as const)(
    "with a lock of 100 blocks of a second and a depth of %i it is %s",
    async (confirmations, ending, deposits) => {
      world = createWorld({ confirmations })
      daemon = world.start(options())
      await daemon.accept(ETH, ARB)
      await reach(ending)
      expect(world.evm.mined("initiate")).toHaveLength(deposits)
      if (ending === "rejected") expect(daemon.reasons()).toEqual(["secret.lock_short"])
    },
  )

  test("is refused for a short lock under its own secret alone", async () => {
    world = createWorld({ confirmations: 32 })
    daemon = world.start(options("service"))
    await daemon.accept(ETH, ARB)
    await reach("completed")
  })

  test("tells nothing when it comes back too late, and never later", async () => {
    await begin()
    await world.run(() => world.arbitrum.state().swaps.size > 0)
    daemon.kill()
    await world.pass(77_000)
    daemon = world.start(options())
    await reach("refunded")
    expect(world.service.reveals).toEqual([])
    expect(states()).toContain("revealing")
    expect(decisions()).toEqual(["withhold"])
    expect(daemon.alerts()).toContain("secret.late")
  })

  test("tells nothing without gas for its own redemption", async () => {
    const noGas = {
      fetchNativeBalance: async () => (world.service.orders.length > 0 ? 3n : 1_000_000n),
    }
    await begin({}, "own", {
      adaptPort: (port) =>
        port.chain === "arbitrum_sepolia" ? withCapability(port, "native", noGas) : port,
    })
    await world.run(() => daemon.reasons().includes("secret.no_gas"))
    await reach("refunded")
    expect(world.service.reveals).toEqual([])
  })

  test("pays far more than the fee cap when fees rise and the lock nearly ends", async () => {
    const refusal = { refused: [{ code: "fees.above_cap", message: "fees rose fifty times" }] }
    const dear = (port: ChainPort): ChainPort => ({
      ...port,
      planTransaction: async (intent, reserved) =>
        intent.action === "redeem" && intent.stake === undefined
          ? refusal
          : port.planTransaction(intent, reserved),
    })
    await begin({ redeems: false, takesBack: true }, "own", { adaptPort: dear })
    await reach("completed")
    const [payout] = world.arbitrum.state().swaps.values()
    const [redeemed] = world.arbitrum.mined("redeem")
    const at = world.arbitrum.state().txs.get(redeemed?.txid ?? "")?.height ?? 0n
    // It waited for lower fees as long as the lock allowed, and won the race against the solver.
    expect((at - (payout?.initiated.height ?? 0n)) * 3n).toBeGreaterThan(
      (payout?.timelock ?? 0n) * 2n - 10n,
    )
  })

  test("is not chosen without gas for a redemption at fifty times the present fee", async () => {
    const poor = withCoin({ fetchNativeBalance: async () => 499n })
    await begin({}, "prefer-own", { adaptPort: poor })
    await reach("completed")
    expect(daemon.order(ID).data.ownSecret ?? null).toBeNull()
    world.close()
    await begin({}, "own", { adaptPort: poor })
    await reach("rejected")
    expect(daemon.reasons()).toContain("secret.no_gas")
  })

  test(
    "keeps the gas for the redemptions of all orders in flight, each at fifty times the " +
      "present fee",
    async () => {
      const scarce = withCoin({ fetchNativeBalance: async () => 999n })
      await begin({ fills: false }, "own", { adaptPort: scarce })
      await reach("funded")
      await daemon.accept(ETH, ARB)
      await daemon.reach("rejected", "order-2")
      const refused = daemon
        .order("order-2")
        .data.reasons.find(({ code }) => code === "secret.no_gas")
      expect(refused).toMatchObject({ needed: "1000", found: "999" })
    },
  )

  test("counts the balance that an account must keep once, not for each order", async () => {
    const scarce = withCoin({
      fetchLeastBalance: async () => 1_000n,
      fetchNativeBalance: async () => 1_999n,
    })
    await begin({ fills: false }, "own", { adaptPort: scarce })
    await reach("funded")
    await daemon.accept(ETH, ARB)
    await daemon.reach("rejected", "order-2")
    const refused = daemon
      .order("order-2")
      .data.reasons.find(({ code }) => code === "secret.no_gas")
    expect(refused).toMatchObject({ needed: "2000", found: "1999" })
  })

  test("tells nothing while the wallet would have to pay with the balance that it must keep", async () => {
    let isShort = false
    const native = {
      fetchNativeBalance: async () => 100_000n,
      fetchLeastBalance: async () => (isShort ? 99_999n : 1n),
    }
    await begin({}, "own", {
      adaptPort: (port) => (port.chain === chainOf(ARB) ? { ...port, native } : port),
    })
    await reach("deposit-confirming")
    isShort = true
    await world.run(() => daemon.reasons().includes("secret.no_gas"))
    await reach("refunded")
    expect(world.service.reveals).toEqual([])
  })

  test("sells no coin that the redemptions of orders in flight may need", async () => {
    const native = {
      fetchNativeBalance: async () => world.arbitrum.state().balances.get(ARB) ?? 0n,
    }
    const adaptPort = (port: ChainPort): ChainPort =>
      port.chain === chainOf(ARB) ? withCapability(port, "native", native) : port
    await begin({ fills: false }, "own", { adaptPort })
    await reach("funded")
    const fee = (await daemon.context.chains.get(chainOf(ARB))?.estimateRedeemFee(ARB)) ?? 0n
    expect(fee).toBeGreaterThan(0n)
    const all = world.arbitrum.state().balances.get(ARB) ?? 0n
    const sell = (keptUnits: bigint) =>
      daemon.engine.submit({ from: ARB, to: BTC, sourceUnits: all - keptUnits })
    // The fake chain asks as much for a deposit and a refund.
    const deposit = 2n * fee
    expect(await sell(deposit + 50n * fee - 1n)).toMatchObject({
      ok: false,
      reasons: [{ code: "funds.insufficient" }],
    })
    expect(await sell(deposit + 50n * fee)).toMatchObject({ ok: true })
  })

  test("tells nothing while a pinned contract is another one", async () => {
    const pin = { pinned: [{ htlc: HTLC, identity: identityOfCode() }] }
    const assets = new Map(
      ASSETS.map((asset) => [asset.id, asset.id === ARB ? { ...asset, ...pin } : asset]),
    )
    await begin({}, "own", { settings: { assets } })
    await reach("deposit-confirming")
    world.codes.set(HTLC, "other code")
    await world.run(() => daemon.reasons().includes("verify.contract_changed"))
    await reach("refunded")
    expect(world.service.reveals).toEqual([])
    expect(decisions()).toEqual(["withhold"])
  })

  test("tells the service nothing where only our own key can redeem, and redeems at once", async () => {
    const delegate = "de".repeat(32)
    await begin({}, "own", { adaptPort: (port) => ({ ...port, destinationExtras: { delegate } }) })
    await reach("completed")
    expect(world.service.reveals).toEqual([])
    expect(world.arbitrum.mined("redeem")).toHaveLength(1)
    expect(decisions()).toEqual(["reveal"])
  })

  test.each(["own", "prefer-own"] as const)(
    "is not chosen for a payout to another address (%s)",
    async (mode) => {
      const destinationFor = (): string => "stranger"
      await begin({}, mode, { settings: { destinationFor } })
      // The fake service pays only our own wallets, so its answer is refused as well.
      await reach("rejected")
      expect(world.service.orders.map(({ isOwn }) => isOwn)).toEqual(mode === "own" ? [] : [false])
      expect(daemon.reasons()).toEqual([
        mode === "own" ? "secret.own_unsupported" : "verify.destination_owner",
      ])
    },
  )

  test.each([
    ["service", keeper, UNITS - 1n, false],
    ["service", keeper, UNITS, true],
    ["prefer-own", null, UNITS - 1n, false],
    ["prefer-own", keeper, UNITS - 1n, true],
  ] as const)(
    "with `%s` is admitted by guards.max_service_secret before any order",
    async (mode, key, most, ok) => {
      world = createWorld({ confirmations: 2 })
      const maxServiceSecret = { kind: "units", byAsset: { [ETH]: most } } as const
      const ownSecrets = { keeper: key, modeOf: () => mode, maxServiceSecret }
      daemon = world.start({ settings: { ...defaultSettings(), ownSecrets } })
      const answer = await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: UNITS })
      expect(answer).toMatchObject(
        ok ? { ok } : { ok, reasons: [{ code: "limit.service_secret" }] },
      )
      expect(world.service.orders).toEqual([])
    },
  )

  test("an order above the limit of all orders is refused for that alone", async () => {
    world = createWorld({ confirmations: 2 })
    const most = { kind: "units", byAsset: { [ETH]: UNITS - 1n } } as const
    const ownSecrets = { keeper: null, modeOf: () => "service" as const, maxServiceSecret: most }
    const settings = defaultSettings()
    daemon = world.start({
      settings: { ...settings, ownSecrets, limits: { ...settings.limits, maxOrder: most } },
    })
    const answer = await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: UNITS })
    expect(answer.ok ? [] : answer.reasons.map(({ code }) => code)).toEqual(["limit.order"])
  })

  test("tells nothing with another key", async () => {
    await begin()
    await reach("deposit-confirming")
    daemon.kill()
    const other = createSecretKeeper(new Secret("77".repeat(32), "env:OTHER"), "test")
    const ownSecrets = { keeper: other, modeOf: () => "own" as const, maxServiceSecret: null }
    daemon = world.start({ settings: { ...defaultSettings(), ownSecrets } })
    await world.run(() => daemon.reasons().includes("secret.key_changed"))
    await reach("refunded")
    expect(world.service.reveals).toEqual([])
  })

  /** No redemption of ours can be planned, and the solver does not take the source. */
  const beginWithoutRedemption = (conduct: Partial<Conduct>): Promise<void> => {
    const adaptPort = (port: ChainPort): ChainPort => ({
      ...port,
      planTransaction: async (request, reserved) =>
        request.action === "redeem"
          ? { refused: [{ code: "fake.refused", message: "Not now" }] }
          : port.planTransaction(request, reserved),
    })
    return begin({ redeems: false, takesSource: false, ...conduct }, "own", { adaptPort })
  }
  const refunds = (): readonly string[] =>
    world.signatures.filter((entry) => entry.startsWith("refund"))

  test("signs no refund after a reveal while the payout is open", async () => {
    await beginWithoutRedemption({})
    await world.run(() => world.service.reveals.length === 1)
    // The source's lock of 600 blocks is over.
    await world.pass(800_000)
    expect(refunds()).toEqual([])
    expect(daemon.alerts()).toContain("alarm.payout_unredeemed")
    // Nor does an operator get one.
    await reach("revealed")
    expect(daemon.engine.operate(ID, "refund", "anna")).toMatchObject({ ok: false })
    await world.pass(60_000)
    expect(refunds()).toEqual([])
  })

  test("refunds after a reveal when the payout is proven lost", async () => {
    await beginWithoutRedemption({ takesBack: true })
    await reach("refunded")
    expect(world.service.reveals).toHaveLength(1)
    expect(refunds()).toHaveLength(1)
    expect(decisions()).toEqual(["reveal", "lost"])
    expect(lost()).toBeLessThan(200n)
  })
})

describe("a service that ignores our hash", () => {
  test("gets an order with its own secret under prefer-own", async () => {
    await begin({ takesOwnHash: false }, "prefer-own")
    await reach("completed")
    expect(daemon.order(ID).data.ownSecret ?? null).toBeNull()
    expect(daemon.order(ID).data.serviceChoosesSecret).toBe(true)
    expect(world.service.orders).toHaveLength(2)
    expect(world.service.reveals).toEqual([])
  })

  test("gets no order under own", async () => {
    await begin({ takesOwnHash: false })
    await reach("rejected")
    expect(daemon.reasons()).toContain("verify.secret_hash_own")
  })
})

test("a chain that cannot redeem leaves the secret to the service, or ends the order", async () => {
  const adaptPort: StartOptions["adaptPort"] = (port) => ({
    ...port,
    estimateRedeemFee: async () => null,
  })
  await begin({}, "prefer-own", { adaptPort })
  await reach("completed")
  expect(daemon.order(ID).data.ownSecret ?? null).toBeNull()
  world.close()
  await begin({}, "own", { adaptPort })
  await reach("rejected")
  expect(daemon.reasons()).toContain("secret.own_unsupported")
})

test("Bitcoin's payout is redeemed by our own key at once", async () => {
  world = createWorld({ confirmations: 2 })
  world.service.conduct.redeems = false
  // The quote allows for the redeemer's fee.
  daemon = world.start(
    options("own", {
      adaptPort: (port) => withCapability(port, "outputs", { estimatePayoutFee: async () => 20n }),
    }),
  )
  await daemon.accept()
  await reach("completed")
  expect(world.bitcoin.mined("redeem")).toHaveLength(1)
})

test(
  "a redemption that a crash held back is not the first to tell the secret when the lock " +
    "nearly ends",
  async () => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, { redeems: false, takesBack: true })
    const destinationExtras = { delegate: "de".repeat(32) }
    const estimatePayoutFee = async () => 20n
    const withKey = (port: ChainPort): ChainPort =>
      withCapability({ ...port, destinationExtras }, "outputs", { estimatePayoutFee })
    const broadcastTransaction = async (): Promise<never> => Promise.reject(failure("transient"))
    const deaf = (port: ChainPort): ChainPort =>
      port.family === "bitcoin" ? { ...withKey(port), broadcastTransaction } : withKey(port)
    daemon = world.start(options("own", { adaptPort: deaf }))
    await daemon.accept()
    await reach("redeem-sending")
    daemon.kill()
    const [payout] = world.bitcoin.state().swaps.values()
    const lockEnds = (payout?.initiated.height ?? 0n) + (payout?.timelock ?? 0n)
    await world.run(() => world.bitcoin.height() >= lockEnds - 1n, 90 * MINUTE_MS)
    daemon = world.start(options("own", { adaptPort: withKey }))
    await reach("refunded")
    expect(world.bitcoin.mined("redeem")).toEqual([])
    expect(world.bitcoin.heard().filter(({ action }) => action.kind === "redeem")).toEqual([])
    expect(lost()).toBeLessThan(300n)
  },
)

describe.each(["before", "after"] as const)("a process that dies %s any write", (when) => {
  test.each(Array.from({ length: 46 }, (_, index) => index + 1))("write %i", async (at) => {
    world = createWorld({ confirmations: 2 })
    Object.assign(world.service.conduct, { redeems: false, takesBack: true })
    daemon = world.start(options("own", { dies: { at, when } }))
    const accepted = await daemon.engine
      .submit({ from: ETH, to: ARB, sourceUnits: UNITS })
      .catch(() => null)
    await world.run(() => !daemon.isAlive() || daemon.state(ID) === "completed")
    const wasStored = daemon.isAlive() || world !== undefined
    daemon.kill()
    daemon = world.start(options())
    if (accepted === null && daemon.state(ID) === "none") {
      world.forgetIds()
      await daemon.accept(ETH, ARB)
    }
    expect(wasStored).toBe(true)
    await world.run(
      () => ["completed", "refunded", "rejected"].includes(daemon.state(ID)),
      90 * MINUTE_MS,
    )
    expect(lost()).toBeLessThan(300n)
    const signed = world.signatures.map((entry) => entry.split(" ")[0])
    expect(signed.includes("refund") && world.service.reveals.length > 0).toBe(false)
  })
})

/** The wallet on Arbitrum has this coin, and a redemption there costs two units of it. */
function withCoin(coin: Partial<NativeBalance>): (port: ChainPort) => ChainPort {
  return (port) =>
    port.chain === chainOf(ARB)
      ? withCapability({ ...port, estimateRedeemFee: async () => 10n }, "native", coin)
      : port
}
