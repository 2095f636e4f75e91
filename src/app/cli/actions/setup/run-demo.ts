import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { request } from "undici"
import { EXIT } from "#daemon/start/exit-code.ts"
import { formatSpan } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { plainJson } from "#lib/json.ts"
import type { OrderView } from "#order/view.ts"
import type { CommandContext } from "../../define-command.ts"
import { createDisplay } from "../../demo/create-display.ts"
import {
  allRoutes,
  amountFor,
  defaultRoutes,
  demoConfig,
  type Route,
  type SandboxSummary,
  showRules,
} from "../../demo/demo-config.ts"
import { formatSummary, summariseDemo } from "../../demo/show-orders.ts"
import { type Child, startChild } from "../../demo/start-child.ts"
import { listSandboxes, nameSandbox } from "../../sandbox/running-sandboxes.ts"

const REFRESH_MS = 500
const MAX_AT_ONCE = 6
const ORDER_TIMEOUT_MS = 5 * 60_000

type DemoChoices = {
  readonly orders: number | null
  readonly routes: "all" | null
  readonly chains: string | null
  readonly dialect: string | null
}

/**
 * Runs the daemon on the embedded sandbox. Without `--orders` the demo's rules run until a signal
 * ends them. With `--orders N` it makes N swaps over the routes in turn, and prints a summary: exit
 * 0 if all completed, 1 if any did not.
 */
export async function runDemo(context: CommandContext, choices: DemoChoices): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), "ballast-demo-"))
  const children: Child[] = []
  let current: Demo | null = null
  let isClean = false
  const interrupted = new Promise<"interrupted">((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => resolve("interrupted"))
  })
  const say = (text: string): void =>
    void (context.json ? process.stderr : process.stdout).write(`${text}\n`)
  try {
    say(
      "Starting local chains and the swap service (the first time this fetches bitcoind) … " +
        `logs in ${dir}`,
    )
    await nameOthers(context)
    const work = prepare(context, choices, dir, children).then((demo) => {
      current = demo
      say(`Dashboard: ${demo.page.url} (log in with the token ${demo.page.token})`)
      say(`In another terminal: ${nameProgram(context.env)} status --config ${demo.file}`)
      return makeOrders(context, demo, say)
    })
    const result = await Promise.race([work, interrupted])
    if (result === "interrupted") await sayFarewell(context, current, say)
    isClean = result === "interrupted" || result === EXIT.ok
    return result === "interrupted" ? EXIT.ok : result
  } finally {
    for (const child of children.reverse()) await child.stop()
    // The logs of a run that went wrong stay.
    if (isClean) rmSync(dir, { recursive: true, force: true })
  }
}

/** Two sandboxes do not disturb each other, but a person may have forgotten the first. */
async function nameOthers({ warn, clock }: CommandContext): Promise<void> {
  for (const one of await listSandboxes())
    warn(nameSandbox("Another sandbox runs already", one, clock.now()))
}

async function sayFarewell(
  { clock }: CommandContext,
  demo: Demo | null,
  say: (text: string) => void,
): Promise<void> {
  if (demo === null) return say("Interrupted before the sandbox was up.")
  // Ctrl-C reaches the daemon too, so it may be gone.
  const orders = await readOrders(demo).catch(() => demo.last.orders)
  const completed = orders.filter(({ outcome }) => outcome === "completed").length
  const ran = formatSpan(clock.now() - demo.startedAt)
  say(`\nThe demo ran for ${ran}: ${orders.length} orders, ${completed} of them completed.`)
}

type Demo = {
  readonly startedAt: number
  readonly routes: readonly Route[]
  readonly total: number | null
  readonly call: Call
  /** The daemon's newest answer. */
  readonly last: { orders: readonly OrderView[] }
  /** The configuration, for other commands. */
  readonly file: string
  /** The token lives as long as this run, on loopback and for money of the sandbox. */
  readonly page: { readonly url: string; readonly token: string }
}
type Call = (method: "GET" | "POST", path: string, body?: unknown) => Promise<unknown>

async function prepare(
  { env, clock }: CommandContext,
  choices: DemoChoices,
  dir: string,
  children: Child[],
): Promise<Demo> {
  const sandboxArgs = [
    "sandbox",
    "--json",
    "--port",
    "0",
    "--dir",
    join(dir, "chains"),
    ...passOn("chains", choices.chains),
    ...passOn("dialect", choices.dialect),
    ...passOn("routes", choices.routes),
  ]
  const sandbox = startChild(sandboxArgs, { env, logFile: join(dir, "sandbox.log") })
  children.push(sandbox)
  // CAST: the line that our own `sandbox --json` prints.
  const summary = JSON.parse(await sandbox.firstLine) as SandboxSummary
  for (const { chain, reason } of summary.missing)
    process.stderr.write(`${chain} is missing: ${reason}\n`)
  const everyPair = choices.routes === "all"
  const routes = everyPair ? allRoutes(summary) : defaultRoutes(summary)
  const total = choices.orders ?? (everyPair ? routes.length : null)
  const port = await freePort()
  const token = randomBytes(16).toString("hex")
  const config = {
    ...demoConfig(summary, { dataDir: join(dir, "data"), routes: [], deposit: "auto" }),
    ...(total === null ? showRules(summary, oneWay(routes)) : {}),
    // A file, because the commands of another terminal read the same configuration.
    ops: { listen: `127.0.0.1:${port}`, token: `file:${join(dir, "token")}` },
  }
  const file = join(dir, "ballast.yaml")
  writeFileSync(join(dir, "token"), token)
  writeFileSync(file, plainJson(config, 2))
  const daemon = startChild(["run", "--config", file], { env, logFile: join(dir, "daemon.log") })
  children.push(daemon)
  const url = `http://127.0.0.1:${port}`
  const call = createCall(url, token)
  await waitUntilReady(clock, daemon, call)
  return {
    startedAt: clock.now(),
    routes,
    total,
    call,
    last: { orders: [] },
    file,
    page: { url: `${url}/`, token },
  }
}

