import { describe, expect, test } from "vitest"
import type { ShownProblem } from "#health/describe-overview.ts"
import { problem } from "#health/problem.ts"
import { checkDaemon } from "./check-daemon.ts"
import { broken, doubtful, healthy } from "./diagnosis.ts"

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

  test.each([
    ["system.busy", null],
    ["journal.write_failed", null],
    ["node.slow", "base a.example"],
    ["prices.missing", "base:usdc"],
    ["disk.memory", null],
  ])("list %s where no check of doctor has found it", (code, about) => {
    const kind = /^(system|journal)/.test(code) ? { kind: "disk" as const } : {}
    const problems = [
      show({ level: "attention", code, ...kind, about, sentence: "slow", todo: "Mend it." }),
    ]
    const listed = [{ status: "warn", found: `slow (${code})`, todo: "Mend it." }]
    expect(checkDaemon({ problems, daemon })).toMatchObject(listed)
    const other = [
      doubtful("base b.example", "no usable answer: HTTP 503", "Repair it."),
      doubtful("price base:eth", "no price", "Correct it."),
      broken("disk", "1 MiB free", "Free some space."),
    ]
    expect(checkDaemon({ problems, daemon }, other)).toMatchObject(listed)
  })

  test.each([
    ["node.slow", "base a.example", "base a.example"],
    ["node.silent", "base", "base a.example"],
    ["prices.missing", "base:usdc", "price base:usdc"],
    ["disk.low", null, "disk"],
  ])(
    "leave out %s where a check of doctor has found it, and name no health",
    (code, about, check) => {
      const problems = [
        show({ level: "attention", code, about, sentence: "It fails", todo: "Mend" }),
      ]
      const own = [doubtful(check, "no usable answer: HTTP 503", "Mend it.")]
      expect(checkDaemon({ problems, daemon }, own)).toEqual([])
      expect(checkDaemon({ problems, daemon }, [healthy(check, "fine")])).toHaveLength(1)
    },
  )

  test("are none of a daemon that names none", () => {
    expect(checkDaemon({ problems: [], daemon })).toEqual([
      { check: "daemon", status: "ok", found: "process 7 names no problem", todo: null },
    ])
  })
})

function show(given: Parameters<typeof problem>[0]): ShownProblem {
  const { deadlineMs: _deadlineMs, ...one } = problem(given)
  return { ...one, deadline: null, left: null }
}
