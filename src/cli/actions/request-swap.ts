import { refuseForeign } from "#chains/foreign-families.ts"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import type { OrderView } from "#order/view.ts"
import { callDaemon } from "../call-daemon.ts"
import type { CommandContext } from "../define-command.ts"
import { openConfigForReading } from "../open-config.ts"
import { printRefusal } from "../print-refusal.ts"

type SwapRequest = { readonly from: string; readonly to: string; readonly amount: string }
type SwapChoices = { readonly wait: boolean; readonly deposit: string | null; readonly destination: string | null }

/** Asks the running daemon for one swap. It passes the same guards as the swap of a rule. A refusal is exit 1 with every reason. */
export async function requestSwap(
  context: CommandContext,
  request: SwapRequest,
  { wait, deposit, destination }: SwapChoices,
): Promise<number> {
  const foreign = refuseForeign([request.from, request.to], destination === null ? [] : [destination])
  if (foreign.length > 0) return printRefusal(context, { reasons: foreign })
  const config = openConfigForReading(context)
  const choices = { ...(deposit ? { deposit } : {}), ...(destination ? { destination } : {}) }
  const answer = await callDaemon(config, "POST", "/api/v1/swap", { ...request, ...choices })
  if (answer.status !== 202) return printRefusal(context, answer.body)
  // CAST: the daemon's own answer: 202 carries {id}.
  const { id } = answer.body as { id: string }
  if (!wait) {
    context.print(context.json ? plainJson({ id }) : `accepted as ${id}; follow it with: ballast order ${id}`)
    return EXIT.ok
  }
  const order = await waitForOutcome(config, context, id)
  context.print(context.json ? plainJson(order, 2) : `${id} ${order.outcome}`)
  return order.outcome === "completed" ? EXIT.ok : EXIT.refused
}

async function waitForOutcome(config: Config, { clock }: CommandContext, id: string): Promise<OrderView> {
  for (;;) {
    const { body } = await callDaemon(config, "GET", `/api/v1/orders/${id}`)
    // CAST: the daemon's own answer.
    const order = body as OrderView
    if (order.outcome !== null || order.held) return order
    await clock.sleep(1_000)
  }
}
