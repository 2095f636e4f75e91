import { z } from "zod"
import type { AssetId } from "#domain/asset.ts"
import type { RoutePolicy } from "#domain/route/service-listing.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { wireUnits } from "#lib/wire-integer.ts"
import type { Exchange } from "./http.ts"
import { resultOf } from "./read-result.ts"
import { parseAssetList, parsePolicy } from "./wire-listing.ts"

type Pair = { readonly from: AssetId; readonly to: AssetId }

/** What the service's own lists say about a pair; `null` where they say nothing. */
type PairState = {
  readonly closedBy: "policy" | "asset" | null
  /** What all solvers together hold of the destination. */
  readonly liquidityUnits: bigint | null
}

/**
 * The lists behind the quotes of a service. They are outside of the service interface, so a list
 * that is missing, or that cannot be read, says nothing.
 */
export type PairStates = {
  readonly read: (pair: Pair) => Promise<PairState>
  /**
   * Does `act`, and tells a pair that the service closed from one that it does not know. Asks for
   * the lists only after a refusal; what they said holds for a minute.
   */
  readonly explain: <T>(pair: Pair, act: () => Promise<T>) => Promise<T>
}

const KEPT_MS = 60_000

export function createPairStates(exchange: Exchange, clock: Pick<Clock, "now">): PairStates {
  let known: { readonly atMs: number; readonly lists: Lists } | null = null
  const recall = (): Lists | null =>
    known !== null && Math.abs(clock.now() - known.atMs) < KEPT_MS ? known.lists : null

  async function readLists(): Promise<Lists> {
    const lists = recall() ?? (await fetchLists(exchange))
    known = { atMs: clock.now(), lists }
    return lists
  }

  return {
    read: async (pair) => {
      const [lists, liquidityUnits] = await Promise.all([
        readLists(),
        fetchLiquidity(exchange, pair),
      ])
      return { closedBy: closedBy(lists, pair), liquidityUnits }
    },
    explain: async (pair, act) => {
      const before = recall()
      const closed = before === null ? null : closedBy(before, pair)
      if (closed !== null) throw pairClosed(pair, closed)
      try {
        return await act()
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === "service.no_liquidity") throw await withLiquidity(exchange, pair, error)
        if (error.code !== "service.no_pair") throw error
        const found = closedBy(await readLists(), pair)
        throw found === null ? error : pairClosed(pair, found)
      }
    },
  }
}

type Lists = { readonly policy: RoutePolicy | null; readonly inactive: ReadonlySet<AssetId> }

async function fetchLists(exchange: Exchange): Promise<Lists> {
  const [policy, assets] = await Promise.all([
    fetchOrNull(exchange, "/policy"),
    fetchOrNull(exchange, "/assets"),
  ])
  const read = parsePolicy(policy)
  const { items } = parseAssetList(Array.isArray(assets) ? assets : [])
  return {
    policy: policy !== null && read.ok ? read.value : null,
    inactive: new Set(items.flatMap(({ id, isActive }) => (isActive === false ? [id] : []))),
  }
}

async function fetchOrNull(
  exchange: Exchange,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const operation = { what: `list ${path.slice(1)}`, write: false }
  try {
    return resultOf(await exchange({ operation, method: "GET", path, query }), operation)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function closedBy({ policy, inactive }: Lists, { from, to }: Pair): PairState["closedBy"] {
  if (inactive.has(from) || inactive.has(to)) return "asset"
  return policy === null || policy.allows(from, to) ? null : "policy"
}

function pairClosed({ from, to }: Pair, by: "policy" | "asset"): AppError {
  const why = by === "policy" ? "its policy excludes it" : "one of the assets is not active"
  const message = `The service closed the pair from ${from} to ${to}: ${why}`
  return new AppError({
    code: "service.pair_closed",
    disposition: "refused",
    message,
    details: { from, to, by },
  })
}

const wireHolding = z.object({
  asset: z.string().nullish(),
  balance: wireUnits,
  virtual_balance: wireUnits.nullish(),
})
const wireSolver = z.union([
  z.object({ liquidity: z.array(wireHolding) }).transform(({ liquidity }) => liquidity),
  wireHolding.transform((holding) => [holding]),
])

/** The virtual balance leaves out what open orders will take. */
async function fetchLiquidity(exchange: Exchange, { from, to }: Pair): Promise<bigint | null> {
  const solvers = z
    .array(wireSolver)
    .safeParse(await fetchOrNull(exchange, "/liquidity", { from, to }))
  if (!solvers.success) return null
  return solvers.data
    .flat()
    .filter(({ asset }) => asset == null || asset.toLowerCase() === to)
    .reduce((sum, { balance, virtual_balance: free }) => sum + (free ?? balance), 0n)
}

async function withLiquidity(exchange: Exchange, pair: Pair, error: AppError): Promise<AppError> {
  const units = await fetchLiquidity(exchange, pair)
  if (units === null) return error
  return new AppError({
    code: error.code,
    disposition: error.disposition,
    message: `${error.message}; its solvers have ${units} units of ${pair.to}`,
    details: { ...error.details, liquidityUnits: units.toString() },
    cause: error,
  })
}
