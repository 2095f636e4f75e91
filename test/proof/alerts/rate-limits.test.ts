import { createServer } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Channel, Sent } from "#alerts/port.ts"
import { createParcelSender } from "#alerts/send-message.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { listen } from "../../support/listen.ts"

/** A server that refuses all, as each provider documents it. */
const conduct = { status: 429, headers: {}, body: "" }
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(conduct.status, conduct.headers).end(conduct.body)
  })
})
let api = ""

beforeAll(async () => {
  api = (await listen(server)).url
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const secret = (value: string): Secret => new Secret(value, "test")

async function send(channel: Channel, answer: Partial<typeof conduct>): Promise<Sent> {
  Object.assign(conduct, { status: 429, headers: {}, body: "" }, answer)
  const about = { name: "one", least: "attention", tellsEnd: true, events: [] } as const
  const text = { title: "t", notes: [], rest: null }
  const parcel = { id: "m1", text, isUrgent: false, body: {} }
  return createParcelSender(systemClock)({ ...about, ...channel }, parcel)
}

test("the pause that Discord asks for is kept, also without its header", async () => {
  const channel = { kind: "discord", url: secret(`${api}/hook`) } as const
  const body = '{"message":"You are being rate limited.","retry_after":64.57,"global":false}'
  expect(await send(channel, { body })).toMatchObject({ ok: false, waitMs: 64_570 })
  const headers = { "Retry-After": "65" }
  expect(await send(channel, { body, headers })).toMatchObject({ waitMs: 65_000 })
  expect(await send(channel, { status: 204 })).toEqual({ ok: true, answer: "HTTP 204" })
})

test("the pause of a Matrix server is kept in both forms", async () => {
  const channel = { kind: "matrix", api, token: secret("syt_x"), room: "!a:b.c" } as const
  const body = '{"errcode":"M_LIMIT_EXCEEDED","error":"Too many requests","retry_after_ms":2000}'
  expect(await send(channel, { body })).toMatchObject({ ok: false, waitMs: 2_000 })
  const headers = { "Retry-After": "3" }
  expect(await send(channel, { body, headers })).toMatchObject({ waitMs: 3_000 })
  const refused = { status: 403, body: '{"errcode":"M_FORBIDDEN","error":"not in the room"}' }
  expect(await send(channel, refused)).toMatchObject({
    ok: false,
    error: expect.stringContaining("M_FORBIDDEN"),
    waitMs: null,
  })
})

test("the pause of Telegram stands in its parameters", async () => {
  const channel = {
    kind: "telegram",
    api,
    token: secret("1:abc"),
    chat: "-1",
    approvers: {},
  } as const
  const body =
    '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 30",' +
    '"parameters":{"retry_after":30}}'
  expect(await send(channel, { body })).toMatchObject({ ok: false, waitMs: 30_000 })
})

test("ntfy names no pause, and no answer makes one of nonsense", async () => {
  const channel = { kind: "ntfy", api, topic: secret("a-topic"), token: null } as const
  const body = '{"code":42901,"http":429,"error":"limit reached: too many requests"}'
  expect(await send(channel, { body })).toMatchObject({ ok: false, waitMs: null })
  for (const odd of ["", "null", "[]", '{"retry_after":-1}', '{"retry_after":"soon"}'])
    expect(await send(channel, { body: odd })).toMatchObject({ ok: false, waitMs: null })
})
