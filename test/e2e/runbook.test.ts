import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type HttpReceiver, startHttpReceiver } from "../support/alert-receivers.ts"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"
import { readShellLines } from "../support/typed-page.ts"

/*
 * Every command of docs/RUNBOOK.md, typed as it stands there beside a running daemon. ID, ORDER,
 * RULE and ASSET stand for names of this treasury.
 */

const FROM = "base_sepolia:wbtc"
const TO = "ethereum_sepolia:wbtc"
const RULE = "keep-base"
const RUNBOOK = readFileSync(new URL("../../docs/RUNBOOK.md", import.meta.url), "utf8")
const COMMANDS = [...new Set(readShellLines(RUNBOOK).filter((line) => line.startsWith("ballast ")))]

/**
 * The answers that are no success here, because nothing is wrong with this treasury: the exit code,
 * and the code of the refusal.
 */
const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  "ballast run": [75, "daemon.locked"],
  "ballast retry ID": [1, "operator.not_now"],
  "ballast refund ORDER": [1, "operator.not_now"],
  "ballast redeem ORDER": [1, "secret.chosen_by_service"],
  "ballast cluster status": [1, "cluster.none"],
  "ballast reconcile --accept ASSET": [1, "books."],
  "ballast proposals ID": [1, "proposal.unknown"],
  "ballast proposals ID --dismiss": [1, "proposal.unknown"],
}
/** `status` and `doctor` have findings: an order waits, and each chain has one endpoint. */
const FINDINGS = ["ballast status", "ballast doctor"]

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
let receiver: HttpReceiver
let waiting = ""

beforeAll(async () => {
  receiver = await startHttpReceiver()
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  config = await writeE2eConfig(sandbox, "runbook", {
    guards: { approve_above: "0.001", max_order: "0.1" },
    alerts: { receivers: { hook: { kind: "webhook", url: receiver.url } } },
    rules: [
      {
        id: RULE,
        kind: "band",
        every: "5s",
        asset: FROM,
        min: "0.1",
        target: "0.9",
        max: "1.5",
        sources: [TO],
      },
    ],
  })
  daemon = startDaemonProcess(config)
  await daemon.ready()
  waiting = await acceptSwap(daemon, { from: FROM, to: TO, amount: "0.002" })
  await until(
    "the order waits",
    async () => (await daemon.order(waiting)).state === "awaiting-approval",
    60_000,
  )
  await until(
    "the rule has decided",
    async () => (await type(`ballast why ${RULE}`)).stdout.includes("declined"),
    60_000,
  )
}, 300_000)
afterAll(async () => {
  await daemon?.stop()
  await sandbox?.stop()
  await receiver?.close()
})

// A pause stops the others, and an approval ends the wait, so these two come last.
const LAST = ["ballast approve ID", "ballast pause"]
const ORDERED = [...COMMANDS.filter((line) => !LAST.includes(line)), ...LAST]

test("the runbook has commands", () => expect(COMMANDS.length).toBeGreaterThan(20))

test.each(ORDERED)("%s", { timeout: 120_000 }, async (line) => {
  const typed = line
    .replace("ASSET", FROM)
    .replace("RULE", RULE)
    .replace(/\b(ID|ORDER)\b/, waiting.slice(0, 8))
  const { code, stdout, stderr } = await type(typed)
  const [wanted, reason = ""] = REFUSALS[line] ?? [0]
  const said = `${typed}: ${code}\n${stdout}\n${stderr}`
  expect(said).not.toMatch(/\[cli\.|\bat .+\.ts:\d+/)
  if (FINDINGS.includes(line)) expect([0, 1], said).toContain(code)
  else expect(code, said).toBe(wanted)
  expect(stdout + stderr, said).toContain(reason)
})

function type(line: string): Promise<CliResult> {
  const [, ...args] = line.split(" ")
  return runBallast([...args, "--config", config.file], { env: config.env, timeoutMs: 110_000 })
}
