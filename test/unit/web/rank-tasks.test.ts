import { expect, test } from "vitest"
import { rankTasks } from "../../../web/overview/rank-tasks.ts"

test("tasks are ranked by trouble, then by what is at stake, then by their deadline", () => {
  const task = (name: string, stake: string | null, deadline: string | null, level = "attention") =>
    ({ name, stake, deadline, level }) as const
  const ranked = rankTasks(
    [
      task("no value", null, null),
      task("small", "12", "2026-01-01T00:00:00Z"),
      task("large, later", "900", "2026-03-01T00:00:00Z"),
      task("large, soon", "900", "2026-02-01T00:00:00Z"),
      task("small trouble", "3", null, "trouble"),
      task("loss", "-40", null, "trouble"),
    ],
    ({ stake }) => stake,
  )
  expect(ranked.map(({ name }) => name)).toEqual([
    "loss",
    "small trouble",
    "large, soon",
    "large, later",
    "small",
    "no value",
  ])
})
