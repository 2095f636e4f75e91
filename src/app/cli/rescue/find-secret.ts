import type { Config } from "#config/config.ts"
import { deriveOwnSecret, textOf } from "#engine/orders/pay/own-secret.ts"
import { openSecretKeeper } from "#lib/secret-keeper.ts"
import type { OrderData } from "#order/data.ts"
import type { SecretDecision } from "#ports/signing-record.ts"

/** The secret of an order, or why it is not given. */
export type FoundSecret = { readonly secret: string | null; readonly why: string | null }

/**
 * Derives the secret of an order, but only after the journal decided to tell it: until then the
 * solver could take the deposit with it and pay nothing. After a lost payout that holds again,
 * because the solver may not know the secret yet. `decisions` are those on disk.
 */
export function findSecret(
  order: Pick<OrderData, "ownSecret" | "service">,
  decisions: readonly SecretDecision[],
  config: Pick<Config, "secrets" | "treasury"> | null,
): FoundSecret {
  if (order.ownSecret == null) return withheld("the service chose it")
  if (decisions.includes("lost"))
    return withheld("not given: the payout is lost, and the deposit waits for its refund")
  if (!decisions.includes("reveal"))
    return withheld("not given: Ballast has not decided to tell it")
  const key = config?.secrets.key ?? null
  const keeper = key === null || config === null ? null : openSecretKeeper(key, config.treasury)
  const secret = deriveOwnSecret({ keeper }, order)
  if (secret === null)
    return withheld(
      "the configured `secrets.key` does not give it: run this command with the key of the daemon",
    )
  return { secret: textOf(secret), why: null }
}

function withheld(why: string): FoundSecret {
  return { secret: null, why }
}
