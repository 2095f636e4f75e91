import { describe, expect, test } from "vitest"
import {
  begin,
  type Case,
  casesOf,
  copyJournal,
  expectNothingLost,
  ID,
  isOver,
  SIDES,
  submit,
  underAttack,
} from "./attacked-order.ts"

/*
 * A process that dies at any write, while strangers, nodes and the service attack the leg that
 * brings the money: the payout of a told secret, or the refund of a deposit. Each family, and a
 * journal from before the reveal too.
 */

async function dieAt(one: Case, at: number, when: "before" | "after"): Promise<void> {
  const run = begin(one)
  let daemon = await run.start({ dies: { at, when } })
  const isStored = await submit(run, daemon)
  await underAttack(
    run,
    one.attack,
    () => daemon,
    () => !daemon.isAlive() || isOver(run, daemon),
  )
  daemon.kill()
  daemon = await run.start()
  if (!isStored && daemon.state(ID) === "none") {
    run.world.forgetIds()
    expect(await submit(run, daemon)).toBe(true)
  }
  await underAttack(
    run,
    one.attack,
    () => daemon,
    () => isOver(run, daemon),
  )
  expectNothingLost(run)
}

async function restoreJournal(one: Case, from: string): Promise<void> {
  const run = begin(one)
  let daemon = await run.start()
  await submit(run, daemon)
  await daemon.reach(from)
  daemon.kill()
  const { journalFile } = run.world
  copyJournal(journalFile, `${journalFile}.old`)
  daemon = await run.start()
  const isTold = () => daemon.context.journal.listSecretDecisions(ID).includes("reveal")
  await run.world.run(() => isTold() || isOver(run, daemon))
  daemon.kill()
  copyJournal(`${journalFile}.old`, journalFile)
  daemon = await run.start()
  await underAttack(
    run,
    one.attack,
    () => daemon,
    () => isOver(run, daemon),
  )
  expectNothingLost(run)
}

/** Each case dies at every so many writes, and the cases begin at different ones. */
const STRIDE = Number(process.env["BALLAST_KILL_STRIDE"] ?? 16)

const CASES = SIDES.flatMap(casesOf)
const writes = (offset: number): readonly number[] =>
  Array.from({ length: 48 }, (_, index) => index + 1).filter(
    (at) => at % STRIDE === offset % STRIDE,
  )

describe.each(CASES)("$side leg on $family while $name", (one) => {
  const offset = CASES.indexOf(one)
  test.each(writes(offset).map((at) => ({ at, when: at % 2 === 0 ? "before" : "after" }) as const))(
    "a process that dies $when write $at loses nothing",
    async ({ at, when }) => dieAt(one, at, when),
  )
})

describe.each(CASES.filter(({ side }) => side === "destination"))(
  "a journal from before the reveal on $family while $name",
  (one) => {
    test("loses nothing", async () => restoreJournal(one, "deposit-confirming"))
  },
)
