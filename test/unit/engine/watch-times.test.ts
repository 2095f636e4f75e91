import { describe, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { createMemory } from "#engine/memory.ts"
import { createAccountGate } from "#engine/watches/account-gate.ts"
import { createAgreementWatch } from "#engine/watches/agreement-watch.ts"
import { createAssetGate } from "#engine/watches/asset-gate.ts"
import { createTokenAccountOpener } from "#engine/watches/token-account-opener.ts"
import { createRounds, type Watch } from "#engine/watches/watch.ts"
import { createWatches } from "#engine/watches/watch-table.ts"
import { silentLogger } from "#lib/log.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import type { ChainPort } from "#ports/chain.ts"
import { failure, never } from "../../support/faults.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"
import { samplePlan, sampleTransaction } from "../../support/order-sample.ts"

const START_MS = 1_000_000
const CHAIN = toChainId("solana")
const ASSET = parseAssetId("solana:usdc")
const COIN = parseAssetId("solana:sol")

/** The parts of a context that watches read, with one chain. */
function scene(port: Partial<ChainPort>, over: object = {}) {
  const clock = createManualClock(START_MS)
  const flags = new Map<string, string>()
  const alerts: string[] = []
  const chain = { chain: CHAIN, account: "us", ...port } as ChainPort
  const native = { id: COIN, chain: CHAIN, symbol: "sol", decimals: 9, token: null }
  const context = {
    clock,
    log: silentLogger,
    memory: createMemory(),
    chains: new Map([[CHAIN, chain]]),
    settings: {
      assets: new Map<string, object>([
        [ASSET, { id: ASSET }],
        [COIN, native],
      ]),
      minNative: new Map(),
    },
    journal: {
      readFlag: (key: string) => flags.get(key) ?? null,
      writeFlag: (key: string, value: string | null) => {
        if (value === null) flags.delete(key)
        else flags.set(key, value)
      },
      noteFlag: (key: string, value: string) => void flags.set(key, value),
      raiseAlert: (_atMs: number, { code }: { code: string }) => void alerts.push(code),
      countInFlight: () => 0,
      sumReservedFees: () => 0n,
      sumCommitted: () => 0n,
    },
    ...over,
    // CAST: only these parts are read.
  } as never
  const pass = async (ms: number): Promise<void> => {
    clock.set(clock.now() + ms)
    await settle()
  }
  return { context, clock, chain, flags, alerts, pass }
}

async function ask(watch: Watch, port: ChainPort): Promise<unknown> {
  return "ask" in watch ? await watch.ask(port) : await watch.run()
}

test("every watch has its pace, and only some may sign or wait for nothing", () => {
  const rows = createWatches(scene({}).context).list.map((watch) => {
    const { name, everyMs, firstMs = 0, spends = false, urgency = "look" } = watch
    return [name, everyMs, firstMs, spends, urgency]
  })
  expect(rows).toEqual([
    ["stop file", 1_000, 0, false, "look"],
    ["token accounts", 30_000, 0, true, "look"],
    ["nonce gaps", 10_000, 0, true, "effect"],
    ["agreement", 20_000, 0, false, "background"],
    ["clock", 60_000, 0, false, "look"],
    ["assets", 10_000, 0, false, "look"],
    ["accounts", 10_000, 0, false, "look"],
    ["journal space", 1_000, 0, false, "look"],
    ["pegs", 60_000, 0, false, "background"],
    ["heads", 30_000, 2_000, false, "look"],
  ])
})

describe("the first comparison with a silent chain is over after twelve seconds", () => {
  test.each<[string, (context: never) => { check: () => Promise<void> }]>([
    ["of its accounts", createAccountGate],
    ["of its assets", createAssetGate],
  ])("%s", async (_what, create) => {
    const uses = { fetchUses: never, readUse: never } as never
    const { context, pass } = scene({ uses, assetChecks: { checkAsset: never } as never })
    let isOver = false
    const checked = create(context)
      .check()
      .then(() => {
        isOver = true
      })
    await settle()
    await pass(11_999)
    expect(isOver).toBe(false)
    await pass(1)
    await checked
    expect(isOver).toBe(true)
  })

  test("and no deposit begins from a chain whose accounts were not compared", async () => {
    const answers: (() => Promise<unknown>)[] = [
      () => Promise.reject(failure("transient")),
      async () => ({ mark: "1", used: [] }),
    ]
    let asked = 0
    const fetchUses = () => {
      asked += 1
      return (answers.shift() ?? never)()
    }
    const { context } = scene({ uses: { fetchUses } as never })
    const gate = createAccountGate(context)
    expect(gate.findReasons(CHAIN)).toEqual([])
    await gate.check()
    expect(gate.findReasons(CHAIN)).toMatchObject([{ code: "account.unchecked", chain: CHAIN }])
    expect(gate.findReasons(toChainId("other"))).toEqual([])
    if ("run" in gate.watch) await gate.watch.run()
    expect(gate.findReasons(CHAIN)).toEqual([])
    if ("run" in gate.watch) await gate.watch.run()
    expect(asked).toBe(2)
  })

  test("an account without uses is not asked for", async () => {
    const gate = createAccountGate(scene({}).context)
    await gate.check()
    expect(gate.findReasons(CHAIN)).toEqual([])
  })
})

describe("the next question about agreement", () => {
  const good: AgreementReport = { endpoints: 2, needed: 2, agreeing: 2, reasons: [] }
  const short: AgreementReport = { ...good, agreeing: 1 }
  const waitOf = async (report: AgreementReport | Error, inFlight = 0, tookMs = 0) => {
    const { context, clock, chain } = scene({
      fetchAgreement: async () => {
        clock.set(clock.now() + tookMs)
        if (report instanceof Error) throw report
        return report
      },
    })
    Object.assign((context as { journal: object }).journal, { countInFlight: () => inFlight })
    return ask(createAgreementWatch(context).watch, chain)
  }

  test.each<[string, number, Promise<unknown>]>([
    ["half a minute while nothing is in flight", 30_000, waitOf(good)],
    ["twenty seconds while an order is", 20_000, waitOf(good, 1)],
    ["twenty seconds while too few agree", 20_000, waitOf(short)],
    ["twenty seconds after no answer", 20_000, waitOf(failure("transient"))],
    ["less by the time of the answer", 26_000, waitOf(good, 0, 4_000)],
    ["less, and never less than none", 0, waitOf(good, 1, 20_001)],
    ["not longer for a clock set back", 30_000, waitOf(good, 0, -5_000)],
  ])("comes after %s", async (_what, ms, wait) => {
    expect(await wait).toBe(ms)
  })

  test("of a chain without an answer for more than a minute counts as none that agree", async () => {
    const answers: AgreementReport[] = [good]
    const { context, chain, pass } = scene({
      fetchAgreement: () => {
        const next = answers.shift()
        return next === undefined ? Promise.reject(failure("transient")) : Promise.resolve(next)
      },
    })
    const agreement = createAgreementWatch(context)
    await ask(agreement.watch, chain)
    const agreeing = () => agreement.list().map((one) => [one.agreeing, one.needed, one.atMs])
    await pass(60_000)
    await ask(agreement.watch, chain)
    expect(agreeing()).toEqual([[2, 2, START_MS]])
    await pass(1)
    await ask(agreement.watch, chain)
    expect(agreeing()).toEqual([[0, 2, START_MS]])
  })

  test("of a chain that never answered counts from the first question", async () => {
    const { context, chain, pass } = scene({
      fetchAgreement: () => Promise.reject(failure("hold")),
    })
    const agreement = createAgreementWatch(context)
    await ask(agreement.watch, chain)
    await pass(60_000)
    await ask(agreement.watch, chain)
    expect(agreement.list()).toEqual([])
    await pass(1)
    await ask(agreement.watch, chain)
    expect(agreement.list()).toMatchObject([{ endpoints: 1, needed: 1, agreeing: 0 }])
  })

  test("raises an alarm after two reports in a row, and once", async () => {
    const answers = [short, good, short, short, short]
    const { context, chain, alerts } = scene({
      fetchAgreement: async () => answers.shift() ?? good,
    })
    const agreement = createAgreementWatch(context)
    const counts: number[] = []
    for (let asked = 0; asked < 5; asked += 1) {
      await ask(agreement.watch, chain)
      counts.push(alerts.length)
    }
    expect(counts).toEqual([0, 0, 0, 1, 1])
  })

  test("raises that of a fee at once, as one endpoint's own word", async () => {
    for (const code of ["chain.fee_outlier", "chain.fee_above_cap", "chain.disagreement"]) {
      const report = { ...good, reasons: [{ code, message: "x" }] }
      const { context, chain, alerts } = scene({ fetchAgreement: async () => report })
      await ask(createAgreementWatch(context).watch, chain)
      expect(alerts).toEqual(code === "chain.disagreement" ? [] : [code])
    }
  })
})

describe("the next look at a chain's token accounts", () => {
  const missing = [{ asset: ASSET, address: "x", rentUnits: 1n, costUnits: 9n }]
  const tx = sampleTransaction(samplePlan("deposit", 0))
  type Round = { readonly units?: bigint; readonly seen?: object; readonly isOpen?: boolean }
  const begin = async ({ units = 100n, seen, isOpen = false }: Round, over: object = {}) => {
    const sent: string[] = []
    const made = scene({
      tokenAccounts: {
        findMissing: async () => (isOpen ? [] : missing),
        plan: async () => tx.plan,
      } as never,
      fetchBalance: async () => ({ units, spendableUnits: units }),
      signTransaction: async () => tx,
      broadcastTransaction: async ({ txid }) => void sent.push(txid),
      observeTransaction: async () => seen as never,
      traits: { nativeCoin: { symbol: "sol", decimals: 9 } } as never,
      ...over,
    })
    const booked: object[] = []
    Object.assign((made.context as { journal: object }).journal, {
      listEntries: () => [],
      book: (entry: object) => void booked.push(entry),
    })
    Object.assign(made.context, { prices: { fetchPrice: async () => null } })
    const watch = createTokenAccountOpener(made.context)
    const first = await ask(watch, made.chain)
    return { first, sent, booked, made, watch, again: () => ask(watch, made.chain) }
  }
  const mined = { status: "mined", ok: true, height: 1n, seen: true, final: true, feeUnits: 3n }

  test("comes two seconds after a transaction was sent, and else after half a minute", async () => {
    expect(await begin({})).toMatchObject({ first: 2_000, sent: [tx.txid] })
    expect(await begin({ isOpen: true })).toMatchObject({ first: 30_000, sent: [] })
    expect(await begin({ units: 9n })).toMatchObject({ first: 2_000, sent: [tx.txid] })
    expect(await begin({ units: 8n })).toMatchObject({ first: 30_000, sent: [] })
    expect(await begin({}, { tokenAccounts: undefined })).toMatchObject({ first: 30_000, sent: [] })
  })

  test.each<[string, object, number, number, number]>([
    ["that is final", mined, 2_000, 1, 1],
    ["that failed", { ...mined, ok: false }, 3_600_000, 1, 1],
    ["that may vanish", { ...mined, final: false }, 2_000, 1, 0],
    ["that waits", { status: "pending" }, 2_000, 1, 0],
    ["that no node has", { status: "unseen" }, 2_000, 2, 0],
    ["that can land no more", { status: "excluded", by: "x", final: true }, 2_000, 1, 0],
  ])("after one %s", async (_what, seen, ms, sends, books) => {
    const { again, sent, booked } = await begin({ seen })
    expect([await again(), sent.length, booked.length]).toEqual([ms, sends, books])
  })

  test("raises one alert until the account is opened, and another one after that", async () => {
    const found = await begin({ units: 8n })
    await found.again()
    expect(found.made.alerts).toEqual(["token_account.unfunded"])
    Object.assign(found.made.chain, {
      fetchBalance: async () => ({ units: 9n, spendableUnits: 9n }),
      observeTransaction: async () => mined,
    })
    expect([await found.again(), await found.again()]).toEqual([2_000, 2_000])
    Object.assign(found.made.chain, {
      fetchBalance: async () => ({ units: 8n, spendableUnits: 8n }),
    })
    await found.again()
    expect(found.made.alerts).toHaveLength(2)
  })
})

describe("the rounds of the watches", () => {
  const rounds = (watch: Partial<Watch>) => {
    const clock = createManualClock(START_MS)
    let ran = 0
    const run = async (): Promise<void> => {
      ran += 1
    }
    const made = { name: "x", everyMs: 100, run, ...watch } as Watch
    const table = createRounds({ clock, log: silentLogger }, [made], () => undefined)
    const at = async (ms: number) => {
      clock.set(START_MS + ms)
      const nextMs = table.poll()
      await table.idle()
      return [ran, nextMs === null ? null : nextMs - START_MS]
    }
    return { at, ran: () => ran, table }
  }

  test("begin at once or after their first wait, and then at their pace", async () => {
    const plain = rounds({})
    expect(await plain.at(0)).toEqual([1, null])
    expect(await plain.at(99)).toEqual([1, 100])
    expect(await plain.at(100)).toEqual([2, null])
    const later = rounds({ firstMs: 50 })
    expect(await later.at(0)).toEqual([0, 50])
    expect(await later.at(49)).toEqual([0, 50])
    expect(await later.at(50)).toEqual([1, null])
  })

  test("begin again once the clock is set back by more than ten seconds", async () => {
    const { at } = rounds({})
    await at(0)
    expect(await at(-10_000)).toEqual([1, 100])
    expect(await at(-10_001)).toEqual([2, null])
  })

  test("wait as long as a round says", async () => {
    const { at } = rounds({ run: async () => 7 })
    await at(0)
    expect(await at(6)).toEqual([0, 7])
    expect((await at(7))[1]).toBeNull()
  })

  test("go on after one that fails", async () => {
    let asked = 0
    const run = () => {
      asked += 1
      return Promise.reject(new Error("fails"))
    }
    const { at } = rounds({ run })
    await at(0)
    await at(100)
    expect(asked).toBe(2)
  })
})
