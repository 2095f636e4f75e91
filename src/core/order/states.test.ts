import { describe, expect, test } from "vitest"
import { orderMachine } from "./machine.ts"
import { isFinal, purposeOf, STATE_NAMES } from "./states.ts"
import { toStateName, toValue } from "./step.ts"

/**
 * The state words of the API since 0.1. Journals hold them, and users match on them. Orders rest in
 * all of them but `closing`.
 */
const WORDS = [
  "quoting",
  "creating",
  "verifying",
  "awaiting-approval",
  "allowing",
  "approve-signing",
  "approve-sending",
  "approve-confirming",
  "approve-bumping",
  "gasless-signing",
  "gasless-submitting",
  "gasless-confirming",
  "deposit-planning",
  "deposit-signing",
  "deposit-sending",
  "deposit-confirming",
  "deposit-bumping",
  "void-planning",
  "void-signing",
  "void-sending",
  "void-confirming",
  "void-bumping",
  "funded",
  "redeem-reported",
  "refund-watch",
  "settling",
  "refund-planning",
  "refund-signing",
  "refund-sending",
  "refund-confirming",
  "refund-bumping",
  "revoke-planning",
  "revoke-signing",
  "revoke-sending",
  "revoke-confirming",
  "revoke-bumping",
  "revealing",
  "revealed",
  "redeem-planning",
  "redeem-signing",
  "redeem-sending",
  "redeem-confirming",
  "redeem-bumping",
  "held",
  "disarmed",
  "proving-unfunded",
  "closing",
  "completed",
  "refunded",
  "rejected",
  "abandoned",
].sort()

describe("the words of the states", () => {
  test("are the 51 words of the API, and each is a leaf of the machine", () => {
    expect(WORDS).toHaveLength(51)
    expect([...STATE_NAMES].sort()).toEqual(WORDS)
    const leaves = Object.values(orderMachine.states).flatMap((node) =>
      node.type === "compound" ? Object.values(node.states) : [node],
    )
    expect(leaves.map(({ id }) => id).sort()).toEqual(WORDS)
  })

  test("are a pure function of the machine's state, and back", () => {
    expect(toValue("deposit-signing")).toEqual({ deposit: "signing" })
    expect(toValue("redeem-reported")).toBe("redeem-reported")
    expect(STATE_NAMES.map((word) => toStateName(toValue(word)))).toEqual(STATE_NAMES)
  })

  test("name the transaction that a state is about, and the ends", () => {
    expect(purposeOf("void-bumping")).toBe("void")
    expect(purposeOf("allowing")).toBe("approve")
    expect(purposeOf("gasless-signing")).toBeNull()
    expect(STATE_NAMES.filter(isFinal)).toEqual(["completed", "refunded", "rejected", "abandoned"])
  })
})
