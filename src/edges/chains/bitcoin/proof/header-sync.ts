import type { Clock } from "#lib/clock.ts"
import type { BlockHeader } from "./block-header.ts"
import type { Checkpoint } from "./checkpoint.ts"
import { PERIOD_BLOCKS } from "./difficulty.ts"
import {
  extendChain,
  type HeaderChain,
  type HeaderRules,
  headerAt,
  heightOf,
  startChain,
} from "./header-chain.ts"
import type { HeaderStore } from "./header-file.ts"
import { BLOCKS_PER_PAGE, type HeaderServer, readHeaders, readTipHeight } from "./header-source.ts"

/**
 * Follows the chain of headers with the most work. No server is believed: headers come from any of
 * them, and each proves its own work from the checkpoint on. A lying server can withhold headers,
 * and then another one, or the missing recent work, shows it.
 */
export type HeaderSync = {
  /**
   * Reads on in the background, and waits a few seconds for it at most: the first time takes
   * thousands of requests. Calls at the same time share one run. Never throws: servers that fail or
   * lie count as silent.
   */
  advance(): Promise<void>
  /** The chain, once it reaches the checkpoint and enough blocks after it; `null` until then. */
  proven(): HeaderChain | null
  /** How far the headers are read, for a message; `null` before the first one. */
  height(): number | null
}

export type HeaderSyncOptions = {
  readonly rules: HeaderRules
  readonly checkpoint: Checkpoint
  readonly store: HeaderStore
  readonly servers: readonly HeaderServer[]
  readonly clock: Clock
}

/** An observation waits this long for new headers. A few usually come within one request. */
const LONGEST_WAIT_MS = 2_000
/** A slow server hands over to the next one after this time, and after this many answers. */
const SERVER_MS = 60_000
const SERVER_PAGES = 1_000
/** A fork deeper than this is not followed without a person. */
const DEEPEST_FORK = 144

/**
 * The progress of one sync. Each answer that proves itself counts at once, so that a later failure
 * loses nothing.
 */
type Progress = HeaderSyncOptions & {
  chain: HeaderChain | null
  /**
   * The headers just below the checkpoint, as long as the period's first one is missing. Each has
   * the hash that the next one names.
   */
  first: readonly BlockHeader[]
  /** False after a failed write: then the file misses headers, and is written again as a whole. */
  isStored: boolean
}

export function createHeaderSync(options: HeaderSyncOptions): HeaderSync {
  const { checkpoint, clock } = options
  const progress: Progress = { ...options, chain: null, first: [], isStored: true }
  let running: Promise<void> | null = null
  let isLoaded = false

  async function run(): Promise<void> {
    if (!isLoaded) await load(progress)
    isLoaded = true
    for (const server of options.servers) {
      const budget = { pages: SERVER_PAGES, untilMs: clock.now() + SERVER_MS }
      try {
        await readFirstPeriod(progress, server, budget)
        await follow(progress, server, budget)
      } catch {
        // A server that fails or breaks the format is silent: the next one may serve better.
      }
    }
    if (!progress.isStored && progress.chain !== null) await replaceStored(progress, progress.chain)
  }

  return {
    advance: async () => {
      running ??= run().finally(() => {
        running = null
      })
      const done = new AbortController()
      await Promise.race([running, clock.sleep(LONGEST_WAIT_MS, done.signal)])
      done.abort()
    },
    proven: () => {
      const { chain } = progress
      return chain !== null && heightOf(chain) >= checkpoint.height + checkpoint.leastBlocks
        ? chain
        : null
    },
    height: () => (progress.chain === null ? null : heightOf(progress.chain)),
  }
}

/**
 * Checks the stored headers again from the checkpoint on. Headers that do not prove themselves are
 * dropped, from the file too.
 */
async function load(progress: Progress): Promise<void> {
  const stored = await progress.store.load().catch((): readonly BlockHeader[] => [])
  const base = periodStart(progress.checkpoint.height)
  const known = startVerified(
    progress,
    base,
    stored.slice(0, progress.checkpoint.height - base + 1),
  )
  if (known === null) return
  const start = heightOf(known) + 1
  const later = linkedAfter(known, stored.slice(known.headers.length))
  const extended = extendChain(known, start, later, now(progress))
  const sound =
    "chain" in extended
      ? extended
      : extendChain(known, start, later.slice(0, extended.height - start), now(progress))
  progress.chain = "chain" in sound ? sound.chain : known
  if (progress.chain.headers.length !== stored.length) await replaceStored(progress, progress.chain)
}

/**
 * Two processes that wrote at the same time, or a write that was cut off, leave headers that are
 * double or follow nothing.
 */
function linkedAfter(known: HeaderChain, stored: readonly BlockHeader[]): readonly BlockHeader[] {
  const linked: BlockHeader[] = []
  let tip = known.headers.at(-1)?.hash
  for (const header of stored) {
    if (header.previous !== tip) continue
    linked.push(header)
    tip = header.hash
  }
  return linked
}

