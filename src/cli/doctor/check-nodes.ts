import type { ChainConfig } from "#config/config.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"
import { type AskHttp, readTip, type Tip } from "./read-tip.ts"

const MINUTE_MS = 60_000

/** How old the newest block may be before something is amiss: ten times what is usual. Blocks of a local Bitcoin chain come when somebody asks for them. */
const STALE_MS = { bitcoin: 100 * MINUTE_MS, evm: 2 * MINUTE_MS, solana: MINUTE_MS, starknet: 10 * MINUTE_MS } as const
/** A block from the future means that our clock, or theirs, is wrong. Bitcoin allows its miners two hours. */
const AHEAD_MS = { bitcoin: 120 * MINUTE_MS, evm: 30_000, solana: 30_000, starknet: MINUTE_MS } as const

/** Each endpoint of a chain by itself: does it answer, is it the right network, is it in step with time and with the others? */
export async function checkNodes(chain: ChainConfig, ask: AskHttp, nowMs: number): Promise<Diagnosis[]> {
  const urls = chain.family === "bitcoin" ? chain.esplora : chain.rpc
  const tips = await Promise.all(
    urls.map(async (url): Promise<{ url: string; tip: Tip | null; why: string }> => {
      try {
        return { url, tip: await readTip(chain, url, ask), why: "" }
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return { url, tip: null, why: why.replace(/\s+/g, " ") }
      }
    }),
  )
  const found = tips.map(({ url, tip, why }) =>
    tip === null ? silent(chain, url, why, tips) : judgeTip(chain, url, tip, nowMs),
  )
  const networks = new Set(tips.flatMap(({ tip }) => (tip === null ? [] : [tip.network])))
  const todo = "Find out which of them is wrong, and take it out of the list."
  if (networks.size <= 1) return found
  return [
    ...found,
    broken(`${chain.chain} endpoints`, `they are on different networks: ${[...networks].join(", ")}`, todo),
  ]
}

/** As long as one endpoint answers, the chain is only less safe. */
function silent(
  { chain }: ChainConfig,
  url: string,
  why: string,
  tips: readonly { readonly tip: Tip | null }[],
): Diagnosis {
  const others = tips.some(({ tip }) => tip !== null)
  const todo = "Check the URL and the node; nothing can be read or sent through it."
  return (others ? doubtful : broken)(`${chain} ${hostOf(url)}`, `no usable answer: ${why.slice(0, 200)}`, todo)
}

function judgeTip(config: ChainConfig, url: string, tip: Tip, nowMs: number): Diagnosis {
  const check = `${config.chain} ${hostOf(url)}`
  if (tip.expected !== null && tip.network !== tip.expected) {
    return broken(
      check,
      `it is on network ${tip.network}, not ${tip.expected}`,
      "Correct the URL or the chain's network in the configuration.",
    )
  }
  const ageMs = nowMs - tip.blockMs
  const facts = `network ${tip.network}, height ${tip.height}, newest block ${Math.round(ageMs / 1_000)} s old`
  if (-ageMs > AHEAD_MS[config.family]) {
    return broken(
      check,
      facts,
      "Its newest block is in the future: set this machine's clock (NTP), or ask the node's operator.",
    )
  }
  const local = config.family === "bitcoin" && config.network === "regtest"
  if (!local && ageMs > STALE_MS[config.family]) {
    return doubtful(
      check,
      facts,
      "The node is behind or its chain stands still; orders on this chain wait. Look at the node.",
    )
  }
  return healthy(check, facts)
}

/** Without a path: keys of providers stand there. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "endpoint"
}
