import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { TRIED_AGAIN_CODES } from "#engine/rules/decide/next-try.ts"
import { findUnmetRules } from "#health/find-unmet-rules.ts"
import { STANDINGS, standingOf, stepOfRefusal } from "#health/refusal-standing.ts"

const ROOT = join(import.meta.dirname, "..", "..", "..")
const NOW = Date.parse("2026-03-04T09:30:00Z")
/** The rooms that decide for a rule whether it may make an order. */
const PLACES = [
  "src/core/policy",
  "src/core/guards",
  "src/core/domain",
  "src/engine/rules",
  "src/edges/service",
]
const FIRST_WORDS = [
  "policy",
  "limit",
  "funds",
  "price",
  "quote",
  "service",
  "secret",
  "route",
  "gasless",
  "affiliate",
  "request",
  "wallet",
  "mode",
  "clock",
]
/** Codes that a decision never has against an order. */
const OTHERS = [
  // Of a proposal.
  "policy.refill",
  "policy.drain",
  "policy.rebalance",
  "policy.sweep",
  "policy.recurring",
  "policy.gas_refill",
  // Of an order that is open already.
  "affiliate.record",
  "quote.accepted",
  "gasless.initiated",
]

function listCodes(): readonly string[] {
  const files = globSync(
    PLACES.map((place) => `${place}/**/*.ts`),
    { cwd: ROOT },
  )
  const code = new RegExp(`"((?:${FIRST_WORDS.join("|")})\\.[a-z_]+)"`, "g")
  const found = files
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(join(ROOT, file), "utf8").matchAll(code)])
    .map(([, name = ""]) => name)
  return [...new Set(found)].filter((name) => !OTHERS.includes(name)).toSorted()
}

const CODES = listCodes()

test("the engine's rooms have many reasons against an order", () => {
  expect(CODES.length).toBeGreaterThan(60)
})

test.each(CODES)("%s: its rule's standing is known", (code) => {
  expect(Object.keys(STANDINGS)).toContain(code)
})

test("the engine tries again where the rule counts as held", () => {
  for (const code of TRIED_AGAIN_CODES) expect([code, STANDINGS[code]]).toEqual([code, "held"])
})

const NAMED = Object.entries(STANDINGS).filter(([, one]) => one !== "fine" && one !== "queued")

test.each(NAMED)("%s: a rule that it keeps from orders is named, with a step", (code) => {
  const numbers = { max: "10 bps", bps: "50" }
  const reason = { code, message: "The reason", ...numbers }
  expect(stepOfRefusal(reason)).toMatch(/\w+ .*\.$/)
  const rule = {
    id: "hot",
    kind: "band",
    enabled: true,
    paused: false,
    nextMs: NOW,
    overdueSinceMs: null,
    lastMs: NOW,
    verdict: "declined" as const,
    reasons: [reason],
    heldSinceMs: NOW - 40_000,
  }
  const daemon = {
    answers: true,
    pid: 7,
    lastSeenMs: NOW,
    startedAtMs: NOW,
    version: "1",
    waitsFor: [],
  }
  expect(findUnmetRules({ rules: [rule], daemon, pause: null, nowMs: NOW })).toMatchObject([
    { code: "rule.unmet", about: "hot", sentence: expect.stringContaining(`[${code}]`) },
  ])
})

test("what is missing is too little for an order: the rule waits for more", () => {
  const dear = { code: "policy.too_dear", message: "What is missing is 1 of eth" }
  expect(standingOf({ ...dear, min: "5", units: "1" })).toBe("queued")
  expect(standingOf({ ...dear, max: "10 bps", bps: "50" })).toBe("barred")
  expect(standingOf({ ...dear, min: "5", max: "4" })).toBe("barred")
})

test("a code of a later version names its rule", () => {
  expect(standingOf({ code: "policy.of_tomorrow", message: "" })).toBe("barred")
})
