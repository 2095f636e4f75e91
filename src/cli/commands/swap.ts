import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { OrderView } from "#order/view.ts"
import { callDaemon } from "../call-daemon.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"
import { printRefusal } from "../print-refusal.ts"

/** Asks the running daemon for one swap, through the same guards as a rule's. Exit 1 with every reason when it is refused. */
export async function swapCommand(invocation: Invocation): Promise<number> {
  const [from, to, amount] = invocation.operands
  if (from === undefined || to === undefined || amount === undefined) {
    throw new AppError({ code: "cli.usage", disposition: "refused", message: "expected: ballast swap FROM TO AMOUNT" })
  }
  const config = openConfigForReading(invocation)
  const { deposit, destination } = invocation.options
  const more = { ...(deposit ? { deposit } : {}), ...(destination ? { destination } : {}) }
  const answer = await callDaemon(config, "POST", "/api/v1/swap", { from, to, amount, ...more })
  if (answer.status !== 202) return printRefusal(invocation, answer.body)
  // CAST: our own interface: 202 carries {id}.
  const { id } = answer.body as { id: string }
  if (invocation.options["wait"] !== true) {
    invocation.print(invocation.json ? plainJson({ id }) : `accepted as ${id}; follow it with: ballast order ${id}`)
    return EXIT.ok
  }
  const order = await waitForOutcome(config, invocation, id)
  invocation.print(invocation.json ? plainJson(order, 2) : `${id} ${order.outcome}`)
  return order.outcome === "completed" ? EXIT.ok : EXIT.refused
}

async function waitForOutcome(config: Config, { clock }: Invocation, id: string): Promise<OrderView> {
  for (;;) {
    const { body } = await callDaemon(config, "GET", `/api/v1/orders/${id}`)
    // CAST: our own interface.
    const order = body as OrderView
    if (order.outcome !== null || order.held) return order
    await clock.sleep(1_000)
  }
}
