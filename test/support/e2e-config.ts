import { readFileSync, writeFileSync } from "node:fs"
import { mergePatch } from "../../src/lab/sandbox/service/merge-patch.ts"
import { type SandboxProcess, TOKEN, writeDaemonConfig } from "./sandbox-process.ts"

export type E2eConfig = {
  readonly file: string
  readonly port: number
  readonly env: Record<string, string>
}

/**
 * Writes a daemon's configuration for this sandbox with a free port, changed by a JSON merge patch
 * (RFC 7396): `null` removes a key.
 */
export async function writeE2eConfig(
  sandbox: SandboxProcess,
  name: string,
  patch: Record<string, unknown> = {},
  options: { deposit?: string; only?: readonly string[] } = {},
): Promise<E2eConfig> {
  const { file, port } = await writeDaemonConfig(sandbox, name, {}, options)
  const config = mergePatch(JSON.parse(readFileSync(file, "utf8")), patch)
  writeFileSync(file, JSON.stringify(config, null, 2))
  return { file, port, env: { BALLAST_OPS_TOKEN: TOKEN } }
}
