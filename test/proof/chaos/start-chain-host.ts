import { join } from "node:path"
import type { ChainHostLine, ChainHostOptions } from "./chain-host.ts"
import { type Host, startHost } from "./start-host.ts"

/** Starts a local chain in a process of its own, with its log in its data folder. */
export function startChainHost(options: ChainHostOptions): Promise<Host<ChainHostLine>> {
  const logFile = join(options.dir, `${options.name}.log`)
  return startHost(join(import.meta.dirname, "chain-host.ts"), options, logFile)
}

/** Kills the node and the process that serves it, with SIGKILL. */
export async function killChain({ line, child, kill }: Host<ChainHostLine>): Promise<void> {
  try {
    if (line.nodePid !== child.pid) process.kill(line.nodePid, "SIGKILL")
  } catch (error) {
    // The process is already gone.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
  await kill()
}
