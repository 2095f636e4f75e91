import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Tip } from "#chains/family-definition.ts"
import { findFault } from "#chains/find-fault.ts"
import { remedyOfError } from "#health/error-remedies.ts"
import { COMPARE } from "#health/find-node-problems.ts"
import { SLOW_MS } from "#health/judge-nodes.ts"
import { findRemedy } from "#health/remedies.ts"
import type { Clock } from "#lib/clock.ts"
import { type Address, hostOf } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { timeAsk } from "#nodes/create-ask.ts"
import { describeFailure } from "#nodes/exchange.ts"
import { type FeeFigure, findFeeAboveCap, findFeeOutliers } from "#nodes/quorum/fee-figures.ts"
import { checkBlockTime } from "./check-block-time.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

/**
 * Probes each endpoint of a chain alone: its answer, its network, the age of its newest block, and
 * whether all agree on the network. The first endpoint on the right network also measures the block
 * time. `account`: that of the chain's wallet, whose fees the daemon reads.
 */
export async function checkNodes(
  chain: ChainConfig,
  ask: AskHttp,
  clock: Pick<Clock, "now">,
  account: string | null = null,
): Promise<Diagnosis[]> {
  const { doctor } = familyOf(chain)
  const urls = doctor.endpointsOf(chain)
  const tips = await Promise.all(
    urls.map(
      async (url): Promise<{ url: Address; tip: Tip | null; why: string; tookMs: number }> => {
        const readTip = async () => {
          const timed = timeAsk(ask, clock)
          const tip = await doctor.readTip(chain, url, timed.ask)
          return { url, tip, why: "", tookMs: timed.slowestMs() }
        }
        try {
          const first = await readTip()
          // The first answer may be late because doctor itself begins with much work; only a second
          // slow one counts.
          return first.tookMs < SLOW_MS ? first : await readTip()
        } catch (error) {
          return { url, tip: null, why: describeFailure(error).replace(/\s+/g, " "), tookMs: 0 }
        }
      },
    ),
  )
  const found = tips.map(({ url, tip, why, tookMs }) =>
    tip === null
      ? silent(chain, url, why, tips)
      : judgeTip(chain, url, tip, { nowMs: clock.now(), tookMs }),
  )
  const networks = new Set(tips.flatMap(({ tip }) => (tip === null ? [] : [tip.network])))
  const todo = "Find out which of them is wrong, and take it out of the list."
  const right = tips.find(
    ({ tip }) => tip !== null && (tip.expected === null || tip.network === tip.expected),
  )
  const answering = tips.flatMap(({ url, tip }) => (tip === null ? [] : [url]))
  const fees = await checkFees(chain, answering, ask, account)
  const pace = right?.tip
    ? await checkBlockTime(chain, { url: right.url, tip: right.tip }, ask)
    : []
  if (networks.size <= 1) return [...found, ...fees, ...pace]
  return [
    ...found,
    ...fees,
    ...pace,
    broken(
      `${chain.chain} endpoints`,
      `they are on different networks: ${[...networks].join(", ")}`,
      todo,
    ),
  ]
}

/**
 * Names the endpoints without a fee estimate. With none at all the daemon makes no deposit there;
 * on Bitcoin it also takes no quote. Redemptions and refunds go on by their locks.
 */
async function checkFees(
  chain: ChainConfig,
  urls: readonly Address[],
  ask: AskHttp,
  account: string | null,
): Promise<Diagnosis[]> {
  const { readFees, quotesNeedFees = false } = familyOf(chain).doctor
  if (readFees === undefined) return []
  const figures: (FeeFigure & { endpoint: string })[] = []
  const readOne = async (url: Address): Promise<void> => {
    for (const figure of await readFees(chain, url, ask, account))
      figures.push({ endpoint: hostOf(url), ...figure })
  }
  const faults = await Promise.all(
    urls.map(async (url) => ({ url, why: await findFault(() => readOne(url)) })),
  )
  const judge = !quotesNeedFees || faults.some(({ why }) => why === null) ? doubtful : broken
  const waiting = quotesNeedFees ? "deposits and quotes wait" : "deposits wait"
  const todo = `Add an endpoint that has estimates; without any, ${waiting} (fees.unknown).`
  const missing = faults.flatMap(({ url, why }) =>
    why === null
      ? []
      : [judge(`${chain.chain} ${hostOf(url)} fees`, `no fee estimate: ${why}`, todo)],
  )
  const kinds = [...Map.groupBy(figures, ({ unit }) => unit).values()]
  return [...missing, ...kinds.flatMap((given) => judgeFees(chain, given))]
}

/** The fees of one kind at each endpoint. */
function judgeFees(
  { chain }: ChainConfig,
  figures: readonly (FeeFigure & { readonly endpoint: string })[],
): readonly Diagnosis[] {
  return figures
    .slice(0, 1)
    .flatMap((scale) => [
      ...findFeeOutliers(figures, scale).map(({ message, endpoint }) =>
        doubtful(`${chain} ${endpoint} fees`, message, COMPARE.todo),
      ),
      ...findFeeAboveCap(figures, scale).map(({ code, message }) =>
        doubtful(`${chain} fees`, message, findRemedy(code).todo),
      ),
    ])
}

/** While another endpoint answers, a silent one only makes the chain less safe. */
function silent(
  { chain }: ChainConfig,
  url: Address,
  why: string,
  tips: readonly { readonly tip: Tip | null }[],
): Diagnosis {
  const others = tips.some(({ tip }) => tip !== null)
  const todo =
    remedyOfError(why, "node")?.todo ??
    "Check the URL and the node; nothing can be read or sent through it."
  return (others ? doubtful : broken)(
    `${chain} ${hostOf(url)}`,
    `no usable answer: ${why.slice(0, 200)}`,
    todo,
  )
}

function judgeTip(
  config: ChainConfig,
  url: Address,
  tip: Tip,
  { nowMs, tookMs }: { readonly nowMs: number; readonly tookMs: number },
): Diagnosis {
  const check = `${config.chain} ${hostOf(url)}`
  if (tip.expected !== null && tip.network !== tip.expected) {
    return broken(
      check,
      `it is on network ${tip.network}, not ${tip.expected}`,
      "Correct the URL or the chain's network in the configuration.",
    )
  }
  const ageMs = nowMs - tip.blockMs
  const found =
    `network ${tip.network}, height ${tip.height}, newest block ${Math.round(ageMs / 1_000)} s ` +
    "old"
  const { doctor } = familyOf(config)
  if (-ageMs > doctor.aheadMs) {
    return broken(
      check,
      found,
      "Its newest block is in the future: set this machine's clock (NTP), or ask the node's " +
        "operator.",
    )
  }
  const staleMs = doctor.staleMsOf(config)
  if (staleMs !== null && ageMs > staleMs) {
    return doubtful(
      check,
      found,
      "The node is behind, or its chain makes no blocks; orders on this chain wait. " +
        "Check the node.",
    )
  }
  if (tookMs >= SLOW_MS) {
    const slow = `slow: ${(tookMs / 1_000).toFixed(1)} s for the newest block`
    return doubtful(
      check,
      slow,
      "Repair or replace the endpoint: every read through it takes that long.",
    )
  }
  return healthy(check, found)
}
