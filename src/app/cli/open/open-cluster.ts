import { type ClusterDatabase, openClusterDatabase } from "#cluster/open-cluster-database.ts"
import type { Config } from "#config/config.ts"
import { AppError } from "#lib/app-error.ts"
import { type ConfigSource, openConfigForReading } from "./open-config.ts"

/**
 * Opens the configuration's PostgreSQL for one use. Throws `cluster.none` (refused) without
 * `journal`, and `cluster.unreachable`.
 */
export async function withCluster<Value>(
  context: ConfigSource,
  use: (database: ClusterDatabase, config: Config) => Promise<Value>,
): Promise<Value> {
  const config = openClusterConfig(context)
  const database = await openClusterDatabase(config.journal, () => undefined)
  try {
    return await use(database, config)
  } finally {
    await database.close()
  }
}

type ClusterConfig = Config & { readonly journal: NonNullable<Config["journal"]> }

export function openClusterConfig(context: ConfigSource): ClusterConfig {
  const config = openConfigForReading(context)
  const { journal } = config
  if (journal !== null) return { ...config, journal }
  const message =
    "This configuration has no journal in PostgreSQL, so the treasury has one machine and no lease"
  throw new AppError({ code: "cluster.none", disposition: "refused", message })
}
