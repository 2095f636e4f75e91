import { readFileSync } from "node:fs"
import { inspect } from "node:util"
import { expect, test } from "vitest"
import { textOf } from "#engine/orders/pay/own-secret.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import { viewOrder } from "#order/view.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"

/*
 * Our own secret is in no file and no answer before the decision to tell it. A backup copies the
 * journal's file, and the log of a cluster has its rows, so the file speaks for both.
 */

const ID = "order-1"
const MINUTE_MS = 60_000
const KEY = "5e".repeat(32)
const keeper = createSecretKeeper(new Secret(KEY, "env:SECRET_KEY"), "test")

let world: World
let daemon: Daemon

test.each([
  ["completes", { redeems: false }],
  ["is refunded", { fills: false }],
])("the secret of an order that %s", async (_ending, conduct) => {
  world = createWorld({ confirmations: 2, journal: "file" })
  Object.assign(world.service.conduct, conduct)
  daemon = world.start({
    settings: { ownSecrets: { keeper, modeOf: () => "own" as const, maxServiceSecret: null } },
  })
  await daemon.accept(ETH, ARB)
  const states = new Set<string>()
  let commits = 0
  const isDecided = (): boolean => daemon.context.journal.listSecretDecisions(ID).includes("reveal")
  const checkTexts = (): boolean => {
    if (isDecided()) return true
    const secret = secretOf(ID)
    if (secret === null || daemon.commits() === commits) return false
    commits = daemon.commits()
    states.add(daemon.state(ID))
    const texts = readTexts()
    expect(texts.filter((text) => text.includes(secret) || text.includes(KEY))).toEqual([])
    // The reading works: file and view have the hash.
    const { hash } = mustExist(daemon.order(ID).data.ownSecret, "our own secret")
    expect(texts.filter((text) => text.includes(hash)).length).toBeGreaterThan(1)
    return daemon.state(ID) === "refunded"
  }
  await world.run(checkTexts, 90 * MINUTE_MS)
  expect(states).toContain("funded")
})

function secretOf(id: string): string | null {
  const { ownSecret, service } = daemon.order(id).data
  return ownSecret == null
    ? null
    : textOf(keeper.derive({ service: service ?? "", nonce: ownSecret.nonce }))
}

/** The journal's files, and all answers about the order. */
function readTexts(): string[] {
  const { journal } = daemon.context
  const view = viewOrder(daemon.order(ID), new Map([ETH, ARB].map((id) => [id, 8])), 0)
  const answers = [
    view,
    journal.listAlerts(99),
    journal.listEvents(ID),
    journal.listDecisions({ rule: null, limit: 99 }),
  ]
  const files = ["", "-wal"].map((end) =>
    readFileSync(`${world.journalFile}${end}`).toString("latin1"),
  )
  return [...files, inspect(answers, { depth: 20, maxStringLength: null, maxArrayLength: null })]
}
