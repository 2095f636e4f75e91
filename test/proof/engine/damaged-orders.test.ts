import { DatabaseSync } from "node:sqlite"
import { beforeEach, expect, test } from "vitest"
import { createWorld, type Daemon, type World } from "../../support/fake-world.ts"

const [DAMAGED, SOUND] = ["order-1", "order-2"] as const
const FIRST = `order_id = '${DAMAGED}' and previous is null`
const LAST = `seq = (select last_event from orders where id = '${DAMAGED}')`

let world: World
let daemon: Daemon
beforeEach(async () => {
  world = createWorld({ journal: "file" })
  daemon = world.start()
  world.service.conduct.fills = false
  await daemon.accept()
  await daemon.reach("funded", DAMAGED)
})

const alerts = (): (string | undefined)[] => {
  return daemon.context.journal
    .listAlerts(9)
    .map(({ reason }) => `${reason.code} ${String(reason["order"])}`)
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
  [
    "work that is no text of Ballast",
    `update orders set work = '{"kind":' where id = '${DAMAGED}'`,
  ],
  ["work without content", `update orders set work = 'null' where id = '${DAMAGED}'`],
  ["work of an unknown kind", `update orders set work = '{"kind":"fly"}' where id = '${DAMAGED}'`],
  ["a snapshot that is cut off", `update events set change = substr(change, 1, 90) where ${FIRST}`],
  [
    "a change that is cut off",
    `update events set change = substr(change, 1, length(change) - 1) where ${LAST}`,
  ],
  ["a change that is lost", `update events set change = '' where ${LAST}`],
  ["a text that an event lost", `update events set body = '{}' where order_id = '${DAMAGED}'`],
  [
    "a snapshot of another version",
    `update events set change = '{"version":99,"state":"x","data":{}}' where ${LAST};
     update orders set changes = 1 where id = '${DAMAGED}'`,
  ],
])("%s isolates its order with one alert, and the others go on", async (_what, sql) => {
  damage(sql)
  await daemon.accept()
  await daemon.reach("completed", SOUND)
  await world.pass(10 * 60_000)
  expect(alerts().filter((alert) => alert === `journal.order_damaged ${DAMAGED}`)).toHaveLength(1)
  daemon.kill()
  daemon = world.start()
  await world.pass(10 * 60_000)
  expect(alerts().filter((alert) => alert === `journal.order_damaged ${DAMAGED}`)).toHaveLength(1)
  expect(daemon.state(DAMAGED)).toBe("funded")
})

test("a repaired order goes on", async () => {
  damage(`create table kept as select work from orders where id = '${DAMAGED}';
    update orders set work = 'x' where id = '${DAMAGED}'`)
  await world.pass(60_000)
  damage(`update orders set work = (select work from kept) where id = '${DAMAGED}'`)
  await daemon.reach("completed", DAMAGED)
})
