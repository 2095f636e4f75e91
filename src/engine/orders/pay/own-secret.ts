import type { AssetId } from "#domain/asset.ts"
import type { SecretMode } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import { SERVICE_SECRET, type SoldLimit } from "#domain/sold-limit.ts"
import { isAboveLimit } from "#guards/service-secret.ts"
import type { Secret } from "#lib/secret.ts"
import type { SecretKeeper } from "#lib/secret-keeper.ts"
import type { OrderData } from "#order/data.ts"

/** The choice of the orders' secrets. Without `keeper` the services choose them all. */
export type OwnSecrets = {
  readonly keeper: SecretKeeper | null
  readonly modeOf: (service: string, from: AssetId, to: AssetId) => SecretMode
  /** The largest order whose secret the service may choose; `null` for no limit. */
  readonly maxServiceSecret: SoldLimit | null
}

/**
 * The secret of the order; `null` where the key in use does not give the order's hash: another key
 * is configured now, or none.
 */
export function deriveOwnSecret(
  secrets: Pick<OwnSecrets, "keeper"> | undefined,
  { ownSecret, service }: Pick<OrderData, "ownSecret" | "service">,
): Secret | null {
  const keeper = secrets?.keeper ?? null
  if (keeper === null || ownSecret === null || service === null) return null
  const request = { service, nonce: ownSecret.nonce }
  return keeper.hashOf(request) === ownSecret.hash ? keeper.derive(request) : null
}

/**
 * The secret as the transaction of a redemption carries it, and the rescue data. Only a revealed
 * secret is asked for.
 */
export function textOf(secret: Secret): string {
  return secret.reveal()
}

/**
 * A sale, and whether its payout goes to our own wallet: only such a payout can have our secret.
 */
type SecretChoice = {
  readonly service: string
  readonly from: AssetId
  readonly to: AssetId
  readonly units: bigint
  readonly fiat: bigint | null
  readonly isOurs: boolean
}

/**
 * The reason against an order if, by configuration alone, the service would choose its secret. What
 * the chains allow is known only later. Pure.
 */
export function judgeServiceSecret(
  secrets: OwnSecrets | undefined,
  choice: SecretChoice,
): readonly Reason[] {
  if (secrets === undefined) return []
  const mode = secrets.modeOf(choice.service, choice.from, choice.to)
  const mayBeOwn = secrets.keeper !== null && mode !== "service" && choice.isOurs
  // `own` refuses the order with a reason of its own.
  return mayBeOwn || mode === "own" ? [] : refuseServiceSecret(secrets, choice)
}

/**
 * The largest order of a pair, where every service would choose the secret of a larger one too;
 * `null` for no such limit. Pure.
 */
export function findSecretLimit(
  secrets: OwnSecrets | undefined,
  services: Iterable<string>,
  pair: Pick<SecretChoice, "from" | "to" | "isOurs">,
): SoldLimit | null {
  const most = secrets?.maxServiceSecret ?? null
  const isLimited = [...services].every(
    (service) =>
      judgeServiceSecret(secrets, { ...pair, service, units: BEYOND, fiat: null }).length > 0,
  )
  return isLimited ? most : null
}

/** More than any limit. */
const BEYOND = 10n ** 60n

/** Pure. */
export function refuseServiceSecret(
  { maxServiceSecret }: OwnSecrets,
  { from, units, fiat }: Pick<SecretChoice, "from" | "units" | "fiat">,
): readonly Reason[] {
  return isAboveLimit(maxServiceSecret, { asset: from, units, fiat }) ? [SERVICE_SECRET] : []
}
