import type { Config } from "#config/config.ts"
import { openChain } from "#daemon/compose.ts"
import { openRoutes } from "#daemon/open-routes.ts"
import { chainOf } from "#domain/asset.ts"
import type { OrderTerms } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { Chains } from "#engine/context.ts"
import { reasonOf } from "#engine/orders/observe/job.ts"
import { findMissingGas } from "#engine/orders/route/payout-gas.ts"
import { toAppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import type { RoutePort } from "#ports/route.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

/**
 * Judges a deposit of one whole unit in each direction of each route, by the same reads that come
 * before every deposit: contracts as pinned and linked, nothing paused, limits, our own accounts.
 */
export async function judgeRouteLegs(config: Config, clock: Clock): Promise<Diagnosis[]> {
  if (config.routes.length === 0) return []
  try {
    const ports = await Promise.all(config.chains.map((chain) => openChain(chain, config, clock)))
    const chains: Chains = new Map(ports.map((port) => [port.chain, port]))
    const dropped: Reason[] = []
    const onDroppedQuote = (reason: Reason): void => void dropped.push(reason)
    const world = { clock, log: silentLogger, onDroppedQuote }
    const { routes } = await openRoutes(config, chains, world)
    const checks = config.routes.map(async ({ kind, assets, pinned = {} }) => {
      const own = config.assets.filter(({ id }) => assets.includes(id))
      const route = mustExist(routes?.get(kind), kind)
      const found = await checkRoute(route, chains, { assets: own, dropped })
      const bare = [...new Set(assets.map(chainOf))].filter((chain) => !pinned[chain]?.length)
      return [...found, ...diagnoseBare(kind, bare)]
    })
    return (await Promise.all(checks)).flat()
  } catch (error) {
    const found = toAppError(error, { code: "doctor.routes", disposition: "bug" }).message
    return [broken("routes", found, "Mend the chains and keys first.")]
  }
}

async function checkRoute(
  route: RoutePort,
  chains: Chains,
  { assets, dropped }: Pick<Config, "assets"> & { readonly dropped: readonly Reason[] },
): Promise<Diagnosis[]> {
  const pairs = assets.flatMap((from) =>
    assets.filter((to) => to !== from).map((to) => ({ from, to })),
  )
  const found = await Promise.all(
    pairs.map(async (pair) => {
      const reasons = await findObstacles(route, chains, pair).catch((error: unknown) => [
        reasonOf(toAppError(error, { code: "doctor.routes", disposition: "bug" })),
      ])
      // The quotes of all directions were dropped for the same few reasons.
      const told = reasons.includes(NO_QUOTE) ? [NO_QUOTE, ...firstOfEach(dropped)] : reasons
      return diagnose(`${route.kind} ${pair.from.id} → ${pair.to.id}`, told)
    }),
  )
  const bad = found.flat()
  const fine = `${pairs.length} directions, and their contracts are as configured and linked`
  return bad.length > 0 ? bad : [healthy(`route ${route.kind}`, fine)]
}

async function findObstacles(
  route: RoutePort,
  chains: Chains,
  { from, to }: { readonly from: Config["assets"][number]; readonly to: Config["assets"][number] },
): Promise<readonly Reason[]> {
  const [source, destination] = [from, to].map(({ id }) => mustExist(chains.get(chainOf(id)), id))
  const leg = mustExist(source?.routeLegs?.get(route.kind), from.id)
  const payoutLeg = mustExist(destination?.routeLegs?.get(route.kind), to.id)
  const sourceUnits = 10n ** BigInt(from.decimals)
  const request = { from: from.id, to: to.id, sourceUnits, affiliateBps: 0 }
  const [quote] = await route.fetchQuotes(request)
  if (quote === undefined) return [NO_QUOTE]
  const owner = mustExist(destination, to.id).account
  const terms: OrderTerms = {
    from: from.id,
    to: to.id,
    sourceUnits,
    destinationUnits: quote.destinationUnits,
    sourceOwner: mustExist(source, from.id).account,
    destinationOwner: owner,
  }
  const opened = route.open({ orderId: "doctor", dealKey: "00".repeat(32), terms, quote })
  const deposit = leg.decodeDeposit(opened.depositRequest, from.id)
  if (deposit.findings.length > 0) return deposit.findings
  const obstacles = await Promise.all([
    leg.checkDeposit(deposit),
    payoutLeg.checkPayout({ asset: to.id, deposit, owner }, null),
    findMissingGas({ chains }, quote),
  ])
  return obstacles.flat()
}

function diagnoseBare(kind: string, bare: readonly string[]): readonly Diagnosis[] {
  if (bare.length === 0) return []
  const todo = `Run \`ballast discover\`, review its findings, and copy \`routes.${kind}.pinned\`.`
  return [doubtful(`route ${kind} contracts`, `code not pinned: ${bare.join(", ")}`, todo)]
}

function firstOfEach(reasons: readonly Reason[]): readonly Reason[] {
  return [...new Map(reasons.map((reason) => [reason.code, reason])).values()]
}

const NO_QUOTE: Reason = { code: "route.no_quote", message: "The route gives no quote" }

function diagnose(check: string, reasons: readonly Reason[]): readonly Diagnosis[] {
  const gas = reasons.find(({ code }) => code === "route.payout_gas")
  const others = reasons.filter((reason) => reason !== gas)
  const found = others.map(({ code, message }) => `${message} [${code}]`).join("; ")
  return [
    ...(others.length === 0 ? [] : [broken(check, found, SERVICES_TAKE)]),
    ...(gas === undefined ? [] : [doubtful(check, gas.message, SERVICES_TAKE)]),
  ]
}

const SERVICES_TAKE =
  "See the code in docs/ERRORS.md. Nothing is burnt meanwhile: orders take another route."
