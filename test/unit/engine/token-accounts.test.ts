import { beforeEach, describe, expect, test } from "vitest"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
} from "#domain/transaction.ts"
import { isOpening } from "#engine/orders/pay/stored-opening.ts"
import { createReconciler } from "#engine/watches/reconciler.ts"
import {
  createTokenAccountOpener,
  listMissingTokenAccounts,
} from "#engine/watches/token-account-opener.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../support/fake-world.ts"

const CHAIN = chainOf(WBTC)
const RENT = 2_000n
const FEE = 5n
const MOST = 2_010n
const START_UNITS = 1_000_000n
/** The life of a transaction of this chain. */
const LIFE_MS = 60_000
/** Longer than the time between two searches for missing accounts. */
const SEARCH_MS = 40_000

let world: World
let accounts: TokenAccountChain
beforeEach(() => {
  world = createWorld()
  accounts = createTokenAccountChain()
})

describe("a missing token account of the wallet", () => {
  test("is opened at the start, once, and its rent and fee are booked to the unit", async () => {
    const daemon = start()
    await world.run(() => accounts.signed.length > 0)
    expect(accounts.sent).toBe(1)
    await world.run(() => entriesOf(daemon).length > 0)
    await world.pass(2 * SEARCH_MS)
    expect(accounts.signed).toHaveLength(1)
    expect(entriesOf(daemon)).toMatchObject([
      { kind: "fee", orderId: null, tx: accounts.signed[0], note: `token account of ${WBTC}` },
    ])
    expect(spentOn(daemon)).toBe(RENT + FEE)
    expect(balanceOf(ETH)).toBe(START_UNITS - RENT - FEE)
    await expectBooksAgree(daemon)
  })

  test("is opened by a transaction of ours, from its signature on and after it is booked", async () => {
    accounts.drops = true
    const daemon = start()
    const { journal } = daemon.context
    await world.run(() => accounts.sent > 0)
    const [txid = ""] = accounts.signed
    expect([isOpening(journal, CHAIN, txid), isOpening(journal, CHAIN, "another")]).toEqual([
      true,
      false,
    ])
    accounts.drops = false
    await world.run(() => entriesOf(daemon).length > 0)
    expect([isOpening(journal, CHAIN, txid), isOpening(journal, CHAIN, "another")]).toEqual([
      true,
      false,
    ])
  })

  test("is searched for every ten minutes once all are there, and twice a minute beside an order", async () => {
    accounts.isOpen = true
    const daemon = start()
    await world.pass(SEARCH_MS)
    const first = accounts.searches
    await world.pass(9 * 60_000)
    expect(accounts.searches).toBe(first)
    await world.pass(2 * 60_000)
    expect(accounts.searches).toBe(first + 1)
    await daemon.accept(ETH, BTC, 1_000n)
    world.serviceActs = false
    await world.pass(SEARCH_MS)
    expect(accounts.searches).toBeGreaterThan(first + 1)
  })

  test("stays missing in observe mode, and while everything or its chain is paused", async () => {
    const observing = start({ settings: { mode: "observe" } })
    await world.pass(SEARCH_MS)
    observing.kill()
    const daemon = start()
    daemon.context.journal.writeFlag(`pause/chain/${CHAIN}`, "now")
    accounts.isOpen = true
    await world.pass(SEARCH_MS)
    accounts.isOpen = false
    await world.pass(SEARCH_MS)
    expect(accounts.signed).toEqual([])
    daemon.engine.resume({ kind: "chain", chain: CHAIN })
    await daemon.engine.pause({ kind: "all" })
    await world.pass(SEARCH_MS)
    expect(accounts.signed).toEqual([])
    daemon.engine.resume({ kind: "all" })
    await world.run(() => accounts.isOpen)
    expect(accounts.signed).toHaveLength(1)
  })

  test("is not sent again during a pause that began after it was signed", async () => {
    accounts.drops = true
    const daemon = start()
    await world.run(() => accounts.signed.length === 1 && accounts.sent === 1)
    await daemon.engine.pause({ kind: "all" })
    const { sent } = accounts
    await world.pass(20_000)
    expect(accounts.sent).toBe(sent)
    accounts.drops = false
    daemon.engine.resume({ kind: "all" })
    await world.run(() => accounts.isOpen)
    expect(accounts.signed).toHaveLength(1)
  })

  test("is not paid from the minimum that must stay; one alert says so, and funds end the wait", async () => {
    const minNative = new Map([[CHAIN, START_UNITS - MOST + 1n]])
    const daemon = start({ settings: { minNative } })
    await world.pass(3 * SEARCH_MS)
    expect(accounts.signed).toEqual([])
    expect(alertsOf(daemon)).toMatchObject([
      {
        code: "token_account.unfunded",
        asset: WBTC,
        haveUnits: "1000000",
        costUnits: `${MOST}`,
        keepUnits: "997991",
      },
    ])
    change(ETH, 1n)
    await world.run(() => accounts.isOpen)
    expect(alertsOf(daemon)).toHaveLength(1)
  })

  test("leaves the fees and deposits of accepted orders in the wallet", async () => {
    accounts.isOpen = true
    const daemon = start()
    world.serviceActs = false
    world.autoMine = false
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: START_UNITS - MOST - 20n })
    accounts.isOpen = false
    await world.pass(SEARCH_MS)
    expect(accounts.signed).toEqual([])
    expect(alertsOf(daemon)).toMatchObject([{ code: "token_account.unfunded" }])
  })

  test("whose transaction is on its way leaves an order only the rest of the wallet", async () => {
    accounts.drops = true
    const daemon = start()
    await world.run(() => accounts.sent > 0)
    const answer = await daemon.engine.submit({
      from: ETH,
      to: BTC,
      sourceUnits: START_UNITS - MOST,
    })
    expect(answer).toMatchObject({ ok: false, reasons: [{ code: "funds.insufficient" }] })
  })

  test("gets a second transaction only when the first one can no longer land", async () => {
    accounts.drops = true
    const daemon = start()
    await world.run(() => accounts.sent > 0)
    await world.pass(LIFE_MS - 10_000)
    expect(accounts.signed).toHaveLength(1)
    expect(accounts.sent).toBeGreaterThan(5)
    await world.pass(SEARCH_MS)
    expect(accounts.signed).toHaveLength(2)
    accounts.drops = false
    await world.run(() => entriesOf(daemon).length > 0)
    expect(spentOn(daemon)).toBe(RENT + FEE)
    await expectBooksAgree(daemon)
  })

  test("whose transaction no node confirms is observed, not signed again", async () => {
    accounts.isSilent = true
    const daemon = start()
    await world.run(() => entriesOf(daemon).length > 0)
    expect(accounts.signed).toHaveLength(1)
    await expectBooksAgree(daemon)
  })

  test("whose transaction failed on chain costs a booked fee, and the next one waits an hour", async () => {
    accounts.fails = true
    const daemon = start()
    await world.run(() => entriesOf(daemon).length > 0)
    expect(spentOn(daemon)).toBe(FEE)
    await world.pass(50 * 60_000)
    expect(accounts.signed).toHaveLength(1)
    accounts.fails = false
    await world.run(() => accounts.isOpen)
    await world.pass(10_000)
    expect(spentOn(daemon)).toBe(RENT + 2n * FEE)
    await expectBooksAgree(daemon)
  })

  test("is opened with the last unit, and the next missing one is opened seconds later", async () => {
    change(ETH, MOST - START_UNITS)
    const daemon = start()
    await world.run(() => accounts.isOpen)
    change(ETH, MOST - balanceOf(ETH))
    accounts.isOpen = false
    await world.run(() => accounts.signed.length === 2, 10_000)
    expect(alertsOf(daemon)).toEqual([])
  })

  test("that the chain refuses to open raises one alert with the reason", async () => {
    accounts.refuses = true
    const daemon = start()
    await world.pass(3 * SEARCH_MS)
    expect(accounts.signed).toEqual([])
    expect(alertsOf(daemon)).toMatchObject([{ code: "x.dry_run" }])
  })

  test("is no alarm for the reconciler while its transaction is mined and not final", async () => {
    accounts.isOpen = true
    const first = start()
    await expectBooksAgree(first)
    accounts.isOpen = false
    accounts.isFinal = false
    await world.run(() => accounts.isOpen)
    const reconciler = reconcilerOf(first)
    expect(stateOf(await during(reconciler.reconcile()))).toBe("unsettled")
    await world.pass(10_000)
    expect(entriesOf(first)).toEqual([])
    accounts.isFinal = true
    await world.run(() => entriesOf(first).length > 0)
    await expectBooksAgree(first)
    expect(alertsOf(first)).toEqual([])
  })
})