/** The program as a person starts it: npm sets this variable in a checkout. */
function nameProgram(env: NodeJS.ProcessEnv): string {
  return env["npm_lifecycle_event"] === undefined ? "ballast" : "npm run -s ballast --"
}

/**
 * Rules that go round in a circle are paused (alarm.churn), so the demo sells Bitcoin on three
 * routes and takes no way back.
 */
function oneWay(routes: readonly Route[]): Route[] {
  const from = routes[0]?.from
  return routes.filter((route) => route.from === from).slice(0, 3)
}

async function makeOrders(
  context: CommandContext,
  demo: Demo,
  say: (text: string) => void,
): Promise<number> {
  const { clock } = context
  const until = clock.now() + ORDER_TIMEOUT_MS * Math.max(1, (demo.total ?? 0) / MAX_AT_ONCE)
  const show = createDisplay(context.columns, demo.total, say)
  const ids: string[] = []
  for (;;) {
    const orders = await readOrders(demo)
    const open = orders.filter(({ outcome }) => outcome === null)
    if (demo.total !== null && ids.length < demo.total && open.length < MAX_AT_ONCE)
      ids.push(await submitNext(demo, ids.length))
    else {
      show(orders)
      const resting = orders.length > 0 && open.every(({ held }) => held)
      if (demo.total !== null && ids.length === demo.total && (resting || clock.now() > until))
        return finish(context, orders, ids, say)
      await clock.sleep(REFRESH_MS)
    }
  }
}

/** Requests the swap of the next route. */
async function submitNext({ routes, call }: Demo, index: number): Promise<string> {
  const route = routes[index % routes.length]
  if (!route)
    throw new AppError({
      code: "demo.routes",
      disposition: "refused",
      message: "The sandbox has no two chains to swap between",
    })
  const answer = await call("POST", "/api/v1/swap", { ...route, amount: amountFor(route.from) })
  // CAST: the daemon's own answer: {id} or {reasons}.
  const { id, reasons } = answer as { id?: string; reasons?: { code: string; message: string }[] }
  if (id !== undefined) return id
  const why =
    reasons?.map(({ code, message }) => `${message} [${code}]`).join("; ") ?? "no reason given"
  throw new AppError({
    code: "demo.refused",
    disposition: "refused",
    message: `${route.from} → ${route.to} was refused: ${why}`,
  })
}

function finish(
  context: CommandContext,
  orders: readonly OrderView[],
  ids: readonly string[],
  say: (text: string) => void,
): number {
  const lines = ids.flatMap((id) => orders.filter((order) => order.id === id)).map(summariseDemo)
  if (context.json) context.print(plainJson({ orders: lines }, 2))
  else say(`\n${formatSummary(lines)}`)
  const completed = lines.filter(({ state }) => state === "completed").length
  say(`\n${completed} of ${ids.length} orders completed`)
  return completed === ids.length ? EXIT.ok : EXIT.refused
}

async function readOrders({ call, last }: Demo): Promise<readonly OrderView[]> {
  // CAST: the daemon's own answer.
  last.orders = ((await call("GET", "/api/v1/orders?limit=500")) as { orders: OrderView[] }).orders
  return last.orders
}

function createCall(base: string, token: string): Call {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const answer = await request(`${base}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.body.json()
  }
}

/** A daemon that ends is noticed at once, so a busy machine may take its time. */
const READY_EVERY_MS = 100
const READY_ATTEMPTS = 1_200

async function waitUntilReady(clock: Clock, daemon: Child, call: Call): Promise<void> {
  const ended = daemon.firstLine.then(() => new Promise<never>(() => undefined))
  const ready = async (): Promise<void> => {
    for (let attempt = 0; attempt < READY_ATTEMPTS; attempt++) {
      try {
        await call("GET", "/readyz")
        return
      } catch {
        // The daemon does not listen yet.
        await clock.sleep(READY_EVERY_MS)
      }
    }
    throw new AppError({
      code: "demo.daemon",
      disposition: "transient",
      message: "The daemon did not become ready within two minutes",
    })
  }
  await Promise.race([ready(), ended])
}

function passOn(name: string, value: string | null): string[] {
  return value === null ? [] : [`--${name}`, value]
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("no port")),
      )
    })
  })
}
