import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { demoConfig } from "#cli/demo/demo-config.ts"
import { systemClock } from "#lib/clock.ts"
import type { Fault } from "#sandbox/service/faults.ts"
import { CHAIN_NAMES, type ChainName } from "#sandbox/start-sandbox.ts"
import { setFaults } from "../../support/e2e-faults.ts"
import { freePort } from "../../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess } from "../../support/sandbox-process.ts"
import type { ChainHostLine, ChainHostOptions } from "./chain-host.ts"
import { fundWallets } from "./fund-wallets.ts"
import { callChain } from "./remote-chain.ts"
import type { ServiceHostLine, ServiceHostOptions } from "./service-host.ts"
import { killChain, startChainHost } from "./start-chain-host.ts"
import { type CutProxy, startCutProxy } from "./start-cut-proxy.ts"
import { type Host, killChild, startHost } from "./start-host.ts"

/**
 * Relative timelocks of one nominal length on every chain, because Ballast compares the two legs of
 * an order by the block times of live chains, with a range of a factor of two on each leg. Bitcoin,
 * with its 80 minutes as a destination, decides the length of about nine hours. A run leaps past
 * them instead of waiting.
 */
const TIMELOCKS: Readonly<Record<ChainName, { source: number; destination: number }>> = {
  bitcoin_testnet: { source: 144, destination: 8 },
  base_sepolia: { source: 16_200, destination: 600 },
  ethereum_sepolia: { source: 2_700, destination: 100 },
  solana_testnet: { source: 81_000, destination: 3_000 },
  starknet_sepolia: { source: 16_200, destination: 600 },
}

/**
 * Rules beside the manual requests. `catch_up: once`, so that a restarted daemon makes up for a
 * missed occurrence.
 */
const RULES = [
  {
    id: "dca",
    kind: "recurring",
    schedule: "*/20 * * * * *",
    catch_up: "once",
    from: "base_sepolia:wbtc",
    to: "bitcoin_testnet:btc",
    amount: "0.0009",
  },
  {
    id: "back",
    kind: "recurring",
    schedule: "7,37 * * * * *",
    catch_up: "once",
    from: "bitcoin_testnet:btc",
    to: "starknet_sepolia:wbtc",
    amount: "0.0008",
  },
  {
    id: "band",
    kind: "band",
    asset: "starknet_sepolia:wbtc",
    min: "0.998",
    target: "1",
    max: "1.002",
    every: "10s",
    sources: ["ethereum_sepolia:wbtc"],
    sinks: ["ethereum_sepolia:wbtc"],
    least: "0.0005",
  },
]

/**
 * Starts five chains, the swap service and the daemon, each in a process of its own, with a proxy
 * before every endpoint.
 */
export async function startWorld(options: {
  dir: string
  dialect: "contract" | "2026"
}): Promise<World> {
  const { dir, dialect } = options
  mkdirSync(dir, { recursive: true })
  const chains = await Promise.all(CHAIN_NAMES.map((name) => startChainPart(name, dir)))
  await Promise.all(chains.map(({ host }) => fundWallets(host.line)))
  const service = await startServicePart(chains, { dir, dialect })
  const daemon = await startDaemonPart(chains, service, dir)
  const parts = [...chains, service]
  return {
    dir,
    chains,
    service,
    daemon,
    stop: async () => {
      await daemon.stop()
      for (const part of parts) await part.stop()
    },
  }
}

export type World = {
  readonly dir: string
  readonly chains: readonly ChainPart[]
  readonly service: ServicePart
  readonly daemon: DaemonPart
  readonly stop: () => Promise<void>
}

export type ChainPart = {
  readonly name: ChainName
  /** Replaced when the chain restarts after a kill. */
  host: Host<ChainHostLine>
  /** The proxies of the node for the daemon, and of the control interface for the service. */
  readonly nodeProxy: CutProxy
  readonly controlProxy: CutProxy
  /**
   * Saves the chain, kills its processes and restarts them after `downMs`; `null` if the chain
   * cannot save its state.
   */
  readonly kill: ((downMs: number) => Promise<void>) | null
  readonly stop: () => Promise<void>
}

export type ServicePart = {
  host: Host<ServiceHostLine>
  readonly proxy: CutProxy
  /** With `forget` the service restarts without its orders and secrets. */
  readonly kill: (downMs: number, forget: boolean) => Promise<void>
  /**
   * Sets the faults of requests, of the solver, or both; an absent field stays as it is. A restart
   * keeps them but resets their counts.
   */
  readonly setFaults: (faults: {
    readonly answers?: Fault | null
    readonly solver?: Fault | null
  }) => Promise<void>
  readonly stop: () => Promise<void>
}

