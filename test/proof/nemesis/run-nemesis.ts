import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { OrderView } from "#order/view.ts"
import { chainOf, readBalances } from "../../support/e2e-chain.ts"
import { freePort } from "../../support/free-port.ts"
import {
  type SandboxProcess,
  startSandboxProcess,
  until,
  writeDaemonConfig,
} from "../../support/sandbox-process.ts"
import { type AuditResult, audit } from "../chaos/audit.ts"
import type { Evidence, Watch } from "../chaos/flow.ts"
import { watchBitcoin } from "../chaos/watch-bitcoin.ts"
import { watchEvm } from "../chaos/watch-evm.ts"
import type { EngineMutant } from "../fault-sim/engine-mutants.ts"
import { createRandom, type Random } from "../fault-sim/random.ts"
import { type DaemonHost, openDaemonHost } from "./daemon-host.ts"
import { drawFault, type Fault } from "./draw-fault.ts"
import { judgeSigners } from "./judge-signers.ts"
import { type Network, openNetwork } from "./network.ts"
import { openRelay } from "./open-relay.ts"
import { type PostgresHosts, startPostgresHosts } from "./postgres-hosts.ts"

const EVM = "base_sepolia:wbtc"
const BITCOIN = "bitcoin_testnet:btc"
const CHAINS = [EVM, BITCOIN].map((asset) => asset.split(":")[0] ?? "")

export type NemesisOptions = {
  readonly seed: number
  readonly takeOvers: number
  /** The longest fault. */
  readonly longestMs: number
  readonly say: (text: string) => void
  /** A mistake in both daemons. */
  readonly planted?: EngineMutant["edits"]
  readonly asynchronous?: boolean
}

export type NemesisResult = AuditResult & {
  readonly takeOvers: number
  readonly takeOverMs: readonly number[]
  readonly faults: readonly Fault[]
  readonly orders: number
  readonly accepted: number
  readonly signatures: number
  readonly dir: string
}

type World = {
  readonly network: Network
  readonly database: PostgresHosts
  readonly sandbox: SandboxProcess
  readonly daemons: readonly [DaemonHost, DaemonHost]
  readonly say: (text: string) => void
}

/**
 * Two daemons, two servers of PostgreSQL and local chains, in network namespaces of their own.
 * Faults end one leader after another while orders are under way. Then the run compares the chains,
 * and the records of both signers, with the orders that were accepted.
 */
export async function runNemesis(options: NemesisOptions): Promise<NemesisResult> {
  const random = createRandom(options.seed)
  const network = openNetwork()
  const undo: (() => unknown)[] = [network.close]
  // Also when a signal or an error ends this process; what takes time is only begun then.
  const undoAll = (): void => {
    for (const end of undo.splice(0).reverse()) end()
  }
  process.once("exit", undoAll)
  try {
    const sandbox = await startSandboxProcess()
    undo.push(sandbox.stop)
    const database = startPostgresHosts(network, { asynchronous: options.asynchronous === true })
    undo.push(database.close)
    const ports = portsOf(sandbox)
    undo.push(openRelay(network.addressOf("root"), ports))
    const databasePort = await freePort()
    const open = (name: "a" | "b"): Promise<DaemonHost> =>
      openDaemon({ network, sandbox, database, ports, databasePort }, name, options.planted ?? [])
    const daemons = [await open("a"), await open("b")] as const
    for (const daemon of daemons) undo.push(daemon.close)
    const world: World = { network, database, sandbox, daemons, say: options.say }
    return await attack(world, random, options)
  } finally {
    process.off("exit", undoAll)
    for (const end of undo.splice(0).reverse()) await end()
  }
}

type Parts = Omit<World, "daemons" | "say"> & {
  readonly ports: readonly number[]
  readonly databasePort: number
}

