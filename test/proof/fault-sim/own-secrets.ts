import type { OwnSecrets } from "#engine/orders/pay/own-secret.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import { hashOf } from "../../support/fake-chain.ts"
import type { Conduct, FakeOrder } from "../../support/fake-service.ts"
import { ASSETS } from "./simulated-assets.ts"

/*
 * A run with own secrets: service and solver have one scheme for each order, and none of them may
 * take a deposit without a payout.
 */

export const OWN_SECRETS: OwnSecrets = {
  keeper: createSecretKeeper(new Secret("5e".repeat(32), "simulated"), "simulated"),
  modeOf: () => "own",
  maxServiceSecret: null,
}

/** The services choose the secrets of all orders, and those of orders above `units` are refused. */
export function serviceSecretsUpTo(units: bigint): OwnSecrets {
  const byAsset = Object.fromEntries(ASSETS.map(({ id }) => [id, units]))
  return { keeper: null, modeOf: () => "service", maxServiceSecret: { kind: "units", byAsset } }
}

const SCHEMES: readonly Partial<Conduct>[] = [
  {},
  // The service keeps the secret to itself, and takes the source with it at once.
  { redeems: false },
  { redeems: false, takesBack: true },
  { redeems: false, takesSource: false, takesBack: true },
  { fillShortUnits: 100n, takesBack: true },
  { fillTimelock: 8n, takesBack: true },
  { fillsForAnother: true, takesBack: true },
  { fills: false },
]

/** The scheme of an order, which stays the same in every turn. */
export function treatOwnSecret({ secretHash }: Pick<FakeOrder, "secretHash">): Partial<Conduct> {
  return (
    SCHEMES[Number.parseInt(hashOf(`own ${secretHash}`).slice(0, 6), 16) % SCHEMES.length] ?? {}
  )
}
