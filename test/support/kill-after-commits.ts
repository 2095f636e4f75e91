import { execFileSync } from "node:child_process"
import { expect } from "vitest"
import type { OrderView } from "../../src/core/order/view.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  LAUNCHER,
  startDaemonProcess,
  TOKEN,
  until,
} from "./sandbox-process.ts"

type Config = { readonly file: string; readonly port: number }

const ONE_COMMIT = { BALLAST_CRASH_AFTER_COMMITS: "1" }

/**
 * The process dies at the order's first commit, before it can answer, so the test reads the id from
 * the journal.
 */
export async function acceptAndDie(
  config: Config,
  { from, to, amount }: { readonly from: string; readonly to: string; readonly amount: string },
): Promise<string> {
  const daemon = startDaemonProcess(config, ONE_COMMIT)
  await daemon.ready()
  await daemon.call("POST", "/api/v1/swap", { from, to, amount }).catch(() => undefined)
  expect((await daemon.exited).signal).toBe("SIGKILL")
  const env = bareEnvironment({ BALLAST_OPS_TOKEN: TOKEN })
  const text = execFileSync(
    process.execPath,
    [LAUNCHER, "orders", "--json", "--config", config.file],
    { env, encoding: "utf8" },
  )
  // CAST: the answer of our own program.
  const { orders } = JSON.parse(text) as { orders: OrderView[] }
  expect(orders).toHaveLength(1)
  return orders[0]?.id ?? ""
}

/** Each daemon dies at its next commit, until one finds the order ended. */
export async function restartUntilDone(
  config: Config,
  id: string,
): Promise<{ order: OrderView; deaths: number }> {
  for (let deaths = 1; deaths < 60; deaths++) {
    const daemon = startDaemonProcess(config, ONE_COMMIT)
    const waiting = waitForOutcome(daemon, id).catch(async (error: unknown) => {
      const order = JSON.stringify(await daemon.order(id).catch(String))
      throw new Error(`${String(error)}: ${order}\n${daemon.output().slice(-8_000)}`)
    })
    const order = await Promise.race([daemon.exited.then(() => null), waiting])
    if (order !== null) {
      await daemon.stop()
      return { order, deaths }
    }
    expect((await daemon.exited).signal, daemon.output().slice(-2000)).toBe("SIGKILL")
  }
  throw new Error("the order did not end within 60 deaths")
}

/** Never resolves while the daemon is dead, so the caller races it against the exit. */
async function waitForOutcome(daemon: DaemonProcess, id: string): Promise<OrderView> {
  let order: OrderView | null = null
  await until(
    "the order has an outcome",
    async () => {
      order = await daemon.order(id).catch(() => null)
      return (
        order?.outcome != null ||
        (daemon.child.signalCode !== null && (await new Promise<never>(() => undefined)))
      )
    },
    120_000,
  )
  return order ?? (await daemon.order(id))
}
