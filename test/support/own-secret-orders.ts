import { randomBytes } from "node:crypto"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { StoredOrder } from "#sandbox/service/stored-order.ts"

/* Orders with our own secret, and the secrets that their nonces give. */

/** The key of one test run. Daemons get it in their environment. */
export const SECRETS_KEY = randomBytes(32).toString("hex")
export const SECRETS_ENV = { TEST_SECRETS_KEY: SECRETS_KEY }

/** The part of a configuration that turns our own secrets on, with the most detailed log. */
export const OWN_SECRETS = {
  treasury: "test",
  secrets: { key: "env:TEST_SECRETS_KEY" },
  log: { level: "trace" },
}

export const secretKeeper = createSecretKeeper(
  new Secret(SECRETS_KEY, "env:TEST_SECRETS_KEY"),
  "test",
)

type Service = { readonly service: string }

export function secretOf({ nonce }: Pick<StoredOrder, "nonce">): string {
  return secretKeeper.derive({ service: "main", nonce }).reveal()
}

export async function listStored({ service }: Service): Promise<readonly StoredOrder[]> {
  const answer = await fetch(`${service}/sandbox/orders`)
  // CAST: the sandbox's own answer.
  return ((await answer.json()) as { orders: StoredOrder[] }).orders
}

/** The service's order with this secret hash. */
export async function findStored(
  service: Service,
  secretHash: string | undefined,
): Promise<StoredOrder> {
  const stored = await listStored(service)
  return mustExist(
    stored.find(({ source }) => source.swap.secretHash === secretHash),
    "the service's order",
  )
}
