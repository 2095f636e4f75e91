import { rmSync } from "node:fs"
import { beforeEach, describe, expect, test } from "vitest"
import { readQuote } from "#daemon/views/view-quote.ts"
import { chainOf } from "#domain/asset.ts"
import { admitSwap } from "#engine/rules/admission.ts"
import { toRequest } from "#engine/rules/decide/judge.ts"
import { ownCostOf, readBestQuotes, readOffer } from "#engine/rules/offer.ts"
import { viewPortOf } from "#engine/rules/tick/build-view.ts"
import { createQuoteReader } from "#engine/rules/tick/pair-quotes.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { FEE } from "../../support/fake-chain.ts"
import { createFakeRoute, type FakeRoute } from "../../support/fake-route.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure, never } from "../../support/faults.ts"

let world: World
let route: FakeRoute
let daemon: Daemon

beforeEach(() => {
  world = createWorld()
  route = createFakeRoute(world)
  daemon = world.start(route.start)
})

const end = (id: string, state: string): Promise<void> => daemon.reach(state, id)
const signed = (action: string): number =>
  world.signatures.filter((one) => one.startsWith(action)).length

// No file names the second kind: an order of it has the fewest abilities.
describe.each(["cctp", "toy"])("an order of the kind %s", (kind) => {
  beforeEach(() => {
    world.close()
    world = createWorld()
    route = createFakeRoute(world, kind)
    daemon = world.start(route.start)
  })

  test("takes the cheaper route, and its payout with the voucher", async () => {
    const id = await daemon.accept(ETH, ARB, 1_000n)
    await end(id, "completed")
    const { data } = daemon.order(id)
    expect([data.service, data.quote?.kind, data.serviceOrder]).toEqual([kind, kind, null])
    expect([data.paidUnits, data.receipt?.units]).toEqual([999n, 999n])
    expect([signed("initiate"), signed("redeem"), signed("refund")]).toEqual([1, 1, 0])
    expect(world.service.orders).toEqual([])
  })
})

test("a deposit counts its own cost in the order's budget", async () => {
  route.conduct.depositFeeUnits = 5n * FEE
  const byRoute = await daemon.accept(ETH, ARB, 1_000n)
  expect(daemon.order(byRoute).data.feeBudget).toEqual({ depositUnits: 5n * FEE, refundUnits: 0n })
  route.conduct.feeUnits = 50n
  const byService = await daemon.accept(ETH, ARB, 1_000n)
  expect(daemon.order(byService).data.feeBudget).toEqual({ depositUnits: FEE, refundUnits: FEE })
})

test("the service takes the order while the route is dearer", async () => {
  route.conduct.feeUnits = 50n
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await end(id, "completed")
  expect(daemon.order(id).data.service).toBe("main")
})

test("a planned route that is dearer now becomes no dearer order of the service", async () => {
  route.conduct.feeUnits = 50n
  const { rules } = daemon.context.settings
  const admit = (costFiat: bigint) =>
    admitSwap(daemon.context, {
      ...toRequest(rules, {
        rules: ["manual"],
        occurrence: null,
        from: ETH,
        to: ARB,
        kind: "cctp",
        destination: null,
        units: 1_000n,
        receiveUnits: null,
        costFiat,
        why: [],
      }),
      occurrence: null,
    })
  const refused = await admit(1_000_000n)
  expect(refused.ok ? [] : refused.reasons.map(({ code }) => code)).toContain("price.other_kind")
  const admission = await admit(5_000_000n)
  const id = admission.ok ? admission.id : ""
  await end(id, "completed")
  expect(daemon.order(id).data.service).toBe("main")
})

test("the money in the issuer's hands has a limit, and the service takes what is above it", async () => {
  const { limits } = daemon.context.settings
  const maxRouteFiat = { cctp: 1_500n * 1_000_000n }
  world.close()
  world = createWorld()
  route = createFakeRoute(world)
  route.conduct.attests = false
  daemon = world.start({ ...route.start, settings: { limits: { ...limits, maxRouteFiat } } })
  const first = await daemon.accept(ETH, ARB, 1_000n)
  await end(first, "funded")
  const sale = { rule: "manual", occurrence: null, from: ETH, to: ARB, sourceUnits: 1_000n }
  expect((await readQuote(daemon.context, [], sale)).service).toBe("main")
  const second = await daemon.accept(ETH, ARB, 1_000n)
  await end(second, "completed")
  const { data } = daemon.order(second)
  expect([data.service, data.considered?.[0]?.reasons[0]?.code]).toEqual([
    "main",
    "limit.route_in_flight",
  ])
  route.conduct.attests = true
  await end(first, "completed")
  const third = await daemon.accept(ETH, ARB, 1_000n)
  await end(third, "completed")
  expect(daemon.order(third).data.service).toBe("cctp")
})

