import { describe, expect, test } from "vitest"
import type { KeyUse, RecordedUse } from "#domain/key-use.ts"
import { createMemory } from "#engine/memory.ts"
import { compareKeyRecord } from "#engine/restore/restored-journal.ts"
import { settledFlag } from "#engine/rules/tick/due-occurrences.ts"
import { silentLogger } from "#lib/log.ts"
import type { OrderData } from "#order/data.ts"
import { encodeOrder } from "#order/step.ts"
import { ORDER_ROW } from "../../support/order-row.ts"
import { samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const NOW = 1_000_000
const PAGE = 3
const use = (seq: number, over: Partial<KeyUse> = {}): KeyUse =>
  ({
    seq,
    atMs: seq,
    order: "order-1",
    action: "initiate",
    chain: "base_sepolia",
    account: "us",
    digest: `digest ${seq}`,
    resources: [`nonce:${seq}`],
    ...over,
  }) as KeyUse

type Scene = {
  /** The signer's record, newest first. */
  readonly uses?: readonly KeyUse[]
  readonly known?: readonly string[]
  readonly mark?: string | null
  readonly name?: string
  readonly data?: OrderData | null
  readonly state?: string
  readonly decisions?: readonly string[]
  readonly purposes?: readonly string[]
  readonly rules?: Readonly<Record<string, string | null>>
  readonly recorded?: number
  readonly importMark?: { seq: number; digest: string } | null
}

async function compare(given: Scene) {
  const { uses = [], known = [], data = sampleData(), state = "quoting", rules = {} } = given
  const flags = new Map<string, string>()
  if (given.mark != null) flags.set("signer/compared", given.mark)
  for (const [rule, ms] of Object.entries(rules)) if (ms !== null) flags.set(settledFlag(rule), ms)
  const alerts: unknown[][] = []
  const restored: unknown[][] = []
  const decided: object[] = []
  const events: string[] = []
  const pages: (number | null)[] = []
  const imported: (readonly RecordedUse[])[] = []
  const snapshot = data === null ? "" : encodeOrder({ state: state as never, data })
  const rows = Array.from({ length: given.recorded ?? 0 }, (_, n) => ({
    seq: n + 1,
    atMs: n,
    orderId: "order-1",
    digest: `d${n + 1}`,
    plan: samplePlan("deposit", 0),
    purpose: n === 0 ? "gasless" : "deposit",
  }))
  const context = {
    keyRecord: {
      listUses: async (before: number | null) => {
        pages.push(before)
        const rest = uses.filter(({ seq }) => before === null || seq < before)
        return { first: given.name ?? "record", uses: rest.slice(0, PAGE) }
      },
      importUses: async (some: readonly RecordedUse[]) => {
        imported.push(some)
        const last = some.at(-1)
        if (last === undefined) return given.importMark ?? null
        return { seq: last.seq, digest: last.digest }
      },
    },
    journal: {
      readFlag: (key: string) => flags.get(key) ?? null,
      writeFlag: (key: string, value: string) => void flags.set(key, value),
      noteFlag: (key: string, value: string) => void flags.set(key, value),
      isDigestKnown: (_chain: string, digest: string) => known.includes(digest),
      listOf: () => (given.purposes ?? []).map((purpose) => ({ purpose })),
      findOrder: (id: string) =>
        data === null || id !== "order-1" ? null : { ...ORDER_ROW, id, snapshot },
      raiseAlert: (...row: unknown[]) => void alerts.push(row),
      restoreSignature: (...row: unknown[]) => void restored.push(row),
      decideSecret: (row: object) => void decided.push(row),
      listSecretDecisions: () => given.decisions ?? [],
      commit: ({ event }: { event: { type: string } }) => void events.push(event.type),
      listRecorded: (after: number, most: number) =>
        rows.filter(({ seq }) => seq > after).slice(0, most),
      listRouteSummaries: () => [],
      durable: async () => undefined,
    },
    settings: { rules: Object.keys(rules).map((id) => ({ id })), assets: new Map() },
    services: new Map(),
    chains: new Map(),
    clock: { now: () => NOW },
    log: silentLogger,
    memory: createMemory(),
  } as unknown as Parameters<typeof compareKeyRecord>[0]
  const isOlder = await compareKeyRecord(context)
  return { isOlder, alerts, restored, decided, events, flags, pages, imported }
}

const markOf = ({ flags }: { flags: ReadonlyMap<string, string> }) => flags.get("signer/compared")

describe("a signer's record beside the journal", () => {
  test("that has nothing more changes nothing but its mark", async () => {
    const found = await compare({ uses: [use(2), use(1)], known: ["digest 2", "digest 1"] })
    expect([found.isOlder, found.alerts, found.restored]).toEqual([false, [], []])
    expect(markOf(found)).toBe("record:2")
    expect(markOf(await compare({}))).toBeUndefined()
  })

  test("that has a deposit more tells an older journal, and pauses everything", async () => {
    const state = "deposit-planning"
    const found = await compare({ uses: [use(2), use(1)], known: ["digest 1"], state })
    expect(found.isOlder).toBe(true)
    expect(found.alerts).toMatchObject([
      [NOW, { code: "journal.restored", signatures: "1", deposits: "1", orders: "1" }, "pause"],
    ])
    expect(found.restored).toMatchObject([[{ purpose: "deposit", digest: "digest 2" }, false]])
    expect(found.events).toEqual(["deposit.lost", "order.held"])
  })

  test("is read no further than its mark, unless another record has that name", async () => {
    const uses = [use(2), use(1)]
    expect((await compare({ uses, mark: "record:2" })).isOlder).toBe(false)
    expect((await compare({ uses, mark: "record:1" })).restored).toHaveLength(1)
    expect((await compare({ uses, mark: "other:2" })).restored).toHaveLength(2)
    expect((await compare({ uses, mark: "record" })).restored).toHaveLength(2)
  })

  test("is read page by page until one has nothing that the journal lacks", async () => {
    const uses = Array.from({ length: 9 }, (_, n) => use(9 - n))
    const known = uses.slice(3).map(({ digest }) => digest)
    expect((await compare({ uses, known })).pages).toEqual([null, 7])
    expect((await compare({ uses, known: [] })).pages).toEqual([null, 7, 4, 1])
    expect((await compare({ uses, known: [], mark: "record:8" })).pages).toEqual([null])
    expect((await compare({ uses: [], known: [] })).pages).toEqual([null])
  })

  test.each<[string, Partial<KeyUse>, Scene, boolean, number]>([
    ["an opening of a token account", { action: "openTokenAccount" }, {}, false, 0],
    ["a refund", { action: "refund" }, {}, false, 1],
    ["a redemption", { action: "redeem" }, {}, false, 1],
    ["a void", { action: "void" }, {}, false, 1],
    ["an approval", { action: "approve" }, {}, true, 0],
    ["typed data that the journal has", { action: "gasless" }, { purposes: ["gasless"] }, false, 0],
    ["typed data that it has not", { action: "gasless" }, { purposes: ["deposit"] }, true, 1],
    ["a deposit of an order with typed data", {}, { purposes: ["gasless"] }, true, 1],
  ])("has %s more", async (_what, over, given, isOlder, restored) => {
    const found = await compare({ uses: [use(1, over)], ...given })
    expect([found.isOlder, found.restored.length]).toEqual([isOlder, restored])
    expect(found.alerts).toHaveLength(isOlder ? 1 : 0)
  })

  test("restores a safe signature as one, beside those of deposits", async () => {
    const { restored } = await compare({ uses: [use(2, { action: "refund" }), use(1)] })
    expect(restored.map((row) => row[1])).toEqual([true, false])
  })
})

describe("an order with lost signatures", () => {
  const own = {
    nonce: "1",
    hash: "ab",
    status: "unknown",
    revealedAt: null,
    isTold: false,
  } as const
  const redeem = [use(1, { action: "redeem" })]
  test("has told its secret by a redemption, unless it was withheld", async () => {
    const data = sampleData({}, { ownSecret: own })
    expect((await compare({ uses: redeem, data })).decided).toEqual([
      { orderId: "order-1", decision: "reveal", secretHash: "ab", atMs: NOW },
    ])
    expect((await compare({ uses: redeem, data, decisions: ["withhold"] })).decided).toEqual([])
    expect((await compare({ uses: [use(1)], data })).decided).toEqual([])
    expect((await compare({ uses: redeem })).decided).toEqual([])
  })

  test.each<[string, Scene, readonly string[]]>([
    [
      "that has a deposit of its own goes on",
      { data: sampleData({ deposit: [sampleTransaction(samplePlan("deposit", 0))] }) },
      [],
    ],
    ["that is over stays so", { state: "rejected" }, []],
    [
      "without a verified deposit is held",
      { data: sampleData({}, { deposit: null }), state: "verifying" },
      ["order.held"],
    ],
    [
      "before its service order ends",
      { data: sampleData({}, { deposit: null, created: null }), state: "quoting" },
      ["order.declined"],
    ],
    ["that the journal does not know is nothing", { data: null }, []],
  ])("%s", async (_what, given, events) => {
    expect((await compare({ uses: [use(1)], ...given })).events).toEqual(events)
  })

  test("takes the occurrences of that time from its rules", async () => {
    const rules = { a: "4", b: "5", c: "6", d: null }
    const { flags } = await compare({ uses: [use(5), use(3)], rules })
    expect(Object.keys(rules).map((rule) => flags.get(settledFlag(rule)))).toEqual([
      "5",
      "5",
      "6",
      undefined,
    ])
    const safe = await compare({ uses: [use(5, { action: "refund" })], rules })
    expect(safe.flags.get(settledFlag("a"))).toBe("4")
  })
})

describe("the journal's claims", () => {
  test("complete the signer's record, two hundred in a message", async () => {
    const { imported } = await compare({ recorded: 401 })
    expect(imported.map((some) => some.length)).toEqual([0, 200, 200, 1])
    const [first, second] = imported[1] ?? []
    expect([first?.plan, second?.plan]).toEqual([null, samplePlan("deposit", 0)])
    expect(first).toMatchObject({ seq: 1, order: "order-1", digest: "d1" })
    expect(first?.deposit).toEqual(sampleData().deposit)
  })

  test("go on behind the record's last one, where it is the journal's own", async () => {
    const from = async (importMark: { seq: number; digest: string }) =>
      (await compare({ recorded: 3, importMark })).imported[1]?.[0]?.seq
    expect(await from({ seq: 2, digest: "d2" })).toBe(3)
    expect(await from({ seq: 2, digest: "other" })).toBe(1)
    expect(await from({ seq: 9, digest: "d9" })).toBe(1)
  })
})
