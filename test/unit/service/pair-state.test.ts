import type { ServerResponse } from "node:http"
import { afterAll, beforeEach, expect, test } from "vitest"
import { createServiceProbe } from "#service/probe.ts"
import {
  ask,
  DEFAULTS,
  failure,
  fixture,
  from,
  replies,
  type Seen,
  startStub,
  to,
} from "../../support/service-stub.ts"

const stub = await startStub()
afterAll(stub.stop)
beforeEach(() => {
  stub.seen = []
})

const NO_PAIR = [400, { status: "Error", error: "No order pair found" }] as const
const UNKNOWN = [404, { status: "Error", error: "not found" }] as const
const ok = (result: unknown): readonly [number, unknown] => [200, { status: "Ok", result }]
const BLACKLIST = ok({ default: "open", blacklist_pairs: [`${from} -> ${to}`] })
const assetsWith = (isActive: boolean | null): readonly [number, unknown] =>
  ok([{ id: to, decimals: 8, is_active: isActive }])

/** One answer for each path; 404 for the others. */
function answerBy(answers: Readonly<Record<string, readonly [number, unknown]>>): void {
  stub.answer = (seen: Seen, response: ServerResponse) => {
    const path = new URL(seen.url, stub.url).pathname.replace("/v2", "")
    const [status, body] = answers[path] ?? UNKNOWN
    replies(status, body as object)(seen, response)
  }
}
const asked = (): string[] => stub.seen.map(({ url }) => url.split("?")[0] ?? "").sort()

test.each([
  ["its policy excludes", { "/policy": BLACKLIST }, "policy"],
  ["has an inactive asset of", { "/assets": assetsWith(false) }, "asset"],
])("a pair that the service refuses and %s is closed", async (_name, lists, by) => {
  answerBy({ "/quote": NO_PAIR, ...lists })
  const client = stub.client()
  const error = { code: "service.pair_closed", disposition: "refused", details: { from, to, by } }
  expect(await failure(client.fetchQuotes(ask))).toMatchObject(error)
  expect(asked()).toEqual(["/v2/assets", "/v2/policy", "/v2/quote"])
  // For a minute it asks nothing more: neither for a quote nor for an order.
  expect(await failure(client.fetchQuotes(ask))).toMatchObject(error)
  expect(asked()).toHaveLength(3)
})

test.each([
  ["without lists", {}],
  ["with open lists", { "/policy": ok({ default: "open" }), "/assets": assetsWith(true) }],
  ["with lists that do not say", { "/policy": ok("closed?"), "/assets": assetsWith(null) }],
])("a pair that a service %s refuses is unknown, not closed", async (_name, lists) => {
  answerBy({ "/quote": NO_PAIR, ...lists })
  expect(await failure(stub.client().fetchQuotes(ask))).toMatchObject({ code: "service.no_pair" })
})

test("a good quote costs no further question", async () => {
  answerBy({ "/quote": [200, fixture("quote")], "/policy": BLACKLIST })
  expect(await stub.client().fetchQuotes(ask)).toHaveLength(2)
  expect(asked()).toEqual(["/v2/quote"])
})

test("missing liquidity comes with the units that the solvers have", async () => {
  const empty = [400, { status: "Error", error: "insufficient liquidity" }] as const
  const solvers = [
    { solver_id: "a", liquidity: [{ asset: to, balance: "900", virtual_balance: "500" }] },
    { solver_id: "b", balance: 70 },
    { solver_id: "c", liquidity: [{ asset: from, balance: "1000000" }] },
  ]
  answerBy({ "/quote": empty, "/liquidity": ok(solvers) })
  expect(await failure(stub.client().fetchQuotes(ask))).toMatchObject({
    code: "service.no_liquidity",
    details: { liquidityUnits: "570" },
  })
})

test("the probe of doctor reads the same lists", async () => {
  answerBy({ "/policy": BLACKLIST, "/liquidity": ok([]) })
  const probe = createServiceProbe({ ...DEFAULTS, depositReaders: [], baseUrl: stub.url })
  expect(await probe.askPair({ from, to })).toEqual({ closedBy: "policy", liquidityUnits: 0n })
})
