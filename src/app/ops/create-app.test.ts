import { describe, expect, test } from "vitest"
import type { CallRecord } from "#agent/desk.ts"
import type { Clock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { ALL_SCOPES, type OpsToken, type Peer } from "./caller.ts"
import { createApp } from "./create-app.ts"
import type { Operations } from "./operations.ts"

const TOKEN = "0123456789abcdef0123456789abcdef"
const READER = "reader-reader-reader"
const APPROVER = "approver-approver-approver"

function setUp() {
  let nowMs = 1_000_000
  const clock: Clock = { now: () => nowMs, sleep: async () => undefined }
  const done: string[] = []
  const calls: CallRecord[] = []
  const disk = { promise: Promise.resolve(), fails: false }
  const act = (name: string) => async () => {
    done.push(name)
    return { ok: true as const, body: {} }
  }
  // CAST: the requests below reach only these operations.
  const operations = {
    status: () => ({ mode: "live" }),
    isReady: () => true,
    order: (id: string) => (id === "known" ? { id } : null),
    operate: (id: string, verb: string, _intent: string | null, by: string) => {
      done.push(`${verb} ${id} by ${by}`)
      return { ok: true, body: {} }
    },
    recordCall: (call: CallRecord) => void calls.push(call),
    durable: async () => {
      await disk.promise
      if (disk.fails) throw new Error("database or disk is full")
    },
    untilOnDisk: async () => {
      await disk.promise
      if (disk.fails) throw new Error("database or disk is full")
    },
    pause: act("pause"),
    resume: () => ({ ok: true, body: {} }),
    submit: act("swap"),
    reload: act("reload"),
    reconcile: act("reconcile"),
    confirmClock: () => ({ ok: true, body: {} }),
  } as unknown as Operations
  const tokens: OpsToken[] = [
    { name: "ops.token", token: new Secret(TOKEN, "test"), scopes: ALL_SCOPES },
    { name: "grafana", token: new Secret(READER, "test"), scopes: ["read"] },
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
    {
      body,
      peer = { kind: "tcp", address: "192.0.2.1", tls: false },
    }: { body?: string; peer?: Peer } = {},
  ) {
    const init = {
      method,
      headers: { host: "127.0.0.1:7070", ...headers },
      ...(body === undefined ? {} : { body }),
    }
    const answer = await app.request(path, init, { peer })
    const text = await answer.text()
    const code =
      answer.status >= 400
        ? (JSON.parse(text) as { reasons: [{ code: string }] }).reasons[0].code
        : null
    return { status: answer.status, code, text, headers: answer.headers }
  }
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { ask, done, calls, pass, disk, tokens }
}

const basic = (token: string) => ({
  authorization: `Basic ${Buffer.from(`any:${token}`).toString("base64")}`,
})
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const OWN = "http://127.0.0.1:7070"

describe("a browser that adds the password by itself", () => {
  test.each([
    ["a foreign origin, and no Sec-Fetch-Site", { origin: "http://evil.example" }],
    ["a sandboxed frame", { origin: "null" }],
    ["another port", { origin: "http://127.0.0.1:8080" }],
    [
      "a foreign origin that claims the same site",
      { origin: "http://evil.example", "sec-fetch-site": "same-origin" },
    ],
    ["a cross-site request without an origin", { "sec-fetch-site": "cross-site" }],
    ["a same-site request without an origin", { "sec-fetch-site": "same-site" }],
    ["an unknown relation", { "sec-fetch-site": "anything else" }],
  ])("is refused with %s", async (_what, headers) => {
    const { ask, done } = setUp()
    const sent = { ...basic(TOKEN), ...headers, "content-type": "text/plain" }
    expect(await ask("GET", "/api/v1/status", sent)).toMatchObject({
      status: 403,
      code: "ops.origin",
    })
    for (const path of ["pause", "resume", "swap", "orders/known/approve", "reconcile", "reload"]) {
      expect(await ask("POST", `/api/v1/${path}`, sent, { body: "{}" })).toMatchObject({
        status: 403,
        code: "ops.origin",
      })
    }
    expect(done).toEqual([])
  })

  test("may not write without proof that the request comes from our page", async () => {
    const { ask, done } = setUp()
    for (const site of [{}, { "sec-fetch-site": "none" }]) {
      expect(await ask("POST", "/api/v1/pause", { ...basic(TOKEN), ...site })).toMatchObject({
        code: "ops.origin",
      })
    }
    expect(done).toEqual([])
    expect(await ask("POST", "/api/v1/pause", { ...basic(TOKEN), origin: OWN })).toMatchObject({
      status: 200,
    })
    expect(
      await ask("POST", "/api/v1/pause", { ...basic(TOKEN), "sec-fetch-site": "same-origin" }),
    ).toMatchObject({
      status: 200,
    })
  })

  test.each(["same-origin", "none", null])("may read on our own page (%s)", async (site) => {
    const { ask } = setUp()
    const headers = { ...basic(TOKEN), ...(site === null ? {} : { "sec-fetch-site": site }) }
    expect(await ask("GET", "/api/v1/status", headers)).toMatchObject({ status: 200 })
  })

  test("must use https where the listener does", async () => {
    const { ask } = setUp()
    const peer: Peer = { kind: "tcp", address: "192.0.2.1", tls: true }
    const from = (origin: string) =>
      ask("POST", "/api/v1/pause", { ...basic(TOKEN), host: "ballast.example", origin }, { peer })
    expect(await from("http://ballast.example")).toMatchObject({ code: "ops.origin" })
    expect(await from("https://ballast.example")).toMatchObject({ status: 200 })
  })
})

test("a name that leads to our address is refused, with and without a token", async () => {
  const { ask } = setUp()
  for (const host of [
    "evil.example",
    "evil.example:7070",
    "127.0.0.1.evil.example",
    "",
    "a b",
    "[::1",
  ]) {
    expect(await ask("GET", "/api/v1/status", { ...bearer(TOKEN), host })).toMatchObject({
      status: 403,
      code: "ops.host",
    })
    expect(await ask("GET", "/healthz", { host })).toMatchObject({ status: 403, code: "ops.host" })
  }
  for (const host of [
    "localhost:7070",
    "127.0.0.1",
    "[::1]:7070",
    "10.1.2.3:7070",
    "Ballast.example",
  ]) {
    expect(await ask("GET", "/api/v1/status", { ...bearer(TOKEN), host })).toMatchObject({
      status: 200,
    })
  }
})

test("a bearer token counts from anywhere without an origin, because no browser adds it by itself", async () => {
  const { ask } = setUp()
  expect(
    await ask("GET", "/api/v1/status", { ...bearer(TOKEN), "sec-fetch-site": "cross-site" }),
  ).toMatchObject({
    status: 200,
  })
  expect(await ask("POST", "/api/v1/pause", bearer(TOKEN))).toMatchObject({ status: 200 })
  expect(
    await ask("POST", "/api/v1/pause", { ...bearer(TOKEN), origin: "http://evil.example" }),
  ).toMatchObject({
    status: 403,
  })
})

describe("a token", () => {
  test.each([
    ["GET", "/api/v1/status", { reader: 200, approver: 200 }],
    ["GET", "/api/v1/orders/known", { reader: 200, approver: 200 }],
    ["POST", "/api/v1/pause", { reader: 403, approver: 403 }],
    ["POST", "/api/v1/resume", { reader: 403, approver: 403 }],
    ["POST", "/api/v1/swap", { reader: 403, approver: 403 }],
    ["POST", "/api/v1/reload", { reader: 403, approver: 403 }],
    ["POST", "/api/v1/reconcile", { reader: 403, approver: 403 }],
    ["POST", "/api/v1/confirm-clock", { reader: 403, approver: 403 }],
    // It names no intent.
    ["POST", "/api/v1/orders/known/approve", { reader: 403, approver: 400 }],
    ["POST", "/api/v1/orders/known/reject", { reader: 403, approver: 200 }],
    ["POST", "/api/v1/orders/known/abandon", { reader: 403, approver: 403 }],
    ["POST", "/api/v1/orders/known/%61pprove", { reader: 403, approver: 400 }],
  ] as const)("has only its scopes for %s %s", async (method, path, { reader, approver }) => {
    const { ask, calls } = setUp()
    expect(await ask(method, path, bearer(READER))).toMatchObject({ status: reader })
    expect(calls).toEqual([])
    expect(await ask(method, path, bearer(APPROVER))).toMatchObject({ status: approver })
    expect((await ask(method, path, bearer(TOKEN))).status).toBeLessThan(401)
  })

  test("that is not ours counts nowhere", async () => {
    const { ask } = setUp()
    expect(await ask("GET", "/api/v1/status", bearer(`${TOKEN}0`))).toMatchObject({ status: 401 })
    expect(
      await ask("GET", "/api/v1/status", {
        ...basic(`${TOKEN}0`),
        "sec-fetch-site": "same-origin",
      }),
    ).toMatchObject({ status: 401 })
    expect(await ask("GET", "/api/v1/status")).toMatchObject({ status: 401 })
  })

  test("approves only the intent that it names", async () => {
    const { ask, done } = setUp()
    const approve = (body?: string) =>
      ask(
        "POST",
        "/api/v1/orders/known/approve",
        { ...bearer(APPROVER), "content-type": "application/json" },
        body === undefined ? {} : { body },
      )
    for (const body of [undefined, "{}", '{"intent":null}', '{"intent":7}'])
      expect(await approve(body), body).toMatchObject({ status: 400, code: "request.malformed" })
    expect(done).toEqual([])
    expect(await approve('{"intent":"9c41"}')).toMatchObject({ status: 200 })
    expect(done).toEqual(["approve known by alice"])
  })

  test("writes its name beside every change, before the change", async () => {
    const { ask, calls, done } = setUp()
    await ask(
      "POST",
      "/api/v1/pause",
      { ...bearer(TOKEN), "content-type": "application/json" },
      { body: '{"rule":"wbtc"}' },
    )
    await ask(
      "POST",
      "/api/v1/orders/known/approve",
      { ...bearer(APPROVER), "content-type": "application/json" },
      { body: '{"intent":"9c41"}' },
    )
    await ask("GET", "/api/v1/status", bearer(TOKEN))
    expect(calls).toEqual([
      {
        caller: "ops.token",
        source: "192.0.2.1",
        action: "pause",
        subject: "wbtc",
        body: '{"rule":"wbtc"}',
      },
      {
        caller: "alice",
        source: "192.0.2.1",
        action: "approve",
        subject: "known",
        body: '{"intent":"9c41"}',
      },
    ])
    expect(done).toEqual(["pause", "approve known by alice"])
  })
})

describe.each([
  ["a change", "POST", "/api/v1/pause", 1],
  ["a read", "GET", "/api/v1/status", 0],
] as const)("the answer to %s", (_what, method, path, changes) => {
  test("waits until everything that it shows is on disk", async () => {
    const { ask, disk, done } = setUp()
    const written = Promise.withResolvers<void>()
    disk.promise = written.promise
    let answered = false
    const asked = ask(method, path, bearer(TOKEN)).finally(() => {
      answered = true
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([done.length, answered]).toEqual([changes, false])
    written.resolve()
    expect(await asked).toMatchObject({ status: 200 })
  })

  test("is an error when the disk refuses it", async () => {
    const { ask, disk } = setUp()
    disk.fails = true
    expect(await ask(method, path, bearer(TOKEN))).toMatchObject({ status: 500 })
  })
})

test("the Unix socket with a token stands for the token's person, with its scopes alone", async () => {
  const { ask, calls, done } = setUp()
  const peer: Peer = { kind: "socket" }
  expect(
    await ask(
      "POST",
      "/api/v1/orders/known/approve",
      { ...bearer(APPROVER), "content-type": "application/json" },
      { peer, body: '{"intent":"9c41"}' },
    ),
  ).toMatchObject({ status: 200 })
  expect(calls).toMatchObject([{ caller: "alice", source: "unix", action: "approve" }])
  expect(done).toEqual(["approve known by alice"])
  expect(await ask("POST", "/api/v1/pause", bearer(APPROVER), { peer })).toMatchObject({
    status: 403,
  })
  expect(
    await ask("POST", "/api/v1/pause", bearer("a wrong token of nothing"), { peer }),
  ).toMatchObject({ status: 401 })
  expect(calls).toHaveLength(1)
})

test("the Unix socket needs no token and writes its own name down", async () => {
  const { ask, calls } = setUp()
  const peer: Peer = { kind: "socket" }
  expect(await ask("POST", "/api/v1/pause", { host: "whatever" }, { peer })).toMatchObject({
    status: 200,
  })
  expect(calls).toMatchObject([{ caller: "ops.socket", source: "unix" }])
})

describe("a guesser", () => {
  test("waits longer after each wrong token, and a good token does not forget them", async () => {
    const { ask, pass } = setUp()
    const guess = () => ask("GET", "/api/v1/status", bearer("0000000000000000"))
    for (let tries = 0; tries < 5; tries++) expect(await guess()).toMatchObject({ status: 401 })
    expect(await guess()).toMatchObject({ status: 429, code: "ops.busy" })
    expect(await ask("GET", "/api/v1/status", bearer(TOKEN))).toMatchObject({ status: 429 })
    pass(1_000)
    expect(await ask("GET", "/api/v1/status", bearer(TOKEN))).toMatchObject({ status: 200 })
    expect(await guess()).toMatchObject({ status: 401 })
    pass(1_000)
    expect(await guess()).toMatchObject({ status: 429 })
    pass(1_000)
    let guesses = 0
    for (let second = 0; second < 3_600; second++, pass(1_000))
      if ((await guess()).status === 401) guesses++
    expect(guesses).toBeLessThan(70)
  })

  test("does not stop other addresses, nor the Unix socket", async () => {
    const { ask } = setUp()
    for (let tries = 0; tries < 9; tries++)
      await ask("GET", "/api/v1/status", bearer("0000000000000000"))
    const other: Peer = { kind: "tcp", address: "192.0.2.2", tls: false }
    expect(await ask("GET", "/api/v1/status", bearer(TOKEN), { peer: other })).toMatchObject({
      status: 200,
    })
    expect(await ask("GET", "/api/v1/status", {}, { peer: { kind: "socket" } })).toMatchObject({
      status: 200,
    })
  })

  test("gets no new tries from the other addresses of one IPv6 network, nor from the IPv4 form", async () => {
    const { ask } = setUp()
    const from = (address: string) =>
      ask("GET", "/api/v1/status", bearer("0000000000000000"), {
        peer: { kind: "tcp", address, tls: false },
      })
    for (let host = 0; host < 5; host++) await from(`2001:db8:1:2::${host}`)
    expect(await from("2001:db8:1:2:ffff::9")).toMatchObject({ status: 429 })
    expect(await from("2001:db8:1:3::9")).toMatchObject({ status: 401 })
    for (let tries = 0; tries < 5; tries++) await from("::ffff:192.0.2.7")
    expect(await from("192.0.2.7")).toMatchObject({ status: 429 })
  })
})

test("one token makes a bounded number of requests in a second", async () => {
  const { ask, pass } = setUp()
  const statuses: number[] = []
  for (let count = 0; count < 500; count++)
    statuses.push((await ask("GET", "/api/v1/status", bearer(READER))).status)
  expect(statuses.filter((status) => status === 200).length).toBe(300)
  expect(statuses.at(-1)).toBe(429)
  expect(await ask("GET", "/api/v1/status", bearer(TOKEN))).toMatchObject({ status: 200 })
  pass(1_000)
  expect(await ask("GET", "/api/v1/status", bearer(READER))).toMatchObject({ status: 200 })
})

describe("a body", () => {
  test("of another type than JSON is refused", async () => {
    const { ask, done } = setUp()
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=a",
      "application/jsonp",
    ]) {
      const answer = await ask(
        "POST",
        "/api/v1/pause",
        { ...bearer(TOKEN), "content-type": type },
        { body: "{}" },
      )
      expect(answer).toMatchObject({ status: 415, code: "ops.content_type" })
    }
    expect(done).toEqual([])
    const json = { ...bearer(TOKEN), "content-type": "application/json; charset=utf-8" }
    expect(await ask("POST", "/api/v1/pause", json, { body: "{}" })).toMatchObject({ status: 200 })
  })

  test("above 64 KiB is refused before it is read", async () => {
    const { ask, done } = setUp()
    const body = JSON.stringify({ rule: "x".repeat(64 * 1024) })
    const json = { ...bearer(TOKEN), "content-type": "application/json" }
    expect(await ask("POST", "/api/v1/pause", json, { body })).toMatchObject({
      status: 413,
      code: "ops.body_size",
    })
    expect(done).toEqual([])
  })
})

test(
  "the page and its files need no token and hold no data; without a configured token they are " +
    "not served",
  async () => {
    const { ask, tokens } = setUp()
    for (const path of ["/", "/dashboard.js", "/dashboard.css", "/icon.svg"])
      expect(await ask("GET", path, { "sec-fetch-site": "cross-site" })).toMatchObject({
        status: 200,
      })
    tokens.length = 0
    for (const path of ["/", "/dashboard.js"])
      expect(await ask("GET", path)).toMatchObject({ status: 401, code: "ops.no_token" })
  },
)

test("every answer has strict headers, and the page a new nonce each time", async () => {
  const { ask } = setUp()
  const nonces = new Set<string>()
  for (const [path, headers] of [
    ["/", bearer(TOKEN)],
    ["/", bearer(TOKEN)],
    ["/healthz", {}],
    ["/api/v1/status", {}],
    ["/nowhere", bearer(TOKEN)],
  ] as const) {
    const answer = await ask("GET", path, headers)
    const policy = answer.headers.get("content-security-policy") ?? ""
    expect(policy).toMatch(
      /default-src 'none'; script-src 'nonce-[^']{16,}'; style-src 'nonce-[^']{16,}'/,
    )
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain("unsafe")
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    })
    if (path !== "/") continue
    const nonce = /nonce="([^"]+)"/.exec(answer.text)?.[1] ?? ""
    expect(policy).toContain(`'nonce-${nonce}'`)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(2)
})
