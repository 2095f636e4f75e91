import type { AssetId } from "#domain/asset.ts"
import type { SecretMode } from "#domain/secret-mode.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
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

/** The secret of the order; `null` where the key in use does not give the order's hash: another key is configured now, or none. */
export function deriveOwnSecret(
  secrets: Pick<OwnSecrets, "keeper"> | undefined,
  { ownSecret, service }: Pick<OrderData, "ownSecret" | "service">,
): Secret | null {
  const keeper = secrets?.keeper ?? null
  if (keeper === null || ownSecret == null) return null
  const request = { service: service ?? "", nonce: ownSecret.nonce }
  return keeper.hashOf(request) === ownSecret.hash ? keeper.derive(request) : null
}

/** The secret as the transaction of a redemption carries it, and the rescue data. Only a revealed secret is asked for. */
export function textOf(secret: Secret): string {
  return secret.reveal()
}
