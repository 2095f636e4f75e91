import type { SoldLimit } from "#domain/sold-limit.ts"
import type { Secret } from "#lib/secret.ts"
import type { SecretKeeper } from "#lib/secret-keeper.ts"
import type { OrderData } from "#order/data.ts"

/** The choice of the orders' secrets. Without it in the settings the services choose them. */
export type OwnSecrets = {
  readonly keeper: SecretKeeper
  readonly modeOf: (service: string) => SecretMode
  /** The largest order whose secret the service may choose; `null` for no limit. */
  readonly maxServiceSecret: SoldLimit | null
}

/** `own`: Ballast, or the order ends. `prefer-own`: Ballast, unless chain or service cannot. `service`: the service. */
export type SecretMode = "own" | "prefer-own" | "service"

/** The secret of the order; `null` where the key in use does not give the order's hash: another key is configured now, or none. */
export function deriveOwnSecret(
  secrets: OwnSecrets | undefined,
  { ownSecret, service }: Pick<OrderData, "ownSecret" | "service">,
): Secret | null {
  if (secrets === undefined || ownSecret == null) return null
  const request = { service: service ?? "", nonce: ownSecret.nonce }
  return secrets.keeper.hashOf(request) === ownSecret.hash ? secrets.keeper.derive(request) : null
}

/** The secret as the transaction of a redemption carries it. Only a revealed secret is asked for. */
export function textOf(secret: Secret): string {
  return secret.reveal()
}
