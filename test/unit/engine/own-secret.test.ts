import { describe, expect, test } from "vitest"
import type { SecretMode } from "#domain/order.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import { createMemory } from "#engine/memory.ts"
import {
  deriveOwnSecret,
  findSecretLimit,
  judgeServiceSecret,
  type OwnSecrets,
  refuseServiceSecret,
} from "#engine/orders/pay/own-secret.ts"
import { mayPrecedeJournal, noteHeight } from "#engine/watches/first-heights.ts"
import { Secret } from "#lib/secret.ts"
import { SAMPLE } from "../../support/order-sample.ts"

const { from, to } = SAMPLE.input.request
const KEEPER: NonNullable<OwnSecrets["keeper"]> = {
  fingerprint: "of the key",
  hashOf: ({ service, nonce }) => `hash of ${service} ${nonce}`,
  derive: ({ nonce }) => new Secret(`secret ${nonce}`, "test"),
}
const LIMIT: SoldLimit = { kind: "units", byAsset: { [from]: 100n } }
const secretsOf = (over: Partial<OwnSecrets> = {}, mode: SecretMode = "prefer-own"): OwnSecrets => {
  return { keeper: KEEPER, modeOf: () => mode, maxServiceSecret: LIMIT, ...over }
}

describe("our secret of an order", () => {
  const own = {
    nonce: "7",
    hash: "hash of main 7",
    status: "unknown",
    revealedAt: null,
    isTold: false,
  } as const
  test.each([
    ["is derived where the key gives its hash", secretsOf(), own, "main", "secret 7"],
    ["is not that of another service", secretsOf(), own, "beta", null],
    ["is not that of another key", secretsOf(), { ...own, hash: "other" }, "main", null],
    ["needs a key", secretsOf({ keeper: null }), own, "main", null],
    ["needs a configuration", undefined, own, "main", null],
    ["needs an order that has one", secretsOf(), null, "main", null],
    ["needs a chosen service", secretsOf(), own, null, null],
  ])("%s", (_what, secrets, ownSecret, service, expected) => {
    const secret = deriveOwnSecret(secrets, { ownSecret, service })
    expect(secret?.reveal() ?? null).toBe(expected)
  })
})

describe("a secret that the service would choose", () => {
  const choice = { service: "main", from, to, units: 101n, fiat: null, isOurs: true }
  const REFUSED = 1
  test.each([
    ["nothing is configured", undefined, choice, 0],
    ["ours may be used", secretsOf(), choice, 0],
    ["ours must be used", secretsOf({}, "own"), choice, 0],
    ["ours must be used, without a key", secretsOf({ keeper: null }, "own"), choice, 0],
    ["there is no key", secretsOf({ keeper: null }), choice, REFUSED],
    ["the pair leaves it to the service", secretsOf({}, "service"), choice, REFUSED],
    ["the payout goes elsewhere", secretsOf(), { ...choice, isOurs: false }, REFUSED],
    ["the order is at the limit", secretsOf({ keeper: null }), { ...choice, units: 100n }, 0],
    ["there is no limit", secretsOf({ keeper: null, maxServiceSecret: null }), choice, 0],
  ])("is judged where %s", (_what, secrets, sale, count) => {
    expect(judgeServiceSecret(secrets, sale)).toHaveLength(count)
  })

  test.each([
    [LIMIT, 100n, null, 0],
    [LIMIT, 101n, null, REFUSED],
    [{ kind: "units", byAsset: {} } satisfies SoldLimit, 1n, null, REFUSED],
    [{ kind: "fiat", fiat: 5n } satisfies SoldLimit, 1n, 5n, 0],
    [{ kind: "fiat", fiat: 5n } satisfies SoldLimit, 1n, 6n, REFUSED],
    [{ kind: "fiat", fiat: 5n } satisfies SoldLimit, 1n, null, REFUSED],
    [null, 10n ** 30n, null, 0],
  ])("is refused above its limit (%#)", (maxServiceSecret, units, fiat, count) => {
    const refused = refuseServiceSecret(secretsOf({ maxServiceSecret }), { from, units, fiat })
    expect(refused).toHaveLength(count)
  })

  const pair = { from, to, isOurs: true }
  test.each([
    ["every service would choose it", secretsOf({ keeper: null }), ["main", "beta"], LIMIT],
    ["one service leaves it to us", secretsOf({ modeOf: leaveToBeta }), ["main", "beta"], null],
    ["this service chooses it", secretsOf({ modeOf: leaveToBeta }), ["main"], LIMIT],
    ["no limit is set", secretsOf({ keeper: null, maxServiceSecret: null }), ["main"], null],
    ["nothing is configured", undefined, ["main"], null],
  ])("limits a pair where %s", (_what, secrets, services, limit) => {
    expect(findSecretLimit(secrets, services, pair)).toBe(limit)
  })
})

function leaveToBeta(service: string): SecretMode {
  return service === "beta" ? "prefer-own" : "service"
}

test("a block up to the first height that was seen may be older than the journal", () => {
  const known = { memory: createMemory() }
  const { chain } = SAMPLE.deposit
  expect(mayPrecedeJournal(known, chain, 10n ** 9n)).toBe(true)
  noteHeight(known, chain, 100n)
  noteHeight(known, chain, 200n)
  const older = [99n, 100n, 101n].map((height) => mayPrecedeJournal(known, chain, height))
  expect(older).toEqual([true, true, false])
})
