import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../call-daemon.ts"
import type { Invocation } from "../main.ts"
import { openConfigForReading } from "../open-config.ts"
import { printRefusal } from "../print-refusal.ts"

/** Lets the running daemon read its configuration again, and shows what is different. A bad file is refused whole. */
export async function reloadCommand(invocation: Invocation): Promise<number> {
  const config = openConfigForReading(invocation)
  const answer = await callDaemon(config, "POST", "/api/v1/reload", {})
  if (answer.status !== 200) return printRefusal(invocation, answer.body)
  invocation.print(invocation.json ? plainJson(answer.body, 2) : format(answer.body))
  return EXIT.ok
}

type Shown = { readonly key: string; readonly change: string; readonly from: string | null; readonly to: string | null }

function format(body: unknown): string {
  // CAST: our own interface.
  const { changed, configHash, differences } = body as { changed: boolean; configHash: string; differences: Shown[] }
  if (!changed) return `unchanged (hash ${configHash.slice(0, 12)})`
  const lines = differences.map(({ key, change, from, to }) => {
    if (change === "changed") return `changed  ${key}: ${from} → ${to}`
    return `${change.padEnd(8)} ${key}: ${to ?? from}`
  })
  return [...lines, `in force (hash ${configHash.slice(0, 12)})`].join("\n")
}
