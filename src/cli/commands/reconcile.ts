import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../call-daemon.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"
import { printRefusal } from "../print-refusal.ts"
import { formatTable } from "../table.ts"

/** Has the daemon compare its books with the chains. Exit 1 when an asset differs, 75 when one could not be read. */
export async function reconcileCommand(invocation: Invocation): Promise<number> {
  const config = openConfigForReading(invocation)
  const { accept, as } = invocation.options
  const body = { ...(accept === undefined ? {} : { accept }), ...(as === undefined ? {} : { as }) }
  const answer = await callDaemon(config, "POST", "/api/v1/reconcile", body)
  if (answer.status !== 200) return printRefusal(invocation, answer.body)
  // CAST: our own interface.
  const { assets } = answer.body as { assets: readonly Line[] }
  if (invocation.json) invocation.print(plainJson(answer.body, 2))
  else {
    const rows = assets.map((line) => [
      line.asset,
      line.state,
      line.ledger ?? "?",
      line.chain ?? "?",
      line.difference ?? "?",
    ])
    invocation.print(formatTable(["asset", "", "books", "chain", "difference"], rows))
  }
  if (assets.some(({ state }) => state === "difference")) return EXIT.refused
  return assets.some(({ state }) => state === "unreadable") ? EXIT.tryLater : EXIT.ok
}

type Line = {
  readonly asset: string
  readonly state: string
  readonly ledger: string | null
  readonly chain: string | null
  readonly difference: string | null
}
