import { copyFileSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { listInitiations } from "../support/e2e-initiations.ts"
import { acceptSwap } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
} from "../support/sandbox-process.ts"

/* Yesterday's journal is put in place, and the daemon is started without any preparation. */

const FROM = "base_sepolia:wbtc"
const TO = "ethereum_sepolia:wbtc"

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  const guards = { approve_above: "0.001", max_order: "0.1" }
  config = await writeE2eConfig(sandbox, "restored", { guards }, { deposit: "onchain" })
  daemon = startDaemonProcess(config)
  await daemon.ready()
}, 120_000)
afterAll(() => stopAll(daemon, sandbox))

test("a restored journal starts paused, recovers the lost orders, and deposits nothing twice", {
  timeout: 240_000,
}, async () => {
  // In the backup the order waits for its approval. Its deposit, and a whole further order, come
  // after the backup.
  await setFaults(sandbox, { solverSilent: true })
  const known = await acceptSwap(daemon, { from: FROM, to: TO, amount: "0.002" })
  await untilState(known, "awaiting-approval")
  const backup = join(sandbox.dir, "yesterday.db")
  expect(await ballast("backup", "--to", backup)).toMatchObject({ code: 0 })
  expect(await ballast("approve", known)).toMatchObject({ code: 0, stderr: "" })
  await untilState(known, "funded")
  const lost = await acceptSwap(daemon, { from: FROM, to: TO, amount: "0.00099" })
  await untilState(lost, "funded")
  expect(await countDeposits()).toBe(2)

  daemon.child.kill("SIGKILL")
  await daemon.exited
  const journal = join(sandbox.dir, "restored", "journal.db")
  for (const suffix of ["-wal", "-shm"]) if (existsSync(journal + suffix)) rmSync(journal + suffix)
  copyFileSync(backup, journal)
  daemon = startDaemonProcess(config)
  await daemon.serves()

  const alarms = await readAlarms()
  expect(alarms.map(({ code }) => code)).toContain("journal.restored")
  // The lost order is found by itself, and goes on as a new one.
  const recovered = await findRecovered()
  expect(recovered).toMatchObject({ rule: "recovered", amount: "0.00099", deposited: true })
  expect((await daemon.call("GET", `/api/v1/orders/${lost}`)).status).toBe(404)
  await until("the search has ended", async () =>
    (await ballast("status", "--json")).stdout.includes('"paused"'),
  )

  expect(
    (await daemon.call("POST", "/api/v1/resume", { acknowledge: alarms.map(({ id }) => id) }))
      .status,
  ).toBe(200)
  // The operator approves the known order once more, as the restored journal asks.
  await ballast("approve", known)
  await setFaults(sandbox)
  await until(
    "both orders ended",
    async () => {
      const first = await daemon.order(known)
      const second = await daemon.order(recovered.id)
      return first.outcome !== null && second.outcome !== null
    },
    120_000,
  )
  expect(await daemon.order(known)).toMatchObject({ outcome: "completed" })
  expect(await daemon.order(recovered.id)).toMatchObject({ outcome: "completed" })
  expect(await countDeposits()).toBe(2)
})

type Listed = {
  readonly id: string
  readonly rule: string
  readonly amount: string
  readonly deposited: boolean
}

async function findRecovered(): Promise<Listed> {
  let found: Listed | undefined
  await until(
    "the lost order is recovered",
    async () => {
      // CAST: our own interface.
      const { body } = (await daemon.call("GET", "/api/v1/orders")) as {
        body: { orders: Listed[] }
      }
      found = body.orders.find(({ rule }) => rule === "recovered")
      return found !== undefined
    },
    90_000,
  )
  if (found === undefined) throw new Error("not found")
  return found
}

async function readAlarms(): Promise<readonly { readonly id: string; readonly code: string }[]> {
  // CAST: our own interface.
  const { body } = (await daemon.call("GET", "/api/v1/status")) as {
    body: { paused: boolean; pause: { alarms: { id: string; code: string }[] } | null }
  }
  expect(body.paused).toBe(true)
  return body.pause?.alarms ?? []
}

async function untilState(id: string, state: string): Promise<void> {
  await until(`the order is ${state}`, async () => (await daemon.order(id)).state === state, 60_000)
}

async function countDeposits(): Promise<number> {
  const chain = sandbox.chains.find(({ name }) => FROM.startsWith(`${name}:`))
  if (chain === undefined) throw new Error("no chain")
  return (await listInitiations(chain, FROM)).length
}

function ballast(...args: readonly string[]): ReturnType<typeof runBallast> {
  return runBallast([...args, "--config", config.file], { env: config.env })
}