describe("the next look at an opening", () => {
  /** The time to wait after one look at the chain. */
  async function askChain(daemon: Daemon): Promise<unknown> {
    const watch = createTokenAccountOpener(daemon.context)
    const port = daemon.context.chains.get(CHAIN)
    if (!("ask" in watch) || port === undefined) throw new Error("no watch of a chain")
    return watch.ask(port)
  }

  test.each<[string, Partial<TokenAccountChain>, number]>([
    ["comes two seconds after it was sent", {}, 2_000],
    ["also where no node confirms it", { isSilent: true }, 2_000],
    ["also where no node has it", { drops: true }, 2_000],
    ["comes after half a minute where it is open", { isOpen: true }, 30_000],
    ["comes after half a minute where the chain refuses it", { refuses: true }, 30_000],
  ])("%s", async (_name, chain, waitMs) => {
    accounts.isOpen = true
    const daemon = start()
    daemon.engine.resume({ kind: "all" })
    await world.pass(1_000)
    Object.assign(accounts, { isOpen: false }, chain)
    expect(await askChain(daemon)).toBe(waitMs)
  })

  test("hides no bug of a node", async () => {
    accounts.isOpen = true
    const daemon = start()
    await world.pass(1_000)
    accounts.isOpen = false
    const port = daemon.context.chains.get(CHAIN)
    const broken = { ...port, broadcastTransaction: () => Promise.reject(new RangeError("a bug")) }
    // CAST: the port of before, with another way to send.
    const chains = new Map(daemon.context.chains).set(CHAIN, broken as ChainPort)
    const watch = createTokenAccountOpener({ ...daemon.context, chains })
    if (!("ask" in watch)) throw new Error("no watch of a chain")
    // CAST: as above.
    await expect(watch.ask(broken as ChainPort)).rejects.toThrow("a bug")
  })
})

