import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { mergePatch } from "../../src/sandbox/service/merge-patch.ts"
import { type SandboxProcess, TOKEN, writeDaemonConfig } from "./sandbox-process.ts"

export type E2eConfig = { readonly file: string; readonly port: number; readonly env: Record<string, string> }

/** Writes a daemon's configuration for this sandbox with a free port, changed by a JSON merge patch (RFC 7396): `null` removes a key. */
export async function writeE2eConfig(
  sandbox: SandboxProcess,
  name: string,
  patch: Record<string, unknown> = {},
  options: { deposit?: string; only?: readonly string[] } = {},
): Promise<E2eConfig> {
  const port = await freePort()
  const { file } = writeDaemonConfig(sandbox, name, {}, options)
  const own = { ops: { listen: `127.0.0.1:${port}` } }
  const config = mergePatch(mergePatch(JSON.parse(readFileSync(file, "utf8")), own), patch)
  writeFileSync(file, JSON.stringify(config, null, 2))
  return { file, port, env: { BALLAST_OPS_TOKEN: TOKEN } }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
