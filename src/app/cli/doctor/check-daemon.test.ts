import { describe, expect, test } from "vitest"
import type { ShownProblem } from "#health/describe-overview.ts"
import { problem } from "#health/problem.ts"
import { checkDaemon } from "./check-daemon.ts"

const daemon = { answers: true, pid: 7, lastSeen: null, startedAt: null, version: null }

describe("the problems of a daemon that runs", () => {
  test("fail where money is affected, and warn otherwise, with the remedy of `status`", () => {
    const problems = [
      show({
        level: "trouble",
        code: "order.held",
        sentence: "Order 1 is held",
        todo: "Read it.",
        command: "ballast order 1",
      }),
      show({
        level: "attention",
        code: "config.unread",
        sentence: "The file changed",
        todo: "Check the file.",
      }),
    ]
    expect(checkDaemon({ problems, daemon })).toEqual([
      {
        check: "daemon",
        status: "fail",
        found: "Order 1 is held (order.held)",
        todo: "Read it. -> ballast order 1",
      },
      {
        check: "daemon",
        status: "warn",
        found: "The file changed (config.unread)",
        todo: "Check the file.",
      },
    ])
  })

  test("leave out those of endpoints, which doctor asks itself, but for what shows over time", () => {
    const at = (code: string): ShownProblem =>
      show({ level: "attention", code, sentence: "slow", todo: "Repair it." })
    expect(checkDaemon({ problems: [at("node.slow")], daemon })).toEqual([
      { check: "daemon", status: "ok", found: "process 7 names no problem", todo: null },
    ])
    for (const code of ["node.failing", "disk.memory"])
      expect(checkDaemon({ problems: [at(code)], daemon })).toMatchObject([
        { status: "warn", found: `slow (${code})`, todo: "Repair it." },
      ])
  })
})

function show(given: Parameters<typeof problem>[0]): ShownProblem {
  const { deadlineMs: _deadlineMs, ...one } = problem(given)
  return { ...one, deadline: null, left: null }
}
