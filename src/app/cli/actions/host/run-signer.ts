import { readFileSync } from "node:fs"
import { familyOf } from "#chains/families.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { lockInstance } from "#daemon/start/instance-lock.ts"
import { refuseOpenFiles } from "#daemon/start/private-files.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { createLogger } from "#lib/log.ts"
import { refuseNodeVariables } from "#nodes/node-variables.ts"
import { closeNetwork } from "#signer/close-network.ts"
import { serveSigner } from "#signer/serve-signer.ts"
import type { CommandContext } from "../../define-command.ts"
import { ownFileOf } from "../../open/find-config-file.ts"
import { hasPlayKeys, openConfig, PLAY_KEYS } from "../../open/open-config.ts"
import { openDesk, socketPath } from "../../signer/open-desk.ts"
import { type PasswordChoice, providePassword } from "../../signer/provide-password.ts"
import { readInheritedSecrets, SECRETS_FD } from "../../signer/read-inherited-secrets.ts"
import { takeKeyVariables } from "../../signer/take-key-variables.ts"

/**
 * A terminal and PM2 send SIGINT to the daemon and its child alike, but the daemon needs signatures
 * until it has drained.
 */
const SIGNALS = { own: ["SIGINT", "SIGTERM"], hosted: ["SIGTERM"] } as const

/**
 * Runs the signer until SIGINT or SIGTERM: the only process with keys, and the only one without a
 * network. Where a KMS holds a key, its host stays open.
 */
export async function runSigner(context: CommandContext, options: PasswordChoice): Promise<number> {
  await providePassword(context, options)
  // Record, lock and socket are for this user alone, also in the moment before their modes are set.
  process.umask(0o077)
  const env = { ...context.env, ...readInheritedSecrets(context.env) }
  const { config, file } = openConfig({ ...context, env }, { choice: "only_keys" })
  refuseOpenFiles({ dataDir: config.signer.dataDir, file: ownFileOf(file) })
  const { clock } = context
  const log = createLogger({
    level: config.log.level,
    pretty: context.terminal && !context.json,
    destination: 1,
  })
  const signalled = new Promise<string>((resolve) => {
    const isHosted = context.env[SECRETS_FD] !== undefined
    if (isHosted) process.on("SIGINT", () => undefined)
    for (const signal of SIGNALS[isHosted ? "hosted" : "own"]) process.once(signal, resolve)
  })
  refuseNodeVariables(context.env, hasPlayKeys(config))
  if (hasPlayKeys(config)) log.warn({ treasury: config.treasury }, PLAY_KEYS)
  const lock = await lockPatiently(config.signer.dataDir, clock)
  const hosts = config.chains.map(async (chain) => (await familyOf(chain).keyHosts?.(chain)) ?? [])
  closeNetwork((await Promise.all(hosts)).flat())
  const { desk, close } = await openDesk(config, { clock, log })
  takeKeyVariables(config, context.env)
  const path = socketPath(config)
  const server = await serveSigner(desk, { path, inherited: inheritedSocket(context.env), log })
  if (mayDumpCore()) {
    log.warn(
      {},
      "This process may write a core file, and that would contain the keys: start it with " +
        "`ulimit -c 0`",
    )
  }
  log.info({ socket: path, chains: config.chains.map(({ chain }) => chain) }, "The signer is ready")
  await signalled
  await server.stop()
  close()
  lock.release()
  return EXIT.ok
}

/**
 * The signer of a killed daemon needs a moment to end. Throws `daemon.locked` (transient) if
 * another one goes on.
 */
async function lockPatiently(
  dataDir: string,
  clock: Clock,
): Promise<ReturnType<typeof lockInstance>> {
  const endMs = clock.now() + LOCK_MS
  for (;;) {
    try {
      return lockInstance(dataDir)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "daemon.locked" || clock.now() > endMs)
        throw error
      await clock.sleep(LOCK_POLL_MS)
    }
  }
}

const LOCK_MS = 5_000
const LOCK_POLL_MS = 20

/**
 * The socket of a service manager, by systemd's protocol (sd_listen_fds): it can belong to another
 * user than this process.
 */
function inheritedSocket(env: NodeJS.ProcessEnv): number | null {
  const isForUs = env["LISTEN_PID"] === String(process.pid) && env["LISTEN_FDS"] === "1"
  return isForUs ? 3 : null
}

/** Linux tells a process its limits; elsewhere the answer is unknown, and nothing is said. */
function mayDumpCore(): boolean {
  if (process.platform !== "linux") return false
  return !/^Max core file size\s+0\s/m.test(readFileSync("/proc/self/limits", "utf8"))
}
