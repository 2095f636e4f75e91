import { url as debuggerUrl } from "node:inspector"
import { resolve } from "node:path"
import type { Config } from "#config/config.ts"
import { refuseUnsafe } from "#config/judge/judge-config.ts"
import { type LoadedConfig, loadConfig } from "#config/load.ts"
import type { SecretChoice } from "#config/secrets/resolve-secrets.ts"
import { readLog } from "#daemon/serve/read-log.ts"
import { openShadow, toShadow } from "#daemon/shadow/open-shadow.ts"
import { crashAfterCommits } from "#daemon/start/crash-after-commits.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { type InstanceLock, lockInstance } from "#daemon/start/instance-lock.ts"
import { forgetLastExit } from "#daemon/start/last-exit.ts"
import { closeFiles, refuseOpenFiles } from "#daemon/start/private-files.ts"
import { openStartNote, type StartNote } from "#daemon/start/start-note.ts"
import type { Daemon } from "#daemon/start-daemon.ts"
import { startWatchdog } from "#daemon/watch/watchdog.ts"
import { type Logger, openLog } from "#lib/log.ts"
import { refuseNodeVariables } from "#nodes/node-variables.ts"
import { readProxyVariables } from "#nodes/proxy-variables.ts"
import type { LogQuery } from "#schema/requests.ts"
import type { CommandContext } from "../../define-command.ts"
import { homeOf, ownFileOf } from "../../open/find-config-file.ts"
import { findTreasury } from "../../open/find-treasury.ts"
import { hasPlayKeys, openConfig, PLAY_KEYS } from "../../open/open-config.ts"
import { hostSigner } from "../../signer/host-signer.ts"
import { type PasswordChoice, providePassword } from "../../signer/provide-password.ts"
import { takeKeyVariables } from "../../signer/take-key-variables.ts"
import { version } from "../../version.ts"

const HAND_OVER = "hand-over"
const SIGNALS = ["SIGINT", "SIGTERM"] as const

/**
 * Runs the daemon until SIGINT or SIGTERM, then drains it. SIGHUP reloads the configuration,
 * SIGUSR2 pauses everything. Tells PM2 when the daemon is ready (`wait_ready`). With `shadow` it
 * follows the running daemon on paper.
 */
export async function runDaemon(context: CommandContext, options: RunChoice): Promise<number> {
  const { file, followedDir, loaded, read, check } = await openRun(context, options)
  const { config } = loaded
  refuseOpenFiles({ dataDir: config.dataDir, file: ownFileOf(file) })
  const { log, ...readings } = openDaemonLog(context, config)
  const signalled = waitForSignal()
  const { clock, env } = context
  const afterCommit = crashAfterCommits(env)
  // A reload looks its secrets up in this copy, because the keys leave the environment.
  const atStart = { ...env }
  if (config.signer.isApart) takeKeyVariables(config, atStart)
  const source = (): LoadedConfig => read(atStart)
  if (hasPlayKeys(config)) log.warn({ treasury: config.treasury }, PLAY_KEYS)
  // Nothing may be written or sent after the loss of the lease, so there is nothing to drain.
  const endProcess = (error: unknown): void => {
    log.error({ err: error }, "The treasury's lease is lost; this process ends")
    process.exit(EXIT.tryLater)
  }
  const handedOver = Promise.withResolvers<typeof HAND_OVER>()
  const watch = createStallWatch(config.stallLimitMs, log)
  const runtime = {
    endProcess,
    onHandOver: () => handedOver.resolve(HAND_OVER),
    onFirstRequest: watch.begin,
    file: resolve(file),
    version: version(),
    readVersion: version,
    ...readings,
    ownFile: ownFileOf(file),
    clock,
    log,
    source,
    check: () => refuseUnsafe(check(atStart).findings),
  }
  refuseUnsafe(loaded.findings)
  readProxyVariables(context.env)
  refuseNodeVariables(context.env, hasPlayKeys(config))
  const lock = lockDataDir(config.dataDir, log)
  const shadow = followedDir === null ? null : openShadow(config, followedDir, { clock, log })
  const onWait = (error: Error): void => start.waits(error)
  const signer = { config, file, env, clock, log, onWait }
  const apart = config.signer.isApart ? { keys: hostSigner(signer) } : {}
  const { end: endShadow, ...keys } = shadow ?? { ...apart, end: () => undefined }
  context.tell("Starting: journal, signer and chains. `ballast status` answers once it is up.")
  keys.keys?.begin()
  let isStarted = false
  if (config.journal !== null) obeyAsStandby(signalled, () => isStarted)
  const load = await loadDaemon()
  const start = openStartNote(config.dataDir, { clock, log })
  const daemon = await load(loaded, {
    ...runtime,
    ...keys,
    env,
    lock,
    onStep: start.begin,
    onStandby: () => tellReady(start),
    ...(afterCommit ? { afterCommit } : {}),
  }).finally(start.end)
  isStarted = true
  takeKeyVariables(config, env)
  obeySignals(daemon, log)
  process.send?.("ready")
  const signal = await Promise.race([signalled, handedOver.promise])
  log.info({ signal }, "Draining")
  await daemon.stop()
  endShadow()
  await watch.end()
  // The supervisor starts it again, as a standby.
  return signal === HAND_OVER ? EXIT.tryLater : EXIT.ok
}