async function openDaemon(
  parts: Parts,
  name: "a" | "b",
  planted: EngineMutant["edits"],
): Promise<DaemonHost> {
  const { network, sandbox, database, ports, databasePort } = parts
  const override = {
    treasury: "main",
    journal: `postgres://postgres@127.0.0.1:${databasePort}/postgres`,
  }
  const { file } = await writeDaemonConfig(sandbox, name, override, {
    deposit: "onchain",
    only: CHAINS,
  })
  const dataDir = join(sandbox.dir, name)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const databaseAddress = database.address()
  return openDaemonHost({
    network,
    name,
    planted,
    configFile: file,
    dataDir,
    ports,
    databasePort,
    databaseAddress,
  })
}

async function attack(
  world: World,
  random: Random,
  options: NemesisOptions,
): Promise<NemesisResult> {
  const { sandbox, daemons, say } = world
  const startedMs = performance.now()
  const since = (): string => `${Math.round((performance.now() - startedMs) / 1_000)} s`
  const only = { chains: sandbox.chains.filter(({ name }) => CHAINS.includes(name)) }
  const evm = chainOf(sandbox, EVM)
  const bitcoin = chainOf(sandbox, BITCOIN)
  const watches: readonly Watch[] = [
    // CAST: the summary of the sandbox has the assets as its chains have them.
    await watchEvm(() => evm.url, evm.assets as Parameters<typeof watchEvm>[1], evm.name),
    await watchBitcoin(() => bitcoin.url, BITCOIN),
  ]
  const start = await readBalances(only)
  for (const daemon of daemons) daemon.start()
  await findLeader(world)
  const accepted: string[] = []
  const faults: Fault[] = []
  const takeOverMs: number[] = []
  for (let round = 0; countTerms(daemons) <= options.takeOvers; round++) {
    const leader = await findLeader(world)
    const place = async (part: number): Promise<void> => {
      const placed = await placeOrder(leader, 2 * round + part)
      if ("id" in placed) accepted.push(placed.id)
      else say(`${since()}: no order: ${placed.why}`)
    }
    await place(0)
    await sleep(random.next() * 1_500)
    const fault = drawFault(random, round, options)
    const before = countTerms(daemons)
    say(`${since()}: ${before - 1} take-overs, ${accepted.length} orders; ${JSON.stringify(fault)}`)
    faults.push(fault)
    const faultMs = performance.now()
    await inject(world, fault, leader, () => place(1))
    world.network.heal()
    for (const daemon of daemons) daemon.start()
    await findLeader(world)
    if (countTerms(daemons) === before + 1 && fault.kind === "kill leader")
      takeOverMs.push(Math.round(performance.now() - faultMs))
  }
  say(`${since()}: no more faults; waiting until all orders rest`)
  const orders = await settle(world, accepted)
  const evidence: Evidence[] = []
  for (const [index, { name }] of [evm, bitcoin].entries()) {
    const ours = orders.filter(({ from }) => from.startsWith(`${name}:`))
    const sent = ours.flatMap(({ transactions }) => transactions.map(({ tx }) => tx))
    evidence.push(await (watches[index] as Watch).read(sent))
  }
  const result = audit({ orders, accepted, evidence, start, end: await readBalances(only) })
  const signers = judgeSigners(
    daemons.map(({ dataDir }) => join(dataDir, "signer", "signatures.db")),
  )
  return {
    ...result,
    violations: [...result.violations, ...signers.violations],
    takeOvers: countTerms(daemons) - 1,
    takeOverMs,
    faults,
    orders: orders.length,
    accepted: accepted.length,
    signatures: signers.signatures,
    dir: sandbox.dir,
  }
}

/** How often a daemon took the lease. */
function countTerms(daemons: readonly DaemonHost[]): number {
  return daemons.reduce(
    (sum, daemon) =>
      sum + daemon.output().split("This daemon holds the treasury's lease").length - 1,
    0,
  )
}

