import { afterAll, beforeEach, expect, test } from "vitest"
import type { Config } from "#config/config.ts"
import { parseConfig } from "#config/load.ts"
import { openEdges } from "#daemon/compose.ts"
import { openProbe } from "#daemon/serve/ask-service.ts"
import { readEarnings } from "#daemon/study/read-earnings.ts"
import { Secret } from "#lib/secret.ts"
import { createPaces, createPacesOf } from "#nodes/paces.ts"
import { withUrgency } from "#ports/urgency.ts"
import { createJumpingClock } from "../../support/request-limit.ts"
import {
  ask,
  DEFAULTS,
  failure,
  fixture,
  order,
  replies,
  startStub,
} from "../../support/service-stub.ts"

const stub = await startStub()
afterAll(stub.stop)
beforeEach(() => {
  stub.seen = []
})
const GOOD = replies(200, { status: "Ok", result: [] })

/** Two clients and a probe of one service, as a daemon has them after a reload. */
function startCallers() {
  const clock = createJumpingClock()
  const paces = createPaces(clock)
  const service = { ...DEFAULTS, name: "main", url: stub.url }
  return {
    clock,
    one: stub.client({ paces }),
    other: stub.client({ paces }),
    // CAST: the probe reads these keys.
    probe: openProbe(service as never, 3_000, DEFAULTS.clock, paces),
  }
}

function configOf(url: string): Config {
  return parseConfig(
    `{ service: { url: "${url}", app_id: "app-1" }, rules: [], assets: {}, chains: {} }`,
    { file: "test.yaml", secrets: (name) => new Secret("", name) },
  )
}

test.each([
  ["429 and Retry-After", 429, { "retry-after": "120" }],
  ["503 and Retry-After", 503, { "retry-after": "45" }],
])("after %s no caller asks the service before the end of the pause", async (_, status, header) => {
  const { clock, one, other, probe } = startCallers()
  stub.answer = replies(status, "", header)
  await failure(one.fetchQuotes(ask))
  stub.answer = GOOD
  const atMs = clock.now()
  const asked = stub.seen.length
  const callers = [
    other.fetchQuotes(ask),
    other.fetchOrder("ab"),
    other.submitOrder(order),
    other.submitSignature("ab", "0x"),
    other.findOrders("0x44"),
    other.listChains(),
  ]
  for (const call of callers) {
    const { code, disposition, details, message } = await failure(call)
    expect({ code, disposition }).toEqual({
      code: "service.rate_limited",
      disposition: "transient",
    })
    expect(message).toContain("it was not asked")
    expect(details["retryAfterMs"]).toBe(Number(header["retry-after"]) * 1_000)
  }
  expect((await probe.askForLife(ask)).fault).toMatch(
    status === 429 ? /^HTTP 429 \(rate limited until 1970/ : /^HTTP 503 \(unavailable/,
  )
  expect([stub.seen.length, clock.now()]).toEqual([asked, atMs])

  await clock.sleep(Number(header["retry-after"]) * 1_000)
  expect(await other.fetchQuotes(ask)).toEqual([])
})

test("after a reload the new client knows the pause that the old one has met", async () => {
  const clock = createJumpingClock()
  const pacesOf = createPacesOf(clock)
  const config = configOf(stub.url)
  const open = () => openEdges(config, DEFAULTS.clock, new Map(), undefined, pacesOf)
  const [before, after] = [open(), open()].map(({ services }) => services.get("main"))
  stub.answer = replies(429, "", { "retry-after": "120" })
  await failure(before?.fetchQuotes(ask) ?? Promise.resolve())
  const asked = stub.seen.length
  expect((await failure(after?.fetchQuotes(ask) ?? Promise.resolve())).message).toContain(
    "it was not asked",
  )
  expect(stub.seen).toHaveLength(asked)
})

test("a person who asks for the earnings waits for the same pause", async () => {
  const clock = createJumpingClock()
  const paces = createPaces(clock)
  const config = configOf(stub.url)
  const [service] = config.services
  const client = stub.client({ paces, ...(service ?? {}) })
  stub.answer = replies(429, "", { "retry-after": "120" })
  await failure(client.fetchQuotes(ask))
  stub.answer = GOOD
  const asked = stub.seen.length
  const { services } = await readEarnings(config, { weeks: [] }, clock, paces)
  expect(services).toMatchObject([{ error: { code: "service.rate_limited" } }])
  expect(services[0]?.error?.message).toContain("it was not asked")
  expect(stub.seen).toHaveLength(asked)
})

test("the refusal names the rest of the pause, not its whole length", async () => {
  const { clock, one, other } = startCallers()
  stub.answer = replies(429, "", { "retry-after": "120" })
  await failure(one.fetchQuotes(ask))
  await clock.sleep(110_000)
  expect((await failure(other.fetchQuotes(ask))).details["retryAfterMs"]).toBe(10_000)
})

test("a call for money goes before reads, and a look at a told secret before a quote", async () => {
  const { one, other } = startCallers()
  let refusals = 1
  stub.answer = (request, response) => {
    const isRefused = refusals-- > 0
    if (isRefused) return response.writeHead(429).end()
    const body = request.url.includes("/orders/") ? fixture("order") : '{"status":"Ok","result":[]}'
    return response.end(body)
  }
  await Promise.allSettled([
    one.listChains(),
    ...(["background", "person", "look", "told", "effect"] as const).map((urgency) =>
      withUrgency(urgency, () =>
        urgency === "effect" ? one.submitSignature("effect", "0x") : other.fetchOrder(urgency),
      ),
    ),
  ])
  const places = stub.seen.map(({ url }) => /orders\/(\w+)/.exec(url)?.[1] ?? "chains")
  expect(places.slice(0, 1)).toEqual(["chains"])
  expect(places.filter((one, at) => places.indexOf(one) === at && one !== "chains")).toEqual([
    "effect",
    "told",
    "look",
    "person",
    "background",
  ])
})

test("a refused write is sent once, and its refusal is its answer", async () => {
  const { one } = startCallers()
  stub.answer = replies(429, "")
  expect(await failure(one.submitOrder(order))).toMatchObject({
    code: "service.rate_limited",
    disposition: "transient",
  })
  expect(stub.seen).toHaveLength(1)
})

test("a clock that is set back during a pause does not make it longer", async () => {
  let backMs = 0
  const jumping = createJumpingClock()
  const clock = { ...jumping, now: () => jumping.now() - backMs }
  const paces = createPaces(clock)
  const client = stub.client({ paces })
  stub.answer = replies(429, "", { "retry-after": "100" })
  await failure(client.fetchQuotes(ask))
  backMs = 500_000
  expect((await failure(client.fetchQuotes(ask))).details["retryAfterMs"]).toBe(100_000)
})