test("a route that deposits by a transaction is no offer where deposits are gasless", async () => {
  const sale = { from: ETH, to: ARB, sourceUnits: 1_000n }
  const admission = await daemon.engine.submit({ ...sale, way: "gasless" })
  const { data } = daemon.order(admission.ok ? admission.id : "")
  expect([data.service, data.considered?.[0]?.reasons[0]?.code]).toEqual([
    "main",
    "gasless.unavailable",
  ])
  const { settings } = daemon.context
  const policyFor: typeof settings.policyFor = (from, to) => ({
    ...settings.policyFor(from, to),
    way: "gasless",
  })
  const context = { ...daemon.context, settings: { ...settings, policyFor } }
  const quotes = await readBestQuotes(context, { ...sale, affiliateFees: [] })
  expect(quotes.map(({ kind }) => kind)).toEqual([undefined])
})

test("a route that pays our own wallet alone is no offer for another payee", async () => {
  const { settings } = daemon.context
  const destinationFor: typeof settings.destinationFor = (to, asked) =>
    asked === "customer" ? asked : settings.destinationFor(to, asked)
  daemon.kill()
  daemon = world.start({ ...route.start, settings: { destinationFor } })
  const sale = { from: ETH, to: ARB, sourceUnits: 1_000n, destination: "customer" }
  const admission = await daemon.engine.submit(sale)
  const { data } = daemon.order(admission.ok ? admission.id : "")
  expect([data.service, data.considered?.[0]?.reasons[0]?.code]).toEqual(["main", "route.payee"])
})

test("a void that wins after a payout ends the order with the payout in its books", async () => {
  world.autoMine = false
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await end(id, "deposit-confirming")
  const { deposit } = daemon.order(id).data
  daemon.engine.operate(id, "abandon", "ann")
  await end(id, "void-confirming")
  route.takeForUs(deposit?.secretHash ?? "")
  world.autoMine = true
  await end(id, "abandoned")
  expect(daemon.order(id).data.receipt?.units).toBe(999n)
})

test("a payout that another party took for us completes the order", async () => {
  route.conduct.faults = [{ code: "toy.closed", message: "closed" }]
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await world.run(() => daemon.order(id).data.voucher !== undefined)
  expect(daemon.reasons(id)).toEqual(["toy.closed"])
  route.takeForUs(daemon.order(id).data.voucher?.nonce ?? "")
  await end(id, "completed")
  expect(signed("redeem")).toBe(0)
})

test("a known voucher is used also while the issuer is silent", async () => {
  route.conduct.faults = [{ code: "toy.closed", message: "closed" }]
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await world.run(() => daemon.order(id).data.voucher !== undefined)
  Object.assign(route.conduct, { isSilent: true, faults: [] })
  await end(id, "completed")
  expect(signed("redeem")).toBe(1)
})

test("a known voucher is used also while the source chain cannot be read", async () => {
  route.conduct.faults = [{ code: "toy.closed", message: "closed" }]
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await world.run(() => daemon.order(id).data.voucher !== undefined)
  const source = daemon.context.chains.get(chainOf(daemon.order(id).data.request.from))
  const observeLeg = async (): Promise<never> => {
    const given = { code: "evm.unreachable", disposition: "transient" } as const
    throw new AppError({ ...given, message: "no answer" })
  }
  Object.assign(mustExist(source, "the source chain"), { observeLeg })
  route.conduct.faults = []
  await world.run(() => signed("redeem") === 1)
  expect(signed("redeem")).toBe(1)
})

