import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, expect, test } from "vitest"
import { AnswerLost, createClient, pages, Refused } from "#client/client.ts"
import { createDice } from "../../support/dice.ts"
import { chainOf } from "../../support/e2e-chain.ts"
import { runBallast } from "../../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../../support/e2e-config.ts"
import { listInitiations } from "../../support/e2e-initiations.ts"
import { freePort } from "../../support/free-port.ts"
import { type LossyProxy, startLossyProxy } from "../../support/lossy-proxy.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  LAUNCHER,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  TOKEN,
} from "../../support/sandbox-process.ts"

/*
 * Swaps by command line, client and agents over a network that loses, doubles, delays and reorders
 * requests and answers, and a daemon that SIGKILL ends in their midst; a person decides each order
 * over the same network. `npm run campaign -- agents` asks thousands.
 */

const COMMANDS = Number(process.env["BALLAST_LOST_COMMANDS"] ?? 24)
/** After so many minutes, or at SIGTERM, it asks no more, and judges what it has. */
const MINUTES = Number(process.env["BALLAST_LOST_MINUTES"] ?? 60)
const AT_ONCE = COMMANDS > 100 ? 48 : 12
/** A start of the daemon takes as long as a hundred commands. */
const KILL_EACH = COMMANDS > 1_000 ? 400 : 40
/** Of so many commands two are processes of their own, which cost as much as twenty requests. */
const BY_COMMAND_OF = COMMANDS > 1_000 ? 36 : 12
const APPROVED_OF = COMMANDS > 1_000 ? 250 : 12
const FROM = "base_sepolia:wbtc"
const TO = "ethereum_sepolia:wbtc"
const SWAP = { from: FROM, to: TO, amount: "0.0003" }
const ANNA = "anna-anna-anna-anna-anna"
/** An agent asks twelve times an hour, and the count ends with the process. */
const AGENTS = Array.from({ length: Math.min(60, COMMANDS) }, (_, index) => `desk-${index}`)
/** Of these the command line has a process each; the others ask over HTTP. */
const BY_STDIO = AGENTS.slice(0, COMMANDS > 1_000 ? 6 : 1)
const tokenOf = (agent: string): string => `token-of-the-agent-${agent}`

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
let tcp: LossyProxy
let unix: LossyProxy
let url = ""
/** The configuration of commands, whose socket is the proxy's. */
let commandFile = ""
let lives = 1
let isAway = false
let restart = Promise.resolve()
const open: Client[] = []

beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  config = await writeE2eConfig(sandbox, "lossy", {
    guards: {
      max_order: "0.1",
      max_cost: "500bps",
      max_in_flight: 1_000,
      cooldown_after_failure: "1s",
      cooldown_max: "1s",
      approve_above: "0.01 usd",
      approval_ttl: "6h",
    },
    prices: { trust_service: true },
    // The usual ten requests a second would be used up by the orders that wait for a person.
    service: { max_requests_per_second: 1_000, poll: { max: "10s" } },
    rules: [],
    log: { level: "warn" },
    ops: {
      tokens: [{ name: "anna", token: "env:ANNA_TOKEN", scopes: ["read", "approve"] }],
      agents: AGENTS.map((name, index) => ({
        name,
        token: `env:TOKEN_${index}`,
        socket: true,
        tools: ["read", "swap"],
        pairs: [{ from: FROM, to: TO }],
        max_order: "250 usd",
        max_day: "10000000 usd",
        max_day_count: 10_000,
        max_in_flight: 1_000,
      })),
    },
  })
  daemon = start()
  await daemon.ready()
  const dataDir = join(sandbox.dir, "lossy")
  const folder = join(sandbox.dir, "command")
  mkdirSync(folder, { mode: 0o700 })
  commandFile = join(sandbox.dir, "command.yaml")
  writeFileSync(commandFile, readFileSync(config.file, "utf8").replace(dataDir, folder))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const dice = createDice(48)
  const more = { dice, kill, killEach: KILL_EACH }
  const host = "127.0.0.1"
  tcp = await startLossyProxy({ listen: { host, port }, to: { host, port: config.port }, ...more })
  const umask = process.umask(0o077)
  unix = await startLossyProxy({
    listen: { socketPath: join(folder, "ballast.sock") },
    to: { socketPath: join(dataDir, "ballast.sock") },
    ...more,
  })
  process.umask(umask)
}, 90_000)
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()))
  for (const proxy of [tcp, unix]) proxy?.stop()
  await restart
  await daemon?.stop()
  await sandbox?.stop()
})