export type DaemonPart = {
  process: DaemonProcess
  readonly kill: (downMs: number) => Promise<void>
  /** Restarts the daemon without rules, so that no new orders begin. */
  readonly retire: () => Promise<void>
  readonly stop: () => Promise<void>
}

async function startChainPart(name: ChainName, dir: string): Promise<ChainPart> {
  const options: ChainHostOptions = { name, dir, timelocks: TIMELOCKS[name] }
  const start = (): Promise<Host<ChainHostLine>> => startChainHost(options)
  const nodeProxy = await startCutProxy()
  const controlProxy = await startCutProxy()
  const lead = ({ line }: Host<ChainHostLine>): void => {
    nodeProxy.lead(line.url)
    controlProxy.lead(line.control)
  }
  const part: ChainPart = {
    name,
    host: await start(),
    nodeProxy,
    controlProxy,
    // Surfpool keeps its state in memory only and cannot save it.
    kill: name === "solana_testnet" ? null : kill,
    stop: async () => {
      await killChain(part.host)
      await Promise.all([nodeProxy.stop(), controlProxy.stop()])
    },
  }
  lead(part.host)
  return part

  async function kill(downMs: number): Promise<void> {
    await callChain(part.host.line.control, "save", [])
    await killChain(part.host)
    await systemClock.sleep(downMs)
    part.host = await start()
    lead(part.host)
  }
}

async function startServicePart(
  chains: readonly ChainPart[],
  { dir, dialect }: { dir: string; dialect: "contract" | "2026" },
): Promise<ServicePart> {
  const file = join(dir, "service.jsonl")
  const options: ServiceHostOptions = {
    file,
    dialect,
    chains: chains.map(({ host, controlProxy }) => ({
      line: host.line,
      control: controlProxy.url,
    })),
  }
  const start = (): Promise<Host<ServiceHostLine>> =>
    startHost(join(import.meta.dirname, "service-host.ts"), options, join(dir, "service.log"))
  const proxy = await startCutProxy()
  let forgotten = 0
  let faults: { answers?: Fault | null; solver?: Fault | null } = {}
  const tell = (): Promise<void> =>
    setFaults(
      { service: part.host.line.url },
      ...Object.values(faults).filter((fault) => fault !== null),
    )
  const part: ServicePart = {
    host: await start(),
    proxy,
    kill: async (downMs, forget) => {
      await part.host.kill()
      await systemClock.sleep(downMs)
      if (forget) renameSync(file, `${file}.${++forgotten}`)
      part.host = await start()
      await tell()
      proxy.lead(part.host.line.url)
    },
    setFaults: (next) => {
      faults = { ...faults, ...next }
      return tell()
    },
    stop: async () => {
      await part.host.kill()
      await proxy.stop()
    },
  }
  proxy.lead(part.host.line.url)
  return part
}

async function startDaemonPart(
  chains: readonly ChainPart[],
  service: ServicePart,
  dir: string,
): Promise<DaemonPart> {
  const port = await freePort()
  const file = join(dir, "ballast.yaml")
  const lines = chains.map(({ host, nodeProxy }) => ({ ...host.line, url: nodeProxy.url }))
  const sandbox = { service: service.proxy.url, chains: lines, missing: [] }
  const base = demoConfig(sandbox, { dataDir: join(dir, "data"), routes: [], deposit: "auto" })
  const config = {
    ...base,
    // CAST: demoConfig makes a map of chains.
    chains: withHaste(base["chains"] as Record<string, object>),
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    rules: RULES,
    guards: { max_cost: "250bps", max_in_flight: 100, cooldown_after_failure: "1s" },
    log: { level: "info" },
  }
  writeFileSync(file, JSON.stringify(config, null, 2))
  const start = (): DaemonProcess =>
    startDaemonProcess({ file, port }, { BALLAST_PARENT_FD: "3" }, join(dir, "daemon.log"))
  const part: DaemonPart = {
    process: start(),
    kill: async (downMs) => {
      await killChild(part.process.child)
      await systemClock.sleep(downMs)
      part.process = start()
      await part.process.ready()
    },
    retire: () => {
      writeFileSync(file, JSON.stringify({ ...config, rules: [] }, null, 2))
      return part.kill(0)
    },
    stop: () => killChild(part.process.child),
  }
  await part.process.ready()
  return part
}

/** Bumps the fee of a transaction that is not mined within ten seconds. */
function withHaste(chains: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(chains).map(([name, chain]) => [name, { ...chain, stuck_after: "10s" }]),
  )
}
