import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import type { ClusterReading } from "#health/readings.ts"
import { readReplica } from "#journal/disk/replay-groups.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import type { App } from "#ops/answers.ts"
import { serveStandby } from "./serve-standby.ts"

const READ = [
  "/",
  "/metrics",
  "/api/v1/status",
  "/api/v1/overview",
  "/api/v1/balances",
  "/api/v1/orders",
]
const ALSO_READ = [
  "rules",
  "decisions",
  "reconciliation",
  "alerts",
  "books",
  "summary",
  "flows",
  "series/base_sepolia:eth",
  "settings",
  "openapi.json",
]

let folder: string
let file: string
let app: App
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "standby-"))
  file = join(folder, "journal.db")
  const text = `treasury: main
service: { url: "http://127.0.0.1:1" }
data_dir: ${folder}
chains:
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:1"], key: "env:K" }
assets: { "base_sepolia:eth": { decimals: 18 } }
ops: { listen: "127.0.0.1:1", token: "env:T" }`
  const token = "a-token-that-is-long-enough-for-the-check"
  const config = parseConfig(text, {
    file: "b.yaml",
    secrets: (reference) => new Secret(token, reference),
  })
  const cluster: ClusterReading = {
    role: "standby",
    holder: "host-a:7",
    epoch: 3,
    seq: 0,
    standbys: [],
    aloneSinceMs: null,
    answeredMs: Date.now(),
    error: null,
  }
  const parts = {
    config,
    written: null,
    file,
    version: "1",
    clock: systemClock,
    log: silentLogger,
    readLog: () => ({ lines: [], newest: 0 }),
    cluster: () => cluster,
  }
  app = serveStandby(parts)
})
afterEach(() => rmSync(folder, { recursive: true }))

test("reads come from the copy, and show what the leader wrote last", async () => {
  writeAsLeader("pause", '{"at":"2026-03-04T09:30:00Z","by":"operator","reason":null}')
  for (const path of [...READ, ...ALSO_READ.map((name) => `/api/v1/${name}`)])
    expect({ path, status: (await get(path)).status }).toEqual({ path, status: 200 })
  expect(await (await get("/api/v1/status")).json()).toMatchObject({
    mode: "live",
    paused: true,
    chains: [],
  })
  const overview = await (await get("/api/v1/overview")).json()
  expect(overview).toMatchObject({
    cluster: { role: "standby", holder: "host-a:7", epoch: 3 },
    pause: { by: "operator" },
  })
  expect(await (await get("/metrics")).text()).toMatch(
    /ballast_cluster_leader 0\n.*ballast_cluster_epoch 3\n/s,
  )
  expect(await (await get("/api/v1/balances")).json()).toMatchObject({
    balances: [{ asset: "base_sepolia:eth", amount: null, error: { code: "cluster.standby" } }],
  })
})

test("what only the leader can do is refused with its name, and changes nothing", async () => {
  writeAsLeader("a", "1")
  const before = readReplica(file)
  for (const path of ["swap", "pause", "resume", "reload", "cluster/hand-over", "orders/x/retry"]) {
    const answer = await post(`/api/v1/${path}`)
    expect({ path, status: answer.status }).toEqual({ path, status: 503 })
    expect(await answer.json()).toMatchObject({
      reasons: [{ code: "cluster.standby", message: expect.stringContaining("host-a:7") }],
    })
  }
  for (const path of ["plan", "quote?from=base_sepolia:eth&to=base_sepolia:eth&amount=1"])
    expect((await get(`/api/v1/${path}`)).status).toBe(503)
  expect(readReplica(file)).toEqual(before)
})

test("a key that the copy knows is proven, and a missing one proves nothing", async () => {
  const group = { schedule: setImmediate, onFailure: () => undefined }
  const journal = openJournal(file, {
    group,
    groupLog: { append: () => Promise.resolve(), urge: () => undefined },
  })
  journal.withdrawRequestKey("k1", 1)
  journal.close()
  const known = await get("/api/v1/swap/k1")
  const missing = await get("/api/v1/swap/k2")
  expect(await known.json()).toMatchObject({
    status: 409,
    reasons: [{ code: "request.key_withdrawn" }],
  })
  expect(await missing.json()).toMatchObject({
    status: 503,
    reasons: [{ code: "cluster.standby" }],
  })
  expect((await post("/api/v1/swap/k2/withdraw")).status).toBe(503)
})

test("a standby is alive, and not ready", async () => {
  expect((await get("/healthz")).status).toBe(200)
  const ready = await get("/readyz")
  expect([ready.status, await ready.json()]).toEqual([503, { status: "standby" }])
})

test("a missing copy, and one with another schema, are left alone", async () => {
  expect((await get("/api/v1/orders")).status).toBe(503)
  writeAsLeader("a", "1")
  const db = new DatabaseSync(file)
  db.exec("pragma user_version = 99")
  db.close()
  const answer = await get("/api/v1/orders")
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringContaining("another schema"),
  ])
  expect(readReplica(file)?.schema).toBe(99)
})

test("without a token only health is served over TCP", async () => {
  const peer = { kind: "tcp", address: "192.0.2.1", tls: false } as const
  expect((await app.fetch(new Request("http://127.0.0.1:1/api/v1/orders"), { peer })).status).toBe(
    401,
  )
  expect((await app.fetch(new Request("http://127.0.0.1:1/healthz"), { peer })).status).toBe(200)
})

function writeAsLeader(key: string, value: string): void {
  const append = (): Promise<void> => Promise.resolve()
  const group = { schedule: setImmediate, onFailure: () => undefined }
  const journal = openJournal(file, { group, groupLog: { append, urge: () => undefined } })
  journal.writeFlag(key, value)
  journal.close()
}

const SOCKET = { peer: { kind: "socket" } } as const

async function get(path: string): Promise<Response> {
  return app.fetch(new Request(`http://localhost${path}`), SOCKET)
}

async function post(path: string): Promise<Response> {
  const init = { method: "POST", body: "{}", headers: { "content-type": "application/json" } }
  return app.fetch(new Request(`http://localhost${path}`, init), SOCKET)
}
