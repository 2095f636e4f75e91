import { expect, test } from "vitest"
import { createJournalOperations } from "#daemon/serve/journal-operations.ts"
import { readAlarmPage } from "#daemon/views/read-alarms.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { silentLogger } from "#lib/log.ts"
import { createApp } from "#ops/create-app.ts"
import type { Operations } from "#ops/operations.ts"
import { encodeOrder } from "#order/step.ts"
import type { PageQuery } from "#schema/requests.ts"
import { sampleData } from "../../support/sample-job.ts"

type Item = {
  readonly [field: string]: string
} & { readonly reason: { readonly code: string } }
type Body = { readonly [list: string]: readonly Item[] } & { readonly next: string | null }
type Page = { readonly status: number; readonly body: Body }

/** The lists over a journal with so many orders, decisions, calls, alerts and ledger entries. */
function serve(count = 7, onRead: () => void = () => undefined) {
  const journal = openJournal(":memory:")
  for (let index = 1; index <= count; index++) {
    const id = `o${index}`
    const data = { ...sampleData({}), id }
    const { from, to } = data.request
    // Two orders in each millisecond.
    const at = Math.floor(index / 2)
    const state = { id, state: "quoting", outcome: null, rule: index % 2 ? "odd" : "even" }
    const sums = { sourceUnits: 5n, sourceFiat: null, feeFiat: null, feeUnits: 4n }
    const rest = { countedAtMs: 1, deposited: false, secretHash: null }
    const snapshot = encodeOrder({ state: "quoting", data })
    const service = index > 5 ? "other" : "main"
    const row = {
      ...state,
      service,
      from,
      to,
      ...sums,
      ...rest,
      createdAtMs: at,
      updatedAtMs: at,
      snapshot,
    }
    const event = { atMs: 1, type: "test.event", state: "quoting", body: "{}" }
    const requestKey = { key: `key ${index}`, request: "hash" }
    journal.openOrder(row, event, null, null, { requestKey })
    journal.recordDecision({
      id: `d${index}`,
      atMs: at,
      rule: state.rule,
      verdict: "declined",
      body: `{"text": "${index}"}`,
      inputs: null,
      configHash: null,
    })
    const call = { caller: "c", source: "unix", action: `a${index}`, subject: id, body: "{}" }
    journal.recordOperatorCall({ atMs: at, ...call })
    journal.raiseAlert(at, { code: `test.alert_${index}`, message: "" })
    const posting = { account: "a:b", asset: from, fiat: null }
    const postings = [
      { ...posting, units: 5n },
      { ...posting, account: "a:c", units: -5n },
    ]
    const entry = { key: `k${index}`, kind: "outside" as const, tx: null, note: null, postings }
    journal.book({ reversedKeys: [], add: [entry] }, { orderId: null, atMs: at })
  }
  // CAST: the lists need no other operation.
  const operations = {
    ...createJournalOperations(
      (use) => {
        onRead()
        return use(journal)
      },
      () => new Map(),
      { now: () => 9 },
      () => "hex",
    ),
    alerts: (query: PageQuery) => readAlarmPage(journal, 9, (text) => text, query),
    deliveries: () => ({ open: [], receivers: [] }),
    untilOnDisk: async () => undefined,
    recordCall: () => undefined,
    durable: async () => undefined,
  } as unknown as Operations
  const app = createApp(operations, {
    tokens: () => [],
    hosts: () => [],
    log: silentLogger,
    clock: { now: () => 0, sleep: async () => undefined },
  })
  return async (path: string, init: RequestInit = {}) => {
    const request = new Request(`http://localhost/api/v1/${path}`, init)
    const answer = await app.fetch(request, { peer: { kind: "socket" } })
    const body: Body = JSON.parse(await answer.text())
    return { status: answer.status, body }
  }
}

test.each([
  ["orders", "orders", "id", ["o7", "o6", "o5", "o4", "o3", "o2", "o1"]],
  ["decisions", "decisions", "id", ["d7", "d6", "d5", "d4", "d3", "d2", "d1"]],
  ["audit", "calls", "action", ["a7", "a6", "a5", "a4", "a3", "a2", "a1"]],
  ["bookings", "bookings", "key", ["k1", "k2", "k3", "k4", "k5", "k6", "k7"]],
])("%s come page by page, each once", async (path, list, field, expected) => {
  const ask = serve()
  const found: string[] = []
  let next: string | null = null
  do {
    const cursor = next === null ? "" : `&cursor=${next}`
    const { status, body }: Page = await ask(`${path}?limit=3${cursor}`)
    expect(status).toBe(200)
    const items = body[list] ?? []
    expect(items.length).toBeLessThanOrEqual(3)
    found.push(...items.map((item) => item[field] ?? ""))
    next = body.next
  } while (next !== null)
  expect(found).toEqual(expected)
  expect(await ask(`${path}?cursor=none`)).toMatchObject({
    status: 400,
    body: { reasons: [{ code: "request.cursor" }] },
  })
})

