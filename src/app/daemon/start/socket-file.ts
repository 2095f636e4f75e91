import { join } from "node:path"
import type { Config } from "#config/config.ts"

/** The Unix socket of the daemon with this data directory. */
export function socketFile({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "ballast.sock")
}
