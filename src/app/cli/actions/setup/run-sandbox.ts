import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EXIT } from "#daemon/start/exit-code.ts"
import { formatSpan } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { createLogger } from "#lib/log.ts"
import type { LocalRoutes } from "#sandbox/cctp/start-routes.ts"
import { HOSTILE, HOSTILE_NAMES, type HostileName } from "#sandbox/hostile/hostile-modes.ts"
import type { ContractsVersion } from "#sandbox/local-chain.ts"
import { CHAIN_NAMES, type ChainName, type Sandbox, startSandbox } from "#sandbox/start-sandbox.ts"
import type { CommandContext } from "../../define-command.ts"
import { announceSandbox, listSandboxes, nameSandbox } from "../../sandbox/running-sandboxes.ts"
import { usageError } from "../../usage-error.ts"

type SandboxChoices = {
  readonly port: number | null
  readonly chains: string | null
  readonly dir: string | null
  readonly dialect: "contract" | "2026"
  readonly gasless: "on" | "off"
  readonly "app-id": string | null
  readonly "app-id-header": string | null
  readonly contracts: ContractsVersion
  readonly hostile: string | null
  readonly routes: "none" | "all"
  readonly services: number
  readonly "bitcoin-block": number
  readonly "solana-slot": number
}

/**
 * Runs local chains, swap service, solver and faucet until SIGINT or SIGTERM. With `--json` it
 * prints one line on standard output when the sandbox is ready: `{service, appId, appIdHeader,
 * publishedClient, chains: [{name, family, url, chainId, assets}],
 * missing}`, with several services also `services`, their URLs. The log goes to standard error.
 */
export async function runSandbox(
  context: CommandContext,
  choices: SandboxChoices,
  part: string | null,
): Promise<number> {
  if (part !== null) throw usageError("sandbox start takes no part of a sandbox")
  const port = choices.port ?? DEFAULT_PORT
  await refuseSecond(port, context)
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve())
  })
  const log = createLogger({
    level: context.json ? "warn" : "info",
    pretty: context.terminal,
    destination: 2,
  })
  const dir = choices.dir ?? mkdtempSync(join(tmpdir(), "ballast-sandbox-"))
  const sandbox = await startSandbox({
    port,
    chains: chainsOf(choices.chains),
    dir,
    dialect: choices.dialect,
    gasless: choices.gasless === "on",
    ...(choices["app-id"] === null ? {} : { appId: choices["app-id"] }),
    ...(choices["app-id-header"] === null ? {} : { appIdHeader: choices["app-id-header"] }),
    contracts: choices.contracts,
    ...hostileOf(choices.hostile),
    services: choices.services,
    routes: choices.routes === "all",
    bitcoinBlockMs: choices["bitcoin-block"] * 1_000,
    solanaSlotMs: choices["solana-slot"],
    fund: true,
    log,
  })
  const { service, services, chains, missing, routes } = sandbox
  const summary = {
    service: service.url,
    ...(services.length === 1 ? {} : { services: services.map(({ url }) => url) }),
    ...service.appIds,
    chains: chains.map(({ name, family, url, chainId, assets }) => ({
      name,
      family,
      url,
      chainId,
      assets,
    })),
    missing,
    ...(routes === null ? {} : { cctp: describeRoutes(routes) }),
  }
  if (context.json) context.print(plainJson(summary))
  else context.print(formatSummary(summary))
  const startedAt = context.clock.now()
  const forget = announceSandbox({ url: service.url, pid: process.pid, startedAt })
  await stopped
  forget()
  const farewell = formatFarewell(sandbox, context.clock.now() - startedAt)
  await sandbox.stop()
  if (choices.dir === null) rmSync(dir, { recursive: true, force: true })
  if (!context.json) context.print(farewell)
  return EXIT.ok
}

const DEFAULT_PORT = 4_400

/**
 * A second sandbox at one port would fail with a message about ports; this one names the first. At
 * another port a person reads that others run.
 */
