import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { Config } from "#config/config.ts"
import { parseConfig } from "#config/load.ts"
import { createHealthWatch } from "#daemon/watch/health-watch.ts"
import { createServiceCalls } from "#daemon/watch/service-calls.ts"
import { createMemory } from "#engine/memory.ts"
import { findPartProblems } from "#health/find-part-problems.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"

const ROOT = join(import.meta.dirname, "..", "..", "..")
const NOW = Date.parse("2026-03-04T13:00:00Z")

type Noted = {
  /** The test that lets the part fail and work again. */
  readonly test: string
  /** The part as that test names it. */
  readonly part: string
}

/** By the file that notes the fault. */
const NOTED: Readonly<Record<string, Noted>> = {
  "src/app/daemon/start-daemon.ts": {
    test: "test/e2e/planted-everyday-starts.test.ts",
    part: "collector-404",
  },
  "src/app/daemon/watch/chat-approvals.ts": {
    test: "test/unit/alerts/chat-approvals.test.ts",
    part: "chat phone",
  },
  "src/app/daemon/watch/health-watch.ts": {
    test: "test/unit/daemon/noted-parts.test.ts",
    part: "checks of endpoints and services",
  },
  "src/app/daemon/watch/pulse.ts": { test: "test/unit/daemon/pulse.test.ts", part: "event loop" },
  "src/app/daemon/watch/push-changes.ts": {
    test: "test/unit/alerts/push-changes.test.ts",
    part: "changes desk",
  },
  "src/engine/orders/worker.ts": { test: "test/unit/engine/worker.test.ts", part: "order " },
  "src/engine/rules/tick/due-list.ts": {
    test: "test/unit/engine/tick/due-list.test.ts",
    part: "rule dca",
  },
  "src/engine/rules/tick/tick.ts": { test: "test/unit/engine/tick/tick.test.ts", part: "rules" },
  "src/engine/watches/reconciler.ts": {
    test: "test/unit/engine/reconciler.test.ts",
    part: "comparison of books and chains",
  },
  "src/engine/watches/watch.ts": { test: "test/unit/engine/watch.test.ts", part: "watch pegs" },
}

test("each place that notes a failing part has a test that lets it fail", () => {
  const places = globSync("src/**/*.ts", { cwd: ROOT }).filter(
    (file) =>
      !/part-faults\.ts$|\.test\.ts$/.test(file) &&
      readFileSync(join(ROOT, file), "utf8").includes("noteFault("),
  )
  expect(places.toSorted()).toEqual(Object.keys(NOTED))
})

test.each(Object.entries(NOTED))("%s: its test names the part", (_place, { test: file, part }) => {
  expect(readFileSync(join(ROOT, file), "utf8")).toMatch(new RegExp(`["\`]${part}`))
})

test.each(Object.values(NOTED))(
  "$part: a part that fails is a problem with a next step",
  ({ part }) => {
    const id = "0a1b2c3d4e"
    const parts = [
      {
        part: part === "order " ? `order ${id}` : part,
        sinceMs: NOW - 40_000,
        times: 2,
        error: "no",
      },
    ]
    // CAST: the finder reads these three.
    const readings = { parts, orders: [{ id }], nowMs: NOW } as never
    expect(findPartProblems(readings, 30_000)).toMatchObject([
      {
        code: "daemon.part_failing",
        sentence: expect.stringContaining("2 times: no"),
        todo: expect.stringMatching(/\w+ .*\.$/),
      },
    ])
  },
)

test.each([
  ["that fail as a whole", "noteFlag", "no such table"],
  ["whose pause cannot be read", "countInFlight", "no such file"],
])("checks %s are remembered until one succeeds", async (_name, method, words) => {
  const memory = createMemory()
  const stop = new AbortController()
  const noted: unknown[] = []
  const config = parseConfig(
    `{ service: { url: "http://127.0.0.1:1" }, data_dir: ./d, chains: {}, assets: {}, rules: [] }`,
    { file: "test.yaml", secrets: (reference) => new Secret("", reference) },
  )
  const fail = (): void => {
    if (noted.length === 0) throw new Error(words)
  }
  const journal = {
    readFlag: () => null,
    writeFlag: () => undefined,
    noteFlag: () => (method === "noteFlag" ? fail() : undefined),
    raiseAlert: () => undefined,
    countInFlight: () => {
      if (method === "countInFlight") fail()
      return 0
    },
  }
  const clock = {
    now: () => NOW,
    sleep: async () => {
      noted.push([...memory.faults].map(([part, { error }]) => [part, error]))
      if (noted.length === 2) stop.abort()
    },
  }
  const watch = createHealthWatch({
    memory,
    // CAST: a daemon has a service; this test asks none.
    config: () => ({ ...config, services: [] }) as unknown as Config,
    // CAST: the watch uses four methods of the journal, and no price of this test.
    journal: journal as never,
    prices: () => ({ fetchPrices: async () => new Map() }) as never,
    calls: createServiceCalls(clock.now),
    signer: undefined,
    accountOf: () => null,
    tips: () => [],
    clock,
    log: silentLogger,
  })
  await watch.run(stop.signal)
  expect(noted).toEqual([[["checks of endpoints and services", words]], []])
})
