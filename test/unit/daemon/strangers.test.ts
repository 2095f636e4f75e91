import { expect, test } from "vitest"
import { listenOnTcp } from "#daemon/serve/listen.ts"
import { createMemory } from "#engine/memory.ts"
import { noteStranger } from "#engine/watches/part-faults.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { createApp } from "#ops/create-app.ts"
import type { Operations } from "#ops/operations.ts"

test("a row of strangers begins anew after a quiet minute", () => {
  const memory = createMemory()
  let nowMs = 1_000_000
  const knock = (passMs: number): void => {
    nowMs += passMs
    noteStranger({ memory, clock: { now: () => nowMs, sleep: async () => undefined } }, "port", "a")
  }
  for (const passMs of [0, 1_000, 60_000]) knock(passMs)
  expect(memory.faults.get("port")).toMatchObject({ sinceMs: 1_000_000, times: 3, lastMs: nowMs })
  knock(60_001)
  expect(memory.faults.get("port")).toMatchObject({ sinceMs: nowMs, times: 1, lastMs: nowMs })
})

test("wrong tokens are told with their address, also those that wait", async () => {
  const told: string[] = []
  let nowMs = 1_000_000
  // CAST: no request passes, so no operation is carried out.
  const app = createApp({} as Operations, {
    tokens: () => [{ name: "all", token: new Secret("x".repeat(20), "test"), scopes: ["read"] }],
    hosts: () => [],
    log: silentLogger,
    clock: { now: () => nowMs, sleep: async () => undefined },
    noteRefused: (_what, words) => void told.push(words),
  })
  const knock = async (): Promise<number> => {
    nowMs += 10
    const headers = { host: "127.0.0.1", authorization: "Bearer a-token-that-is-wrong" }
    const peer = { kind: "tcp", address: "203.0.113.9", tls: false } as const
    const request = new Request("http://127.0.0.1/api/v1/status", { headers })
    return (await app.fetch(request, { peer })).status
  }
  const answers: number[] = []
  for (let one = 0; one < 7; one++) answers.push(await knock())
  expect(answers.at(-1)).toBe(429)
  expect(told).toHaveLength(7)
  expect(told[0]).toContain("203.0.113.9")
})

test.each([
  ["names", { host: "desk.example.com:8080" }, "the last one asks desk.example.com:8080, from"],
  ["names", { host: "<b>&" }, "the last one asks ?b??, from 203.0.113.9"],
  ["pages", { host: "127.0.0.1", origin: "https://a.example" }, "of https://a.example to 127.0.0"],
])("requests that the port refuses for their %s are told", async (what, headers, words) => {
  const told: (readonly string[])[] = []
  // CAST: no request passes, so no operation is carried out.
  const app = createApp({} as Operations, {
    tokens: () => [{ name: "all", token: new Secret("x".repeat(20), "test"), scopes: ["read"] }],
    hosts: () => ["mine.example"],
    log: silentLogger,
    clock: { now: () => 1_000_000, sleep: async () => undefined },
    noteRefused: (kind, said) => void told.push([kind, said]),
  })
  const peer = { kind: "tcp", address: "203.0.113.9", tls: false } as const
  const given = { ...headers, authorization: `Bearer ${"x".repeat(20)}` }
  const request = new Request("http://127.0.0.1/api/v1/status", { headers: given })
  expect((await app.fetch(request, { peer })).status).toBe(403)
  expect(told).toEqual([[what, expect.stringContaining(words)]])
})

test("connections above the number of an address are told", async () => {
  const told: string[] = []
  const fetch = async (): Promise<Response> => new Response("ok")
  const listener = await listenOnTcp(
    fetch,
    { host: "127.0.0.1", port: 0, loopback: true },
    null,
    (words) => told.push(words),
  )
  const { connect } = await import("node:net")
  const port = Number(new URL(listener.url).port)
  const sockets = Array.from({ length: 33 }, () => connect({ port, host: "127.0.0.1" }))
  for (const socket of sockets) socket.on("error", () => undefined)
  await expect.poll(() => told).toEqual(["127.0.0.1 has 32 open"])
  for (const socket of sockets) socket.destroy()
  await listener.close()
})
