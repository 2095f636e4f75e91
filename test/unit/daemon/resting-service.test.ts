import { expect, test } from "vitest"
import { findNodeProblems } from "#health/find-node-problems.ts"
import type { Readings, ServiceReading } from "#health/readings.ts"

const NOW = Date.UTC(2026, 10, 30)
const good: ServiceReading = {
  name: "good",
  host: "good.example",
  answeredMs: NOW,
  sinceMs: NOW,
  askedMs: NOW,
  error: null,
  inFlight: 0,
  rest: null,
}

function restingFor(code: string, message: string, more: object = {}) {
  const rest = { until: "2026-11-30T00:01:00Z", failures: 1, cause: { code, message } }
  const services = [good, { ...good, name: "other", rest, ...more }]
  // CAST: the problems of services read these keys.
  const readings = { nodes: [], services, orders: [], nowMs: NOW } as unknown as Readings
  return findNodeProblems(readings, 30_000)
}

test("a service that rests for a lie is compared with its operator", () => {
  const lie = "The deposit goes to a contract that is not configured as an HTLC of this asset"
  const [found] = restingFor("evm.htlc_unknown", lie)
  expect(found?.sentence).toContain(lie)
  expect(found?.todo).toMatch(/Nothing was signed. Ask the operator .* only after a review/)
})

test("a service that rests for a failure needs a word with its operator if it repeats", () => {
  const [found] = restingFor("service.duplicate", "duplicate nonce")
  expect(found?.todo).toMatch(/other services are asked.*repeats.*operator/)
})

test("a service that rests has words of its own", () => {
  const [found] = restingFor("service.refused", "not available in your region")
  expect(found?.todo).toMatch(/address or country/)
})

test("a failing service is one problem, also while it rests", () => {
  const sinceMs = NOW - 120_000
  const calls = [{ call: "quote", fault: "HTTP 500", sinceMs, times: 9 }]
  const found = restingFor("service.unavailable", "the service did not quote", { calls })
  expect(found.map(({ code }) => code)).toEqual(["service.failing"])
})
