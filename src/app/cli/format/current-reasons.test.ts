import { expect, test } from "vitest"
import { encodeJson } from "#lib/json.ts"
import type { EventRow } from "#ports/journal/orders.ts"
import { currentReasons } from "./current-reasons.ts"

const paused = { code: "paused", message: "Paused" }
const event = (state: string, body: object): EventRow => ({
  atMs: 0,
  type: "x",
  state,
  body: encodeJson(body),
})
const reasonsAt = (state: string, events: readonly EventRow[]) =>
  currentReasons({ listEvents: () => events }, { id: "a", state, reasons: [paused] })

test("the reasons of a wait show while the order waits", () => {
  expect(reasonsAt("deposit-signing", [event("deposit-signing", { reasons: [paused] })])).toEqual([
    paused,
  ])
})

test("the reasons of a wait that is over do not show", () => {
  const events = [
    event("deposit-signing", { reasons: [paused] }),
    event("deposit-sending", {}),
    event("deposit-confirming", {}),
  ]
  expect(reasonsAt("deposit-confirming", events)).toEqual([])
  expect(reasonsAt("completed", events)).toEqual([])
})

test.each(["held", "rejected", "abandoned", "refund-watch", "refunded"])(
  "%s keeps the reasons that led there",
  (state) => {
    expect(
      reasonsAt(state, [event("deposit-signing", { reasons: [paused] }), event(state, {})]),
    ).toEqual([paused])
  },
)
