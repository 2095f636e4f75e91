import { describe, expect, test } from "vitest"
import {
  begin,
  type Case,
  casesOf,
  expectNothingLost,
  ID,
  isOver,
  type Run,
  submit,
  underAttack,
} from "./attacked-order.ts"
import { type LimitedSigner, openLimitedSigner } from "./limited-signer.ts"

/*
 * A signer with `per_day` for every coin. Deposits of other orders use the limit up as soon as a
 * secret is told, and the daemon dies at a write of the telling or of the redemption.
 */

/** The writes of a run around the telling and the redemption; each case has another one. */
const FIRST_WRITE = 10
const WRITES = 16

async function dieAfter(write: number, one: Case): Promise<LimitedSigner> {
  const signer = openLimitedSigner()
  const run = begin(one, signer.beside)
  const { target } = run
  let daemon = await run.start({ dies: { at: write, when: "after" } })
  await submit(run, daemon)
  let isUsedUp = false
  const useUp = (): void => {
    if (!isUsedUp) signer.useUp(target.to, "initiate")
    isUsedUp = true
  }
  const attack = (until: () => boolean) => underAttack(run, one.attack, () => daemon, until, useUp)
  await attack(() => !daemon.isAlive() || isOver(run, daemon))
  daemon.kill()
  daemon = await run.start()
  await attack(() => isOver(run, daemon))
  expectNothingLost(run)
  expect(isUsedUp).toBe(true)
  return signer
}

describe.each(casesOf("destination").map((one, index) => ({ ...one, index })))(
  "payout on $family while $name",
  ({ index, ...one }) => {
    const write = FIRST_WRITE + (index % WRITES)
    test(`the signer is asked first, and never refuses (death after write ${write})`, async () => {
      const { answers } = await dieAfter(write, one)
      const redeemed = answers.indexOf("redeem")
      expect(answers.slice(0, redeemed)).toContain("headroom")
      expect(answers.filter((answer) => answer.startsWith("redeem "))).toEqual([])
    })
  },
)

async function withUsedUpReserve(family: Case["family"]): Promise<[Run, readonly string[]]> {
  const [one] = casesOf("destination").filter((each) => each.family === family)
  if (one === undefined) throw new Error("no case")
  const signer = openLimitedSigner()
  const run = begin({ ...one, attack: { name: "none" } }, signer.beside)
  // The alarm names what keeps a secret back for a minute.
  Object.assign(run.world.service.conduct, { fills: false, destinationTimelock: 400n })
  const daemon = await run.start()
  await submit(run, daemon)
  await daemon.reach("funded")
  // Redemptions of other told secrets have used up all that redemptions may.
  signer.useUp(run.target.to, "redeem")
  run.world.service.conduct.fills = true
  await daemon.reach("refunded", ID, 60 * 60_000)
  expect(daemon.alerts()).toContain("alarm.payout_blocked")
  return [run, signer.answers]
}

test.each(["evm", "solana", "starknet", "bitcoin"] as const)(
  "a secret whose redemption the signer would refuse stays ours on %s",
  async (family) => {
    const [run, answers] = await withUsedUpReserve(family)
    expect(run.world.service.reveals).toEqual([])
    expect(answers).toContain("headroom signer.velocity")
    expect(answers).not.toContain("redeem")
    expectNothingLost(run)
  },
)
