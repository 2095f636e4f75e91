import { expect, test } from "vitest"
import { createMemory } from "#engine/memory.ts"
import { createRounds, type Watch } from "#engine/watches/watch.ts"
import { createWatches } from "#engine/watches/watch-table.ts"
import { silentLogger } from "#lib/log.ts"
import type { ChainPort } from "#ports/chain.ts"
import { rankNow, URGENCIES, withUrgency } from "#ports/urgency.ts"
import { createWorld } from "../../support/fake-world.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"

const START_MS = 1_000_000

test("a watch that fails asks again at its usual time, and the others go on", async () => {
  const { watches, pass, count } = createScene()
  watches.push(
    { name: "failing", everyMs: 5_000, run: () => failAfter(count("failing")) },
    { name: "other", everyMs: 1_000, run: () => count("other") },
  )
  await pass(11)
  expect(count.of("failing")).toBe(3)
  expect(count.of("other")).toBe(11)
})

test("a watch that fails is remembered with its error until it succeeds", async () => {
  const { watches, pass, memory } = createScene()
  let error: Error | null = new Error("no such table")
  const run = async (): Promise<void> => {
    if (error !== null) throw error
  }
  watches.push({ name: "pegs", everyMs: 1_000, run })
  await pass(3)
  expect([...memory.faults]).toEqual([
    ["watch pegs", { sinceMs: START_MS, times: 3, error: "no such table" }],
  ])
  error = null
  await pass(2)
  expect(memory.faults.size).toBe(0)
})

test("no chain has two rounds of a watch at once, also not after a reload", async () => {
  const { watches, pass, count, rounds } = createScene()
  const answers: (() => void)[] = []
  let ports = [portOf("base_sepolia"), portOf("bitcoin_testnet")]
  watches.push({
    name: "slow",
    everyMs: 2_000,
    ports: () => ports,
    ask: async ({ chain }) => {
      await count(chain)
      if (chain === "base_sepolia") await new Promise<void>((resolve) => answers.push(resolve))
    },
  })
  await pass(6)
  expect([count.of("base_sepolia"), count.of("bitcoin_testnet")]).toEqual([1, 3])
  ports = [portOf("base_sepolia")]
  await pass(6)
  expect([count.of("base_sepolia"), count.of("bitcoin_testnet")]).toEqual([1, 3])
  answers[0]?.()
  await settle()
  await rounds().idle()
  // The reload has opened the chain again, so it is asked before its old round would be due.
  await pass(1)
  expect(count.of("base_sepolia")).toBe(2)
})

test.each([
  [undefined, "look"],
  ["effect", "effect"],
  ["background", "background"],
] as const)("a watch of the urgency %s asks as %s", async (urgency, expected) => {
  const { watches, pass } = createScene()
  const seen = new Set<string | undefined>()
  const run = async (): Promise<void> => void seen.add(URGENCIES[rankNow()])
  const watch: Watch = { name: "one", everyMs: 1_000, run }
  watches.push(urgency === undefined ? watch : { ...watch, urgency })
  await withUrgency("person", () => pass(2))
  expect([...seen]).toEqual([expected])
})

test("a chain is asked at once when it is listed again", async () => {
  const { watches, pass, count } = createScene()
  const port = portOf("base_sepolia")
  let ports = [port]
  watches.push({
    name: "chains",
    everyMs: 60_000,
    ports: () => ports,
    ask: ({ chain }) => count(chain),
  })
  await pass(2)
  ports = []
  await pass(1)
  ports = [port]
  await pass(1)
  expect(count.of("base_sepolia")).toBe(2)
})

test("a round may ask for another wait, and a clock that was set back does not prolong it", async () => {
  const { watches, pass, count, clock } = createScene()
  watches.push({
    name: "patient",
    everyMs: 1_000,
    firstMs: 2_000,
    run: async () => {
      await count("patient")
      return 60_000
    },
  })
  await pass(2)
  expect(count.of("patient")).toBe(0)
  await pass(30)
  expect(count.of("patient")).toBe(1)
  clock.set(START_MS - 3_600_000)
  await pass(1)
  expect(count.of("patient")).toBe(2)
})

test("a pause waits for the rounds that may sign or send alone", async () => {
  const { watches, pass, rounds } = createScene()
  let end = (): void => undefined
  const never = (): Promise<void> => new Promise<void>(() => undefined)
  watches.push(
    { name: "reading", everyMs: 1_000, run: never },
    {
      name: "spending",
      everyMs: 1_000,
      spends: true,
      run: () =>
        new Promise<void>((resolve) => {
          end = resolve
        }),
    },
  )
  await pass(1)
  let isIdle = false
  const idle = rounds()
    .spendingIdle()
    .then(() => {
      isIdle = true
    })
  await settle()
  expect(isIdle).toBe(false)
  end()
  await idle
})

function createScene() {
  const clock = createManualClock(START_MS)
  const counts = new Map<string, number>()
  const memory = createMemory()
  const watches: Watch[] = []
  let made: ReturnType<typeof createRounds> | null = null
  const rounds = () => {
    made ??= createRounds({ clock, log: silentLogger, memory }, watches, () => undefined)
    return made
  }
  const count = Object.assign(
    async (name: string): Promise<void> => void counts.set(name, (counts.get(name) ?? 0) + 1),
    { of: (name: string) => counts.get(name) ?? 0 },
  )
  /** Polls once a second. */
  const pass = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) {
      rounds().poll()
      await settle()
      clock.set(clock.now() + 1_000)
    }
  }
  return { watches, rounds, clock, count, pass, memory }
}

function portOf(chain: string): ChainPort {
  // CAST: the rounds read only the name of a port.
  return { chain } as unknown as ChainPort
}

async function failAfter(counted: Promise<void>): Promise<void> {
  await counted
  throw new Error("down")
}

test("each watch has its time, and only the named ones may spend or give way to orders", () => {
  const world = createWorld()
  const { list } = createWatches(world.start().context)
  const shown = list.map(({ name, everyMs, spends = false, urgency = "usual" }) => {
    return `${name}: ${everyMs / 1_000} s, ${spends ? "spends" : "reads"}, ${urgency}`
  })
  world.close()
  expect(shown).toEqual([
    "stop file: 1 s, reads, usual",
    "token accounts: 30 s, spends, usual",
    "nonce gaps: 10 s, spends, effect",
    "agreement: 20 s, reads, background",
    "clock: 60 s, reads, usual",
    "assets: 10 s, reads, usual",
    "accounts: 10 s, reads, usual",
    "journal space: 1 s, reads, usual",
    "pegs: 60 s, reads, background",
    "heads: 30 s, reads, usual",
  ])
})
