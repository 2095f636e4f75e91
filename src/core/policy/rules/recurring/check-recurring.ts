import { checkTimezone } from "#schema/check-timezone.ts"
import { describeFound } from "#schema/describe-found.ts"
import { parseDuration } from "#schema/duration.ts"
import { parseLimitAmount } from "#schema/limit-amount.ts"
import type { Path } from "#schema/problem.ts"
import { textAt } from "#schema/read-path.ts"
import { checkDigits, decimalsAt, type ReferenceWorld } from "#schema/reference-world.ts"
import { findScheduleProblem } from "../../schedule/find-schedule-problem.ts"
import { checkPair } from "../check-pair.ts"

/**
 * Reports unknown assets, an amount that cannot be sold, an unknown time zone, and a schedule that
 * never fires.
 */
export function checkRecurring(world: ReferenceWorld, path: Path): void {
  checkPair(world, path)
  checkAmount(world, [...path, "amount"], decimalsAt(world, [...path, "from"]))
  checkTimezone(world, path)
  checkSchedule(world, [...path, "schedule"])
  checkPatience(world, path)
}

/** An occurrence waits within its window. */
function checkPatience(world: ReferenceWorld, path: Path): void {
  const [patience, window] = ["patience", "window"].map((key) => textAt(world.root, [...path, key]))
  if (patience == null) return
  if ((parseDuration(window ?? "") ?? 0) >= (parseDuration(patience) ?? 0)) return
  world.report(
    [...path, "patience"],
    `expected a window of at least ${patience} beside it, found ${describeFound(window)}`,
  )
}

function checkAmount(world: ReferenceWorld, path: Path, decimals: number | null): void {
  const text = textAt(world.root, path)
  const amount = text === null ? null : parseLimitAmount(text)
  if (amount === null) return
  checkDigits(world, path, decimals)
  const zero =
    amount.kind === "own"
      ? !/[1-9]/.test(amount.text)
      : (amount.kind === "fiat" ? amount.fiat : amount.bps) === 0n
  if (zero) world.report(path, `expected an amount above zero, found ${describeFound(text)}`)
  if (amount.kind === "share" && amount.bps > 10_000n) {
    world.report(path, `expected at most 100%, found ${describeFound(text)}`)
  }
}

function checkSchedule(world: ReferenceWorld, path: Path): void {
  const schedule = textAt(world.root, path)
  const problem = schedule === null ? null : findScheduleProblem(schedule)
  if (problem === null) return
  world.report(
    path,
    `expected a cron expression such as "0 9 * * MON" (${problem}), found ` +
      `${describeFound(schedule)}`,
  )
}
