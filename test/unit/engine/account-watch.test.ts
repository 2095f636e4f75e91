import { beforeEach, describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { createAccountGate } from "#engine/watches/account-gate.ts"
import { compareAccount, watchAccounts } from "#engine/watches/account-watch.ts"
import { AppError } from "#lib/app-error.ts"
import { silentLogger } from "#lib/log.ts"
import type { AccountUses, PastUse } from "#ports/account-uses.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"

type Context = Parameters<typeof compareAccount>[0]
type Use = AccountUses["used"][number]
const NONCE: Use = { resource: "nonce:7", txid: null }
const COIN: Use = { resource: "coin:1", txid: "abc" }
const MARK = "uses/base_sepolia/us"

let uses: AccountUses | Error
let past: PastUse | null
let signed: string[]
let calls: string[]
let flags: Map<string, string>
let settings: { mode: string; onAlarm?: string }
let isMember: boolean
let silent: boolean
beforeEach(() => {
  uses = { mark: "9", used: [] }
  past = null
  signed = []
  calls = []
  flags = new Map()
  settings = { mode: "live" }
  isMember = false
  silent = false
})

// CAST: only these parts of the port are used.
const port = (over: object = {}): ChainPort =>
  ({
    chain: "base_sepolia",
    account: "us",
    traits: familyNamed("evm").traits,
    uses: {
      fetchUses: async (mark: string | null, isOurs: (txid: string) => boolean) => {
        calls.push(`since ${mark}, ours: ${isOurs("abc")}`)
        if (silent) return new Promise(() => undefined)
        if (uses instanceof Error) throw uses
        return uses
      },
      readUse: async (name: string) => {
        calls.push(`read ${name}`)
        return past
      },
    },
    ...over,
  }) as unknown as ChainPort

function contextOf(ports: readonly ChainPort[] = [port()]): Context {
  const clock = createManualClock(1_000)
  // CAST: only these parts are used.
  return {
    clock,
    log: silentLogger,
    prices: { fetchPrice: async () => null },
    settings: { assets: new Map(), ...settings },
    chains: new Map(ports.map((one) => [one.chain, one])),
    ...(isMember ? { proveLease: () => undefined } : {}),
    journal: {
      readFlag: (name: string) => flags.get(name) ?? null,
      noteFlag: (name: string, text: string) => {
        calls.push("mark")
        flags.set(name, text)
      },
      isOurs: (_chain: string, txid: string) => signed.includes(txid),
      isResourceSigned: (_chain: string, _account: string, resource: string, found = "claim") =>
        signed.includes(`${found} ${resource}`),
      raiseAlert: (_at: number, { code, used }: { code: string; used?: string }, kind: string) =>
        calls.push(`${kind} ${code} ${used}`),
      listEntries: () => [],
      book: ({ add }: { add: readonly { note: string }[] }) => calls.push(`book ${add[0]?.note}`),
    },
  } as unknown as Context
}
const compare = (over: object = {}, isStopped = false): Promise<boolean> =>
  compareAccount(contextOf(), port(over), () => isStopped)
const since = "since null, ours: false"

describe("an account is compared with the signing record", () => {
  test.each<[string, Use, readonly string[], string | null]>([
    ["a nonce that nothing of ours used", NONCE, [], "nonce:7"],
    ["a nonce whose bytes we signed", NONCE, ["bytes nonce:7"], null],
    ["a nonce that we were asked to sign", NONCE, ["claim nonce:7"], null],
    ["a coin that a foreign transaction spent", COIN, [], "coin:1 (by abc)"],
    ["a coin that our transaction spent", COIN, ["abc"], null],
    [
      "a coin that we were asked to spend otherwise",
      COIN,
      ["claim coin:1", "bytes coin:1"],
      "coin:1 (by abc)",
    ],
  ])("%s", async (_name, use, ours, foreign) => {
    uses = { mark: "9", used: [use] }
    signed = [...ours]
    expect(await compare()).toBe(true)
    const alarm = foreign === null ? [] : [`pause books.foreign_transaction ${foreign}`]
    expect(calls).toEqual([`since null, ours: ${ours.includes("abc")}`, ...alarm, "mark"])
    expect(flags.get(MARK)).toBe("9")
  })

  test.each([
    ["observe", undefined, "alert"],
    ["live", "continue", "alert"],
    ["live", undefined, "pause"],
  ])("an alarm in mode %s with on_alarm %s: %s", async (mode, onAlarm, kind) => {
    settings = { mode, ...(onAlarm === undefined ? {} : { onAlarm }) }
    uses = { mark: "9", used: [COIN, NONCE] }
    await compare()
    expect(calls[1]).toBe(`${kind} books.foreign_transaction coin:1 (by abc), nonce:7`)
  })

  test("from its mark on, which is written only when it moves", async () => {
    flags.set(MARK, "9")
    await compare()
    expect(calls).toEqual(["since 9, ours: false"])
    uses = { mark: null, used: [] }
    await compare()
    uses = { mark: "10", used: [] }
    await compare()
    expect(calls.slice(1)).toEqual(["since 9, ours: false", "since 9, ours: false", "mark"])
  })

  test("not when it cannot be read, or is not asked any more", async () => {
    const gone = new AppError({
      code: "evm.unreachable",
      disposition: "transient",
      message: "gone",
    })
    uses = gone
    expect(await compare()).toBe(false)
    uses = new Error("a bug")
    await expect(compare()).rejects.toBe(uses)
    uses = { mark: "9", used: [NONCE] }
    expect(await compare({}, true)).toBe(false)
    expect(await compare({ uses: undefined })).toBe(false)
    expect(calls).toEqual([since, since, since])
  })

  test("each in its turn, until the watch stops", async () => {
    const ports = ["base_sepolia", "bitcoin_testnet"].map((chain) => port({ chain }))
    await watchAccounts(contextOf(ports), () => false)
    expect(calls).toEqual([since, "mark", since, "mark"])
    calls = []
    flags.clear()
    await watchAccounts(contextOf(ports), () => true)
    expect(calls).toEqual([since])
  })
})

describe("what another machine of the treasury signed without the log", () => {
  beforeEach(() => {
    isMember = true
    uses = { mark: "9", used: [NONCE, COIN] }
  })

  test.each(["refund", "redeem", "void"] as const)(
    "is booked, and no alarm: %s",
    async (action) => {
      past = { txid: "t", action, feeUnits: 5n }
      expect(await compare()).toBe(true)
      const booked = `book ${action} by another machine`
      expect(calls.slice(1)).toEqual(["read nonce:7", "read abc", booked, booked, "mark"])
    },
  )

  test("is foreign where it is a deposit, or cannot be read", async () => {
    past = { txid: "t", action: "initiate", feeUnits: 5n }
    await compare()
    past = null
    await compare()
    const alarm = "pause books.foreign_transaction nonce:7, coin:1 (by abc)"
    expect(calls.filter((call) => call.startsWith("pause"))).toEqual([alarm, alarm])
  })
})

describe("new deposits of a chain wait", () => {
  test("while its account was not compared since the start", async () => {
    const ports = [port(), port({ chain: "bitcoin_testnet", uses: undefined })]
    const context = contextOf(ports)
    const gate = createAccountGate(context)
    uses = new AppError({ code: "evm.unreachable", disposition: "transient", message: "gone" })
    await gate.check()
    const reasons = (): unknown[] =>
      ports.flatMap(({ chain }) => gate.findReasons(chain)).map(({ code, chain }) => [code, chain])
    expect(reasons()).toEqual([["account.unchecked", "base_sepolia"]])
    expect(gate.findReasons(port().chain)[0]?.message).toMatch(/new deposits from it wait: gone$/)
    uses = { mark: "9", used: [] }
    if (!("run" in gate.watch)) throw new Error("it asks about everything")
    await gate.watch.run()
    expect(reasons()).toEqual([])
    calls = []
    await gate.watch.run()
    expect(calls).toEqual([])
  })

  test("and an answer that comes too late changes nothing", async () => {
    const context = contextOf()
    const gate = createAccountGate(context)
    silent = true
    const checked = gate.check()
    await settle()
    // CAST: the context's clock is a manual one.
    ;(context.clock as ReturnType<typeof createManualClock>).set(13_001)
    await checked
    const [reason, ...more] = gate.findReasons(port().chain)
    expect(reason?.message).toMatch(/the chain did not answer in time$/)
    expect(more).toEqual([])
  })
})
