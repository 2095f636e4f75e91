import fc from "fast-check"
import { expect, test } from "vitest"
import { type AgentOperations, createAgentDesk } from "#agent/desk.ts"
import { TOOLS } from "#agent/tools.ts"
import { createAgentOperations } from "#daemon/serve/agent-operations.ts"
import { createJournalOperations } from "#daemon/serve/journal-operations.ts"
import { createKeyedRequests } from "#daemon/serve/keyed-requests.ts"
import { createProposals, readProposals } from "#daemon/serve/proposals.ts"
import type { Agent } from "#domain/agent.ts"
import { AGENT_DAY_MS } from "#guards/admit-agent.ts"
import { silentLogger } from "#lib/log.ts"
import type { SimulationQuery } from "#schema/requests.ts"
import { ciRuns } from "../../support/ci-sample.ts"
import { ARB, BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { SEED } from "../../support/fixed-seed.ts"

/** One unit is worth one fiat unit in this world; its assets have eight decimals. */
const FIAT = 1_000_000n
const LIMITS = { maxOrder: 20_000n, maxDay: 45_000n, maxDayCount: 4, maxInFlight: 2 }
const AGENT: Agent = {
  name: "desk",
  socket: true,
  tools: ["read", "quote", "simulate", "propose", "swap"],
  limits: {
    pairs: [{ from: ETH, to: BTC }],
    maxOrderFiat: LIMITS.maxOrder * FIAT,
    maxDayFiat: LIMITS.maxDay * FIAT,
    maxDayCount: LIMITS.maxDayCount,
    maxInFlight: LIMITS.maxInFlight,
    approveAboveFiat: 5_000n * FIAT,
  },
}

const FORBIDDEN = [
  "approve",
  "reject",
  "resume",
  "pause",
  "reload",
  "operate",
  "submit",
  "once",
  "dismissProposal",
]
const asset = fc.constantFrom<string>(ETH, BTC, "base:usdc", "__proto__:x")
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 30 }).map((thousands) => units(thousands)) },
  { weight: 1, arbitrary: fc.constantFrom("0", "-1", "1e9", "9".repeat(30), "") },
)
const swap = fc.record(
  {
    from: fc.oneof({ weight: 4, arbitrary: fc.constant(ETH) }, { weight: 1, arbitrary: asset }),
    to: fc.oneof({ weight: 4, arbitrary: fc.constant(BTC) }, { weight: 1, arbitrary: asset }),
    amount,
    to_amount: amount,
    max_amount: amount,
    key: fc.integer({ min: 0, max: 5 }).map((number) => `key-${number}`),
    again: fc.constant(true),
    destination: fc.constant("0xdead"),
    rule: fc.constantFrom("manual", "band"),
  },
  { requiredKeys: ["from", "to", "again"] },
)
/** Well formed: either amount, and a key; one of eight for a pair that is not allowed. */
const request = fc
  .record({ amount, isExact: fc.boolean(), key: fc.nat(999), pair: fc.nat(7) })
  .map((one) => ({
    from: ETH,
    to: one.pair === 0 ? ARB : BTC,
    key: `key-${one.key}`,
    again: true,
    [one.isExact ? "to_amount" : "amount"]: one.amount,
  }))
/** Half of them name a key that no proposal may change. */
const proposal = fc.record({
  rule: fc.constantFrom("band", "none"),
  change: fc.dictionary(
    fc.constantFrom("min", "max", "target", "enabled", "destination", "from", "id", "__proto__"),
    fc.constantFrom("0.5", "1", "false", "1,destination=0xdead"),
    { minKeys: 1, maxKeys: 2 },
  ),
  key: fc.integer({ min: 0, max: 5 }).map((number) => `key-${number}`),
})
const call = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant("request_swap"), request) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom("quote", "request_swap"), swap) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom("status", "orders", "order", "explain"),
      fc.constantFrom({}, { detail: true }, { mine: true }, { id: "x" }, { rule: "band" }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.tuple(fc.constant("propose"), proposal),
      fc.constant(["proposals", {}] as [string, object]),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...FORBIDDEN), fc.dictionary(fc.string(), fc.jsonValue())),
  },
)
const sequence = fc.array(call, { minLength: 3, maxLength: 8 })

