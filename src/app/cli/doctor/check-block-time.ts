import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Tip } from "#chains/family-definition.ts"
import type { Address } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { formatDuration } from "#schema/duration.ts"
import { type Diagnosis, doubtful } from "./diagnosis.ts"

/**
 * A timelock counts blocks; Ballast compares two of them in seconds. A larger difference deserves a
 * person's attention.
 */
const TOLERANCE = 0.25
const FEWEST_BLOCKS = 20n
const USUAL_BLOCKS = 144n
const SPAN_MS = 3_600_000

/**
 * Measures the time between two blocks from two headers of one endpoint: the newest, and one about
 * an hour or 144 blocks before it.
 *
 * Returns a finding for a difference of more than 25 % from the block time in use, for one that is
 * only a guess, and for a measurement that failed; nothing when all is well, when blocks come only
 * on request, or when the chain is too young.
 */
export async function checkBlockTime(
  chain: ChainConfig,
  { url, tip }: { readonly url: Address; readonly tip: Tip },
  ask: AskHttp,
): Promise<Diagnosis[]> {
  const { doctor } = familyOf(chain)
  const check = `${chain.chain} block time`
  const { ms, from } = chain.blockTime
  const guess =
    from === "guess"
      ? [
          doubtful(
            check,
            `${describe(ms)} is a guess, so most orders are refused`,
            ADVICE_FOR_GUESS,
          ),
        ]
      : []
  if (doctor.staleMsOf(chain) === null || tip.height < FEWEST_BLOCKS) return guess
  const blocks = spanOf(ms, tip.height)
  try {
    const earlierMs = await doctor.readBlockMs(chain, url, ask, tip.height - blocks)
    const measuredMs = earlierMs === null ? null : (tip.blockMs - earlierMs) / Number(blocks)
    if (measuredMs === null || !(measuredMs > 0))
      return [...guess, notMeasured(check, "the endpoint gives no earlier header")]
    return judge(chain, check, measuredMs)
  } catch (error) {
    return [...guess, notMeasured(check, error instanceof Error ? error.message : String(error))]
  }
}

const ADVICE_FOR_GUESS = "Set block_time of the chain, or use its preset."

function judge({ blockTime }: ChainConfig, check: string, measuredMs: number): Diagnosis[] {
  const found =
    `${describe(measuredMs)} measured, ${describe(blockTime.ms)} in use ` +
    `(${SOURCES[blockTime.from]})`
  const written = formatDuration(roundMs(measuredMs))
  if (blockTime.from === "guess")
    return [doubtful(check, found, `Set block_time: ${written} of the chain, or use its preset.`)]
  if (Math.abs(measuredMs - blockTime.ms) <= TOLERANCE * blockTime.ms) return []
  return [
    doubtful(
      check,
      found,
      `If it stays so, set block_time: ${written} of the chain; timelocks are judged by it.`,
    ),
  ]
}

const SOURCES = {
  configuration: "the configuration",
  preset: "the preset",
  family: "the built-in value",
  guess: "a guess",
} as const

/** An hour of blocks, at least 144 of them, and no more than the chain has. */
function spanOf(blockMs: number, height: bigint): bigint {
  const hour = BigInt(Math.ceil(SPAN_MS / blockMs))
  const wanted = hour > USUAL_BLOCKS ? hour : USUAL_BLOCKS
  return wanted < height ? wanted : height - 1n
}

function notMeasured(check: string, why: string): Diagnosis {
  const todo = "Ask another endpoint, or compare block_time of the chain with its explorer."
  return doubtful(check, `not measured: ${why.replace(/\s+/g, " ").slice(0, 200)}`, todo)
}

function describe(ms: number): string {
  return ms < 1_000 ? `${roundMs(ms)} ms` : `${Number((ms / 1_000).toPrecision(3))} s`
}

function roundMs(ms: number): number {
  return Math.max(1, Number(ms.toPrecision(2)))
}
