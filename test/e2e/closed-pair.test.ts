import { afterAll, beforeAll, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { type SandboxProcess, startSandboxProcess } from "../support/sandbox-process.ts"

const FROM = "base_sepolia:wbtc"
const TO = "ethereum_sepolia:wbtc"
const PAIR = `${FROM}/${TO}`
const RULE = { id: "move", kind: "sweep", from: FROM, keep: "0.9", to: TO, every: "1m" }

let sandbox: SandboxProcess
let config: E2eConfig
beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  config = await writeE2eConfig(sandbox, "closed-pair", { rules: [RULE] })
}, 90_000)
afterAll(() => sandbox?.stop())

test("a pair that the service closes is named by quote, plan and doctor, and planned again later", {
  timeout: 120_000,
}, async () => {
  const open = await json("plan")
  expect(open).toMatchObject({ proposals: [{ from: FROM, to: TO }] })
  expect(checkOf(await json("doctor"))).toMatchObject({ status: "ok" })

  const port = new URL(sandbox.service).port
  const broken = await runBallast(["sandbox", "break", PAIR, "--port", port, "--json"], config)
  expect(JSON.parse(broken.stdout)).toMatchObject({ service: "up", closed: [PAIR] })
  const quote = await json("quote", FROM, TO, "0.01")
  expect(quote["refused"]).toContainEqual(
    expect.objectContaining({ code: "service.pair_closed", by: "policy" }),
  )
  expect(await json("quote", TO, FROM, "0.01")).toMatchObject({ refused: [] })
  expect(await json("plan")).toMatchObject({ proposals: [], declined: [{ rule: "move" }] })
  expect(checkOf(await json("doctor"))).toMatchObject({
    status: "warn",
    found: `the service closed ${FROM} to ${TO}, by its policy`,
  })

  await runBallast(["sandbox", "mend", "--port", port], config)
  expect(await json("plan")).toMatchObject({ proposals: [{ from: FROM, to: TO }] })
})

function checkOf({ checks }: Record<string, unknown>): unknown {
  // CAST: the list of doctor's answer.
  return (checks as { check: string }[]).find(({ check }) => check.startsWith("pairs "))
}

async function json(...command: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await runBallast([...command, "--config", config.file, "--json"], {
    env: config.env,
  })
  return JSON.parse(stdout)
}
