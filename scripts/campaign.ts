import { spawnSync } from "node:child_process"

/**
 * The long proofs that no CI waits for: new seeds, whole lists, many hours. What one of them finds
 * becomes a test with a fixed seed.
 */

type Part = {
  readonly name: string
  /** The subject: run the part before you call a change of this subject done. */
  readonly subject: string
  readonly minutes: number
  readonly command: string
}

const PARTS: readonly Part[] = [
  {
    name: "e2e",
    subject: "the daemon, a command, the page: CI runs only the files that .ci/e2e lists",
    minutes: 25,
    command: "npm run -s test:e2e",
  },
  {
    name: "seeds",
    subject: "engine, order, journal, guards, policy",
    minutes: 6,
    command: "npm run -s sim -- --seeds 1..2000 && npm run -s sim -- --fresh 120",
  },
  {
    name: "each-room",
    subject: "the unit tests: whether those of each pure room and family notice a mistake in it",
    minutes: 10,
    command: "npm run -s mutate -- --each",
  },
  {
    name: "own-secrets",
    subject: "our own swap secrets, redemption, refund",
    minutes: 15,
    command:
      "npm run -s sim -- --own-secrets --seeds 1..2000 && npm run -s sim -- --collusion " +
      "--orders 10000",
  },
  {
    name: "adversary",
    subject: "reads under attack, fees of redemptions and refunds, alarms of unread legs",
    minutes: 480,
    // A second run goes on where the first one was stopped.
    command:
      "npm run -s sim -- --adversary --own-secrets --crowded --orders 100000 --seeds 1 " +
      "--state data/adversary.jsonl",
  },
  {
    name: "adversary-kills",
    subject: "reads under attack, and what a restart must remember",
    minutes: 60,
    command: "npm run -s sim -- --adversary --own-secrets --kill-each-commit --seeds 1..300",
  },
  {
    name: "planted",
    subject: "a guard, a checker, or the fault simulator",
    minutes: 5,
    command: "npm run -s sim -- --planted --seeds 1..200",
  },
  {
    name: "agents",
    subject: "the agent desk, its limits, requests with keys",
    minutes: 110,
    command:
      "BALLAST_TOOL_RUNS=100000 BALLAST_LOST_RUNS=3400 npx vitest run " +
      "test/proof/property/agent-tools.test.ts test/proof/property/lost-answers.test.ts && " +
      "BALLAST_AGENT_RUNS=5000 npx vitest run test/proof/engine/agent-limits.test.ts && " +
      "BALLAST_LOST_COMMANDS=10000 npx vitest run test/e2e/ops/lost-answers.test.ts",
  },
  {
    name: "recovery",
    subject: "the recovery of a lost journal, the lists of a service",
    minutes: 2,
    command:
      "BALLAST_RECOVERED=100000 npx vitest run --project unit " +
      "test/unit/engine/recovered-secret.test.ts test/unit/service/list-orders.test.ts",
  },
  {
    name: "kills",
    subject: "signing, sending, recovery",
    minutes: 15,
    command:
      "BALLAST_ALL_KILLS=1 npx vitest run test/e2e/own-secret-crash.test.ts test/e2e/crash.test.ts",
  },
  {
    name: "attacked-kills",
    subject: "redemption and refund under attack, and what a restart must remember",
    minutes: 30,
    command:
      "BALLAST_EACH_KILL=1 npx vitest run test/proof/engine/rows/killed-under-attack.test.ts",
  },
  {
    name: "limited-nodes",
    subject: "how nodes are asked, the pace of reads",
    minutes: 30,
    command: "npx vitest run --project campaign test/campaign/limited-nodes.test.ts",
  },
  {
    name: "hostile-servers",
    subject: "the bounds of answers, and how they are parsed",
    minutes: 3,
    command: "npx vitest run --project campaign test/campaign/hostile-servers.test.ts",
  },
  {
    name: "chaos",
    subject: "signing, sending, recovery, the sandbox",
    minutes: 7,
    command: "npm run -s chaos -- --minutes 5",
  },
  {
    name: "cluster",
    subject: "the cluster, the journal's groups",
    minutes: 60,
    command: "npm run -s sim -- --cluster --seeds 1..300 && npm run -s nemesis -- --take-overs 300",
  },
  {
    name: "endurance",
    subject: "data that the daemon or the sandbox keeps in memory",
    minutes: 12,
    command: "npm run -s endurance",
  },
  {
    name: "mutants",
    subject: "tests of order, guards, policy, books, engine and decoders",
    minutes: 120,
    command: "npm run -s mutate",
  },
  {
    name: "properties",
    subject: "policy, guards, books, configuration, clients of nodes and services",
    minutes: 15,
    command:
      "BALLAST_SEED=$RANDOM npm run -s test:proof && BALLAST_SEED=$RANDOM npm run -s test:unit",
  },
  {
    name: "order-of-files",
    subject: "state that a module keeps, test helpers",
    minutes: 6,
    command:
      "for seed in 1 2 3; do npx vitest run --project unit --sequence.shuffle.files " +
      "--sequence.seed=$seed || exit 1; done",
  },
  {
    name: "stress",
    subject: "waits in tests",
    minutes: 600,
    command: "npm run -s stress -- --listed",
  },
]

const positionals = process.argv.slice(2)
const isAll = positionals.includes("all")
const unknown = positionals.filter(
  (name) => name !== "all" && !PARTS.some((part) => part.name === name),
)

if (positionals.length === 0 || unknown.length > 0) {
  console.log("npm run campaign -- all | PART…\n")
  for (const { name, minutes, subject } of PARTS)
    console.log(`${name.padEnd(16)}${String(minutes).padStart(4)} min  ${subject}`)
  process.exitCode = unknown.length > 0 ? 64 : 0
} else {
  const failed = PARTS.filter(({ name }) => isAll || positionals.includes(name)).filter(
    (part) => !succeeds(part),
  )
  console.log(
    failed.length === 0
      ? "campaign: every part passed"
      : `campaign: failed: ${failed.map(({ name }) => name).join(", ")}`,
  )
  process.exitCode = failed.length === 0 ? 0 : 1
}

function succeeds({ name, command }: Part): boolean {
  console.log(`── ${name}: ${command}`)
  const started = Date.now()
  const { status } = spawnSync("bash", ["-c", command], { stdio: "inherit" })
  console.log(
    `── ${name}: ${status === 0 ? "passed" : "failed"} after ` +
      `${Math.round((Date.now() - started) / 1_000)} s`,
  )
  return status === 0
}