test("a payout that no node shows is taken after a restart, once the chain would pay it now", async () => {
  const id = await daemon.accept(ETH, ARB, 1_000n)
  const destination = () =>
    mustExist(daemon.context.chains.get(chainOf(ARB)), "the destination chain")
  Object.assign(destination(), { signTransaction: never })
  await world.run(() => daemon.state(id) === "redeem-signing")
  daemon.kill()
  await world.pass(60_000)
  daemon = world.start(route.start)
  Object.assign(destination(), { observeLeg: () => Promise.reject(failure("transient")) })
  await world.run(() => signed("redeem") === 1)
  const types = daemon.context.journal.listEvents(id).map(({ type }) => type)
  const late = types.indexOf("transaction.late")
  expect(types.slice(late + 1, late + 3)).toEqual(["order.observed", "transaction.planned"])
})

test("a route that tells why its voucher takes longer is shown, and is no alarm", async () => {
  route.conduct.waits = [{ code: "toy.slower", message: "slower" }]
  route.conduct.attests = false
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await end(id, "funded")
  await world.run(() => daemon.reasons(id).includes("toy.slower"))
  expect(daemon.order(id).data.alerted).toEqual([])
  route.conduct.attests = true
  await end(id, "completed")
  expect(daemon.reasons(id)).toEqual([])
})

test("a voucher that is over is renewed", async () => {
  route.conduct.faults = [{ code: "toy.over", message: "over" }]
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await end(id, "completed")
  expect(route.conduct.renewals).toBe(1)
})

test("the service takes the order where the coin for the payout's transaction is missing", async () => {
  const native = { fetchNativeBalance: async () => 10n ** 20n, fetchLeastBalance: async () => 0n }
  const { adaptPort = (port) => port } = route.start
  daemon.kill()
  daemon = world.start({ ...route.start, adaptPort: (port) => ({ ...adaptPort(port), native }) })
  route.conduct.redeemFeeUnits = 10n ** 20n + 1n
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await end(id, "completed")
  const { data } = daemon.order(id)
  expect([data.service, data.considered?.[0]?.reasons[0]?.code]).toEqual([
    "main",
    "route.payout_gas",
  ])
})

test("the service takes the orders of a pair whose route refuses its deposits, and gives it back", async () => {
  const paused = { code: "cctp.paused", message: "Circle has paused a contract of the route" }
  route.conduct.obstacles = [paused]
  const refused = await daemon.accept(ETH, ARB, 1_000n)
  await end(refused, "rejected")
  expect(daemon.order(refused).data.reasons).toEqual([paused])
  const next = await daemon.accept(ETH, ARB, 1_000n)
  await end(next, "completed")
  expect(daemon.order(next).data.service).toBe("main")
  // The rest ends by itself, and the route is asked anew.
  route.conduct.obstacles = []
  await world.pass(130_000)
  const last = await daemon.accept(ETH, ARB, 1_000n)
  await end(last, "completed")
  expect(daemon.order(last).data.service).toBe("cctp")
})

test("one payout counts for one order only", async () => {
  const first = await daemon.accept(ETH, ARB, 1_000n)
  await end(first, "completed")
  route.conduct.nonce = daemon.order(first).data.voucher?.nonce ?? null
  const second = await daemon.accept(ETH, ARB, 1_000n)
  await world.run(() => daemon.reasons(second).includes("alarm.voucher_reused"))
  await world.pass(60_000)
  expect(daemon.state(second)).toBe("funded")
  expect(daemon.order(second).data.receipt).toBeNull()
})

test("the first voucher of a deposit stays, and takes the payout", async () => {
  route.conduct.faults = [{ code: "toy.closed", message: "closed" }]
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await world.run(() => daemon.order(id).data.voucher !== undefined)
  const known = daemon.order(id).data.voucher
  Object.assign(route.conduct, { nonce: "another", faults: [] })
  await end(id, "completed")
  expect(daemon.context.journal.listAlerts(9).map(({ reason }) => reason.code)).toContain(
    "alarm.voucher_changed",
  )
  expect([daemon.order(id).data.voucher, signed("redeem")]).toEqual([known, 1])
})

test("a voucher of another deposit is never kept, and the own one pays after it", async () => {
  route.conduct.foreign = [{ code: "toy.unsigned", message: "none of the attesters" }]
  route.conduct.nonce = "of another"
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await world.run(() => daemon.reasons(id).includes("toy.unsigned"))
  expect([daemon.order(id).data.voucher, signed("redeem")]).toEqual([undefined, 0])
  Object.assign(route.conduct, { nonce: null, foreign: [] })
  await end(id, "completed")
})

