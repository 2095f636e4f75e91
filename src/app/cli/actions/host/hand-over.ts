import { readHolder } from "#cluster/read-cluster.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../../call-daemon.ts"
import { confirmChange } from "../../confirm.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { withCluster } from "../../open/open-cluster.ts"

/** A daemon finishes its running work before it gives the lease away. */
const LONGEST_MS = 60_000
const POLL_MS = 100

/** Asks the leader on this machine for the hand-over, and waits for the next leader. */
export async function handOver(context: CommandContext, yes: boolean): Promise<number> {
  return withCluster(context, async (database, config) => {
    const before = await readHolder(database, config.treasury)
    await confirmChange(
      context,
      `Give the lease of ${config.treasury} to a standby? This machine's daemon ends.`,
      yes,
    )
    const askedMs = performance.now()
    const answer = await callDaemon(
      config,
      "POST",
      "/api/v1/cluster/hand-over",
      {},
      { repeat: "harmless" },
    )
    if (answer.status !== 200) return printRefusal(context, answer.body)
    while (performance.now() - askedMs < LONGEST_MS) {
      const { holder, epoch } = await readHolder(database, config.treasury)
      if (holder !== null && epoch !== before.epoch) {
        const tookMs = Math.round(performance.now() - askedMs)
        context.print(
          context.json
            ? plainJson({ from: before.holder, to: holder, epoch, tookMs })
            : `${holder} leads now (epoch ${epoch}), ${(tookMs / 1_000).toFixed(1)} s after ` +
                "the request",
        )
        return EXIT.ok
      }
      await context.clock.sleep(POLL_MS)
    }
    const message =
      "The daemon was asked to give the lease away, and no other member has it after " +
      `${LONGEST_MS / 1_000} s; see \`ballast cluster status\``
    throw new AppError({ code: "cluster.no_successor", disposition: "transient", message })
  })
}