/** A standby has nothing to drain, and its start lasts until the take-over. */
function obeyAsStandby(signalled: Promise<string>, isStarted: () => boolean): void {
  signalled.then(() => isStarted() || process.exit(EXIT.ok))
  // It reads the changed configuration when the supervisor starts it again.
  process.on("SIGHUP", () => isStarted() || process.exit(EXIT.tryLater))
}

/** A standby answers, and its start lasts until the take-over. */
function tellReady(start: StartNote): void {
  start.end()
  process.send?.("ready")
}

type RunChoice = PasswordChoice & { readonly shadow: string | null }

type OpenedRun = {
  readonly file: string
  /** The data directory of the daemon that a shadow follows. */
  readonly followedDir: string | null
  readonly loaded: LoadedConfig
  /** Reads the file again, with the secrets of this environment. */
  readonly read: (env: NodeJS.ProcessEnv) => LoadedConfig
  /** The same without the keys: a keystore takes a second to open. */
  readonly check: (env: NodeJS.ProcessEnv) => LoadedConfig
}

async function openRun(context: CommandContext, options: RunChoice): Promise<OpenedRun> {
  const { shadow } = options
  if (shadow === null) {
    await providePassword(context, options)
    const { file, ...loaded } = openConfig(context, { choice: "without_keys" })
    const readWith = (choice: SecretChoice) => (env: NodeJS.ProcessEnv) =>
      loadConfig(file, env, { ...homeOf(file), choice })
    const readers = { read: readWith("without_keys"), check: readWith("never_keys") }
    return { file, followedDir: null, loaded, ...readers }
  }
  const followedDir = findTreasury(context, null).dataDir
  const read = (env: NodeJS.ProcessEnv): LoadedConfig =>
    toShadow(loadConfig(shadow, env, { choice: "never_keys" }), followedDir)
  return { file: shadow, followedDir, loaded: read(context.env), read, check: read }
}

function openDaemonLog({ terminal, json }: CommandContext, config: Config) {
  const pretty = terminal && !json
  const { log, readTrouble, kept } = openLog({ ...config.log, pretty, destination: 1 })
  return {
    log,
    readLogTrouble: readTrouble,
    readLog: (query: LogQuery) => readLog(kept, query),
  }
}

/** The first signal that asks the daemon to end. */
function waitForSignal(): Promise<string> {
  return new Promise<string>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, resolve)
  })
}

/** The watchdog of the event loop; it starts at the first `begin`. */
function createStallWatch(
  stallLimitMs: number,
  log: Logger,
): { readonly begin: () => void; readonly end: () => Promise<void> } {
  let endWatch: (() => Promise<void>) | null = null
  return {
    begin: () => {
      // A debugger of the daemon stops its event loop for as long as they think.
      if (debuggerUrl() !== undefined) return
      endWatch ??= startWatchdog(stallLimitMs, (error) =>
        log.error({ err: error }, "The watchdog ended"),
      )
    },
    end: async () => endWatch?.(),
  }
}

/** The rest of the daemon is loaded while the signer starts. */
async function loadDaemon(): Promise<typeof import("#daemon/start-daemon.ts").startDaemon> {
  return (await import("#daemon/start-daemon.ts")).startDaemon
}

/** SIGUSR2 pauses everything, SIGHUP reloads the configuration. */
function obeySignals(daemon: Daemon, log: Logger): void {
  process.on("SIGUSR2", () => {
    daemon
      .pause("SIGUSR2")
      .catch((error: unknown) => log.error({ err: error }, "The pause by a signal failed"))
  })
  process.on("SIGHUP", () => {
    daemon
      .reload()
      .catch((error: unknown) => log.error({ err: error }, "The configuration was not read again"))
  })
}

/** Throws `daemon.locked` (transient). */
function lockDataDir(dataDir: string, log: Logger): InstanceLock {
  const lock = lockInstance(dataDir)
  forgetLastExit(dataDir)
  const files = closeFiles(dataDir)
  if (files.length > 0)
    log.warn(
      { files },
      "Files in data_dir were open to other users; they are closed now (mode 600)",
    )
  return lock
}
