import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { kindOfCode } from "./problem-kind.ts"
import { findRemedy } from "./remedies.ts"

/** The codes that docs/ERRORS.md lists as alerts. */
const ALERTS = readFileSync(new URL("../../../docs/ERRORS.md", import.meta.url), "utf8")
  .split("\n")
  .flatMap((row) => {
    const [, names = "", kinds = ""] = row.split("|")
    return /\balert\b/.test(kinds) && kinds.length < 60
      ? [...names.matchAll(/`([a-z_.]+)`/g)].map(([, code = ""]) => code)
      : []
  })
/** Problems with a text of their own. */
const ELSEWHERE = [
  "alarm.refund_watch",
  "alerts.test",
  "clock.jump",
  "chain.agreement_short",
  "chain.disagreement",
  "chain.fee_outlier",
  "chain.head_outlier",
]

test("the list of alerts is read", () => expect(ALERTS.length).toBeGreaterThan(35))

test.each(ALERTS.filter((code) => !ELSEWHERE.includes(code)))(
  "%s has a remedy, and a meaning for the money",
  (code) => {
    const { todo, meaning } = findRemedy(code)
    expect(todo).not.toContain("docs/ERRORS.md")
    expect(todo).toMatch(/^[A-Z].*\.$/)
    expect(meaning ?? kindOfCode(code)).not.toBe("other")
  },
)

// Their codes are put together, so no search for a code finds them.
test.each(["approve", "void", "refund", "redeem", "revoke"])(
  "%s has both alerts of a transaction",
  (purpose) => {
    expect(ALERTS).toEqual(expect.arrayContaining([`${purpose}.stuck`, `${purpose}.unaffordable`]))
  },
)

test("an unknown code leads to the list of codes", () => {
  expect(findRemedy("alarm.of_tomorrow").todo).toContain("docs/ERRORS.md")
})
