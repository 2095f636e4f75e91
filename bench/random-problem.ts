import { parseAssetId } from "#domain/asset.ts"
import { headroomOf } from "#policy/headroom.ts"
import type { Need } from "#policy/need.ts"
import { buildProblem } from "#policy/planner/build-problem.ts"
import { findRoutes } from "#policy/planner/find-routes.ts"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import { decideBand } from "#policy/rules/band/decide-band.ts"
import { type AssetView, positionUnits, type TreasuryView } from "#policy/treasury-view.ts"

const ORDERS = 12
const FIAT = 1_000_000n

type Random = () => number

/**
 * A treasury with a band for each asset, most of them out of bounds, and a route of its own between
 * any two. Prices are 1, so that units equal fiat; the planner works the same at any price.
 */
export function randomProblem(size: number, random: Random): FlowProblem {
  const money = (from: number, to: number): bigint => moneyOf(random, from, to)
  const ids = Array.from({ length: size }, (_, index) => parseAssetId(`chain${index}:usd`))
  const assets = ids.map((id): AssetView => {
    const spendableUnits = money(0, 40_000)
    const balance = {
      readable: true as const,
      spendableUnits,
      inFlightInUnits: 0n,
      inFlightOutUnits: 0n,
      floorUnits: 0n,
    }
    return { id, decimals: 6, balance, priceFiat: FIAT }
  })
  const pairs = ids.flatMap((from) =>
    ids
      .filter((to) => to !== from)
      .map((to) => ({
        from,
        to,
        quote: {
          readable: true as const,
          available: random() < 0.9,
          fixedFeeFiat: money(0, 4),
          bps: BigInt(Math.floor(random() * 60)),
          minUnits: money(10, 100),
          maxUnits: random() < 0.3 ? money(4_000, 12_000) : null,
        },
      })),
  )
  const view: TreasuryView = { assets, pairs }
  const rules = assets.map((asset): BandRule => {
    const held = asset.balance.readable ? positionUnits(asset.balance) : 0n
    const [minUnits, maxUnits] = shuffledBounds(held, random)
    const others = ids.filter((id) => id !== asset.id)
    return {
      id: asset.id,
      kind: "band",
      asset: asset.id,
      minUnits,
      maxUnits,
      targetUnits: (minUnits + maxUnits) / 2n,
      sources: others,
      sinks: others,
    }
  })
  const needs = rules.flatMap((rule): readonly Need[] => {
    const answer = decideBand(rule, view)
    return answer.ok ? answer.needs : []
  })
  const limits = {
    maxOrders: ORDERS,
    maxOrder: null,
    split: true,
    maxCost: { kind: "share" as const, bps: 100n },
  }
  const balances = new Map(
    assets.flatMap(({ id, balance }) => (balance.readable ? [[id, balance] as const] : [])),
  )
  return buildProblem(findRoutes(needs, view).routes, limits, headroomOf(rules, view), balances)
    .problem
}

/** Bounds around, above or below the balance: enough, too little, or too much. */
function shuffledBounds(held: bigint, random: Random): [bigint, bigint] {
  const width = moneyOf(random, 500, 10_000)
  const shift = moneyOf(random, 200, 15_000)
  const kind = random()
  if (kind < 0.4) return [held + shift, held + shift + width]
  if (kind < 0.8 && held > shift)
    return [held > shift + width ? held - shift - width : 0n, held - shift]
  return [held > width ? held - width : 0n, held + width]
}

function moneyOf(random: Random, from: number, to: number): bigint {
  return (BigInt(Math.floor((from + random() * (to - from)) * 100)) * FIAT) / 100n
}

/** mulberry32: a small seeded generator, good enough for random instances. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
