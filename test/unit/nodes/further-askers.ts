import { runHeartbeat } from "#alerts/heartbeat.ts"
import { readMessages } from "#alerts/telegram-bot.ts"
import { askKms } from "#kms/ask-kms.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { urlOf } from "#nodes/address.ts"
import { createAttestationService } from "#routes/cctp/attestation-service.ts"
import { postSpans } from "#telemetry/post-spans.ts"
import { type Asker, timeoutMs } from "./askers.ts"

const secret = (value: string): Secret => new Secret(value, "a test")

/** Callers that are no reader of a chain, a price or the service. */
export const FURTHER: Readonly<Record<string, Asker>> = {
  "attestations of Circle": (address, { clock, paces }) =>
    createAttestationService({ address, timeoutMs, clock, paces }).fetchMessages(0, "0x01"),
  "chat of approvals": (at, { clock }) => {
    const bot = { kind: "telegram", api: urlOf(at), token: secret("1:token"), chat: "1" } as const
    const never = new AbortController().signal
    return readMessages({ ...bot, approvers: {} }, null, clock, never)
  },
  heartbeat: async (at, { clock }) => {
    const stop = new AbortController()
    const noted: (string | null)[] = []
    const url = secret(urlOf(at))
    await runHeartbeat(
      {
        config: () => ({ url, everyMs: 1_000, method: "POST" }),
        isAlive: async () => true,
        note: (error) => {
          noted.push(error)
          stop.abort()
        },
        clock,
        log: silentLogger,
      },
      stop.signal,
    )
    const [error = null] = noted
    if (error !== null) throw new Error(error)
    return noted
  },
  traces: async (at) => {
    const collector = { base: secret(urlOf(at)), path: "/v1/traces", headers: {} } as const
    const error = await postSpans(collector, "{}", new AbortController().signal)
    if (error !== null) throw new Error(error)
    return error
  },
  "a key's service": (at) => askKms({ url: urlOf(at), headers: {}, method: "POST", body: "{}" }),
}
