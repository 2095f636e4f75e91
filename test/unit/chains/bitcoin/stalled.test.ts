import { afterEach, beforeEach, expect, test } from "vitest"
import { createEsplora } from "#chains/bitcoin/esplora.ts"
import { fetchAgreement, readReference } from "#chains/bitcoin/nodes/reference.ts"
import { systemClock } from "#lib/clock.ts"
import { type FakeEsplora, startFakeEsplora } from "../../../chains/bitcoin/start-fake-esplora.ts"

let servers: readonly FakeEsplora[]

beforeEach(async () => {
  servers = await Promise.all([startFakeEsplora(), startFakeEsplora(), startFakeEsplora()])
})
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()))
})

const HASH = "ab".repeat(32)
const HOUR_MS = 3_600_000

/** Makes one server show a newest block at this height, which is `ageMs` old by its own clock. */
function show(index: number, height: number, ageMs: number): string {
  const server = servers[index] ?? servers[0]
  if (server === undefined) throw new Error("no server")
  const timestamp = Math.floor((systemClock.now() - ageMs) / 1_000)
  server.faults.set("/blocks/tip/height", { status: 200, body: `${height}` })
  server.faults.set("/block-height/", { status: 200, body: HASH })
  server.faults.set(`/block/${HASH}`, {
    status: 200,
    body: JSON.stringify({ id: HASH, height, timestamp }),
  })
  return server.url
}

function read(urls: readonly string[]) {
  const endpoints = createEsplora({
    endpoints: urls,
    needed: 2,
    genesis: null,
    timeoutMs: 5_000,
    clock: systemClock,
  })
  return { reference: readReference(endpoints), report: fetchAgreement(endpoints) }
}

test("reads go on with the server that follows the chain when the other one stalled", async () => {
  const urls = [show(0, 100, 5 * HOUR_MS), show(1, 130, 600_000)]
  const { reference, report } = read(urls)
  expect(await reference).toMatchObject({ height: 130n, outliers: [] })
  expect((await reference).heads.map(({ ok }) => ok)).toEqual([false, true])
  expect(await report).toMatchObject({
    agreeing: 1,
    reasons: [{ endpoint: new URL(urls[0] ?? "").host }],
  })
})

test.each([
  ["the low block is fresh too", 600_000, 600_000],
  ["the high block is old too", 5 * HOUR_MS, 4 * HOUR_MS],
  ["the high block is from the future", 5 * HOUR_MS, -5 * HOUR_MS],
])("a server far above another is an outlier if %s", async (_name, lowMs, highMs) => {
  const { reference } = read([show(0, 100, lowMs), show(1, 130, highMs)])
  expect(await reference).toMatchObject({
    height: 100n,
    outliers: [{ code: "chain.head_outlier", head: "130" }],
  })
})

test("a server up to six blocks above another is no outlier, and nobody asks for times", async () => {
  const { reference } = read([show(0, 100, 5 * HOUR_MS), show(1, 106, 600_000)])
  expect(await reference).toMatchObject({ height: 100n, outliers: [] })
  expect(
    servers.flatMap(({ requests }) => requests).filter((path) => path.includes("/block/")),
  ).toEqual([])
})
