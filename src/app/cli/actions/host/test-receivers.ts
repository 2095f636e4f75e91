import type { Message, Receiver } from "#alerts/port.ts"
import { createSender } from "#alerts/send-message.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../../define-command.ts"
import { openConfig } from "../../open/open-config.ts"
import { usageError } from "../../usage-error.ts"

/** Sends one test message to each receiver, or to the named one, and prints what each answered. */
export async function testReceivers(context: CommandContext, name: string | null): Promise<number> {
  const { config } = openConfig(context, { choice: "never_keys" })
  const { receivers, dashboard } = config.alerts
  const chosen = receivers.filter((one) => name === null || one.name === name)
  if (chosen.length === 0) throw usageError(describeNone(receivers, name))
  const send = createSender(context.clock)
  const nowMs = context.clock.now()
  const results = await Promise.all(
    chosen.map(async (receiver) => {
      const message = buildTest(receiver, { treasury: config.treasury, nowMs, dashboard })
      return { receiver: receiver.name, kind: receiver.kind, ...(await send(receiver, message)) }
    }),
  )
  if (context.json) context.print(plainJson({ receivers: results }, 2))
  else {
    for (const { receiver, kind, ...sent } of results) {
      const text = sent.ok
        ? `delivered  ${receiver} (${kind}): ${sent.answer}`
        : `FAILED     ${receiver} (${kind}): ${sent.error}`
      context.print(text)
    }
  }
  return results.every(({ ok }) => ok) ? EXIT.ok : EXIT.refused
}

function describeNone(receivers: readonly Receiver[], name: string | null): string {
  const known = receivers.map((one) => one.name).join(", ")
  if (name === null)
    return "the configuration has no receiver; add one below alerts.receivers (docs/CONFIG.md)"
  return `there is no receiver ${name}; the configuration has: ${known || "none"}`
}

function buildTest(
  { name }: Receiver,
  { treasury, nowMs, dashboard }: { treasury: string; nowMs: number; dashboard: string | null },
): Message {
  const note = {
    ...({
      id: "test",
      kind: "test",
      code: "alerts.test",
      level: "attention",
      order: null,
    } as const),
    sentence: `This is a test of the receiver ${name}`,
    meaning: "Nothing is wrong: a person tries the alerts.",
    todo: "Nothing. Alerts of the daemon look like this, with the command to type.",
    command: "ballast status",
    deadlineMs: null,
    openedMs: nowMs,
    closedMs: null,
  }
  return {
    id: `ballast-test-${nowMs}-${name}`,
    reason: "test",
    treasury,
    atMs: nowMs,
    notes: [note],
    dashboard,
  }
}
