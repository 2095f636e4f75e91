import { join } from "node:path"
import { mustExist } from "#lib/assert.ts"
import { runBallast } from "./e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "./e2e-config.ts"
import { setFaults } from "./e2e-faults.ts"
import { acceptSwap, type Swap } from "./e2e-orders.ts"
import { OWN_SECRETS, SECRETS_ENV } from "./own-secret-orders.ts"
import { type SandboxProcess, startDaemonProcess, until } from "./sandbox-process.ts"
import { RESCUE_ENV } from "./tower-process.ts"

export type DeadDaemon = { readonly config: E2eConfig; readonly id: string; readonly hash: string }

/**
 * A daemon whose payout is proven and whose secret is told, killed before its own redemption; the
 * service does nothing with the secret.
 */
export async function dieAfterReveal(
  sandbox: SandboxProcess,
  name: string,
  swap: Swap,
): Promise<DeadDaemon> {
  await setFaults(sandbox, { neverRedeem: true })
  const config = await writeE2eConfig(sandbox, name, OWN_SECRETS)
  const daemon = startDaemonProcess(config, SECRETS_ENV)
  try {
    await daemon.ready()
    const id = await acceptSwap(daemon, swap)
    await until(
      "the secret is told",
      async () => (await daemon.order(id)).ownSecret?.status === "revealed",
    )
    const { ownSecret } = await daemon.order(id)
    return { config, id, hash: mustExist(ownSecret, "our own secret").hash }
  } finally {
    daemon.child.kill("SIGKILL")
    await daemon.exited
  }
}

/** The sealed file of an order, by the command itself. */
export async function sealRescueFile(
  sandbox: SandboxProcess,
  config: E2eConfig,
  id: string,
): Promise<string> {
  const file = join(sandbox.dir, `${id}.rescue`)
  const env = { ...config.env, ...SECRETS_ENV, ...RESCUE_ENV }
  const sealed = await runBallast(["rescue", id, "--encrypt", file, "--config", config.file], {
    env,
  })
  if (sealed.code !== 0 || sealed.stderr !== "") throw new Error(`no rescue file: ${sealed.stderr}`)
  return file
}

/** Advances one chain of the sandbox. */
export async function advanceChain(
  { service }: SandboxProcess,
  chain: string,
  blocks: number,
): Promise<void> {
  const answer = await fetch(`${service}/sandbox/advance`, {
    method: "POST",
    body: JSON.stringify({ chain, blocks }),
  })
  if (answer.status !== 200) throw new Error(`${chain} did not advance: ${await answer.text()}`)
}