describe("the list of missing token accounts", () => {
  test("has each with the reasons for which it stays missing", async () => {
    accounts.isOpen = true
    const daemon = start()
    await world.pass(1_000)
    const list = async () =>
      (await listMissingTokenAccounts(daemon.context)).map(({ asset, port, refused }) => {
        return [asset, port.chain, refused.map(({ code }) => code)]
      })
    expect(await list()).toEqual([])
    accounts.isOpen = false
    change(ETH, MOST - START_UNITS)
    expect(await list()).toEqual([[WBTC, CHAIN, []]])
    change(ETH, -1n)
    expect(await list()).toEqual([[WBTC, CHAIN, ["token_account.unfunded"]]])
    await daemon.engine.pause({ kind: "chain", chain: CHAIN })
    const [paused] = await list()
    expect(paused?.[2]).toHaveLength(2)
  })
})

describe("a process that dies while it opens a token account", () => {
  // The first write stores the signed bytes. The second one ends the opening, after its booking.
  const moments = [1, 2].flatMap((at) => [
    { at, when: "before" } as const,
    { at, when: "after" } as const,
  ])
  test.for(moments)("opens it once, with equal books: $when write $at", async (dies) => {
    const first = start({ dies })
    await world.run(() => !first.isAlive())
    const daemon = start()
    await world.run(
      () =>
        accounts.isOpen &&
        daemon.context.journal.readFlag(`token-account/${CHAIN}/opening`) === null,
    )
    expect(accounts.landed).toHaveLength(1)
    expect(entriesOf(daemon)).toHaveLength(1)
    await expectBooksAgree(daemon)
  })

  test("dies at one of these moments between the bytes and the booking", async () => {
    const daemon = start({ dies: { at: 1, when: "after" } })
    await world.run(() => !daemon.isAlive())
    expect(accounts.signed).toHaveLength(1)
    expect(accounts.sent).toBe(0)
  })
})

type TokenAccountChain = {
  isOpen: boolean
  /** Broadcasts reach no node. */
  drops: boolean
  /** Broadcasts arrive, and their answers do not. */
  isSilent: boolean
  fails: boolean
  refuses: boolean
  isFinal: boolean
  sent: number
  /** Questions about missing accounts. */
  searches: number
  readonly signed: string[]
  readonly landed: string[]
  readonly adapt: (port: ChainPort) => ChainPort
}

/**
 * Adds token accounts to the chain of WBTC. A transaction lands as soon as a node has it, and
 * expires after `LIFE_MS`.
 */
