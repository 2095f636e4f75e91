import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { readAdvice } from "#daemon/study/read-advice.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { plainJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import { ANSWERS } from "#schema/answers/answers.ts"
import { TREASURY } from "../../unit/policy-test/sample-treasury.ts"

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 5, 29, 12)
/** Fewer looks a day take less time. */
const config = parseConfig(TREASURY.replaceAll("every: 10m", "every: 1h"), {
  file: "ballast.yaml",
  secrets: (reference) => new Secret("a-value-that-is-long-enough", reference),
})

test("fewer than 14 days of flows give no advice, and say so", async () => {
  const answer = await readAdvice(sourcesOf(13))
  expect(answer).toMatchObject({ enough: false, advice: [], own: null, calculation: null })
  expect(answer.say).toMatch(/^The books have the flows of 13 whole days\. Advice needs 14/)
  expect(await readAdvice(sourcesOf(0))).toMatchObject({ enough: false })
})

test("advice comes from the flows in the books, with the market to compute it again", async () => {
  const answer = await readAdvice(sourcesOf(14))
  expect(answer).toMatchObject({
    enough: true,
    period: { from: "2026-06-15T00:00:00.000Z", to: "2026-06-29T00:00:00.000Z" },
    calculation: { seed: 1, scenario: { days: 14 } },
  })
  expect(answer.calculation?.scenario["flows"]).toHaveLength(14)
  expect(answer.advice.length).toBeGreaterThan(0)
  expect(ANSWERS.Advice.parse(JSON.parse(plainJson(answer)))).toMatchObject({ enough: true })
  expect(plainJson(await readAdvice(sourcesOf(14)))).toBe(plainJson(answer))
}, 120_000)

/** With an outflow on each of the last whole days. */
function sourcesOf(days: number) {
  const asset = config.assets[0]?.id ?? ""
  const postings = Array.from({ length: days }, (_, at) => ({
    atMs: Math.floor(NOW_MS / DAY_MS) * DAY_MS - at * DAY_MS - DAY_MS / 2,
    asset,
    units: 1_000_000n,
  }))
  const listLastPostings = ({ prefix }: { readonly prefix: string }) =>
    prefix.includes("outside") ? postings : []
  // CAST: advice reads of a posting only these keys.
  const journal = { ...openJournal(":memory:"), listLastPostings } as unknown as ReturnType<
    typeof openJournal
  >
  return { journal, config, nowMs: NOW_MS }
}
