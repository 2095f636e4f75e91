import { globSync, readFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { type Logger, silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { CURSOR_FLAG, createTraceExport, MOST_WAITING } from "#telemetry/export-traces.ts"
import { decodeOtlp } from "../../support/decode-otlp.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { listen, stopServer } from "../../support/listen.ts"

type Spans = ReturnType<typeof decodeOtlp>

/** A collector on a free port that keeps what it gets. */
async function startCollector(answer: "takes" | "refuses" | "hangs" = "takes") {
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server: Server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += String(chunk)
    headers.push(request.headers)
    if (request.url !== "/base/v1/traces" || answer === "hangs") return
    if (answer === "takes") bodies.push(body)
    response.writeHead(answer === "takes" ? 200 : 503).end("{}")
  })
  const { port } = await listen(server)
  return {
    bodies,
    headers,
    host: `127.0.0.1:${port}`,
    spans: (): Spans => bodies.flatMap(decodeOtlp),
    stop: () => stopServer(server),
  }
}

let world: World
let daemon: Daemon
let collector: Awaited<ReturnType<typeof startCollector>>
beforeEach(async () => {
  world = createWorld()
  daemon = world.start()
  collector = await startCollector()
})
afterEach(() => {
  world.close()
  collector.stop()
})

function createExport(
  url = `http://${collector.host}/base`,
  log = silentLogger,
  journal = daemon.context.journal,
) {
  return createTraceExport({
    journal,
    log,
    collector: { base: new Secret(url, "test"), path: "/v1/traces", headers: {} },
    resource: { "service.name": "ballast" },
    clock: systemClock,
  })
}

/** Runs an exporter until `done`, and stops it. Resolves with the time that stopping took. */
async function runUntil(
  traces: ReturnType<typeof createExport>,
  done: () => boolean,
): Promise<number> {
  const stopping = new AbortController()
  const running = traces.run(stopping.signal)
  const endMs = Date.now() + 15_000
  try {
    while (!done() && Date.now() < endMs) await systemClock.sleep(20)
  } finally {
    stopping.abort()
  }
  const stoppedMs = Date.now()
  await running
  return Date.now() - stoppedMs
}

/** The calls that the export makes. */
function copyOf(journal: Daemon["context"]["journal"]) {
  return {
    listOrders: () => [],
    listEvents: () => [],
    durable: () => journal.durable(),
    readFlag: journal.readFlag,
    writeFlag: journal.writeFlag,
  }
}

async function swap(): Promise<string> {
  return daemon.accept()
}

const rootsOf = (spans: Spans): Spans => spans.filter((span) => !span.parentSpanId)
const hashesOf = (spans: Spans): string[] =>
  spans.flatMap(({ events = [] }) =>
    events.flatMap(({ attributes = [] }) =>
      attributes
        .filter(({ key }) => key === "ballast.tx.hash")
        .map(({ value }) => value.stringValue),
    ),
  )

describe("the trace of an order", () => {
  test("has each stage and each transaction, for a decoder that is not ours", async () => {
    daemon.context.journal.writeFlag(CURSOR_FLAG, "0")
    const id = await swap()
    await daemon.reach("completed", id)
    await runUntil(createExport(), () => rootsOf(collector.spans()).length > 0)
    const spans = collector.spans()
    const [root] = rootsOf(spans)
    expect(root).toMatchObject({ name: `order ${ETH} → ${BTC}` })
    expect(root?.status?.code ?? 0).toBe(0)
    const stages = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId)
    expect(stages).toHaveLength(spans.length - 1)
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const states = daemon.context.journal.listEvents(id).map(({ state }) => state)
    expect(stages.map(({ name }) => name)).toEqual(
      states.filter((state, index) => state !== states[index - 1]),
    )
    for (const [index, stage] of stages.entries())
      expect(stage.startTimeUnixNano).toBe(
        stages[index - 1]?.endTimeUnixNano ?? root?.startTimeUnixNano,
      )
    const { data } = daemon.order(id)
    expect(hashesOf(spans)).toContain(data.transactions.deposit.signed[0]?.txid)
    expect(hashesOf(spans)).toContain(data.seen.destinationRedeemed?.txid)
  })

  test("holds no signature, no raw transaction and no secret", async () => {
    daemon.context.journal.writeFlag(CURSOR_FLAG, "0")
    const id = await swap()
    await daemon.reach("completed", id)
    await runUntil(createExport(), () => rootsOf(collector.spans()).length > 0)
    const { transactions } = daemon.order(id).data
    const raw = Object.values(transactions).flatMap(({ signed }) =>
      signed.flatMap((one) => [one.raw, one.plan.digest]),
    )
    const hidden = [...raw, ...world.signatures]
    expect(hidden.length).toBeGreaterThan(2)
    for (const text of hidden) expect(collector.bodies.join("")).not.toContain(text)
  })

  test("goes on after a restart with the same ids, and names the reason of a failure", async () => {
    daemon.context.journal.writeFlag(CURSOR_FLAG, "0")
    world.serviceActs = false
    const id = await swap()
    await world.run(() => daemon.order(id).data.seen.sourceInitiated !== null)
    await runUntil(createExport(), () => collector.bodies.length > 0)
    const before = collector.spans()
    expect(rootsOf(before)).toEqual([])
    await daemon.reach("refunded", id, 10 * 3_600_000)
    await runUntil(createExport(), () => rootsOf(collector.spans()).length > 0)
    const after = collector.spans()
    expect(new Set(after.map(({ traceId }) => traceId)).size).toBe(1)
    const [root] = rootsOf(after)
    expect(root?.status).toMatchObject({ code: 2 })
    // A stage that was sent twice is the same twice.
    for (const span of before)
      expect(after.filter(({ spanId }) => spanId === span.spanId)).toContainEqual(span)
    const ids = new Map(after.map((span) => [span.spanId, JSON.stringify(span)]))
    expect(after.every((span) => ids.get(span.spanId) === JSON.stringify(span))).toBe(true)
  })
})