function units(thousands: number): string {
  return `0.${String(thousands * 1_000).padStart(8, "0")}`
}

/** The backtests that proposals asked for since the last check. */
const simulated: SimulationQuery[] = []

/** The daemon's own operations, and a list of those that a call has reached. */
function serve(daemon: Daemon, reached: Set<string>) {
  const { context, engine } = daemon
  const { journal } = context
  const decimals = () =>
    new Map([...context.settings.assets.values()].map((one) => [one.id, one.decimals]))
  const keyed = createKeyedRequests(journal, context.clock)
  const real = {
    overview: () => ({
      verdict: "good",
      mode: "live",
      pause: null,
      problems: [],
      treasury: [],
      orders: [],
    }),
    ...createJournalOperations(
      (use) => use(journal),
      decimals,
      context.clock,
      () => null,
    ),
    ...createAgentOperations({ context, engine, keyed, chains: () => [] }),
    ...createProposals({
      journal,
      clock: context.clock,
      written: () => FILE,
      simulate: async (query) => {
        simulated.push(query)
        return { ok: true, body: BACKTEST }
      },
    }),
    durable: () => journal.durable(),
    untilOnDisk: () => journal.durable(),
    recordCall: () => undefined,
  }
  // CAST: every operation that a call reaches is noted, also one that the type does not name.
  const operations = new Proxy(real, {
    get: (target, name) => {
      reached.add(String(name))
      return Reflect.get(target, name)
    },
  }) as unknown as AgentOperations
  // An hour passes between two calls, so no rate refuses one.
  let nowMs = 0
  const clock = { now: () => (nowMs += 3_600_000), sleep: async () => undefined }
  return createAgentDesk(operations, { clock, log: silentLogger })
}

const FILE = { rules: [{ id: "band", min: "0.3", destination: "bitcoin:own" }] }
const FILE_TEXT = JSON.stringify(FILE)
const numbers = { p5: 0, p50: 0, p95: 0 }
const sums = { p5: "0", p50: "0", p95: "0" }
const summary = {
  moves: numbers,
  completed: numbers,
  refunded: numbers,
  volumeFiat: sums,
  swapFeesFiat: sums,
  networkFeesFiat: sums,
  feesFiat: sums,
  feesHundredthBps: sums,
  assets: [],
  rules: [],
}
const BACKTEST = {
  seeds: { first: 1, count: 5 },
  scenario: { days: 30 },
  subjects: ["now", "changed"].map((name) => ({ name, summary, costs: [], swapDays: [] })),
  comparison: null,
  plots: [],
}

/** Proposals stay few, name harmless keys only, and change no file. */
function checkProposals({ context }: Daemon): void {
  const open = readProposals(context.journal, FILE, context.clock.now()).filter(
    ({ state }) => state === "open",
  )
  expect(open.length).toBeLessThanOrEqual(3)
  expect(JSON.stringify(FILE)).toBe(FILE_TEXT)
  for (const { change = "" } of simulated.splice(0))
    expect(change).toMatch(
      /^(min|max|target|enabled)=[a-z0-9.]+(,(min|max|target|enabled)=[a-z0-9.]+)?$/,
    )
}

/** What the journal holds, counted apart from the guards. */
function check(world: World, daemon: Daemon): void {
  const sinceMs = world.clock.now() - AGENT_DAY_MS
  const rows = daemon.context.journal.listOrders({ rule: "agent.desk", limit: 1_000 })
  const isOpen = (outcome: string | null): boolean => outcome === null
  const counted = rows.filter(
    ({ createdAtMs, outcome }) => createdAtMs > sinceMs || isOpen(outcome),
  )
  const sold = counted.filter(({ outcome }) => outcome !== "rejected" && outcome !== "abandoned")
  for (const { sourceUnits, from, to } of rows) {
    expect(sourceUnits).toBeLessThanOrEqual(LIMITS.maxOrder)
    expect([from, to]).toEqual([ETH, BTC])
  }
  const sum = sold.reduce((total, { sourceUnits }) => total + sourceUnits, 0n)
  expect(sum).toBeLessThanOrEqual(LIMITS.maxDay)
  expect(counted.length).toBeLessThanOrEqual(LIMITS.maxDayCount)
  expect(rows.filter(({ outcome }) => isOpen(outcome)).length).toBeLessThanOrEqual(
    LIMITS.maxInFlight,
  )
  for (const { id, sourceUnits } of rows)
    if (sourceUnits > 5_000n && !approved.has(id))
      expect(daemon.order(id).data.transactions.deposit.signed).toEqual([])
}

