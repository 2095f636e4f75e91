import { serve } from "@hono/node-server"
import { configHash } from "#config/hash.ts"
import type { LoadedConfig } from "#config/load.ts"
import { createEngine } from "#engine/engine.ts"
import { createReconciler } from "#engine/reconciler.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { createApp } from "#ops/create-app.ts"
import { dashboardPage } from "#ops/dashboard.ts"
import { compose } from "./compose.ts"
import { lockInstance } from "./instance-lock.ts"
import type { KeySource } from "./key-source.ts"
import { createOperations } from "./operations.ts"
import { createFeed } from "./order-feed.ts"
import { createReloader, type Reloaded } from "./reload.ts"
import { schedulesOf, startWaker } from "./waker.ts"

/** A running daemon. `stop` finishes running work and begins no new work; it resolves when the journal is closed. */
export type Daemon = {
  readonly url: string
  /** Reads the configuration again; never throws for a bad one. */
  readonly reload: () => Promise<Reloaded>
  readonly stop: () => Promise<void>
}

/**
 * Takes the lock, then opens journal, engine and HTTP. The daemon is ready when it accepts orders, even if service and nodes do not answer.
 *
 * Throws `daemon.locked` (transient), `journal.*` and `config.*` (fatal), `ops.listen` (fatal) when the address is taken.
 */
export async function startDaemon(
  loaded: LoadedConfig,
  runtime: { clock: Clock; log: Logger; source: () => LoadedConfig; afterCommit?: () => void; keys?: KeySource },
): Promise<Daemon> {
  const { clock, log, source } = runtime
  const { config } = loaded
  const lock = lockInstance(config.dataDir)
  const live = await compose(config, runtime)
  const { context } = live
  const engine = createEngine(context)
  const reconciler = createReconciler(context, {
    get everyMs() {
      return reloader.current().books.reconcileEveryMs
    },
    get onDifference() {
      return reloader.current().books.onDifference
    },
    pause: () => engine.pause({ kind: "all" }),
  })
  const stopping = new AbortController()
  const feed = createFeed(context, clock, stopping.signal)
  const reloader = createReloader(live, loaded, {
    source,
    keys: runtime.keys,
    onChange: async ({ log: { level } }) => {
      log.level = level
      await waker.stop()
      waker = startWaker(schedulesOf(context.settings.rules), engine.wake, log)
      engine.wake()
    },
  })
  const isReady = (): boolean => !stopping.signal.aborted
  const operations = createOperations(context, engine, {
    isReady,
    startedAtMs: clock.now(),
    configHash: () => configHash(reloader.current()),
    reload: () => reloader.reload(),
    subscribe: feed.subscribe,
    reconciler,
    chains: () => reloader.current().chains,
  })
  const app = createApp(operations, { token: () => reloader.current().ops.token, dashboard: dashboardPage, log })
  const server = await listen(app.fetch, config.ops)
  const running = Promise.all([engine.run(stopping.signal), reconciler.run(stopping.signal)])
  let waker = startWaker(schedulesOf(context.settings.rules), engine.wake, log)
  log.info({ url: server.url, mode: config.mode, open: context.journal.countInFlight() }, "Ready")
  return {
    url: server.url,
    reload: reloader.reload,
    stop: async () => {
      stopping.abort()
      await waker.stop()
      await server.close()
      await running
      await runtime.keys?.stop()
      context.journal.close()
      lock.release()
      log.info({}, "Stopped")
    },
  }
}

type Fetch = Parameters<typeof serve>[0]["fetch"]

function listen(
  fetch: Fetch,
  { host, port }: { host: string; port: number },
): Promise<{ url: string; close: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: host, port }, (info) => {
      const close = (): Promise<void> =>
        new Promise((done) => {
          server.close(() => done())
          // Without this, live streams keep the server open until their readers leave.
          if ("closeAllConnections" in server) server.closeAllConnections()
        })
      resolve({ url: `http://${host.includes(":") ? `[${host}]` : host}:${info.port}`, close })
    })
    server.once("error", (cause: Error) => {
      const message = `Cannot listen on ${host}:${port}; choose another ops.listen`
      reject(new AppError({ code: "ops.listen", disposition: "fatal", message, details: { host, port }, cause }))
    })
  })
}
