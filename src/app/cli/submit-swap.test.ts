import { mkdtempSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Clock } from "#lib/clock.ts"
import { callSocket } from "./call-daemon.ts"
import { type SwapPorts, submitSwap } from "./submit-swap.ts"

const SWAP = { from: "base:usdc", to: "bitcoin:btc", amount: "1" }
type Reply = (response: ServerResponse, request: IncomingMessage) => void

let socket: string
let server: Server
/** The replies by the beginning of `METHOD path`; the last one repeats. */
let replies: Record<string, Reply[]>
let asked: string[]

beforeEach(async () => {
  socket = join(mkdtempSync(join(tmpdir(), "ballast-swap-")), "ballast.sock")
  asked = []
  server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`
    const found = Object.keys(replies).find((start) => line === start)
    asked.push(`${line} ${request.headers["idempotency-key"] ?? ""}`.trim())
    request.resume().on("end", () => {
      const list = replies[found ?? ""] ?? []
      const reply = list.length > 1 ? list.shift() : list[0]
      if (reply === undefined) json(500, {})(response, request)
      else reply(response, request)
    })
  })
  process.umask(0o077)
  await new Promise<void>((resolve) => server.listen(socket, resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function ports(): SwapPorts {
  let nowMs = 0
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (ms) => {
      // A few questions are enough here.
      nowMs += 10 * ms
    },
  }
  return {
    clock,
    call: (method, path, body, options) =>
      callSocket(socket, method, path, body, {
        ...options,
        answerMs: path === "/api/v1/swap" ? 200 : 5_000,
      }),
    note: () => undefined,
    commands: { show: "ballast orders …", repeat: "ballast swap …" },
  }
}

const submit = (isChosen = false) => submitSwap(ports(), { body: SWAP, key: "k 1", isChosen })
const json = (status: number, body: unknown): Reply => {
  return (response) => void response.writeHead(status).end(JSON.stringify(body))
}
const refusal = (status: number, code: string): Reply =>
  json(status, { reasons: [{ code, message: code }] })
const POST = "POST /api/v1/swap"
const GET = "GET /api/v1/swap/k%201"
const WITHDRAW = "POST /api/v1/swap/k%201/withdraw"
const UNKNOWN = refusal(404, "request.key_unknown")

const LOST: readonly [string, Reply][] = [
  ["no answer in time", () => undefined],
  ["a connection that breaks", (_response, request) => void request.socket.destroy()],
  [
    "an answer that is cut off",
    (response) => void response.writeHead(202, { "content-length": 99 }).end('{"id":'),
  ],
  ["an empty answer", (response) => void response.writeHead(202).end()],
  ["an answer without an id", json(202, {})],
  ["the page of a proxy", (response) => void response.writeHead(502).end("<h1>Bad gateway</h1>")],
  ["the refusal of a proxy", (response) => void response.writeHead(403).end("{}")],
  ["a failure after the act", refusal(500, "journal.write_failed")],
  ["a log that does not answer", refusal(503, "cluster.unreachable")],
  ["a first request that is still judged", refusal(409, "request.key_in_flight")],
]

describe.each(LOST)("a swap whose answer is lost by %s", (_how, lose) => {
  test("is accepted when the daemon knows its order, and is sent once", async () => {
    replies = {
      [POST]: [lose],
      [GET]: [refusal(409, "request.key_in_flight"), json(200, { id: "o1" })],
    }
    expect(await submit()).toEqual({ kind: "accepted", id: "o1" })
    expect(asked.filter((line) => line.startsWith(`${POST} `))).toEqual([`${POST} "k 1"`])
  })

  test("is uncertain when the daemon goes away", async () => {
    replies = { [POST]: [lose], [GET]: [(_response, request) => void request.socket.destroy()] }
    await expect(submit()).rejects.toMatchObject({
      code: "swap.uncertain",
      disposition: "uncertain",
      details: { idempotencyKey: "k 1", show: "ballast orders …", repeat: "ballast swap …" },
      message: expect.stringContaining("ballast swap …"),
    })
  })
})

describe("a swap of which the daemon knows nothing", () => {
  const lose: Reply = (_response, request) => void request.socket.destroy()
  const notAccepted = { code: "swap.not_accepted", disposition: "transient" }

  test("is not accepted once its key is withdrawn, so that a late request opens nothing", async () => {
    replies = { [POST]: [lose], [GET]: [UNKNOWN], [WITHDRAW]: [json(200, { id: null })] }
    await expect(submit()).rejects.toMatchObject(notAccepted)
    expect(asked.at(-1)).toBe(WITHDRAW)
  })

  test("is accepted when the late request comes before the withdrawal", async () => {
    replies = { [POST]: [lose], [GET]: [UNKNOWN], [WITHDRAW]: [json(200, { id: "o1" })] }
    expect(await submit()).toEqual({ kind: "accepted", id: "o1" })
  })

  test("is uncertain when the withdrawal has no answer", async () => {
    replies = { [POST]: [lose], [GET]: [UNKNOWN], [WITHDRAW]: [lose] }
    await expect(submit()).rejects.toMatchObject({ code: "swap.uncertain" })
  })

  test("may be sent again with a key of the user, which is never withdrawn", async () => {
    replies = { [POST]: [lose], [GET]: [UNKNOWN], [WITHDRAW]: [json(200, { id: null })] }
    await expect(submit(true)).rejects.toMatchObject(notAccepted)
    expect(asked).not.toContain(WITHDRAW)
  })

  test("is uncertain beside a standby or an older daemon, which prove nothing", async () => {
    for (const reply of [refusal(503, "cluster.standby"), refusal(404, "request.path")]) {
      replies = { [POST]: [lose], [GET]: [reply], [WITHDRAW]: [reply] }
      await expect(submit()).rejects.toMatchObject({ code: "swap.uncertain" })
    }
  })
})

test.each([
  [409, "limit.window"],
  [422, "request.key_reused"],
  [400, "request.malformed"],
  [503, "cluster.standby"],
])("a refusal with %i %s is final, and nothing is asked", async (status, code) => {
  replies = { [POST]: [refusal(status, code)] }
  expect(await submit()).toMatchObject({ kind: "refused", body: { reasons: [{ code }] } })
  expect(asked).toHaveLength(1)
})

test("a request that was never sent is transient", async () => {
  replies = {}
  await new Promise((resolve) => server.close(resolve))
  await expect(submit()).rejects.toMatchObject({
    code: "daemon.unreachable",
    disposition: "transient",
  })
})