async function refuseSecond(port: number, { clock, json, warn }: CommandContext): Promise<void> {
  const nowMs = clock.now()
  const running = await listSandboxes()
  const first = running.find(({ url }) => port !== 0 && new URL(url).port === String(port))
  if (first === undefined) {
    if (!json)
      for (const one of running) warn(nameSandbox("Another sandbox runs already", one, nowMs))
    return
  }
  const message =
    `${nameSandbox("A sandbox runs already", first, nowMs)}. Use it, end it with Ctrl-C in its ` +
    "terminal, or start another one with --port 0"
  throw new AppError({ code: "sandbox.running", disposition: "refused", message })
}

function formatFarewell({ services, report }: Sandbox, ranMs: number): string {
  const orders = services.flatMap((service) => service.orders())
  const completed = orders.filter(({ phase }) => phase === "complete").length
  const restarts = report().chains.filter((chain) => chain.restarts > 0)
  const again = restarts.map(
    ({ chain, restarts: count }) => `${chain} ${count === 1 ? "once" : `${count} times`}`,
  )
  return [
    `The sandbox ran for ${formatSpan(ranMs)}: ${orders.length} orders, ${completed} of them ` +
      "completed.",
    ...(again.length === 0 ? [] : [`Started again: ${again.join(", ")}.`]),
    "All its processes have ended.",
  ].join("\n")
}

/** The local stand-ins for Circle's contracts and its attestation service. */
function describeRoutes({ attester, places, solana }: LocalRoutes) {
  const ofEvm = places.map(({ chain, domain, usdc, messenger, transmitter, minter }) => ({
    chain: chain.name,
    domain,
    usdc,
    messenger,
    transmitter,
    minter,
  }))
  const ofSolana = [solana].flatMap((place) => place ?? [])
  return {
    attester: attester.url,
    contracts: [
      ...ofEvm,
      ...ofSolana.map(({ chain, domain, mint, messenger, transmitter, lookupTable }) => ({
        chain,
        domain,
        usdc: mint.toBase58(),
        messenger,
        transmitter,
        lookupTable,
      })),
    ],
  }
}

type Summary = {
  service: string
  services?: readonly string[]
  appId: string
  appIdHeader: string
  publishedClient: { header: string; id: string } | null
  chains: readonly { name: string; url: string; assets: readonly { id: string }[] }[]
  missing: readonly { chain: string; reason: string }[]
  cctp?: ReturnType<typeof describeRoutes>
}

function formatSummary({
  service,
  services,
  appId,
  appIdHeader,
  publishedClient,
  chains,
  missing,
  cctp,
}: Summary): string {
  return [
    "",
    ...(services ?? [service]).map((url) => `swap service       ${url}`),
    `app id             ${appIdHeader}: ${appId}`,
    ...(publishedClient === null
      ? []
      : [`published client   ${publishedClient.header}: ${publishedClient.id}`]),
    ...chains.map(
      ({ name, url, assets }) =>
        `${name.padEnd(18)} ${url}  ${assets.map(({ id }) => id.split(":")[1]).join(", ")}`,
    ),
    ...(cctp === undefined ? [] : [`cctp attester      ${cctp.attester}`]),
    ...(cctp?.contracts ?? []).map(
      ({ chain, domain, usdc }) => `cctp domain ${domain}      ${chain}, USDC ${usdc}`,
    ),
    ...missing.map(({ chain, reason }) => `${chain.padEnd(18)} not started: ${reason}`),
    "",
    "The wallets of config/sandbox.yaml are funded. In another terminal: ballast run --sandbox",
  ].join("\n")
}

function chainsOf(value: string | null): readonly ChainName[] {
  if (value === null) return CHAIN_NAMES
  const names = value.split(",")
  const chosen = CHAIN_NAMES.filter((name) => names.includes(name))
  if (chosen.length === names.length) return chosen
  throw new AppError({
    code: "cli.usage",
    disposition: "refused",
    message: `--chains takes some of: ${CHAIN_NAMES.join(",")}`,
  })
}

function hostileOf(value: string | null): { hostile?: HostileName } {
  if (value === null) return {}
  const hostile = HOSTILE_NAMES.find((name) => name === value)
  if (hostile) return { hostile }
  const known = HOSTILE_NAMES.map((name) => `  ${name}: ${HOSTILE[name].describe}`).join("\n")
  throw new AppError({
    code: "cli.usage",
    disposition: "refused",
    message: `--hostile takes one of:\n${known}`,
  })
}
