import { expect, test } from "vitest"
import { encodePause } from "#domain/pause.ts"
import { listPauses } from "./list-pauses.ts"

const list = (flags: Record<string, string>) =>
  listPauses({ readFlag: (key) => flags[key] ?? null }, ["base", "solana"], [{ id: "dca" }])

test("a plan names each pause and the command that lifts it", () => {
  expect(list({})).toEqual([])
  expect(
    list({
      pause: encodePause({ by: "operator", reason: "upgrade" }, 0),
      "pause/chain/solana": "x",
      "pause/rule/dca": "x",
    }),
  ).toEqual([
    "everything, by operator (upgrade); no order is opened until `ballast resume`",
    "the chain solana until `ballast resume --chain solana`",
    "the rule dca until `ballast resume --rule dca`",
  ])
})

test("a pause by an alarm names the alarm", () => {
  const alarm = { id: "7", code: "alarm.payout_short", order: null, message: "x", at: "" }
  const flags = {
    pause: encodePause({ by: "alarm", reason: "alarm 7" }, 0),
    "pause/alarms": JSON.stringify([alarm]),
  }
  expect(list(flags)[0]).toContain("`ballast resume --acknowledge 7`")
})
