import { expect, test } from "vitest"
import { describeSecret } from "./describe-secret.ts"

const own = { hash: "0x1", revealedAt: null }

test.each([
  [{ secret: null }, "not chosen yet"],
  [{ secret: "service" as const }, "chosen by the service"],
  [
    { secret: "own" as const, ownSecret: { ...own, status: "unknown" as const } },
    "our own, told to no other party",
  ],
  [
    {
      secret: "own" as const,
      ownSecret: { ...own, status: "revealed" as const, revealedAt: "2026-01-02T03:04:05.000Z" },
    },
    "our own, revealed at 2026-01-02T03:04:05.000Z",
  ],
  [
    { secret: "own" as const, ownSecret: { ...own, status: "withheld" as const } },
    "our own, withheld for ever",
  ],
])("%o is said as: %s", (order, said) => {
  expect(describeSecret(order)).toBe(said)
})
