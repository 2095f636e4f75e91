import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { followParent } from "#cli/follow-parent.ts"
import { toAppError } from "#lib/app-error.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { createLogger } from "#lib/log.ts"
import type { LocalChain } from "#sandbox/local-chain.ts"
import { type ChainName, startChain } from "#sandbox/start-sandbox.ts"
import { listen } from "../../support/listen.ts"

/**
 * Runs one local chain in a process of its own, so that it can be killed alone. Argument:
 * `{name, dir, timelocks}` as JSON. The process prints one line when it is ready; the service's
 * process calls the chain's methods over HTTP (`remote-chain.ts`).
 */
export type ChainHostOptions = {
  readonly name: ChainName
  readonly dir: string
  readonly timelocks: LocalChain["timelocks"]
}

export type ChainHostLine = Pick<
  LocalChain,
  | "name"
  | "family"
  | "assets"
  | "url"
  | "chainId"
  | "timelocks"
  | "requiredConfirmations"
  | "contracts"
> & {
  readonly control: string
  /** The process of the node. Faults kill or freeze this process. */
  readonly nodePid: number
}

followParent({ BALLAST_PARENT_FD: "3" })
// CAST: our own runner wrote it.
const { name, dir, timelocks } = JSON.parse(process.argv[2] ?? "") as ChainHostOptions
const log = createLogger({ level: "warn", pretty: false, destination: 2 })
const chain = await startChain(name, {
  port: 0,
  dir,
  timelocks,
  stateFile: join(dir, `${name}.json`),
  log,
})

async function answer(text: string): Promise<string> {
  try {
    // CAST: remote-chain.ts sends the name of a method and its arguments.
    const { method, args } = decodeJson(text) as { method: keyof LocalChain; args: unknown[] }
    const call: unknown = chain[method]
    if (typeof call !== "function") throw new Error(`${chain.name} has no method ${String(method)}`)
    return encodeJson({ result: await call.apply(chain, args) })
  } catch (error) {
    const { code, disposition, message, details } = toAppError(error, {
      code: "chaos.chain",
      disposition: "transient",
    })
    return encodeJson({ error: { code, disposition, message, details } })
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on(
    "end",
    () => void answer(Buffer.concat(chunks).toString()).then((text) => response.end(text)),
  )
})
const { url: control } = await listen(server)
const { family, assets, url, chainId, requiredConfirmations, contracts } = chain
const line: ChainHostLine = {
  name,
  family,
  assets,
  url,
  chainId,
  timelocks,
  requiredConfirmations,
  ...(contracts === undefined ? {} : { contracts }),
  control,
  nodePid: findNode(),
}
process.stdout.write(`${encodeJson(line)}\n`)

/** Anvil and bitcoind run in processes of their own, the other two nodes in this process. */
function findNode(): number {
  if ("pid" in chain && typeof chain.pid === "number") return chain.pid
  const pidFile = join(dir, "bitcoin", "regtest", "bitcoind.pid")
  return family === "bitcoin" && existsSync(pidFile)
    ? Number(readFileSync(pidFile, "utf8"))
    : process.pid
}
