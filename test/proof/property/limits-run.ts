import type { AssetId } from "#domain/asset.ts"
import { fetchQuote } from "#engine/orders/deposit/fetch-quote.ts"
import { applyEvent } from "#engine/orders/stepper.ts"
import { admitSwap, type SwapRequest } from "#engine/rules/admission.ts"
import { AppError } from "#lib/app-error.ts"
import type { Journal } from "#ports/journal.ts"
import { createRandom, type Random } from "../fault-sim/random.ts"
import { abandon, complete, deposit, readOrder, refund, reject } from "./limits-order-steps.ts"
import { type Entry, findBreaches } from "./limits-reference.ts"
import { ASSETS, BTC, createLimitsWorld, ETH, HOUR_MS, type LimitsWorld } from "./limits-world.ts"

export type LimitsRun = {
  readonly breaches: readonly string[]
  readonly accepted: number
  readonly ends: ReadonlyMap<string, number>
  /** The number of refusals by reason code: a limit that was never reached proves nothing. */
  readonly refusals: ReadonlyMap<string, number>
}

/**
 * Runs random requests, several at the same moment, with random outcomes, restarts and silent times
 * of the service. Stops at the first breach.
 */
export async function runLimits(
  seed: number,
  rounds: number,
  plant: (journal: Journal) => Journal = (journal) => journal,
): Promise<LimitsRun> {
  const random = createRandom(seed)
  const world = createLimitsWorld(random, plant)
  const entries: Entry[] = []
  const refusals = new Map<string, number>()
  const ends = new Map<string, number>()
  const count = (map: Map<string, number>, key: string): void =>
    void map.set(key, (map.get(key) ?? 0) + 1)
  let breaches: string[] = []
  try {
    for (let round = 0; round < rounds && breaches.length === 0; round++) {
      world.silent = random.chance(0.1)
      changePrices(world, random)
      const admissions = Array.from({ length: 1 + random.below(4) }, () =>
        ask(world, random, entries),
      )
      for (const codes of await Promise.all(admissions))
        for (const code of codes) count(refusals, code)
      for (const entry of entries.filter(({ endedAt }) => endedAt === null)) {
        const end = await goOn(world, random, entry)
        if (end !== null) count(ends, end)
      }
      if (random.chance(0.05)) world.restart()
      world.clock.set(world.clock.now() + random.below(random.pick([1_000, HOUR_MS / 6, HOUR_MS])))
      breaches = findBreaches(entries, world.balances, world.clock.now())
    }
  } finally {
    world.close()
  }
  return { breaches, accepted: entries.length, ends, refusals }
}

async function ask(world: LimitsWorld, random: Random, entries: Entry[]): Promise<string[]> {
  const from = random.pick(ASSETS)
  const to = random.pick(ASSETS.filter((asset) => asset !== from) as [AssetId, AssetId])
  const units = 1n + BigInt(random.below(random.pick([200, 4_200])))
  const rule = random.pick(["a", "b", "manual"])
  const request: SwapRequest = {
    rule,
    secondRule: rule === "a" && random.chance(0.3) ? "b" : null,
    occurrence: null,
    from,
    to,
    sourceUnits: units,
  }
  const answer = await admitSwap(world.context, request)
  if (!answer.ok) return answer.reasons.map(({ code }) => code)
  const acceptedAt = world.clock.now()
  const entry: Entry = {
    id: answer.id,
    rules: [rule, request.secondRule ?? rule],
    from,
    to,
    units,
    acceptedAt,
    service: null,
    fiat: null,
    quoteFeeFiat: 0n,
    depositedAt: null,
    endedAt: null,
    networkFiat: 0n,
    completed: false,
  }
  noteQuote(world, entry)
  entries.push(entry)
  return []
}

/** Notes the prices and the service that apply to the order from now on, if it has a quote. */
function noteQuote(world: LimitsWorld, entry: Entry): void {
  const { quote } = readOrder(world, entry.id).data
  if (quote === null) return
  entry.service = quote.solverId
  entry.fiat = entry.units * (world.prices.get(entry.from) ?? 1n)
  entry.quoteFeeFiat = entry.fiat / 200n
}

/** Takes one step of an order, or none. Returns its outcome if it ended, otherwise `null`. */
async function goOn(world: LimitsWorld, random: Random, entry: Entry): Promise<string | null> {
  if (random.chance(0.6)) return null
  const { state } = readOrder(world, entry.id)
  const end = (how: string): string => {
    entry.endedAt = world.clock.now()
    return how
  }
  if (state === "quoting" || state === "creating") {
    if (random.chance(0.15)) {
      reject(world, entry.id)
      return end("rejected")
    }
    if (random.chance(0.1)) {
      abandon(world, entry.id)
      return end("abandoned")
    }
    if (state === "quoting") return (await quoteLate(world, entry)) ? null : end("rejected")
    pay(world, entry, entry.from, entry.units, 1n + BigInt(random.below(30)))
    return null
  }
  if (random.chance(0.3)) {
    const feeUnits = 1n + BigInt(random.below(20))
    refund(world, entry.id, feeUnits)
    take(world, entry.from, -entry.units)
    payFee(world, entry, feeUnits)
    return end("refunded")
  }
  complete(world, entry.id)
  entry.completed = true
  take(world, entry.to, -(readOrder(world, entry.id).data.terms?.destinationUnits ?? 0n))
  return end("completed")
}

/**
 * Fetches the quote of an order that was accepted while the service was silent; the limits can be
 * used up by then.
 */
async function quoteLate(world: LimitsWorld, entry: Entry): Promise<boolean> {
  if (world.silent) return true
  const { data } = readOrder(world, entry.id)
  const job = {
    context: world.context,
    data,
    repeated: false,
    begin: () => Promise.resolve(),
    nowMs: world.clock.now(),
  }
  const result = await fetchQuote(job).catch(refuseUnlessResting)
  if (result === null) return true
  applyEvent(world.context, entry.id, result, null)
  if (readOrder(world, entry.id).state === "rejected") return false
  noteQuote(world, entry)
  return true
}

/** Both services rest after a silent time. */
function refuseUnlessResting(error: unknown): null {
  if (error instanceof AppError && error.code === "service.resting") return null
  throw error
}

function pay(
  world: LimitsWorld,
  entry: Entry,
  asset: AssetId,
  units: bigint,
  feeUnits: bigint,
): void {
  deposit(world, entry.id, feeUnits)
  entry.depositedAt = world.clock.now()
  take(world, asset, units)
  payFee(world, entry, feeUnits)
}

function payFee(world: LimitsWorld, entry: Entry, feeUnits: bigint): void {
  const native = entry.from === BTC ? BTC : ETH
  take(world, native, feeUnits)
  entry.networkFiat +=
    (feeUnits * (readOrder(world, entry.id).data.value?.nativePrice?.fiat ?? 0n)) / 100n
}

function take(world: LimitsWorld, asset: AssetId, units: bigint): void {
  world.balances.set(asset, (world.balances.get(asset) ?? 0n) - units)
}

function changePrices(world: LimitsWorld, random: Random): void {
  for (const asset of ASSETS)
    if (random.chance(0.1)) world.prices.set(asset, 1n + BigInt(random.below(4)))
}
