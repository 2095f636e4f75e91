import { expect, test } from "vitest"
import { findClusterProblems } from "./find-cluster-problems.ts"
import type { ClusterReading } from "./readings.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const leader: ClusterReading = {
  role: "leader",
  holder: "a:1",
  epoch: 3,
  seq: 12,
  answeredMs: NOW - 1_000,
  error: null,
  standbys: [{ holder: "b:2", version: "1", seq: 12 }],
  aloneSinceMs: null,
}
const codesOf = (cluster: ClusterReading | undefined) =>
  findClusterProblems({ nowMs: NOW, ...(cluster === undefined ? {} : { cluster }) }).map(
    ({ level, code, kind }) => [level, code, kind],
  )

test("a treasury without a cluster, and a leader with a standby, have no problem", () => {
  expect(codesOf(undefined)).toEqual([])
  expect(codesOf(leader)).toEqual([])
})

test("a silent PostgreSQL is trouble for the leader, and needs attention on a standby", () => {
  const silent = { answeredMs: NOW - 5_000, error: "connection refused" }
  expect(codesOf({ ...leader, ...silent })).toEqual([["trouble", "cluster.silent", "cluster"]])
  expect(codesOf({ ...leader, ...silent, role: "standby" })).toEqual([
    ["attention", "cluster.silent", "cluster"],
  ])
  const [found] = findClusterProblems({ nowMs: NOW, cluster: { ...leader, ...silent } })
  expect(found?.sentence).toBe("PostgreSQL has not answered for 5 s (connection refused)")
  expect(found?.meaning).toContain("refunds and begun redemptions go on")
})

test.each(["28P01", "28000", "42501"])(
  "a PostgreSQL that refuses us (%s) has its step",
  (state) => {
    const advice = "correct user and password in the URL of journal"
    const refused = { answeredMs: NOW - 5_000, error: `not admitted (${state}); ${advice}`, advice }
    const [found] = findClusterProblems({ nowMs: NOW, cluster: { ...leader, ...refused } })
    expect(found?.code).toBe("cluster.silent")
    expect(found?.sentence).toBe(`PostgreSQL has refused this member for 5 s (${refused.error})`)
    expect(found?.todo).toBe(
      "In this order: correct user and password in the URL of journal; restart this member.",
    )
  },
)

test("a leader without a standby has a minute until somebody hears of it", () => {
  const alone = { ...leader, standbys: [], aloneSinceMs: NOW - 59_000 }
  expect(codesOf(alone)).toEqual([])
  expect(codesOf({ ...alone, aloneSinceMs: NOW - 60_000 })).toEqual([
    ["attention", "cluster.alone", "cluster"],
  ])
  expect(codesOf({ ...alone, aloneSinceMs: NOW - 60_000, role: "standby" })).toEqual([])
})
