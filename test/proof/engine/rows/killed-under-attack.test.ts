import { describe, expect, test } from "vitest"
import { IS_SAMPLED } from "../../../support/ci-sample.ts"
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

/** Returns whether the process had so many writes. */
async function dieAt(one: Case, at: number, when: "before" | "after"): Promise<boolean> {
  const run = begin(one)
  let daemon = await run.start({ dies: { at, when } })
  const isStored = await submit(run, daemon)
  await underAttack(
    run,
    one.attack,
    () => daemon,
    () => !daemon.isAlive() || isOver(run, daemon),
  )
  const hasDied = !daemon.isAlive()
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
  run.world.close()
  return hasDied
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
const STRIDE = Number(process.env["BALLAST_KILL_STRIDE"] ?? (IS_SAMPLED ? 32 : 16))

const CASES = SIDES.flatMap(casesOf)

/**
 * The campaign kills at every write of the run, in place of these samples. It has one attack for
 * each family, on both legs.
 */
const IS_EACH = process.env["BALLAST_EACH_KILL"] !== undefined
const EACH: Readonly<Record<Case["family"], string>> = {
  evm: "no node answers a look at any HTLC",
  solana: "fees rise",
  starknet: "nodes drop what waits, again and again",
  bitcoin: "one of two nodes shows our bytes mined",
}
const writes = (offset: number): readonly number[] =>
  Array.from({ length: 48 }, (_, index) => index + 1).filter(
    (at) => at % STRIDE === offset % STRIDE,
  )

describe.skipIf(IS_EACH).each(CASES)("$side leg on $family while $name", (one) => {
  const offset = CASES.indexOf(one)
  test.each(writes(offset).map((at) => ({ at, when: at % 2 === 0 ? "before" : "after" }) as const))(
    "a process that dies $when write $at loses nothing",
    async ({ at, when }) => void (await dieAt(one, at, when)),
  )
})

describe.skipIf(!IS_EACH).each(CASES.filter(({ family, name }) => EACH[family] === name))(
  "$side leg on $family while $name",
  (one) => {
    test("a process that dies at any write loses nothing", { timeout: 3_600_000 }, async () => {
      let kills = 0
      for (let at = 1, hasMore = true; hasMore; at++)
        for (const when of ["before", "after"] as const) {
          hasMore = await dieAt(one, at, when)
          kills += hasMore ? 1 : 0
        }
      console.log(`${one.side} on ${one.family}: died at each of ${kills} moments, nothing lost`)
      expect(kills).toBeGreaterThan(40)
    })
  },
)

describe.skipIf(IS_EACH).each(CASES.filter(({ side }) => side === "destination"))(
  "a journal from before the reveal on $family while $name",
  (one) => {
    test("loses nothing", async () => restoreJournal(one, "deposit-confirming"))
  },
)