function createTokenAccountChain(): TokenAccountChain {
  const expiresMs = new Map<string, number>()
  const failed = new Set<string>()
  const chain: TokenAccountChain = {
    isOpen: false,
    drops: false,
    isSilent: false,
    fails: false,
    refuses: false,
    isFinal: true,
    sent: 0,
    searches: 0,
    signed: [],
    landed: [],
    adapt: (port) => (port.chain === CHAIN ? { ...port, ...abilities(port) } : port),
  }
  return chain

  function abilities(port: ChainPort): Partial<ChainPort> {
    const opensAccount = ({ plan }: SignedTransaction): boolean =>
      plan.action === "openTokenAccount"
    return {
      tokenAccounts: {
        findMissing: async () => {
          chain.searches++
          if (chain.isOpen) return []
          return [{ asset: WBTC, address: "address", rentUnits: RENT, costUnits: MOST }]
        },
        plan: async () =>
          chain.refuses ? { refused: [{ code: "x.dry_run", message: "it fails" }] } : planOf(port),
      },
      signTransaction: async (plan) => {
        if (plan.action !== "openTokenAccount") return port.signTransaction(plan)
        const txid = `open-${plan.digest}`
        chain.signed.push(txid)
        expiresMs.set(txid, world.clock.now() + LIFE_MS)
        return { plan, raw: txid, txid }
      },
      broadcastTransaction: async (transaction) => {
        if (!opensAccount(transaction)) return port.broadcastTransaction(transaction)
        chain.sent += 1
        if (!chain.drops) land(transaction.txid)
        if (chain.isSilent)
          throw new AppError({ code: "x.silent", disposition: "uncertain", message: "no answer" })
      },
      observeTransaction: async (transaction) =>
        opensAccount(transaction)
          ? observe(transaction.txid)
          : port.observeTransaction(transaction),
    }
  }

  function land(txid: string): void {
    if (chain.landed.includes(txid) || world.clock.now() > (expiresMs.get(txid) ?? 0)) return
    chain.landed.push(txid)
    if (chain.fails) failed.add(txid)
    change(ETH, chain.fails ? -FEE : -FEE - RENT)
    chain.isOpen = !chain.fails
  }

  function observe(txid: string): TransactionObservation {
    if (chain.landed.includes(txid)) {
      const ok = !failed.has(txid)
      const feeUnits = ok ? RENT + FEE : FEE
      return {
        status: "mined",
        ok,
        height: 1n,
        confirmations: 1,
        seen: chain.isFinal,
        final: chain.isFinal,
        feeUnits,
      }
    }
    const isExpired = world.clock.now() > (expiresMs.get(txid) ?? 0)
    return isExpired ? { status: "excluded", by: "expired", final: true } : { status: "unseen" }
  }

  function planOf({ account }: ChainPort): TransactionPlan {
    const digest = `${chain.signed.length}`
    const bounds = { fromHeight: 0n, expiresAtHeight: 1n, maxFeeUnits: MOST }
    const content = { unsigned: digest, digest, resources: [], spends: [], attempt: 0 }
    return { chain: CHAIN, account, action: "openTokenAccount", ...content, ...bounds }
  }
}

function start(options: StartOptions = {}): Daemon {
  return world.start({ adaptPort: accounts.adapt, ...options })
}

function entriesOf({ context }: Daemon) {
  return context.journal.listEntries({}).filter(({ key }) => key.startsWith("token-account:"))
}

function spentOn({ context }: Daemon): bigint {
  const rows = context.journal.listAccounts("expenses:token-account")
  return rows.reduce((sum, { units }) => sum + units, 0n)
}

function alertsOf({ context }: Daemon) {
  return context.journal.listAlerts(100).map(({ reason }) => reason)
}

function reconcilerOf({ context }: Daemon) {
  return createReconciler(context, { everyMs: 600_000, onDifference: "alert" })
}

async function expectBooksAgree(daemon: Daemon): Promise<void> {
  expect(stateOf(await during(reconcilerOf(daemon).reconcile()))).toBe("agrees")
}

function stateOf(rows: readonly { asset: AssetId; state: string }[]): string | undefined {
  return rows.find(({ asset }) => asset === ETH)?.state
}

async function during<T>(promise: Promise<T>): Promise<T> {
  let done = false
  const ended = promise.finally(() => {
    done = true
  })
  await world.run(() => done)
  return ended
}

function balanceOf(asset: AssetId): bigint {
  return world.evm.state().balances.get(asset) ?? 0n
}

function change(asset: AssetId, units: bigint): void {
  const { balances } = world.evm.state()
  balances.set(asset, balanceOf(asset) + units)
}