test("a deposit that pays another party is never signed", async () => {
  route.conduct.payee = "somewhere else"
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await end(id, "rejected")
  expect(daemon.reasons(id)).toContain("verify.destination_owner")
  expect(world.signatures).toEqual([])
})

test("the payout's fee and its time count in the choice between kinds", async () => {
  const { settings } = daemon.context
  const prices = { fetchPrice: async () => ({ fiat: 10n ** 14n, sources: 1 }) }
  const choose = async (capitalBps: bigint): Promise<string | undefined> => {
    const policy = { ...settings.policyFor(ETH, ARB), capitalBps }
    const context = { ...daemon.context, prices }
    const sale = { from: ETH, to: ARB, sourceUnits: 1_000n, affiliateFees: [] }
    return (await readOffer(context, sale, policy, () => []))?.service
  }
  expect(await choose(0n)).toBe("cctp")
  route.conduct.redeemFeeUnits = 5n
  expect(await choose(0n)).toBe("main")
  route.conduct.redeemFeeUnits = 1n
  route.conduct.seconds = 30 * 3_600
  expect(await choose(0n)).toBe("cctp")
  expect(await choose(10_000n)).toBe("main")
})

test("the ceilings count the payout's fee", async () => {
  route.conduct.redeemFeeUnits = 5n
  const { settings } = daemon.context
  const prices = { fetchPrice: async () => ({ fiat: 10n ** 14n, sources: 1 }) }
  const policy = { ...settings.policyFor(ETH, ARB), risk: { refundPpm: 9n, lockPpb: 0n } }
  const sale = { from: ETH, to: ARB, sourceUnits: 1_000n, affiliateFees: [] }
  const quotes = await readBestQuotes({ ...daemon.context, prices }, sale)
  const quote = mustExist(
    quotes.find(({ kind }) => kind === "cctp"),
    "its quote",
  )
  const coinOf = (): { decimals: number } => ({ decimals: 8 })
  const budget = { depositUnits: 2n, refundUnits: 3n }
  const known = { native: 10n ** 14n, payoutCoin: 10n ** 14n }
  const own = ownCostOf(coinOf, { policy, feeBudget: budget, quote, prices: known })
  expect(own?.fees).toEqual({ depositFiat: 2_000_000n, refundFiat: 0n, redeemFiat: 5_000_000n })
})

describe("a pair tells which kind of route gave no quote", () => {
  const POOL = { code: "cctp.fast_pool_short", message: "This burn has too little left" }
  const pairsOf = async () => {
    const { context } = daemon
    const price = 10n ** 14n
    const port = viewPortOf(
      { ...context, prices: { fetchPrice: async () => ({ fiat: price, sources: 1 }) } },
      createQuoteReader(context),
    )
    const view = await port.addAssets({ assets: [], pairs: [] }, [ETH, ARB])
    const priced = await port.addPrices(view, [ETH, ARB], true)
    const limits = { maxOrders: 8, maxOrder: null, split: true, maxCost: null }
    const wanted = [{ from: ETH, to: ARB, need: null, amounts: [] }]
    return (await port.addPairs(priced, wanted, limits)).pairs
  }

  test("a route without a quote, on the line of the service", async () => {
    route.conduct.dropped = [POOL, POOL]
    const pairs = await pairsOf()
    expect(pairs.map(({ kind, unquoted }) => [kind, unquoted])).toEqual([
      [undefined, [{ kind: "cctp", causes: [POOL] }]],
    ])
  })

  test("a service without a quote, on the line of the route", async () => {
    world.service.conduct.quotes = false
    const pairs = await pairsOf()
    expect(pairs.map(({ kind }) => kind)).toEqual(["cctp"])
    expect(pairs[0]?.unquoted).toMatchObject([{ kind: "htlc", causes: [{ code: "quote.none" }] }])
  })

  test("none of both, in the cause of the pair", async () => {
    route.conduct.dropped = [POOL]
    world.service.conduct.quotes = false
    const [pair] = await pairsOf()
    expect(pair?.quote).toMatchObject({
      readable: false,
      cause: {
        code: "quote.none",
        message: expect.stringContaining("; cctp: This burn has too little left [cctp.fast_pool"),
      },
    })
  })

  test("nothing, where each kind quotes", async () => {
    expect((await pairsOf()).map(({ unquoted }) => unquoted)).toEqual([undefined, undefined])
  })
})

