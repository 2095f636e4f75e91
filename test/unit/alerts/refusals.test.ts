import { createServer } from "node:http"
import { afterAll, expect, test } from "vitest"
import type { Receiver } from "#alerts/port.ts"
import { createParcelSender } from "#alerts/send-message.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { listen, stopServer } from "../../support/listen.ts"

let text = ""
const server = createServer((_request, response) => response.end(text))
const { url } = await listen(server)
afterAll(() => stopServer(server))

const parcel = { id: "1", text: { title: "t", notes: [], rest: null }, isUrgent: false, body: {} }
const receiver = (kind: string): Receiver =>
  // CAST: the sender reads these keys.
  ({
    name: "desk",
    kind,
    url: new Secret(url, "env:X"),
    key: null,
    api: url,
    token: new Secret("a-token", "env:Y"),
    topic: new Secret("a-topic", "env:Z"),
    chat: "1",
    room: "!r:h",
  }) as never

const send = (kind: string, said: string) => {
  text = said
  return createParcelSender(systemClock)(receiver(kind), parcel as never)
}
const PAGE = "<!DOCTYPE html><html><head><title>Log in</title></head></html>"

test.each([
  ["telegram", '{"ok":false,"description":"need administrator rights"}', "administrator rights"],
  ["slack", '{"ok":false,"error":"channel_not_found"}', "channel_not_found"],
  ["matrix", '{"errcode":"M_FORBIDDEN","error":"not in the room"}', "not in the room"],
  ["webhook", '{"errcode":93000,"errmsg":"invalid webhook url"}', "invalid webhook url"],
  ["webhook", '{"success":false,"error":"no such hook"}', "no such hook"],
  ["discord", PAGE, 'a web page "Log in"'],
  ["ntfy", PAGE, 'a web page "Log in"'],
])("%s: a refusal that is said with 200 is no delivery: %s", async (kind, said, words) => {
  const sent = await send(kind, said)
  expect(sent).toMatchObject({ ok: false, error: expect.stringContaining(words), waitMs: null })
  expect(sent).toMatchObject({ error: expect.stringMatching(/^HTTP 200 /) })
})

test("no part of a secret that a page repeats in its title is shown", async () => {
  const title = `${"Sorry ".repeat(9)}a-token`
  const sent = await send("matrix", `<html><title>${title}</title></html>`)
  expect(JSON.stringify(sent)).not.toMatch(/a-tok/)
})

test.each([
  ["telegram", '{"ok":true,"result":{"message_id":1}}'],
  ["slack", "ok"],
  ["discord", ""],
  ["matrix", '{"event_id":"$a"}'],
  ["ntfy", '{"id":"a","event":"message"}'],
  ["webhook", '{"errcode":0,"errmsg":"ok"}'],
  ["webhook", '["ok"]'],
  // Any address may be one, and the documents promise that 2xx is taken.
  ["webhook", PAGE],
])("%s takes a message with %s", async (kind, said) => {
  expect(await send(kind, said)).toMatchObject({ ok: true, answer: "HTTP 200" })
})
