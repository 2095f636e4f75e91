import { readFileSync } from "node:fs"
import { join } from "node:path"
import { silentLogger } from "#lib/log.ts"
import { describeApi } from "#ops/api/describe-api.ts"
import { createApp } from "#ops/create-app.ts"
import type { Operations } from "#ops/operations.ts"

/** docs/openapi.json: the document that a daemon of this version serves. */
export function formatOpenApi(): string {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"),
  )
  // CAST: no request reaches the operations; only the routes are read.
  const app = createApp({} as Operations, {
    tokens: () => [],
    hosts: () => [],
    log: silentLogger,
    clock: { now: () => 0, sleep: async () => undefined },
  })
  return `${JSON.stringify(describeApi(app, version), null, 2)}\n`
}