test("a pair has a line of costs for each kind that quotes it", async () => {
  route.conduct.redeemFeeUnits = 2n
  const price = 10n ** 14n
  const { settings } = daemon.context
  route.conduct.depositFeeUnits = 5n * FEE
  const maxRouteFiat = { cctp: 1_500n * 1_000_000n }
  const limited = { ...settings, limits: { ...settings.limits, maxRouteFiat } }
  const context = { ...daemon.context, settings: limited }
  const port = viewPortOf(
    { ...context, prices: { fetchPrice: async () => ({ fiat: price, sources: 1 }) } },
    createQuoteReader(context),
  )
  const view = await port.addAssets({ assets: [], pairs: [] }, [ETH, ARB])
  const priced = await port.addPrices(view, [ETH, ARB], true)
  const limits = { maxOrders: 8, maxOrder: null, split: true, maxCost: null }
  const { pairs } = await port.addPairs(
    priced,
    [{ from: ETH, to: ARB, need: null, amounts: [] }],
    limits,
  )
  const fees = pairs.map(({ kind, quote }) => [
    kind,
    quote.readable ? [quote.bps, quote.networkFeeFiat, quote.refundFeeFiat ?? 0n] : null,
  ])
  expect(pairs.map(({ ownOnly = false }) => ownOnly)).toEqual([true, false])
  const bounds = pairs.map(({ quote }) => (quote.readable ? quote.maxUnits : 0n))
  expect(bounds).toEqual([1_500n, null])
  const one = price / 10n ** 8n
  expect(fees).toEqual([
    ["cctp", [0n, 5n * FEE * one + 2n * one, 0n]],
    [undefined, [30n, FEE * one, FEE * one]],
  ])
})