/** What the person of this world has approved; it rejects every other order that waits. */
const approved = new Set<string>()

function decide({ context, engine }: Daemon): void {
  for (const { id, sourceUnits } of context.journal.listOrders({ rule: "agent.desk", open: true }))
    if (engine.operate(id, sourceUnits % 5_000n === 0n ? "reject" : "approve", "anna").ok)
      approved.add(id)
}

/** Sequences of the campaign: `BALLAST_TOOL_RUNS=100000`. */
const RUNS = Number(process.env["BALLAST_TOOL_RUNS"] ?? ciRuns(2_000, 2))
/** After so many sequences a day has passed and the daemon starts again. */
const A_DAY = 20
const TIME_EACH = 5
/** The check reads every order of its world, so a world has few. */
const A_WORLD = 40

test("no sequence of tools passes a limit or reaches a forbidden act", {
  timeout: 120_000 + RUNS * 100,
}, async () => {
  let world = createWorld()
  const reached = new Set<string>()
  let daemon = world.start()
  let desk = serve(daemon, reached)
  let opened = 0
  const codes = new Map<string, number>()
  let played = 0
  /** The commits at the last check of this daemon. */
  let checked = -1
  try {
    await fc.assert(
      fc.asyncProperty(sequence, async (calls) => {
        played++
        if (played % A_DAY === 0) checked = -1
        if (played % A_WORLD === 0) {
          daemon.kill()
          world.close()
          world = createWorld()
          daemon = world.start()
          desk = serve(daemon, reached)
        } else if (played % A_DAY === 0) {
          daemon.kill()
          world.clock.set(world.clock.now() + AGENT_DAY_MS)
          daemon = world.start()
          desk = serve(daemon, reached)
          await world.pass(5_000)
        }
        for (const [tool, args] of calls) {
          const named = "key" in args ? { ...args, key: `${args["key"]}-${played % 50}` } : args
          const answer = await desk.call(AGENT, tool, named, "unix")
          expect(JSON.stringify(answer.body).length).toBeLessThanOrEqual(8_000)
          if (FORBIDDEN.includes(tool)) expect(answer.isError).toBe(true)
          if (tool === "request_swap" && !answer.isError) opened++
          for (const [, code = ""] of JSON.stringify(answer.body).matchAll(/"code":"([^"]+)/g))
            codes.set(code, (codes.get(code) ?? 0) + 1)
          expect(JSON.stringify(answer.body)).not.toContain("agent.internal")
          // A call that wrote nothing has passed no limit.
          if (daemon.commits() === checked) continue
          check(world, daemon)
          checkProposals(daemon)
          checked = daemon.commits()
        }
        if (played % TIME_EACH !== 0) return
        await world.pass(2_000)
        decide(daemon)
        await world.pass(10_000)
      }),
      { numRuns: RUNS, seed: SEED },
    )
  } finally {
    daemon.kill()
    world.close()
  }
  for (const name of FORBIDDEN) expect(reached).not.toContain(name)
  expect(TOOLS.map(({ name }) => name).filter((name) => FORBIDDEN.includes(name))).toEqual([])
  // The sequences reach the limits.
  for (const limit of ["pair", "order", "in_flight", "day", "day_count"])
    expect.soft(codes.get(`agent.${limit}`) ?? 0, limit).toBeGreaterThan(RUNS / 200)
  expect(opened).toBeGreaterThan(RUNS / 20)
})