test("without a collector no file of the traces is loaded", () => {
  const users = globSync("src/**/*.ts").filter((file) => !file.startsWith("src/edges/telemetry/"))
  const imports = users.flatMap(
    (file) => readFileSync(file, "utf8").match(/^.*"#telemetry\/.*$/gm) ?? [],
  )
  expect(imports.length).toBeGreaterThan(1)
  expect(imports.filter((line) => !/^import type |await import\(/.test(line))).toEqual([])
})

describe("a collector", () => {
  test.each(["refuses", "hangs"] as const)(
    "that %s changes no order, and a stop waits for it only for seconds",
    async (how) => {
      const bad = await startCollector(how)
      daemon.context.journal.writeFlag(CURSOR_FLAG, "0")
      const id = await swap()
      const traces = createExport(`http://${bad.host}/base`)
      const stoppedMs = await runUntil(traces, () => bad.headers.length > 0)
      expect(stoppedMs).toBeLessThan(4_500)
      await daemon.reach("completed", id)
      expect(traces.counts().sent).toBe(0)
      bad.stop()
    },
  )

  test("that is dead fills a bounded queue, and each dropped span is counted", async () => {
    const id = await swap()
    await daemon.reach("completed", id)
    const { journal } = daemon.context
    const row = journal.findOrder(id)
    if (row === null) throw new Error("the order is gone")
    const rows = Array.from({ length: MOST_WAITING }, (_, index) => ({
      ...row,
      id: `copy-${index}`,
      snapshot: row.snapshot.replaceAll(`"${id}"`, `"copy-${index}"`),
    }))
    const events = journal.listEvents(id)
    const traces = createExport("http://127.0.0.1:1/base", silentLogger, {
      ...journal,
      listChangedSince: () => rows,
      listOrders: () => [],
      listEvents: () => events,
      durable: () => journal.durable(),
      readFlag: () => "0",
      writeFlag: () => undefined,
    } as never)
    await runUntil(traces, () => traces.counts().dropped > 0)
    const { dropped, waiting, sent } = traces.counts()
    expect(sent).toBe(0)
    expect(waiting).toBeLessThanOrEqual(MOST_WAITING)
    expect((waiting + dropped) % MOST_WAITING).toBe(0)
    expect(dropped).toBeGreaterThan(MOST_WAITING)
  })

  test("is not missed where the journal cannot be read", async () => {
    const { journal } = daemon.context
    let failures = 0
    const listChangedSince = (): never => {
      failures += 1
      throw new Error("the disk is gone")
    }
    const broken = { ...copyOf(journal), listChangedSince }
    await runUntil(
      createExport(`http://${collector.host}/base`, silentLogger, broken as never),
      () => failures > 1,
    )
    expect(failures).toBeGreaterThan(1)
  })

  test("gets user and password as a header, and no log line shows them", async () => {
    daemon.context.journal.writeFlag(CURSOR_FLAG, "0")
    const id = await swap()
    await daemon.reach("completed", id)
    const lines: string[] = []
    const write = (...parts: unknown[]): unknown => lines.push(JSON.stringify(parts))
    // CAST: the exporter uses only these.
    const log = { debug: write, info: write, warn: write, error: write } as unknown as Logger
    const login = `planted-user:planted-pass`
    await runUntil(
      createExport(`http://${login}@${collector.host}/base`, log),
      () => collector.bodies.length > 0,
    )
    expect(collector.headers[0]?.authorization).toBe(
      `Basic ${Buffer.from(login).toString("base64")}`,
    )
    const bad = await startCollector("refuses")
    daemon.context.journal.writeFlag(CURSOR_FLAG, "0")
    await runUntil(createExport(`http://${login}@${bad.host}/base`, log), () => lines.length > 0)
    bad.stop()
    expect(lines.join("")).toContain("took no spans")
    expect(lines.join("")).not.toMatch(/planted-(user|pass)/)
  })
})
