import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "#client/client.ts"
import { writeE2eConfig } from "../../support/e2e-config.ts"
import { setFaults } from "../../support/e2e-faults.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  TOKEN,
} from "../../support/sandbox-process.ts"

/*
 * A day of a treasury by the generated client alone, without a cast: quote, swap, approvals of two
 * people, a refund, the report. Its stream of events goes over a SIGKILL of the daemon.
 */

const PAIR = { from: "ethereum_sepolia:wbtc", to: "base_sepolia:wbtc" }
/** Two hundred dollars, and ten. */
const LARGE = { ...PAIR, amount: "0.002" }
const SMALL = { ...PAIR, amount: "0.0001" }
const PEOPLE = { anna: "anna-anna-anna-anna-anna", ben: "ben-ben-ben-ben-ben-ben-" }

let sandbox: SandboxProcess
let daemon: DaemonProcess
beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
}, 60_000)
afterAll(() => stopAll(daemon, sandbox))

test("a program and two people spend a day with the generated client", {
  timeout: 180_000,
}, async () => {
  const config = await writeE2eConfig(sandbox, "day", {
    guards: {
      max_order: "0.1",
      max_cost: "500bps",
      approve_above: [
        { over: "20 usd", people: 1 },
        { over: "100 usd", people: 2 },
      ],
    },
    ops: {
      tokens: Object.keys(PEOPLE).map((name) => ({
        name,
        token: `env:TOKEN_OF_${name}`,
        scopes: ["read", "approve"],
      })),
    },
  })
  const env = { TOKEN_OF_anna: PEOPLE.anna, TOKEN_OF_ben: PEOPLE.ben }
  daemon = startDaemonProcess(config, env)
  await daemon.ready()
  const clientOf = (token: string) =>
    createClient({ url: `http://127.0.0.1:${config.port}`, token, patienceMs: 60_000 })
  const [program, anna, ben] = [TOKEN, PEOPLE.anna, PEOPLE.ben].map(clientOf)
  if (program === undefined || anna === undefined || ben === undefined) throw new Error("three")
  const stop = new AbortController()
  const told = new Set<string>()
  const listening = (async () => {
    for await (const { type, data } of program.getEvents({ signal: stop.signal })) {
      if (type === "order") told.add(`${data.id} ${data.outcome ?? data.state}`)
      if (type === "approval") told.add(`${data.id} ${data.intent}`)
    }
  })()
  const open = async (swap: typeof LARGE): Promise<string> => {
    const answer = await program.postSwap(swap)
    if (!("id" in answer)) throw new Error("a dry run")
    return answer.id
  }
  const reaches = (id: string, wanted: string) =>
    expect
      .poll(async () => {
        const { state, outcome } = await program.getOrdersById({ id })
        return outcome ?? state
      })
      .toBe(wanted)

  expect(await program.getQuote(LARGE)).toMatchObject({ refused: [], needsApproval: true })
  const large = await open(LARGE)
  await reaches(large, "awaiting-approval")
  const { intent } = await anna.getOrdersById({ id: large })
  if (intent === null) throw new Error("no intent")
  await expect.poll(() => told).toContain(`${large} ${intent}`)
  daemon.child.kill("SIGKILL")
  await daemon.exited
  daemon = startDaemonProcess(config, env)
  await anna.postOrdersByIdApprove({ id: large, intent })
  expect(await anna.getOrdersById({ id: large })).toMatchObject({ state: "awaiting-approval" })
  await expect(program.postOrdersByIdApprove({ id: large, intent })).rejects.toMatchObject({
    reasons: [{ code: "approval.named_person" }],
  })
  await ben.postOrdersByIdApprove({ id: large, intent })
  await reaches(large, "completed")

  await setFaults(sandbox, { lapse: true })
  const small = await open(SMALL)
  await expect.poll(async () => (await program.getOrdersById({ id: small })).deposited).toBe(true)
  const body = JSON.stringify({ chain: "ethereum_sepolia", blocks: 7_300 })
  await fetch(`${sandbox.service}/sandbox/advance`, { method: "POST", body })
  await reaches(small, "refunded")

  const { lines } = await program.getReport({ by: "pair" })
  expect(lines).toMatchObject([{ counts: { completed: 1, refunded: 1 } }])
  const { calls } = await program.getAudit({ subject: large })
  expect(calls.map(({ caller }) => caller)).toEqual(expect.arrayContaining(["anna", "ben"]))
  for (const end of [`${large} completed`, `${small} refunded`])
    await expect.poll(() => told).toContain(end)
  stop.abort()
  await listening
})
