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

function restingFor(code: string, message: string) {
  const rest = { until: "2026-11-30T00:01:00Z", failures: 1, cause: { code, message } }
  const services = [good, { ...good, name: "other", rest }]
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

test("a service that rests for a failure needs nothing", () => {
  const [found] = restingFor("service.unavailable", "the swap service did not quote")
  expect(found?.todo).toMatch(/^Nothing, unless it repeats/)
})