function start(): DaemonProcess {
  const tokens = AGENTS.map((name, index) => [`TOKEN_${index}`, tokenOf(name)])
  const env = { ANNA_TOKEN: ANNA, ...Object.fromEntries(tokens) }
  return startDaemonProcess(config, env, join(sandbox.dir, "lossy.log"))
}

/** A supervisor starts the daemon again at once. */
function kill(): void {
  if (isAway) return
  isAway = true
  lives++
  daemon.child.kill("SIGKILL")
  restart = daemon.exited.then(async () => {
    daemon = start()
    // On a machine that is this busy the next kill comes later.
    await daemon.serves().catch(() => undefined)
    isAway = false
  })
}

/** What one attempt has learnt: the order, nothing yet, or a key under which no order opens. */
type Learnt = { readonly id: string } | { readonly retry: true } | { readonly withdrawn: string }
const RETRY: Learnt = { retry: true }

const wrong: string[] = []

async function askByClient(key: string): Promise<Learnt> {
  try {
    const answer = await createClient({ url, token: TOKEN, patienceMs: 2_000 }).postSwap(SWAP, {
      key,
    })
    if ("id" in answer) return answer
    wrong.push(`${key}: no order`)
  } catch (error) {
    if (error instanceof Refused && isTooSoon(JSON.stringify(error.reasons))) await sleep(1_000)
    else if (!(error instanceof AnswerLost)) throw error
  }
  return RETRY
}

/** After a rejection, or where the service is slow, nothing opens: a refusal frees the key. */
function isTooSoon(text: string): boolean {
  return /limit\.cooldown|quote\.none/.test(text)
}

/** `chosen: null`: the command makes a key, and names it where it does not know. */
async function askByCommand(chosen: string | null): Promise<Learnt> {
  const key = chosen === null ? [] : ["--idempotency-key", chosen]
  const words = ["swap", FROM, TO, SWAP.amount, "--yes", "--json", ...key, "--config", commandFile]
  const { code, stdout, stderr } = await runBallast(words, { env: config.env, timeoutMs: 120_000 })
  if (code === 0) return JSON.parse(stdout)
  const [, named = ""] = /"idempotencyKey": ?"([^"]+)"/.exec(stderr + stdout) ?? []
  const said = `${code} ${/(?:swap|daemon)\.\w+/.exec(stderr + stdout)?.[0]}`
  if (said === "75 swap.not_accepted") return chosen === null ? { withdrawn: named } : RETRY
  if (said === "76 swap.uncertain") return askByCommand(named)
  if (said !== "75 daemon.unreachable" && !isTooSoon(stderr + stdout))
    wrong.push(`command: ${said} ${stderr}`)
  return RETRY
}

async function connect(agent: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, PINNED)
  const args = [LAUNCHER, "mcp", "--agent", agent, "--config", commandFile]
  const env = Object.fromEntries(
    Object.entries(bareEnvironment()).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
  const headers = { authorization: `Bearer ${tokenOf(agent)}` }
  await client.connect(
    BY_STDIO.includes(agent)
      ? new StdioClientTransport({ command: process.execPath, args, env })
      : new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  )
  open.push(client)
  return client
}
const PINNED = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const

const clients = new Map<string, Client>()
async function askByAgent(agent: string, key: string): Promise<Learnt> {
  try {
    const client = clients.get(agent) ?? (await connect(agent))
    clients.set(agent, client)
    const args = { ...SWAP, key, again: true }
    const { structuredContent } = await client.callTool({ name: "request_swap", arguments: args })
    // CAST: the desk answers with an object.
    const body = structuredContent as { id?: string; retry?: string }
    if (body.id !== undefined) return { id: body.id }
    const text = JSON.stringify(body)
    if (body.retry === "no" && !isTooSoon(text)) wrong.push(`${agent} ${key}: ${text}`)
    if (body.retry !== "same-key") await sleep(1_000)
  } catch {
    // The client of the protocol tells no more than that an answer is missing.
    await sleep(1_000)
  }
  return RETRY
}

