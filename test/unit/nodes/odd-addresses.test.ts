import { afterEach, describe, expect, test } from "vitest"
import { createPaces } from "#nodes/paces.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import {
  answerOf,
  FAMILIES,
  failureOf,
  OTHERS,
  PROBES,
  type Reply,
  serve,
  timeoutMs,
} from "./askers.ts"

/*
 * Forms of an address that a provider or a gateway asks for, for every client.
 */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const ALL = Object.entries({ ...FAMILIES, ...PROBES, ...OTHERS })

async function open(reply: (path: string, body: string) => Reply) {
  const server = await serve(reply)
  stops.push(server.stop)
  return server
}

const honest = (path: string, body: string): Reply => ({ body: answerOf(path, body) })
const clock = createHastyClock(timeoutMs)
const world = () => ({ clock, paces: createPaces(clock) })
const basic = (login: string): string => `Basic ${Buffer.from(login).toString("base64")}`

/** The user and password of a URL, and the header that says the same. */
const LOGINS: readonly (readonly [string, string, string])[] = [
  ["a user alone", "token1234@", basic("token1234:")],
  ["a password alone", ":secret12@", basic(":secret12")],
  ["signs outside of ASCII", "j%C3%B6rg:p%C3%A4ss@", basic("jörg:päss")],
  ["a colon in the password", "u:a%3Ab@", basic("u:a:b")],
]

describe.each(ALL)("%s", (_name, ask) => {
  test.each(LOGINS)("logs in with %s", async (_what, login, header) => {
    const { host, seen } = await open(honest)
    await ask(`http://${login}${host}`, world())
    expect(new Set(seen.map(({ headers }) => headers.authorization))).toEqual(new Set([header]))
  })

  test("sends one login where a header has one too, however it is written", async () => {
    const { host, seen } = await open(honest)
    const headers = { Authorization: "Bearer k1" }
    await ask({ url: `http://user:pass@${host}`, headers, maxRequestsPerSecond: null }, world())
    expect(new Set(seen.map((one) => one.headers.authorization))).toEqual(new Set(["Bearer k1"]))
  })

  test("keeps the query of its address, which may be an access key", async () => {
    const { url, seen } = await open((path, body) => honest(path.split("?")[0] ?? "", body))
    await ask(`${url}/api?apikey=k1234567890`, world())
    for (const each of seen) {
      const { pathname, searchParams } = new URL(each.url, url)
      expect([pathname.startsWith("/api"), searchParams.get("apikey")]).toEqual([
        true,
        "k1234567890",
      ])
    }
    expect(seen.length).toBeGreaterThan(0)
  })

  test("adds no second stroke to a path that ends with one", async () => {
    const { url, seen } = await open(honest)
    await ask(`${url}/v2/`, world())
    for (const each of seen) expect(each.url).toMatch(/^\/v2\/(?!\/)/)
  })

  test("does not say its login, also where the server repeats it", async () => {
    const { host } = await open(() => ({
      status: 401,
      body: `wrong login ${basic("user:pa55word").slice(6)} of user pa55word`,
    }))
    const failure = await failureOf(ask(`http://user:pa55word@${host}`, world()))
    const told = `${failure.message} ${JSON.stringify(failure.details)} ${failure.cause ?? ""}`
    expect(told).not.toMatch(/pa55word|dXNlcjpwYTU1d29yZA/)
    expect(told).toMatch(/401/)
  })

  test("says in words, without the login, that a login cannot be read", async () => {
    const failure = await failureOf(ask("http://user:50%25%zz@127.0.0.1:1", world()))
    const told = `${failure.message} ${JSON.stringify(failure.details)}`
    expect(told).not.toMatch(/50%|URI malformed/)
  })

  test("reaches an address of IPv6", async () => {
    const { url, seen } = await open(honest)
    await ask(url.replace("127.0.0.1", "[::ffff:127.0.0.1]"), world())
    expect(seen.length).toBeGreaterThan(0)
  })
})
