import { loadTower } from "#config/tower.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { readableAt } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { createPacesOf } from "#nodes/paces.ts"
import { type GuardedOrder, type TowerReport, watchOrders } from "#tower/watch-orders.ts"
import type { CommandContext } from "../../define-command.ts"
import { prepareFile } from "../../open/find-config-file.ts"
import { createGuardList } from "../../rescue/list-guarded.ts"
import { openGuardedOrder } from "../../rescue/open-guarded-order.ts"
import { openRescue } from "../../rescue/sealed-rescue.ts"
import { openMemory } from "../../rescue/tower-memory.ts"
import { type PasswordChoice, providePassword } from "../../signer/provide-password.ts"
import { usageError } from "../../usage-error.ts"

/**
 * Guards the order of a rescue file until a final block shows its money with the treasury, or the
 * orders of all files in a folder, until SIGINT or SIGTERM.
 */
export async function watchRescue(
  context: CommandContext,
  path: string,
  choice: PasswordChoice,
): Promise<number> {
  if (context.sandbox) throw usageError("--rescue needs the tower's own file: --config FILE")
  const { clock } = context
  await providePassword(context, choice)
  const tower = loadTower(prepareFile(context), context.env)
  const pacesOf = createPacesOf(clock)
  const open = async (file: string): Promise<GuardedOrder> => {
    const { watch } = await openRescue(context, file)
    if (watch === null) throw noData(file)
    return openGuardedOrder(watch, tower, { clock, pacesOf, memory: openMemory(`${file}.sent`) })
  }
  const { isFolder, listOrders } = createGuardList(path, open, context.warn)
  const stopping = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort())
  const { signal } = stopping
  const tell = tellChanges(context)
  await watchOrders({
    clock,
    everyMs: tower.checkEveryMs,
    signal,
    listOrders,
    endsAlone: !isFolder,
    tell,
  })
  return EXIT.ok
}

/** Only a change is news: numbers of blocks change in every round. */
function tellChanges(context: CommandContext): (order: string, report: TowerReport) => void {
  const shown = new Map<string, string>()
  return (order, report) => {
    const news = [report.act, report.txid, ...report.reasons.map(({ code }) => code)].join(" ")
    if (news === shown.get(order)) return
    shown.set(order, news)
    const at = context.clock.now()
    context.print(
      context.json
        ? plainJson({ at: new Date(at).toISOString(), order, ...report })
        : `${readableAt(at)}  ${order.slice(0, 8)}  ${formatReport(report)}`,
    )
  }
}

const WORDS = {
  wait: "waits",
  redeem: "redeems the payout",
  refund: "refunds the deposit",
  end: "the money is back",
}

function formatReport({ act, reasons, txid }: TowerReport): string {
  const why = reasons.map(({ message, code }) => `${message} [${code}]`)
  return [WORDS[act], ...why, ...(txid === null ? [] : [`transaction ${txid}`])].join(": ")
}

function noData(file: string): AppError {
  const message =
    `${file} lacks the data for a watchtower: the daemon's machine had no configuration of the ` +
    "order's chains and assets; write it again there"
  return new AppError({ code: "tower.no_data", disposition: "refused", message })
}
