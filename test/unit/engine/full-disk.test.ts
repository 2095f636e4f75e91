import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { Conduct } from "../../support/fake-service.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"

/*
 * The journal keeps space for the time in which the disk is full. Without that space Ballast tells
 * no secret and deposits nothing (ADR 30).
 */

const ID = "order-1"
const UNITS = 10_000n
const MINUTE_MS = 60_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")

let world: World
let daemon: Daemon
let hasSpace = true

function start(conduct: Partial<Conduct>, isOwn = true): void {
  hasSpace = true
  world = createWorld({ confirmations: 2, journal: "file" })
  Object.assign(world.service.conduct, conduct)
  const ownSecrets = {
    keeper: isOwn ? keeper : null,
    modeOf: () => "prefer-own" as const,
    maxServiceSecret: null,
  }
  daemon = world.start({ settings: { ownSecrets }, hasSpace: () => hasSpace })
}

const submit = () => daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: UNITS })
const reach = (state: string): Promise<void> => daemon.reach(state, ID, 180 * MINUTE_MS)

test("an order is refused while the space is missing, and accepted without secrets of our own", async () => {
  start({})
  hasSpace = false
  expect(await submit()).toMatchObject({ ok: false, reasons: [{ code: "secret.no_space" }] })
  world.close()
  start({}, false)
  hasSpace = false
  expect(await submit()).toMatchObject({ ok: true })
})

test("an accepted order deposits nothing until the space is there", async () => {
  start({})
  expect(await submit()).toMatchObject({ ok: true })
  hasSpace = false
  await world.pass(5 * MINUTE_MS)
  expect(world.evm.state().swaps.size).toBe(0)
  expect(daemon.reasons()).toContain("secret.no_space")
  hasSpace = true
  await reach("completed")
})

test("a secret is kept while the space is missing, and the deposit is refunded", async () => {
  start({ takesBack: true })
  expect(await submit()).toMatchObject({ ok: true })
  await world.run(() => world.evm.state().swaps.size > 0)
  hasSpace = false
  await reach("refunded")
  expect(world.service.reveals).toEqual([])
  expect(daemon.context.journal.listSecretDecisions(ID)).toEqual(["withhold"])
})

test("a secret that is told already is followed to its end in less than half of an order's space", async () => {
  start({ redeems: false })
  expect(await submit()).toMatchObject({ ok: true })
  await world.run(() => daemon.context.journal.listSecretDecisions(ID).includes("reveal"))
  hasSpace = false
  const before = usedBytes()
  await reach("completed")
  expect(world.arbitrum.mined("redeem")).toHaveLength(1)
  expect(usedBytes() - before).toBeLessThan(32 * 1024)
})

/** The pages of the journal that hold rows. */
function usedBytes(): number {
  const db = new DatabaseSync(world.journalFile)
  const read = (name: string): number => Number(db.prepare(`pragma ${name}`).get()?.[name])
  const used = (read("page_count") - read("freelist_count")) * read("page_size")
  db.close()
  return used
}