test.each([
  ["orders", "orders", "id", "o120", "o20"],
  ["decisions", "decisions", "id", "d120", "d20"],
  ["audit", "calls", "action", "a120", "a20"],
  ["bookings", "bookings", "key", "k1", "k101"],
])("a long page of %s is read in parts, each in a turn", async (path, list, field, a, b) => {
  let turn = 0
  const turns = new Set<number>()
  const next = (): unknown => (turn++ < 1_000 ? setImmediate(next) : null)
  const ask = serve(120, () => turns.add(turn))
  next()
  const { body } = await ask(`${path}?limit=101`)
  turn = 1_000
  const items = (body[list] ?? []).map((item) => item[field])
  expect([items.length, new Set(items).size, items[0], items.at(-1)]).toEqual([101, 101, a, b])
  expect(body.next).not.toBeNull()
  expect(turns.size).toBe(3)
})

test("alerts come page by page, newest first", async () => {
  const ask = serve()
  const first = await ask("alerts?limit=4")
  const second = await ask(`alerts?limit=4&cursor=${first.body.next}`)
  const newer = first.body["alerts"] ?? []
  const older = second.body["alerts"] ?? []
  const codes = [...newer, ...older].map(({ reason }) => reason.code)
  expect(codes.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7].map((one) => `test.alert_${one}`))
  expect([newer.length, second.body.next]).toEqual([4, null])
})

test.each([
  ["state=quoting&limit=2", ["o7", "o6"]],
  ["state=completed", []],
  ["state=held", []],
  ["open=true&limit=1", ["o7"]],
  ["service=other", ["o7", "o6"]],
  ["service=other&rule=even", ["o6"]],
  ["since=1970-01-01T00:00:00.003Z", ["o7", "o6"]],
  ["until=1970-01-01T00:00:00.001Z", ["o1"]],
  ["since=1970-01-01T00:00:00.001Z&until=1970-01-01T00:00:00.002Z", ["o3", "o2"]],
  ["text=o3", ["o3"]],
  ["text=odd&cursor=o5", ["o3", "o1"]],
  ["text=%25", []],
  ["from=none:none", []],
  ["from=FROM&to=TO&text=o2", ["o2"]],
  ["from=TO", []],
] as const)("filters orders by %s", async (query, expected) => {
  const { from, to } = sampleData({}).request
  const { status, body } = await serve()(`orders?${query.replace("FROM", from).replace("TO", to)}`)
  expect([status, body["orders"]?.map((order) => order["id"])]).toEqual([200, expected])
})

test("filters by rule, subject and the key of the request", async () => {
  const ask = serve()
  const ids = async (query: string) =>
    (await ask(`orders?${query}`)).body["orders"]?.map((order) => order["id"])
  expect(await ids("rule=even&limit=2")).toEqual(["o6", "o4"])
  expect(await ids("rule=even&limit=2&cursor=o4")).toEqual(["o2"])
  expect(await ids("external_id=key%203")).toEqual(["o3"])
  expect(await ids("external_id=unknown")).toEqual([])
  const { body } = await ask("audit?subject=o2")
  expect(body["calls"]).toMatchObject([{ action: "a2", subject: "o2" }])
})

test.each([
  ["orders?rules=even", "request.unknown_parameter", 'no parameter "rules" (did you mean rule?)'],
  ["orders?limit=2&before=x", "request.unknown_parameter", '"before"'],
  ["orders?limit=0", "request.malformed", "limit is a whole number from 1 to 1000"],
  ["orders?limit=1&limit=2", "request.malformed", '"limit" is there twice'],
  ["status?open=true", "request.unknown_parameter", "it takes none"],
])("refuses %s", async (path, code, message) => {
  expect(await serve()(path)).toMatchObject({
    status: 400,
    body: { reasons: [{ code, message: expect.stringContaining(message) }] },
  })
})

test.each([
  ["swap", { from: "a", to: "b", amont: "1" }, '"amont" (did you mean amount?)'],
  ["reload", { force: true }, '"force"; it takes none'],
  ["orders/o1/retry", { intend: "x" }, '"intend"'],
])("refuses an unknown field of %s", async (path, fields, message) => {
  const headers = { "content-type": "application/json" }
  const sent = { method: "POST", headers, body: JSON.stringify(fields) }
  expect(await serve()(path, sent)).toMatchObject({
    status: 400,
    body: {
      reasons: [{ code: "request.unknown_field", message: expect.stringContaining(message) }],
    },
  })
})
