import type { Clock } from "#lib/clock.ts"
import type { BlockHeader } from "./block-header.ts"
import type { Checkpoint } from "./checkpoint.ts"
import { PERIOD_BLOCKS } from "./difficulty.ts"
import { extendChain, type HeaderChain, type HeaderRules, headerAt, heightOf, startChain } from "./header-chain.ts"
import type { HeaderStore } from "./header-file.ts"
import { BLOCKS_PER_PAGE, type HeaderServer, readHeaders, readTipHeight } from "./header-source.ts"

/**
 * Follows the chain of headers with the most work. No server is believed: headers come from any of them, and each proves its own work from the
 * checkpoint on. A lying server can withhold headers, and then another one, or the missing recent work, shows it.
 */
export type HeaderSync = {
  /**
   * Reads at most `pages` answers from each server and keeps what proves itself. Calls at the same time share one run. Never throws:
   * servers that fail or lie count as silent.
   */
  advance(pages?: number): Promise<void>
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

const PAGES_PER_RUN = 50
/** A fork deeper than this is not followed without a person. */
const DEEPEST_FORK = 144

export function createHeaderSync(options: HeaderSyncOptions): HeaderSync {
  const { checkpoint } = options
  let chain: HeaderChain | null = null
  let running: Promise<void> | null = null
  let isLoaded = false

  async function run(pages: number): Promise<void> {
    if (!isLoaded) {
      chain = await loadChain(options)
      isLoaded = true
    }
    for (const server of options.servers) {
      try {
        chain ??= await readFirstPeriod(options, server)
        if (chain !== null) chain = await follow(options, chain, server, pages)
      } catch {
        // A server that fails or breaks the format is silent: the next one may serve better.
      }
    }
  }

  return {
    advance: (pages = PAGES_PER_RUN) => {
      running ??= run(pages).finally(() => {
        running = null
      })
      return running
    },
    proven: () => (chain !== null && heightOf(chain) >= checkpoint.height + checkpoint.leastBlocks ? chain : null),
    height: () => (chain === null ? null : heightOf(chain)),
  }
}

/** Checks the stored headers again from the checkpoint on; what does not prove itself is dropped. */
async function loadChain(options: HeaderSyncOptions): Promise<HeaderChain | null> {
  const stored = await options.store.load()
  const base = periodStart(options.checkpoint.height)
  const known = startVerified(options, base, stored.slice(0, options.checkpoint.height - base + 1))
  if (known === null) return null
  const later = stored.slice(known.headers.length)
  const extended = extendChain(known, heightOf(known) + 1, later, now(options))
  return "chain" in extended ? extended.chain : known
}

function periodStart(height: number): number {
  return height - (height % PERIOD_BLOCKS)
}

/** The headers from the start of the checkpoint's period up to the checkpoint: its hash proves all of them. */
function startVerified(
  { checkpoint, ...options }: HeaderSyncOptions,
  base: number,
  headers: readonly BlockHeader[],
): HeaderChain | null {
  const [first, ...others] = headers
  if (first === undefined || headers.length !== checkpoint.height - base + 1) return null
  const extended = extendChain(startChain(base, first), base + 1, others, now(options))
  if (!("chain" in extended)) return null
  return headerAt(extended.chain, checkpoint.height)?.hash === checkpoint.hash ? extended.chain : null
}

async function readFirstPeriod(options: HeaderSyncOptions, server: HeaderServer): Promise<HeaderChain | null> {
  const base = periodStart(options.checkpoint.height)
  const headers: BlockHeader[] = []
  while (base + headers.length <= options.checkpoint.height) {
    const from = base + headers.length
    const page = await readHeaders(server, from, Math.min(from + BLOCKS_PER_PAGE - 1, options.checkpoint.height))
    if (page.length === 0) return null
    headers.push(...page)
  }
  const chain = startVerified(options, base, headers)
  if (chain !== null) await options.store.replace(chain.headers)
  return chain
}

/** Reads one server's headers after our newest one, or from the fork on where its chain differs. */
async function follow(
  options: HeaderSyncOptions,
  known: HeaderChain,
  server: HeaderServer,
  pages: number,
): Promise<HeaderChain> {
  const tip = await readTipHeight(server)
  let chain = known
  for (let page = 0; page < pages && heightOf(chain) < tip; page++) {
    const from = heightOf(chain) + 1
    const headers = await readHeaders(server, from, Math.min(from + BLOCKS_PER_PAGE - 1, tip))
    if (headers.length === 0) return chain
    const extended = extendChain(chain, from, headers, now(options))
    if ("chain" in extended) {
      chain = extended.chain
      await options.store.append(headers)
      continue
    }
    const other = extended.refused === "link" ? await readFork(options, chain, server, tip) : null
    if (other === null) return chain
    chain = other
    await options.store.replace(chain.headers)
  }
  return chain
}

/** The server's chain differs from ours: read back to the last common header, and take its side where that carries more work. */
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
    const start = headers.findIndex(({ hash }, index) => headerAt(chain, from + index)?.hash !== hash)
    const isLinked = start >= 0 && headers[start]?.previous === headerAt(chain, from + start - 1)?.hash
    if (!isLinked) continue
    const extended = extendChain(chain, from + start, headers.slice(start), now(options))
    return "chain" in extended ? extended.chain : null
  }
  return null
}

function now({ rules, clock }: Pick<HeaderSyncOptions, "rules" | "clock">): { rules: HeaderRules; nowMs: number } {
  return { rules, nowMs: clock.now() }
}
