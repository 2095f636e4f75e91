import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "../load.ts"
import { judgeTimes } from "./judge-times.ts"

function judge(schedule: string, more = "") {
  const text = `service: { url: "https://s" }
chains: { base: { rpc: ["https://x"], key: "env:K" } }
assets:
  base:eth: { decimals: 18 }
  base:usdc: { decimals: 6, token: "0x1111111111111111111111111111111111111111" }
rules: [{ id: monthly, kind: recurring, schedule: "${schedule}", from: "base:usdc", to: "base:eth",
    amount: "500"${more} }]
`
  const secrets = (reference: string): Secret => new Secret("k", reference)
  const config = parseConfig(text, { file: "b.yaml", secrets })
  return judgeTimes({ config, written: null, isReal: true, mains: [] })
}

test.each(["0 9 1-7 * MON", "0 9 1-7 * MON#1", "0 0 9 1,15 * FRI", "30 8 */2 * 1-5"])(
  "warns of %s, which runs on either of its days",
  (schedule) => {
    const [found, ...rest] = judge(schedule)
    expect(rest).toEqual([])
    expect(found).toMatchObject({
      code: "config.either_day",
      severity: "warn",
      path: ["rules", 0, "schedule"],
      todo: expect.stringContaining("MON#1"),
    })
  },
)

test.each(["0 9 * * MON", "0 9 1 * *", "0 9 * * MON#1", "0 9 ? * 1-5", "*/5 * * * *", "@monthly"])(
  "is content with %s",
  (schedule) => expect(judge(schedule)).toEqual([]),
)

test("says nothing of a rule that is off", () => {
  expect(judge("0 9 1-7 * MON", ", enabled: false")).toEqual([])
})
