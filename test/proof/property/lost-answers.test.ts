import { join } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { expect, test } from "vitest"
import { type SwapPorts, submitSwap } from "#cli/submit-swap.ts"
import { AnswerLost, type ClientOptions, createClient } from "#client/client.ts"
import { createKeyedRequests, type KeyedRequests } from "#daemon/serve/keyed-requests.ts"
import type { Agent } from "#domain/agent.ts"
import { parseAssetId } from "#domain/asset.ts"
import { openJournal, type SqliteJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { ALL_SCOPES, type OpsToken } from "#ops/caller.ts"
import { createApp } from "#ops/create-app.ts"
import type { Operations } from "#ops/operations.ts"
import type { RequestKey } from "#ports/journal/request-keys.ts"
import type { Answer } from "#schema/answers/answers.ts"
import type { SubmitRequest } from "#schema/requests.ts"
import { ciRuns } from "../../support/ci-sample.ts"
import { createDice } from "../../support/dice.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const COMMANDS = 10_000
const FROM = parseAssetId("base_sepolia:wbtc")
const TO = parseAssetId("bitcoin_testnet:btc")
const SWAP = { from: FROM, to: TO, amount: "1" }
const TOKEN = "a-token-of-24-characters"
const AGENT_TOKEN = "an-agent-of-24-characters"
const TOKENS: readonly OpsToken[] = [
  { name: "ops.token", token: new Secret(TOKEN, "test"), scopes: ALL_SCOPES },
  { name: "agent.desk", token: new Secret(AGENT_TOKEN, "test"), scopes: ["agent"] },
]
/** The stand-in engine asks for no limits; `agent-limits.test.ts` does. */
const AGENT: Agent = { name: "desk", socket: true, tools: ["read", "swap"], limits: null }
const folder = temporaryFolder("ballast-lost")

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
      untilOnDisk: async () => undefined,
      orders: () => ({ orders: [], next: null }),
      order: (id: string) => (id.startsWith("order-") ? null : { id }),
      findKeyed: keyed.find,
      withdrawKey: keyed.withdraw,
      submitFor: (agent: Agent, request: SubmitRequest, key: string) =>
        keyed.submit(`agent.${agent.name}/${key}`, request, (named) => open(born, named)),
      submit: (request: SubmitRequest, key: string) =>
        keyed.submit(key, request, (named) => open(born, named)),
      once: keyed.once,
      operate: (id: string) => {
        retried++
        return { ok: true, body: { id, state: `retried ${retried}` } }
      },
    } as unknown as Operations
    // An hour passes between two calls of an agent, so no rate refuses one.
    let nowMs = 0
    const clock = { now: () => (nowMs += 3_600_000), sleep: async () => undefined }
    const access = { tokens: () => TOKENS, agents: () => [AGENT], hosts: () => [] }
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
    fetch: (url: string | URL, init: RequestInit = {}): Promise<Response> =>
      Promise.resolve(app.fetch(new Request(url, init))),
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

type Send = NonNullable<ClientOptions["fetch"]>

/**
 * A network between a program and the daemon: it loses requests and answers, brings a request
 * twice or long after its caller gave up, and the process dies in the midst of one.
 */
function createNetwork(server: ReturnType<typeof createServer>, dice: (below: number) => number) {
  const late: (() => Promise<unknown>)[] = []
  let crashes = 0
  const send: Send = async (url, init) => {
    if (late.length > 50) await late.splice(dice(late.length), 1)[0]?.()
    const ask = (): Promise<Response> => server.fetch(url, init)
    const fate = dice(12)
    if (fate === 0) late.push(ask)
    if (fate <= 1) throw new TypeError("the request is lost")
    if (fate === 2) await ask()
    if (fate === 2) throw new TypeError("the answer is lost")
    const asked = fate === 3 ? [ask(), ask()] : [ask()]
    if (dice(80) === 0) {
      await Promise.resolve()
      server.crash()
      crashes++
    }
    const answers = await Promise.all(asked)
    const one = answers[dice(answers.length)]
    if (one === undefined) throw new TypeError("no answer")
    return one
  }
  return {
    send,
    crashes: () => crashes,
    endLate: async () => {
      for (const ask of late) await ask()
    },
  }
}

const DAEMON = "http://127.0.0.1:7070"

