import { describe, expect, test } from "vitest"
import type { CallRecord } from "#agent/desk.ts"
import type { Clock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { ALL_SCOPES, type OpsToken, type Peer } from "./caller.ts"
import { createApp } from "./create-app.ts"
import type { Operations } from "./operations.ts"

const TOKEN = "0123456789abcdef0123456789abcdef"
const APPROVER = "approver-approver-approver"

function setUp() {
  let nowMs = 1_000_000
  const clock: Clock = { now: () => nowMs, sleep: async () => undefined }
  const done: string[] = []
  const calls: CallRecord[] = []
  // CAST: the requests below reach only these operations.
  const operations = {
    status: () => ({ mode: "live" }),
    order: (id: string) => (id === "known" ? { id } : null),
    operate: () => ({ ok: true, body: {} }),
    recordCall: (call: CallRecord) => void calls.push(call),
    durable: async () => undefined,
    untilOnDisk: async () => undefined,
    pause: async () => {
      done.push("pause")
      return { ok: true, body: {} }
    },
  } as unknown as Operations
  const tokens: OpsToken[] = [
    { name: "ops.token", token: new Secret(TOKEN, "test"), scopes: ALL_SCOPES },
    { name: "alice", token: new Secret(APPROVER, "test"), scopes: ["read", "approve"] },
  ]
  const app = createApp(operations, {
    tokens: () => tokens,
    hosts: () => ["ballast.example"],
    log: silentLogger,
    clock,
  })
  async function ask(
    method: "GET" | "POST" | "DELETE",
    path: string,
    headers: Record<string, string> = {},
    { body, peer = BROWSER }: { body?: string; peer?: Peer } = {},
  ) {
    const init = {
      method,
      headers: { host: "127.0.0.1:7070", ...headers },
      ...(body === undefined ? {} : { body }),
    }
    const answer = await app.request(path, init, { peer })
    const { status } = answer
    const text = await answer.text()
    const code =
      status >= 400 ? (JSON.parse(text) as { reasons: [{ code: string }] }).reasons[0].code : null
    return { status, code, text, headers: answer.headers }
  }
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { ask, done, calls, pass, tokens }
}

const BROWSER: Peer = { kind: "tcp", address: "192.0.2.1", tls: false }
const OWN = "http://127.0.0.1:7070"

describe("a session of the page", () => {
  const PAGE = { origin: OWN, "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" }
  const JSON_TYPE = { "content-type": "application/json" }
  const OTHER: Peer = { kind: "tcp", address: "192.0.2.9", tls: false }

  async function logIn(
    ask: ReturnType<typeof setUp>["ask"],
    token: string,
    headers: Record<string, string> = PAGE,
  ) {
    const answer = await ask(
      "POST",
      "/api/v1/session",
      { ...headers, ...JSON_TYPE },
      { body: JSON.stringify({ token }), peer: OTHER },
    )
    const set = answer.headers.get("set-cookie") ?? ""
    const csrf =
      answer.status === 200 ? String((JSON.parse(answer.text) as { csrf: string }).csrf) : ""
    return {
      ...answer,
      set,
      csrf,
      sent: { ...PAGE, cookie: set.split(";")[0] ?? "", "x-ballast-csrf": csrf },
    }
  }

  test("opens with a token, has its scopes, and writes its name beside every change", async () => {
    const { ask, calls } = setUp()
    const { status, set, sent, text } = await logIn(ask, APPROVER)
    expect(status).toBe(200)
    expect(set).toMatch(
      /^ballast-7070=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    )
    expect(JSON.parse(text)).toMatchObject({ name: "alice", scopes: ["read", "approve"] })
    expect(await ask("GET", "/api/v1/session", sent)).toMatchObject({ status: 200 })
    const json = { ...sent, "content-type": "application/json" }
    const body = '{"intent":"9c41"}'
    const path = "/api/v1/orders/known/approve"
    expect(await ask("POST", path, json, { body })).toMatchObject({ status: 200 })
    expect(await ask("POST", "/api/v1/pause", sent)).toMatchObject({
      status: 403,
      code: "ops.scope",
    })
    expect(calls).toMatchObject([{ caller: "alice", action: "approve" }])
  })

  test("needs both secrets for every request, reads included", async () => {
    const { ask } = setUp()
    const { sent } = await logIn(ask, TOKEN)
    const { "x-ballast-csrf": _csrf, ...cookieOnly } = sent
    const { cookie: _cookie, ...headerOnly } = sent
    for (const headers of [
      cookieOnly,
      headerOnly,
      { ...sent, "x-ballast-csrf": "guess" },
      { ...sent, cookie: "ballast-7070=guess" },
    ]) {
      expect(await ask("GET", "/api/v1/status", headers)).toMatchObject({ status: 401 })
      expect(await ask("POST", "/api/v1/pause", headers)).toMatchObject({ status: 401 })
    }
    expect(await ask("GET", "/api/v1/status", sent)).toMatchObject({ status: 200 })
  })

  test("is refused from a page of another origin, and so is the login", async () => {
    const { ask, done } = setUp()
    const { sent } = await logIn(ask, TOKEN)
    const foreign: readonly Record<string, string>[] = [
      { origin: "http://127.0.0.1:8080" },
      { origin: "null" },
      { origin: "http://evil.example", "sec-fetch-site": "same-origin" },
    ]
    for (const headers of foreign) {
      expect(await ask("POST", "/api/v1/pause", { ...sent, ...headers })).toMatchObject({
        code: "ops.origin",
      })
      expect(await logIn(ask, TOKEN, { ...PAGE, ...headers })).toMatchObject({
        status: 403,
        code: "ops.origin",
      })
    }
    const { origin: _origin, "sec-fetch-site": _site, ...unproven } = sent
    expect(await ask("POST", "/api/v1/pause", unproven)).toMatchObject({ code: "ops.origin" })
    expect(done).toEqual([])
  })

  test("ends by logging out, after twelve hours, and when the clock was set back", async () => {
    const { ask, pass } = setUp()
    const first = await logIn(ask, TOKEN)
    const second = await logIn(ask, TOKEN)
    expect(
      (await ask("DELETE", "/api/v1/session", first.sent)).headers.get("set-cookie"),
    ).toContain("Max-Age=0")
    expect(await ask("GET", "/api/v1/status", first.sent)).toMatchObject({
      status: 401,
      code: "ops.session",
    })
    pass(12 * 3_600_000 - 1)
    expect(await ask("GET", "/api/v1/status", second.sent)).toMatchObject({ status: 200 })
    pass(1)
    expect(await ask("GET", "/api/v1/status", second.sent)).toMatchObject({ status: 401 })
    const third = await logIn(ask, TOKEN)
    pass(-11 * 3_600_000)
    expect(await ask("GET", "/api/v1/status", third.sent)).toMatchObject({ status: 401 })
  })

  test("ends with its token", async () => {
    const { ask, tokens } = setUp()
    const { sent } = await logIn(ask, APPROVER)
    tokens.pop()
    expect(await ask("GET", "/api/v1/status", sent)).toMatchObject({
      status: 401,
      code: "ops.session",
    })
  })

  test("does not help to guess tokens: wrong ones count as everywhere", async () => {
    const { ask } = setUp()
    for (let tries = 0; tries < 5; tries++)
      expect(await logIn(ask, "0000000000000000")).toMatchObject({ status: 401 })
    expect(await logIn(ask, TOKEN)).toMatchObject({ status: 429, code: "ops.busy" })
  })

  test("has a cookie for TLS alone where the listener has TLS", async () => {
    const { ask } = setUp()
    const peer: Peer = { kind: "tcp", address: "192.0.2.9", tls: true }
    const headers = { ...JSON_TYPE, host: "ballast.example", origin: "https://ballast.example" }
    const { headers: answered } = await ask("POST", "/api/v1/session", headers, {
      body: JSON.stringify({ token: TOKEN }),
      peer,
    })
    expect(answered.get("set-cookie")).toMatch(/^__Host-ballast-443=.*; Secure$/)
  })

  test("is asked for by the page itself: no browser shows its own question for a password", async () => {
    const { ask } = setUp()
    expect((await ask("GET", "/api/v1/status", PAGE)).headers.get("www-authenticate")).toBeNull()
    expect((await ask("GET", "/api/v1/status")).headers.get("www-authenticate")).toContain("Basic")
  })
})
