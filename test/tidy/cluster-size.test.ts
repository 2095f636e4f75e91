import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

/** The files that exist for several machines alone; without `journal: postgres://…` none of them does anything. */
const FILES = [
  ...readdirSync("src/cluster")
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `src/cluster/${name}`),
  ...[
    "join-cluster",
    "follow-log",
    "publish-snapshot",
    "cluster-watch",
    "member-host",
    "ready-chains",
    "hand-over",
    "refuse-replica",
  ].map((name) => `src/daemon/${name}.ts`),
  "src/daemon/serve-standby.ts",
  "src/journal/replay-groups.ts",
  "src/journal/replicate-groups.ts",
  "src/engine/safe-alone.ts",
  "src/health/find-cluster-problems.ts",
  "src/config/judge/judge-cluster.ts",
  "src/cli/open-cluster.ts",
  "src/cli/commands/cluster.ts",
  ...["show-cluster", "hand-over", "promote-local"].map((name) => `src/cli/actions/${name}.ts`),
]
const MOST_LINES = 1_500

test("several machines cost at most 1 500 lines of code", () => {
  expect(FILES.reduce((sum, file) => sum + countCode(file), 0)).toBeLessThanOrEqual(MOST_LINES)
})

/** Lines that are neither blank nor a comment. */
function countCode(file: string): number {
  const text = readFileSync(file, "utf8").replace(/\/\*.*?\*\//gs, "")
  return text.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length
}