/** One attempt of the generated client; `null`: it does not know. */
async function askByClient(send: Send, key: string): Promise<string | null> {
  const client = createClient({ url: DAEMON, token: TOKEN, fetch: send, patienceMs: 0 })
  try {
    // CAST: without `dryRun` the answer names the order.
    return ((await client.postSwap(SWAP, { key })) as { readonly id: string }).id
  } catch (error) {
    if (error instanceof AnswerLost) return null
    throw error
  }
}

/** One run of `ballast swap --idempotency-key`. */
async function askByCommand(send: Send, key: string): Promise<string | null> {
  let nowMs = 0
  const call: SwapPorts["call"] = async (method, path, body, options) => {
    const lost = (cause: unknown): AppError =>
      new AppError({ code: "daemon.answer_lost", disposition: "uncertain", message: "lost", cause })
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" }
    const named = options.key === undefined ? {} : { "idempotency-key": options.key }
    const text = method === "POST" ? { body: JSON.stringify(body) } : {}
    const init = { method, headers: { ...headers, ...named }, ...text }
    const answer = await send(`${DAEMON}${path}`, init).catch((cause: unknown) => {
      throw lost(cause)
    })
    if (answer.status >= 500) throw lost(answer.status)
    return { status: answer.status, body: await answer.json() }
  }
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms
  }
  const clock = { now: () => nowMs, sleep }
  const ports = { call, clock, note: () => undefined, commands: { show: "", repeat: "" } }
  try {
    const answer = await submitSwap(ports, { body: SWAP, key, isChosen: true })
    return answer.kind === "accepted" ? answer.id : null
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith("swap.")) return null
    throw error
  }
}

/** One call of a tool by the official client. Each refusal here says that it may be done. */
async function askByAgent(client: Client, key: string): Promise<string | null> {
  const args = { name: "request_swap", arguments: { ...SWAP, key } }
  const answer = await client.callTool(args).catch(() => null)
  if (answer === null) return null
  // CAST: the desk answers with an object.
  const body = answer.structuredContent as { id?: string; happened?: string; retry?: string }
  if (answer.isError === true) expect(body).toMatchObject({ happened: "maybe", retry: "same-key" })
  return body.id ?? null
}

/** Commands of each way; the campaign asks 3 400: `BALLAST_LOST_RUNS=3400`. */
const EACH = Number(process.env["BALLAST_LOST_RUNS"] ?? ciRuns(1_000, 2))

test("a command, the client and an agent learn the truth over such a network, with crashes", async () => {
  const dice = createDice(48)
  const server = createServer(join(folder, "ways.db"))
  const network = createNetwork(server, dice)
  const agent = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  )
  const headers = { authorization: `Bearer ${AGENT_TOKEN}` }
  let isLossy = false
  const fetch = (url: string | URL, init: RequestInit = {}): Promise<Response> =>
    isLossy ? network.send(String(url), init) : server.fetch(url, init)
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${DAEMON}/mcp`), {
      requestInit: { headers },
      fetch,
    }),
  )
  isLossy = true
  const ways: Readonly<Record<string, (key: string) => Promise<string | null>>> = {
    client: (key) => askByClient(network.send, key),
    command: (key) => askByCommand(network.send, key),
    agent: (key) => askByAgent(agent, key),
  }
  const wrong: string[] = []
  const learn = async (way: string, key: string): Promise<void> => {
    const ask = ways[way]
    let id: string | null = null
    while (id === null) id = (await ask?.(key)) ?? null
    const own = way === "agent" ? `agent.desk/${key}` : key
    if (id !== server.orderOf(own)) wrong.push(`${own}: ${id}`)
  }
  // Ten at once, so that requests overtake each other.
  for (let index = 0; index < EACH; index += 10) {
    const keys = Array.from({ length: 10 }, (_, one) => index + one)
    await Promise.all(
      keys.flatMap((one) => Object.keys(ways).map((way) => learn(way, `${way}-${one}`))),
    )
  }
  isLossy = false
  await network.endLate()
  await agent.close()
  expect(wrong).toEqual([])
  expect(server.orders()).toBe(3 * EACH)
  expect(network.crashes()).toBeGreaterThan(EACH / 40)
  server.close()
}, 300_000)
