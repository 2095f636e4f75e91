import { followParent } from "#cli/follow-parent.ts"
import { encodeJson } from "#lib/json.ts"
import { createLogger } from "#lib/log.ts"
import { startService } from "#sandbox/service/start-service.ts"
import { PRICES } from "#sandbox/start-sandbox.ts"
import type { ChainHostLine } from "./chain-host.ts"
import { createRemoteChain } from "./remote-chain.ts"

/**
 * Runs the swap service in a process of its own, over chains in other processes. It keeps orders
 * and secrets in `file`. Argument as JSON.
 */
export type ServiceHostOptions = {
  readonly file: string
  readonly dialect: "contract" | "2026"
  readonly chains: readonly { readonly line: ChainHostLine; readonly control: string }[]
}
export type ServiceHostLine = { readonly url: string }

followParent({ BALLAST_PARENT_FD: "3" })
// CAST: our own runner wrote it.
const { file, dialect, chains } = JSON.parse(process.argv[2] ?? "") as ServiceHostOptions
const { url } = await startService({
  chains: chains.map(({ line, control }) => createRemoteChain(line, control)),
  port: 0,
  prices: PRICES,
  dialect,
  dbFile: file,
  log: createLogger({ level: "warn", pretty: false, destination: 2 }),
})
const ready: ServiceHostLine = { url }
process.stdout.write(`${encodeJson(ready)}\n`)
