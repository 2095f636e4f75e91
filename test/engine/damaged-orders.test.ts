import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, test } from "vitest"
import { BTC, createWorld, type Daemon, ETH, type World } from "../support/fake-world.ts"

const [DAMAGED, SOUND] = ["order-1", "order-2"] as const

let world: World
let daemon: Daemon
beforeEach(async () => {
  world = createWorld({ journal: "file" })
  daemon = world.start()
  world.service.conduct.fills = false
  await submit()
  await world.run(() => daemon.state(DAMAGED) === "funded")
})
afterEach(() => world.close())

async function submit(): Promise<void> {
  expect(await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })).toMatchObject({ ok: true })
}

const alerts = (): (string | undefined)[] => {
  return daemon.context.journal.listAlerts(9).map(({ reason }) => `${reason.code} ${String(reason["order"])}`)
}

/** Writes to the journal's file while no daemon runs, and starts the next one. */
function damage(sql: string): void {
  daemon.kill()
  const db = new DatabaseSync(world.journalFile)
  db.exec(sql)
  db.close()
  world.service.conduct.fills = true
  daemon = world.start()
}

test.each([
  ["an outbox row that is no text of Ballast", `update outbox set body = '{"kind":' where order_id = '${DAMAGED}'`],
  ["an outbox row without content", `update outbox set body = 'null' where order_id = '${DAMAGED}'`],
  ["work of an unknown kind", `update outbox set body = '{"kind":"fly"}' where order_id = '${DAMAGED}'`],
  ["a snapshot that is cut off", `update orders set snapshot = substr(snapshot, 1, 90) where id = '${DAMAGED}'`],
  [
    "a snapshot of a newer version",
    `update orders set snapshot = '{"version":99,"state":"x","data":{}}' where id = '${DAMAGED}'`,
  ],
])("%s isolates its order with one alert, and the others go on", async (_what, sql) => {
  damage(sql)
  await submit()
  await world.run(() => daemon.state(SOUND) === "completed")
  await world.pass(30 * 60_000)
  expect(alerts().filter((alert) => alert === `journal.order_damaged ${DAMAGED}`)).toHaveLength(1)
  daemon.kill()
  daemon = world.start()
  await world.pass(30 * 60_000)
  expect(alerts().filter((alert) => alert === `journal.order_damaged ${DAMAGED}`)).toHaveLength(1)
  expect(daemon.state(DAMAGED)).toBe("funded")
})

test("a repaired order goes on", async () => {
  damage(`create table kept as select body from outbox where order_id = '${DAMAGED}';
    update outbox set body = 'x' where order_id = '${DAMAGED}'`)
  await world.pass(60_000)
  damage(`update outbox set body = (select body from kept) where order_id = '${DAMAGED}'`)
  await world.run(() => daemon.state(DAMAGED) === "completed")
})
