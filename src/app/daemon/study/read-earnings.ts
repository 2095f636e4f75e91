import { compareEarnings } from "#books/compare-earnings.ts"
import type { Config } from "#config/config.ts"
import { formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { StatedEarnings } from "#domain/route/affiliate-fee.ts"
import { reasonOf } from "#engine/orders/observe/job.ts"
import { toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Paces } from "#nodes/paces.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { openProbe } from "../serve/ask-service.ts"
import { decimalsOf } from "../start/decimals-of.ts"

type Earnings = AnswerOf<"Earnings">

/**
 * The affiliate earnings of all time by our own orders, beside what the services state. `paces`:
 * those of the daemon's other calls.
 */
export async function readEarnings(
  config: Config,
  { weeks }: AnswerOf<"AffiliateReport">,
  clock: Clock,
  paces?: Paces,
): Promise<Earnings> {
  const decimals = decimalsOf(config)
  const show = (asset: AssetId, units: bigint): string | null => {
    const digits = decimals.get(asset)
    return digits === undefined ? null : formatUnits(units, digits)
  }
  const lists = await Promise.all(
    config.services.map(async (service) => ({
      service: service.name,
      ...(await readList(openProbe(service, service.timeoutMs, clock, paces).askEarnings)),
    })),
  )
  const own = weeks.map((week) => ({ ...week, units: BigInt(week.amountUnits) }))
  const stated = lists.flatMap(({ earnings }) => earnings)
  const compared = compareEarnings(
    own,
    stated,
    lists.every(({ error }) => error === null),
  )
  return {
    assets: compared.map(({ asset, ownUnits, statedUnits, verdict }) => ({
      asset,
      own: show(asset, ownUnits),
      ownUnits: ownUnits.toString(),
      stated: show(asset, statedUnits),
      statedUnits: statedUnits.toString(),
      differenceUnits: (statedUnits - ownUnits).toString(),
      verdict,
    })),
    services: lists.map(({ service, earnings, error }) => ({
      service,
      error,
      owed: earnings.map(({ asset, owedUnits, paidUnits, contract }) => ({
        asset,
        owed: show(asset, owedUnits),
        owedUnits: owedUnits.toString(),
        paidUnits: paidUnits?.toString() ?? null,
        contract,
      })),
    })),
  }
}

type List = {
  readonly earnings: readonly StatedEarnings[]
  readonly error: Earnings["services"][number]["error"]
}

/** The list is outside of the service interface, so a service may lack it. */
async function readList(ask: () => Promise<readonly StatedEarnings[]>): Promise<List> {
  try {
    return { earnings: await ask(), error: null }
  } catch (error) {
    const known = toAppError(error, { code: "ops.internal", disposition: "bug" })
    return { earnings: [], error: reasonOf(known) }
  }
}
