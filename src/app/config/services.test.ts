import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import type { Config } from "./config.ts"
import { configHash } from "./hash.ts"
import { parseConfig } from "./load.ts"

const KEY = "an-application-id"

function parse(text: string): Config {
  return parseConfig(text, { file: "b.yaml", secrets: (reference) => new Secret(KEY, reference) })
}

const url = 'url: "http://x"'

test("have their names and their own keys, and the first one is the first of the file", () => {
  const config = parse(
    `services: { beta: { ${url}, timeout: 3s, app_id: "env:SERVICE_APP_ID" }, alpha: { ${url} } }`,
  )
  expect(config.services.map(({ name, timeoutMs, appId }) => [name, timeoutMs, appId])).toEqual([
    ["beta", 3_000, KEY],
    ["alpha", 10_000, ""],
  ])
  expect(config.service).toBe(config.services[0])
})

test("the one of service: is called main, and is the same configuration under that name", () => {
  const one = parse(`service: { ${url} }`)
  const several = parse(`services: { main: { ${url} } }`)
  expect(one.services.map(({ name }) => name)).toEqual(["main"])
  expect(configHash(several)).toBe(configHash(one))
})

test.each([
  [
    "both keys",
    `service: { ${url} }\nservices: { a: { ${url} } }\n`,
    "b.yaml:2:1: services: expected either service or services, found both; move service " +
      "into services",
  ],
  [
    "an empty map",
    "services: {}\n",
    "b.yaml:1:11: services: expected at least one service, found none",
  ],
  [
    "a list",
    `services: [{ ${url} }]\n`,
    "b.yaml:1:11: services: expected a map of name to service",
  ],
  [
    "a name with a space",
    `services: { "a b": { ${url} } }\n`,
    "expected a letter, then at most 31 lower case letters, digits, - and _",
  ],
  [
    "a name that is a number",
    `services: { b: { ${url} }, 1: { ${url} } }\n`,
    "expected a letter, then at most 31 lower case letters, digits, - and _",
  ],
  [
    "an unknown key",
    `services: { a: { ${url}, appid: x } }\n`,
    "b.yaml:1:35: services.a.appid: unknown key appid; did you mean app_id?",
  ],
  [
    "poll bounds out of order",
    `services: { a: { ${url}, poll: { min: 5s, max: 2s } } }\n`,
    "services.a.poll: expected min to be at most max, found 5s and 2s",
  ],
])("%s is refused at its place", (_what, text, message) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message) }),
  )
})

test("limits: a gain, orders in flight, and solvers", () => {
  expect(parse(`service: { ${url} }`).guards).toMatchObject({
    maxGainBps: 100n,
    maxInFlightPerService: null,
    solvers: { allow: null, deny: [] },
  })
  const guards =
    '{ max_gain: "0.5%", max_in_flight_per_service: 3, solvers: { allow: [a], deny: [b] } }'
  expect(parse(`service: { ${url} }\nguards: ${guards}`).guards).toMatchObject({
    maxGainBps: 50n,
    maxInFlightPerService: 3,
    solvers: { allow: ["a"], deny: ["b"] },
  })
})