describe("after the loss of the journal", () => {
  async function loseJournal(): Promise<void> {
    daemon.kill()
    for (const end of ["", "-wal", "-shm"]) rmSync(world.journalFile + end, { force: true })
    world.forgetIds()
    daemon = world.start(route.start)
  }

  test("an unpaid deposit is found on chain, and its payout is taken once", async () => {
    route.conduct.attests = false
    await end(await daemon.accept(ETH, ARB, 1_000n), "funded")
    await world.run(() => world.evm.height() > 20n)
    await loseJournal()
    expect((await daemon.engine.recover(false)).orders).toMatchObject([{ status: "found" }])
    const { orders, unread } = await daemon.engine.recover(true)
    expect(orders).toMatchObject([{ status: "adopted", service: "cctp", to: ARB }])
    expect(unread.filter(({ service }) => service === "cctp")).toEqual([])
    expect((await daemon.engine.recover(true)).orders).toEqual([])
    expect(daemon.context.journal.sumFiatWith("cctp", null)).toBe(1_000n * 1_000_000n)
    route.conduct.attests = true
    const id = orders[0]?.id ?? ""
    await end(id, "completed")
    expect(daemon.order(id).data.receipt?.units).toBe(999n)
    expect([signed("initiate"), signed("redeem")]).toEqual([1, 1])
  })

  test("a paid deposit whose payout too few endpoints show goes on, and is paid once", async () => {
    await end(await daemon.accept(ETH, ARB, 1_000n), "completed")
    await world.run(() => world.evm.height() > 20n)
    await loseJournal()
    const port = mustExist(daemon.context.chains.get(chainOf(ARB)), "the destination")
    const { observeLeg } = port
    const doubt: typeof observeLeg = async (query) => {
      const leg = await observeLeg(query)
      return { ...leg, agreed: false, redeemed: leg.redeemed && { ...leg.redeemed, final: false } }
    }
    Object.assign(port, { observeLeg: doubt })
    const { orders } = await daemon.engine.recover(true)
    expect(orders).toMatchObject([{ status: "adopted" }])
    const id = orders[0]?.id ?? ""
    await world.pass(60_000)
    expect(daemon.state(id)).not.toBe("completed")
    Object.assign(port, { observeLeg })
    await end(id, "completed")
    expect(daemon.order(id).data.receipt?.units).toBe(999n)
    expect([signed("initiate"), signed("redeem")]).toEqual([1, 1])
  })

  test("a paid deposit is over, and one of the journal is no news", async () => {
    await end(await daemon.accept(ETH, ARB, 1_000n), "completed")
    expect((await daemon.engine.recover(true)).orders).toEqual([])
    await loseJournal()
    expect((await daemon.engine.recover(true)).orders).toMatchObject([{ status: "over" }])
    expect((await daemon.engine.recover(true)).orders).toEqual([])
  })

  test("a chain that cannot list its deposits is named", async () => {
    await end(await daemon.accept(ETH, ARB, 1_000n), "completed")
    const port = mustExist(daemon.context.chains.get(chainOf(ETH)), "the source chain")
    const leg = mustExist(port.routeLegs?.get("cctp"), "the route's leg")
    const history = {
      ...mustExist(leg.history, "its history"),
      findDeposits: () => Promise.reject(failure("transient", "evm.unreachable")),
    }
    Object.assign(port, { routeLegs: new Map([["cctp", { ...leg, history }]]) })
    const { unread } = await daemon.engine.recover(true)
    expect(unread.filter(({ service }) => service === "cctp")).toMatchObject([
      { chain: chainOf(ETH), reasons: [{ code: "evm.unreachable" }] },
    ])
  })

  test("a chain that lacks blocks of that time is named, and what it shows goes on", async () => {
    route.conduct.attests = false
    await end(await daemon.accept(ETH, ARB, 1_000n), "funded")
    await world.run(() => world.evm.height() > 20n)
    await loseJournal()
    const port = mustExist(daemon.context.chains.get(chainOf(ETH)), "the source chain")
    const leg = mustExist(port.routeLegs?.get("cctp"), "the route's leg")
    const gap = { code: "solana.history_pruned", message: "no blocks before" }
    const history = { ...mustExist(leg.history, "its history"), findGaps: async () => [gap] }
    Object.assign(port, { routeLegs: new Map([["cctp", { ...leg, history }]]) })
    const { orders, unread } = await daemon.engine.recover(true)
    expect(orders).toMatchObject([{ status: "adopted" }])
    expect(unread.filter(({ service }) => service === "cctp")).toEqual([
      { service: "cctp", chain: chainOf(ETH), reasons: [gap] },
    ])
  })

  test.each([
    ["in a young block", { final: false }, "recover.young"],
    ["of other terms", null, "recover.other_terms"],
  ])("a deposit %s is unclear, and no order", async (_what, initiated, code) => {
    route.conduct.attests = false
    await end(await daemon.accept(ETH, ARB, 1_000n), "funded")
    await world.run(() => world.evm.height() > 20n)
    await loseJournal()
    const port = mustExist(daemon.context.chains.get(chainOf(ETH)), "the source chain")
    const { observeLeg } = port
    Object.assign(port, {
      observeLeg: async (query: Parameters<typeof observeLeg>[0]) => {
        const leg = await observeLeg(query)
        return { ...leg, initiated: initiated && { ...leg.initiated, ...initiated } }
      },
    })
    const { orders } = await daemon.engine.recover(true)
    expect(orders).toMatchObject([{ status: "unclear", id: null, reasons: [{ code }] }])
  })

  test("a deposit that some endpoints no longer show is unclear, and they are named first", async () => {
    route.conduct.attests = false
    await end(await daemon.accept(ETH, ARB, 1_000n), "funded")
    await world.run(() => world.evm.height() > 20n)
    await loseJournal()
    const port = mustExist(daemon.context.chains.get(chainOf(ETH)), "the source chain")
    const { observeLeg } = port
    const doubts = [{ code: "solana.history_pruned", message: "no blocks before" }]
    Object.assign(port, {
      observeLeg: async (query: Parameters<typeof observeLeg>[0]) => {
        const leg = await observeLeg(query)
        return { ...leg, agreed: false, doubts }
      },
    })
    const { orders } = await daemon.engine.recover(true)
    const reasons = [...doubts, { code: "recover.young" }]
    expect(orders).toMatchObject([{ status: "unclear", id: null, reasons }])
  })

  test("a deposit for another payee is named, and no order", async () => {
    route.conduct.attests = false
    await end(await daemon.accept(ETH, ARB, 1_000n), "funded")
    await world.run(() => world.evm.height() > 20n)
    route.reopenAs((order) => ({
      ...order,
      depositRequest: { ...order.depositRequest, payee: "another" },
    }))
    await loseJournal()
    const { orders } = await daemon.engine.recover(true)
    expect(orders).toMatchObject([{ status: "unclear", id: null }])
    expect(orders[0]?.reasons[0]?.code).toBe("verify.destination_owner")
  })
})