/** One command until its order is known, as a program or a person that follows the advice. */
async function learn(index: number, withdrawn: string[]): Promise<string> {
  const key = `key-${index}`
  const agent = AGENTS[Math.floor(index / 4) % AGENTS.length] ?? ""
  const chosen = [key, null][index % BY_COMMAND_OF]
  const ask = (): Promise<Learnt> => {
    if (chosen !== undefined) return askByCommand(chosen)
    return index % 4 === 3 ? askByAgent(agent, key) : askByClient(key)
  }
  for (;;) {
    const learnt = await ask()
    if ("id" in learnt) return learnt.id
    if ("withdrawn" in learnt) withdrawn.push(learnt.withdrawn)
    await sleep(100)
  }
}

/** A person looks every few seconds, rejects every order that waits, and approves one of some. */
function startPerson() {
  const client = createClient({ url, token: ANNA })
  const decided = new Map<string, Promise<string>>()
  let isOver = false
  const decide = async (id: string, intent: string | null): Promise<string> => {
    const isGood = decided.size % APPROVED_OF === 0
    const ask = async (): Promise<string> => {
      const key = `decided-${id}`
      if (!isGood || intent === null) await client.postOrdersByIdReject({ id }, { key })
      else await client.postOrdersByIdApprove({ id, intent }, { key })
      return isGood ? "completed" : "rejected"
    }
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof AnswerLost)) throw error
        await sleep(500)
      }
    }
  }
  const ended = (async () => {
    while (!isOver) {
      const { orders } = await client.getOrders({ open: "true", limit: 200 }).catch((error) => {
        if (error instanceof Refused) throw error
        return { orders: [] }
      })
      for (const { id, state, intent } of orders)
        if (state === "awaiting-approval" && !decided.has(id)) decided.set(id, decide(id, intent))
      await sleep(COMMANDS > 100 ? 3_000 : 1_500)
    }
  })()
  return {
    decided,
    end: async () => {
      isOver = true
      await ended
    },
  }
}

test("each key has one order, each answer is the order's truth, and each decision counts once", {
  timeout: COMMANDS > 100 ? (MINUTES + 20) * 60_000 : 300_000,
}, async () => {
  const startedMs = Date.now()
  let isStopped = false
  process.once("SIGTERM", () => (isStopped = true))
  if (COMMANDS > 100) process.stderr.write(`kill -TERM ${process.pid} ends it with its judgement\n`)

  const person = startPerson()
  const ids: string[] = []
  const withdrawn: string[] = []
  let next = 0
  const isOver = (): boolean => isStopped || Date.now() > startedMs + MINUTES * 60_000
  const work = async (): Promise<void> => {
    for (let index = next++; index < COMMANDS && !isOver(); index = next++) {
      // One death is sure; the others are the network's dice.
      if (index === COMMANDS / 2) kill()
      ids[index] = await learn(index, withdrawn)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await Promise.all([tcp.calm(), unix.calm()])

  await restart
  await daemon.ready()

  const client = createClient({ url, token: TOKEN })
  const list = async (): Promise<ReadonlyMap<string, string | null>> => {
    const found = new Map<string, string | null>()
    for await (const { orders } of pages(client.getOrders, { limit: 1_000 }))
      for (const { id, outcome } of orders) found.set(id, outcome)
    return found
  }
  expect(wrong).toEqual([])
  expect([...(await list()).keys()].toSorted()).toEqual(ids.toSorted())
  // The last approved ones have their swap before them, on a machine that may be busy.
  const listOpen = async (): Promise<readonly string[]> =>
    (await client.getOrders({ open: "true" })).orders.map(({ id }) => id)
  await expect
    .poll(listOpen, {
      interval: 500,
      timeout: COMMANDS > 100 ? 900_000 : 60_000,
    })
    .toEqual([])
  await person.end()

  const found = await list()
  const decided = new Map<string, string>()
  for (const [id, verdict] of person.decided) decided.set(id, await verdict)
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(decided))
  for (const key of withdrawn)
    await expect(client.getSwapByKey({ key })).rejects.toMatchObject({
      reasons: [{ code: "request.key_withdrawn" }],
    })
  // Approved once, deposited once.
  const completed = [...found.values()].filter((outcome) => outcome === "completed").length
  expect(completed).toBeGreaterThan(0)
  expect(await listInitiations(chainOf(sandbox, FROM), FROM)).toHaveLength(completed)
  expect(lives).toBeGreaterThan(1)
  const seconds = Math.round((Date.now() - startedMs) / 1_000)
  const figures = { commands: ids.length, seconds, lives, completed, withdrawn: withdrawn.length }
  process.stderr.write(`${JSON.stringify({ ...figures, tcp: tcp.counts() })}\n`)
})