function periodStart(height: number): number {
  return height - (height % PERIOD_BLOCKS)
}

/**
 * The headers from the start of the checkpoint's period up to the checkpoint: its hash proves all
 * of them.
 */
function startVerified(
  { checkpoint, ...options }: HeaderSyncOptions,
  base: number,
  headers: readonly BlockHeader[],
): HeaderChain | null {
  const [first, ...others] = headers
  if (first === undefined || headers.length !== checkpoint.height - base + 1) return null
  const extended = extendChain(startChain(base, first), base + 1, others, now(options))
  if (!("chain" in extended)) return null
  return headerAt(extended.chain, checkpoint.height)?.hash === checkpoint.hash
    ? extended.chain
    : null
}

type Budget = { pages: number; readonly untilMs: number }

function mayAsk({ clock }: Progress, budget: Budget): boolean {
  budget.pages -= 1
  return budget.pages >= 0 && clock.now() < budget.untilMs
}

/**
 * Reads down from the checkpoint. Each header must have the hash that the one above names, so that
 * any server may continue the work.
 */
async function readFirstPeriod(
  progress: Progress,
  server: HeaderServer,
  budget: Budget,
): Promise<void> {
  const { checkpoint } = progress
  const base = periodStart(checkpoint.height)
  while (progress.chain === null && mayAsk(progress, budget)) {
    const to = checkpoint.height - progress.first.length
    const page = await readHeaders(server, Math.max(base, to - BLOCKS_PER_PAGE + 1), to)
    const linked = linkedBefore(progress.first[0]?.previous ?? checkpoint.hash, page)
    if (linked.length === 0) return
    progress.first = [...linked, ...progress.first]
    const chain = startVerified(progress, base, progress.first)
    if (chain === null) continue
    progress.chain = chain
    progress.first = []
    await replaceStored(progress, chain)
  }
}

/**
 * The last headers of a page, down to the first one that does not have the hash which the header
 * above it names.
 */
function linkedBefore(hash: string, page: readonly BlockHeader[]): readonly BlockHeader[] {
  let expected = hash
  let from = page.length
  while (from > 0 && page[from - 1]?.hash === expected) {
    from -= 1
    expected = page[from]?.previous ?? ""
  }
  return page.slice(from)
}

/** Reads one server's headers after our newest one, or from the fork on where its chain differs. */
async function follow(progress: Progress, server: HeaderServer, budget: Budget): Promise<void> {
  if (progress.chain === null) return
  const tip = await readTipHeight(server)
  for (;;) {
    const chain: HeaderChain | null = progress.chain
    if (chain === null || heightOf(chain) >= tip || !mayAsk(progress, budget)) return
    const from = heightOf(chain) + 1
    const headers = await readHeaders(server, from, Math.min(from + BLOCKS_PER_PAGE - 1, tip))
    if (headers.length === 0) return
    const extended = extendChain(chain, from, headers, now(progress))
    if ("chain" in extended) {
      progress.chain = extended.chain
      await appendStored(progress, headers)
      continue
    }
    const other: HeaderChain | null =
      extended.refused === "link" ? await readFork(progress, chain, server, tip) : null
    if (other === null) return
    progress.chain = other
    await replaceStored(progress, other)
  }
}

/** A disk that is full costs time at the next start, and nothing else. */
async function appendStored(progress: Progress, headers: readonly BlockHeader[]): Promise<void> {
  if (!progress.isStored) return
  progress.isStored = await progress.store.append(headers).then(
    () => true,
    () => false,
  )
}

async function replaceStored(progress: Progress, chain: HeaderChain): Promise<void> {
  progress.isStored = await progress.store.replace(chain.headers).then(
    () => true,
    () => false,
  )
}

/**
 * The server's chain differs from ours: read back to the last common header, and take its side
 * where that carries more work.
 */
async function readFork(
  options: HeaderSyncOptions,
  chain: HeaderChain,
  server: HeaderServer,
  tip: number,
): Promise<HeaderChain | null> {
  let headers: readonly BlockHeader[] = []
  let from = Math.min(tip, heightOf(chain) + 1) + 1
  const lowest = Math.max(chain.base + 1, options.checkpoint.height + 1, from - DEEPEST_FORK)
  while (from > lowest) {
    const to = from - 1
    from = Math.max(lowest, from - BLOCKS_PER_PAGE)
    headers = [...(await readHeaders(server, from, to)), ...headers]
    const start = headers.findIndex(
      ({ hash }, index) => headerAt(chain, from + index)?.hash !== hash,
    )
    const isLinked =
      start >= 0 && headers[start]?.previous === headerAt(chain, from + start - 1)?.hash
    if (!isLinked) continue
    const extended = extendChain(chain, from + start, headers.slice(start), now(options))
    return "chain" in extended ? extended.chain : null
  }
  return null
}

function now({ rules, clock }: Pick<HeaderSyncOptions, "rules" | "clock">): {
  rules: HeaderRules
  nowMs: number
} {
  return { rules, nowMs: clock.now() }
}
