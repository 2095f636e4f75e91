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
import { writeConfigInForce } from "./config-in-force.ts"
import { lockInstance } from "./instance-lock.ts"
import { createOperations } from "./operations.ts"
import { createFeed } from "./order-feed.ts"
import { closeFiles } from "./private-files.ts"
import { createReloader, type Reloaded } from "./reload.ts"
import { writeRuntimeFile } from "./runtime-file.ts"
import { readStopFile } from "./stop-file.ts"
import { schedulesOf, startWaker } from "./waker.ts"

type Runtime = {
  readonly clock: Clock
  readonly log: Logger
  /** The absolute path of the configuration file. */
  readonly file: string
  readonly version: string
  readonly source: () => LoadedConfig
  readonly afterCommit?: () => void
}

/** A running daemon. `stop` finishes running work and begins no new work; it resolves when the journal is closed. */
export type Daemon = {
  readonly url: string
  /** Pauses everything, as a signal from outside asks. */
  readonly pause: (reason: string) => Promise<void>
  /** Reads the configuration again; never throws for a bad one. */
  readonly reload: () => Promise<Reloaded>
  readonly stop: () => Promise<void>
}

/**
 * Takes the lock, then opens journal, engine and HTTP. The daemon is ready when it accepts orders, even if service and nodes do not answer.
 *
 * Throws `daemon.locked` (transient), `journal.*` and `config.*` (fatal), `ops.listen` (fatal) when the address is taken.
 */
export async function startDaemon(loaded: LoadedConfig, runtime: Runtime): Promise<Daemon> {
  const { clock, log, source } = runtime
  const { config } = loaded
  const { dataDir } = config
  const lock = lockInstance(dataDir)
  const closed = closeFiles(dataDir)
  if (closed.length > 0)
    log.warn({ files: closed }, "Files in data_dir were open to other users; they are closed now (mode 600)")
  const live = await compose(config, { ...runtime, readStopFile: () => readStopFile(dataDir) })
  const { context } = live
  const engine = createEngine(context)
  const reconciler = createReconciler(context, {
    get everyMs() {
      return reloader.current().books.reconcileEveryMs
    },
    get onDifference() {
      return reloader.current().books.onDifference
    },
    pause: () => engine.pause({ kind: "all" }, { by: "books", reason: "a wallet holds less than the books say" }),
  })
  const stopping = new AbortController()
  const feed = createFeed(context, clock, stopping.signal)
  const reloader = createReloader(live, loaded, {
    source,
    onChange: async ({ log: { level } }, { text }) => {
      log.level = level
      writeConfigInForce(dataDir, { file: runtime.file, text })
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
  writeConfigInForce(dataDir, { file: runtime.file, text: loaded.text })
  const removeRuntimeFile = writeRuntimeFile(dataDir, {
    ...{ socket: null, url: server.url, pid: process.pid, treasury: config.treasury, version: runtime.version },
    ...{ startedAt: new Date(clock.now()).toISOString(), config: runtime.file },
  })
  log.info({ url: server.url, mode: config.mode, open: context.journal.countInFlight() }, "Ready")
  return {
    url: server.url,
    pause: (reason) => engine.pause({ kind: "all" }, { by: "signal", reason }),
    reload: reloader.reload,
    stop: async () => {
      stopping.abort()
      removeRuntimeFile()
      await waker.stop()
      await server.close()
      await running
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