async function findLeader({ daemons }: World): Promise<DaemonHost> {
  let found: DaemonHost | null = null
  const isFound = async (): Promise<boolean> => {
    // A daemon ends with 75 when it has lost the lease, and its supervisor starts it again.
    for (const daemon of daemons) daemon.start()
    for (const daemon of daemons)
      if ((await daemon.call("GET", "/readyz"))?.status === 200) found = daemon
    return found !== null
  }
  await until("a daemon leads", isFound, 120_000).catch((error: unknown) => {
    throw new Error(
      `${String(error)}\n${daemons.map((daemon) => daemon.output().slice(-3_000)).join("\n--\n")}`,
    )
  })
  if (found === null) throw new Error("unreachable")
  return found
}

/** Each order has an amount of its own, so that the chains show it apart. */
async function placeOrder(
  leader: DaemonHost,
  number: number,
): Promise<{ id: string } | { why: string }> {
  const [from, to] = number % 4 < 2 ? [EVM, BITCOIN] : [BITCOIN, EVM]
  const answer = await leader.call("POST", "/api/v1/swap", {
    from,
    to,
    amount: `0.00${100_000 + number * 7}`,
  })
  if (answer === null) return { why: "no answer" }
  // CAST: our own interface: 202 carries {id}.
  return answer.status === 202
    ? (answer.body as { id: string })
    : { why: JSON.stringify(answer.body).slice(0, 300) }
}

async function inject(
  world: World,
  fault: Fault,
  leader: DaemonHost,
  placeOther: () => Promise<void>,
): Promise<void> {
  const { network, database, daemons } = world
  const standby = daemons.find((daemon) => daemon !== leader) ?? leader
  const target = fault.kind.endsWith("standby") ? standby : leader
  switch (fault.kind) {
    case "kill leader":
    case "kill standby":
      target.signal("SIGKILL")
      await target.ended()
      return
    case "freeze leader":
    case "freeze standby":
      target.signal("SIGSTOP")
      await sleep(fault.ms)
      return target.signal("SIGCONT")
    case "cut":
      network.cut(...fault.between)
      return sleep(fault.ms)
    case "isolate leader":
      for (const place of ["primary", "standby", "root"] as const) network.cut(leader.name, place)
      // Nothing that it accepts now may be lost, though no other machine hears of it.
      await placeOther()
      return sleep(fault.ms)
    case "isolate database":
      for (const place of ["a", "b"] as const) network.cut(database.writer(), place)
      await placeOther()
      return sleep(fault.ms)
    case "promote database":
      // Commits that the standby has not seen are lost with the writer, so none of them may have
      // been acknowledged.
      network.cut("primary", "standby")
      await placeOther()
      await sleep(fault.ms)
      database.promote(network.heal)
      for (const daemon of daemons) daemon.pointDatabase(database.address())
      return
    case "crash database":
      return database.crash()
    case "hand over":
      await leader.call("POST", "/api/v1/cluster/hand-over", {})
      return sleep(1_000)
    case "shift leader":
    case "shift standby":
      target.shiftClock(fault.seconds)
      await sleep(fault.ms)
      return target.shiftClock(0)
    case "shift database":
      database.shiftClocks(fault.seconds)
      await sleep(fault.ms)
      return database.shiftClocks(0)
  }
}

/** Waits until every order is final or waits for a person. */
async function settle(world: World, accepted: readonly string[]): Promise<readonly OrderView[]> {
  let orders: readonly OrderView[] = []
  const isOver = async (): Promise<boolean> => {
    const answer = await (await findLeader(world)).call("GET", "/api/v1/orders?limit=1000")
    if (answer?.status !== 200) return false
    // CAST: our own interface.
    orders = (answer.body as { orders: OrderView[] }).orders
    return (
      orders.length >= accepted.length &&
      orders.every(({ outcome, held }) => outcome !== null || held)
    )
  }
  await until("all orders rest", isOver, 180_000).catch((error: unknown) =>
    world.say(String(error)),
  )
  // The last payouts are mined.
  await sleep(3_000)
  return orders
}

function portsOf({ service, chains }: SandboxProcess): readonly number[] {
  const urls = [
    service,
    ...chains.filter(({ name }) => CHAINS.includes(name)).map(({ url }) => url),
  ]
  return urls.map((url) => Number(new URL(url).port))
}
