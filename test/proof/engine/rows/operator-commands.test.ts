import { describe, expect, test } from "vitest"
import {
  begin,
  type Case,
  casesOf,
  expectNothingLost,
  ID,
  isOver,
  type Run,
  SIDES,
  submit,
  underAttack,
} from "./attacked-order.ts"

/*
 * An operator who asks for the redemption of a told secret's payout, or for a refund, again and
 * again while the attack runs: `ballast redeem ID` and `ballast refund ID` in each family.
 */

const VERBS = { destination: "redeem", source: "refund" } as const
/** Our own transaction for the leg is under way, or its deposit has no final block yet. */
const UNDER_WAY = /^(redeem|refund|deposit)-/
/** The longest attack on the calls that a command needs ends after half a minute. */
const SOON_MS = 45_000

/** By then each attack shows, and Ballast waits where it is told to. */
const FIRST_SECOND = 10

type Command = { readonly atMs: number; readonly refusals: readonly string[] }

function operate(run: Run, { side }: Case, state: string, ask: () => readonly string[]): Command {
  const refusals = ask()
  const { destination } = run.target
  for (const code of refusals) {
    if (code === "operator.not_now") expect(state).toMatch(UNDER_WAY)
    else {
      expect([side, code]).toEqual(["destination", "secret.payout_redeemed"])
      expect(destination.mined("redeem").some(({ ok }) => ok)).toBe(true)
    }
  }
  return { atMs: run.world.clock.now(), refusals }
}

/** Asks every five seconds, and returns the commands and when our transaction was first sent. */
async function askAgainAndAgain(one: Case) {
  const run = begin(one)
  const { target, world } = run
  const daemon = await run.start()
  await submit(run, daemon)
  const verb = VERBS[one.side]
  const commands: Command[] = []
  let sentMs: number | null = null
  let dueMs: number | null = null
  await underAttack(
    run,
    one.attack,
    () => daemon,
    () => {
      const { heard } = target[one.side]
      if (heard().some(({ action }) => action.kind === verb)) sentMs ??= world.clock.now()
      if (target.dueSeconds() >= 0) dueMs ??= world.clock.now()
      return isOver(run, daemon)
    },
    (second) => {
      if (second < FIRST_SECOND || second % 5 !== 0) return
      const ask = () => {
        const answer = daemon.engine.operate(ID, verb, "anna")
        return answer.ok ? [] : answer.reasons.map(({ code }) => code)
      }
      commands.push(operate(run, one, daemon.state(ID), ask))
    },
  )
  expectNothingLost(run)
  const [payout] = target.destination.state().swaps.values()
  const halfMs = one.attack.waitsHalf === true ? Number(payout?.timelock) * 600 : 0
  return { commands, sentMs, dueMs, soonMs: SOON_MS + halfMs }
}

describe.each(SIDES.flatMap(casesOf))("$side leg on $family while $name", (one) => {
  test("a command is refused only while it is done, and is soon obeyed", async () => {
    const { commands, sentMs, dueMs, soonMs } = await askAgainAndAgain(one)
    const [first] = commands.filter(({ refusals }) => refusals.length === 0)
    const askedMs = Math.max(first?.atMs ?? 0, dueMs ?? Number.NaN)
    expect((sentMs ?? Number.NaN) - askedMs).toBeLessThan(soonMs)
  })
})
