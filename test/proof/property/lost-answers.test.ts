import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { createKeyedRequests, type KeyedRequests } from "#daemon/serve/keyed-requests.ts"
import { parseAssetId } from "#domain/asset.ts"
import { openJournal, type SqliteJournal } from "#journal/sqlite-journal.ts"
import { silentLogger } from "#lib/log.ts"
import { createApp } from "#ops/create-app.ts"
import type { Answer, Operations, SubmitRequest } from "#ops/operations.ts"
import type { RequestKey } from "#ports/journal/request-keys.ts"

const COMMANDS = 10_000
const FROM = parseAssetId("base_sepolia:wbtc")
const TO = parseAssetId("bitcoin_testnet:btc")
const folder = mkdtempSync(join(tmpdir(), "ballast-lost-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A generator of numbers below a bound, the same for each run. */
function createDice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The HTTP interface over a journal on disk, which a crash closes in the middle of requests. */
function createServer(file: string) {
  let journal: SqliteJournal
  let keyed: KeyedRequests
  let life = 0
  let opened = 0
  let retried = 0
  const wait = (ticks: number): Promise<void> =>
    ticks === 0 ? Promise.resolve() : Promise.resolve().then(() => wait(ticks - 1))
  const alive = (born: number): void => {
    if (born !== life) throw new Error("the process died")
  }
  const open = async (born: number, key: RequestKey): Promise<Answer<"AcceptedSwap">> => {
    await wait(opened % 5)
    alive(born)
    const id = `order-${++opened}`
    const row = { id, state: "quoting", outcome: null, rule: "manual", from: FROM, to: TO }
    const sums = { sourceUnits: 1n, sourceFiat: null, feeFiat: null, feeUnits: 0n }
    const rest = { countedAtMs: 1, deposited: false, secretHash: null, snapshot: "{}" }
    journal.openOrder(
      { ...row, ...sums, ...rest, createdAtMs: opened, updatedAtMs: opened },
      { atMs: 1, type: "test.event", state: "quoting", body: "{}" },
      null,
      null,
      { requestKey: key },
    )
    await wait(opened % 3)
    alive(born)
    return { ok: true, body: { id } }
  }
  const start = () => {
    journal = openJournal(file)
    keyed = createKeyedRequests(journal, { now: () => 1 })
    const born = life
    // CAST: the requests below reach only these operations.
    const operations = {
      recordCall: () => undefined,
      durable: async () => undefined,
      order: (id: string) => ({ id }),
      submit: (request: SubmitRequest, key: string) =>
        keyed.submit(key, request, (named) => open(born, named)),
      once: keyed.once,
      operate: (id: string) => {
        retried++
        return { ok: true, body: { id, state: `retried ${retried}` } }
      },
    } as unknown as Operations
    const clock = { now: () => 0, sleep: async () => undefined }
    const access = { tokens: () => [], hosts: () => [] }
    return createApp(operations, { ...access, log: silentLogger, clock })
  }
  let app = start()
  return {
    send: async (path: string, key: string, body: string): Promise<string | null> => {
      const headers = { "content-type": "application/json", "idempotency-key": key }
      const request = new Request(`http://localhost${path}`, { method: "POST", headers, body })
      const answer = await app.fetch(request, { peer: { kind: "socket" } })
      return answer.status < 300 ? answer.text() : null
    },
    crash: () => {
      life++
      journal.close()
      app = start()
    },
    orders: () => journal.listOrders({}).length,
    orderOf: (key: string) => journal.findRequestKey(key)?.orderId ?? null,
    retried: () => retried,
    close: () => journal.close(),
  }
}

test("commands with answers lost, doubled, late and reordered act once for each key", async () => {
  const dice = createDice(20_261_128)
  const server = createServer(join(folder, "journal.db"))
  const late: (() => Promise<string | null>)[] = []
  const answers = new Map<string, Set<string>>()
  let crashes = 0
  const note = (key: string, text: string | null): boolean => {
    if (text !== null) answers.set(key, (answers.get(key) ?? new Set()).add(text))
    return text !== null
  }
  for (let index = 0; index < COMMANDS; index++) {
    const key = `key-${index}`
    const isSwap = dice(4) !== 0
    const path = isSwap ? "/api/v1/swap" : `/api/v1/orders/o${index}/retry`
    const body = isSwap ? JSON.stringify({ from: FROM, to: TO, amount: "1" }) : "{}"
    const send = (): Promise<string | null> => server.send(path, key, body)
    for (let isKnown = false; !isKnown; ) {
      const fate = dice(8)
      // The request is late: it comes after others, and its answer reaches nothing.
      if (fate === 0) late.push(send)
      // The answer is lost.
      else if (fate === 1) await send()
      // The request is doubled, and the process may die between.
      else if (fate === 2) {
        const both = [send(), send()]
        if (dice(40) === 0) {
          await Promise.resolve()
          server.crash()
          crashes++
        }
        for (const text of await Promise.all(both)) isKnown = note(key, text) || isKnown
      } else isKnown = note(key, await send())
      if (late.length > 50) note("", await (late.splice(dice(late.length), 1)[0]?.() ?? null))
    }
  }
  for (const send of late) await send()
  answers.delete("")
  const swaps = [...answers].filter(([, texts]) => [...texts][0]?.includes("order-"))
  expect(crashes).toBeGreaterThan(20)
  expect(answers.size).toBe(COMMANDS)
  expect([...answers].filter(([, texts]) => texts.size !== 1)).toEqual([])
  expect(server.orders()).toBe(swaps.length)
  expect(server.retried()).toBe(COMMANDS - swaps.length)
  for (const [key, [text]] of swaps)
    expect(JSON.parse(text ?? "{}")).toEqual({ id: server.orderOf(key) })
  server.close()
}, 300_000)
