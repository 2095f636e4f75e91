import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EXIT } from "#daemon/exit-code.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { createLogger } from "#lib/log.ts"
import { HOSTILE, HOSTILE_NAMES, type HostileName } from "#sandbox/hostile/hostile-modes.ts"
import { CHAIN_NAMES, type ChainName, startSandbox } from "#sandbox/start-sandbox.ts"
import type { Invocation } from "../main.ts"

const DEFAULT_PORT = 4400

/**
 * Runs local chains, swap service, solver and faucet until SIGINT or SIGTERM. With `--json` it prints one line on standard output when
 * the sandbox is ready: `{service, chains: [{name, family, url, chainId, assets}], missing}`. The log goes to standard error.
 */
export async function sandboxCommand(invocation: Invocation): Promise<number> {
  const { options } = invocation
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve())
  })
  const log = createLogger({ level: invocation.json ? "warn" : "info", pretty: invocation.terminal, destination: 2 })
  const sandbox = await startSandbox({
    port: wholeNumber("--port", options["port"], DEFAULT_PORT),
    chains: chainsOf(options["chains"]),
    dir: typeof options["dir"] === "string" ? options["dir"] : mkdtempSync(join(tmpdir(), "ballast-sandbox-")),
    dialect: dialectOf(options["dialect"]),
    ...hostileOf(options["hostile"]),
    fund: true,
    log,
  })
  const { service, chains, missing } = sandbox
  const summary = {
    service: service.url,
    chains: chains.map(({ name, family, url, chainId, assets }) => ({ name, family, url, chainId, assets })),
    missing,
  }
  if (invocation.json) invocation.print(plainJson(summary))
  else invocation.print(formatSummary(summary))
  await stopped
  await sandbox.stop()
  return EXIT.ok
}

type Summary = {
  service: string
  chains: readonly { name: string; url: string; assets: readonly { id: string }[] }[]
  missing: readonly { chain: string; reason: string }[]
}

function formatSummary({ service, chains, missing }: Summary): string {
  return [
    "",
    `swap service       ${service}`,
    ...chains.map(
      ({ name, url, assets }) => `${name.padEnd(18)} ${url}  ${assets.map(({ id }) => id.split(":")[1]).join(", ")}`,
    ),
    ...missing.map(({ chain, reason }) => `${chain.padEnd(18)} not started: ${reason}`),
    "",
    "The wallets of config/sandbox.yaml are funded. In another terminal: npx ballast run",
  ].join("\n")
}

export function wholeNumber(name: string, value: string | boolean | undefined, fallback: number): number {
  if (value === undefined) return fallback
  const number = Number(value)
  if (Number.isInteger(number) && number >= 0) return number
  throw new AppError({
    code: "cli.usage",
    disposition: "refused",
    message: `${name} takes a whole number, not "${String(value)}"`,
  })
}

function chainsOf(value: string | boolean | undefined): readonly ChainName[] {
  if (typeof value !== "string") return CHAIN_NAMES
  const names = value.split(",")
  const chosen = CHAIN_NAMES.filter((name) => names.includes(name))
  if (chosen.length === names.length) return chosen
  throw new AppError({
    code: "cli.usage",
    disposition: "refused",
    message: `--chains takes some of: ${CHAIN_NAMES.join(",")}`,
  })
}

function hostileOf(value: string | boolean | undefined): { hostile?: HostileName } {
  if (value === undefined) return {}
  const hostile = HOSTILE_NAMES.find((name) => name === value)
  if (hostile) return { hostile }
  const known = HOSTILE_NAMES.map((name) => `  ${name}: ${HOSTILE[name].describe}`).join("\n")
  throw new AppError({ code: "cli.usage", disposition: "refused", message: `--hostile takes one of:\n${known}` })
}

function dialectOf(value: string | boolean | undefined): "contract" | "2026" {
  if (value === undefined || value === "contract" || value === "2026") return value ?? "contract"
  throw new AppError({ code: "cli.usage", disposition: "refused", message: "--dialect takes contract or 2026" })
}
