import { DatabaseSync } from "node:sqlite"
import { privateKeyToAccount } from "viem/accounts"

/** The turns of the work on the machine that the goals are for. */
const REFERENCE_TURNS_A_SECOND = 2_000
const MEASURE_MS = 600
const WARM_MS = 300
const ROWS_A_TURN = 4
/** As many fields as a stored order has, and about its bytes. */
const SAMPLE = Object.fromEntries(
  Array.from({ length: 48 }, (_, index) => [`field${index}`, { text: "x".repeat(120), index }]),
)
const HASH = `0x${"5a".repeat(32)}` as const
const KEY = `0x${"01".repeat(32)}` as const

/**
 * How many times longer the same fixed work takes here and now than on the machine that the goals
 * are for: a signature, the text of an order, a few rows of SQLite in memory, in the shares that
 * an order has of them. Nothing of Ballast runs in it, so a change of Ballast does not move it.
 * Never below 1: a faster machine gets no harder goal.
 */
export async function measureSlowness(): Promise<number> {
  const turn = openWork()
  await runFor(turn, WARM_MS)
  const turnsASecond = (await runFor(turn, MEASURE_MS)) / (MEASURE_MS / 1_000)
  return Math.max(1, REFERENCE_TURNS_A_SECOND / turnsASecond)
}

function openWork(): () => Promise<void> {
  const account = privateKeyToAccount(KEY)
  const db = new DatabaseSync(":memory:")
  db.exec("create table notes (id integer primary key, body text) strict")
  const insert = db.prepare("insert into notes (body) values (?)")
  return async () => {
    const body = JSON.stringify(JSON.parse(JSON.stringify(SAMPLE)))
    db.exec("begin")
    for (let row = 0; row < ROWS_A_TURN; row++) insert.run(body)
    db.exec("commit")
    db.exec("delete from notes")
    await account.sign({ hash: HASH })
  }
}

/** The turns that were done in the time. */
async function runFor(turn: () => Promise<void>, forMs: number): Promise<number> {
  const endMs = performance.now() + forMs
  let turns = 0
  for (; performance.now() < endMs; turns++) await turn()
  return turns
}
