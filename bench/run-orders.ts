import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Membership } from "#daemon/cluster/join-cluster.ts"
import type { AssetId } from "#domain/asset.ts"
import type { OrderPolicy } from "#domain/order.ts"
import type { EngineContext, EngineSettings } from "#engine/context.ts"
import { createEngine, type Engine } from "#engine/engine.ts"
import { createMemory } from "#engine/memory.ts"
import { gatherSteps } from "#journal/disk/gather-steps.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import type { Journal } from "#ports/journal.ts"
import { defaultSettings } from "../test/support/fake-world.ts"
import { ENDPOINTS } from "./ask-endpoints.ts"
import {
  BTC,
  createInstantWorld,
  ETH,
  type InstantWorld,
  type WorldOptions,
} from "./instant-world.ts"

/**
 * The real engine with its journal on disk, in a world that answers at once. `BENCH_DIR` chooses
 * the disk.
 */
export type Bench = {
  readonly world: InstantWorld
  readonly journal: Journal
  readonly engine: Engine
  readonly context: EngineContext
  readonly folder: string
  readonly commits: () => number
  readonly close: () => Promise<void>
}

/** The chains of this world make a block for each transaction. */
const AT_ONCE = { pollMinMs: 20 }

export function openBench(
  options: WorldOptions & {
    readonly settings?: Partial<EngineSettings>
    readonly policy?: Partial<OrderPolicy>
    readonly maxInFlight?: number
    readonly folder?: string
    /** The journal of this member of a cluster instead of one of its own. */
    readonly member?: Pick<
      Membership,
      "journal" | "proveLease" | "countProofs" | "findLogSilence" | "drain" | "leave"
    >
  } = {},
): Bench {
  const world = createInstantWorld({ endpoints: ENDPOINTS, ...options })
  const folder = options.folder ?? mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "bench-"))
  let commits = 0
  const { member } = options
  const journal =
    member?.journal ??
    openJournal(join(folder, "journal.db"), {
      group: {
        schedule: gatherSteps(setImmediate, systemClock),
        onCommit: () => void commits++,
        onFailure: (error) => console.error(error),
      },
      onDiskFailure: (error) => {
        throw error
      },
    })
  let ids = 0
  const settings = { ...defaultSettings({ ...AT_ONCE, ...options.policy }), ...options.settings }
  const context: EngineContext = {
    journal,
    memory: createMemory(),
    services: new Map([["main", world.service]]),
    chains: world.chains,
    prices: { fetchPrice: async () => null },
    clock: systemClock,
    log: silentLogger,
    settings: {
      ...settings,
      limits: { ...settings.limits, maxInFlight: options.maxInFlight ?? 1_000_000 },
    },
    newOrderId: () => `order-${process.pid}-${++ids}`,
    newNonce: () => String(ids),
    ...(member
      ? {
          proveLease: member.proveLease,
          countProofs: member.countProofs,
          findLogSilence: member.findLogSilence,
        }
      : {}),
  }
  const engine = createEngine(context)
  const stopping = new AbortController()
  const ended = engine.run(stopping.signal)
  const close = async (): Promise<void> => {
    stopping.abort()
    await ended
    await member?.drain()
    journal.close()
    await member?.leave()
    if (options.folder === undefined) rmSync(folder, { recursive: true })
  }
  return { world, journal, engine, context, folder, commits: () => commits, close }
}

/**
 * The costs of `count` orders. All times in milliseconds, all values for one order except
 * `seconds`.
 */
export type OrderCosts = {
  readonly seconds: number
  readonly cpuMs: number
  readonly commits: number
  readonly writtenKib: number
  readonly keptKib: number
  readonly requests: number
}

export async function measureOrders({
  count,
  atOnce,
  from = ETH,
  to = BTC,
  ...options
}: WorldOptions & {
  readonly count: number
  readonly atOnce: number
  readonly from?: AssetId
  readonly to?: AssetId
  readonly member?: Membership
}): Promise<OrderCosts> {
  const bench = openBench(options)
  const { journal, engine, world } = bench
  const before = { ms: performance.now(), cpu: process.cpuUsage(), written: readWrittenBytes() }
  for (let opened = 0; opened < count || journal.countInFlight() > 0; ) {
    const free = Math.max(0, Math.min(atOnce - journal.countInFlight(), count - opened))
    await Promise.all(Array.from({ length: free }, () => submit(engine, from, to)))
    opened += free
    await new Promise((resolve) => setTimeout(resolve, atOnce === 1 ? 1 : 5))
  }
  const seconds = (performance.now() - before.ms) / 1_000
  const { user, system } = process.cpuUsage(before.cpu)
  const written = readWrittenBytes() - before.written
  const requests = [...world.calls.values()].reduce((sum, calls) => sum + calls, 0)
  const states = journal.countOrders()
  const completed = states.find(({ state }) => state === "completed")?.count ?? 0
  if (completed !== count)
    throw new Error(`only ${completed} of ${count} orders completed: ${JSON.stringify(states)}`)
  const commits = bench.commits()
  const kept = keptBytes(journal)
  await bench.close()
  return {
    seconds,
    cpuMs: (user + system) / 1_000 / count,
    commits: commits / count,
    writtenKib: written / 1_024 / count,
    keptKib: kept / 1_024 / count,
    requests: requests / count,
  }
}

export async function submit(engine: Engine, from: AssetId, to: AssetId): Promise<void> {
  const answer = await engine.submit({ from, to, sourceUnits: 10_000n })
  if (!answer.ok) throw new Error(JSON.stringify(answer.reasons))
}

/** The bytes that the process has written, by the kernel's count. */
export function readWrittenBytes(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1])
}

/** The bytes that the journal keeps of all orders: snapshots, events and signed bytes. */
function keptBytes(journal: Journal): number {
  return journal.listOrders({}).reduce((sum, { id, snapshot }) => {
    const events = journal
      .listEvents(id)
      .reduce((bytes, { body }) => bytes + Buffer.byteLength(body), 0)
    return sum + Buffer.byteLength(snapshot) + events
  }, 0)
}
