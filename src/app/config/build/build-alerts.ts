import type { AlertsConfig, Channel, Place, Receiver } from "#alerts/port.ts"
import { rememberSecret } from "#lib/known-keys.ts"
import { Secret } from "#lib/secret.ts"
import { trimEndOf } from "#lib/trim-end.ts"
import type { AlertsFile } from "../schema/schema-alerts.ts"
import { buildHeaders, secretUrlOf } from "./build-address.ts"

/** From here on no log line or answer shows the secrets of the receivers. */
export function buildAlerts(file: AlertsFile, secrets: ReadonlyMap<string, Secret>): AlertsConfig {
  const { heartbeat, dashboard } = file
  return {
    receivers: Object.entries(file.receivers).map(([name, written]): Receiver => {
      const { least, tells_end: tellsEnd, events } = written
      return { name, least, tellsEnd, events, ...buildChannel(written, secrets) }
    }),
    groupMs: file.group_for,
    overAfterMs: file.over_after,
    repeatMs: file.repeat_every,
    escalateAfterMs: file.escalate_after,
    escalateTo: file.escalate_to,
    daily: file.daily,
    dashboard: dashboard === null ? null : trimEndOf(dashboard, "/"),
    heartbeat:
      heartbeat === null
        ? null
        : {
            ...placeOf(heartbeat.url, secrets),
            everyMs: heartbeat.every,
            method: heartbeat.method,
          },
  }
}

function buildChannel(
  written: AlertsFile["receivers"][string],
  secrets: ReadonlyMap<string, Secret>,
): Channel {
  switch (written.kind) {
    case "webhook":
      return {
        kind: written.kind,
        ...placeOf(written.url, secrets),
        key: secretOrNull(written.key, secrets),
      }
    case "slack":
    case "discord":
      return { kind: written.kind, url: secretUrlOf(written.url, secrets) }
    case "ntfy": {
      const { kind, api, topic, token } = written
      const place = { api: serverOf(api, secrets), topic: secretOf(topic, secrets) }
      return { kind, ...place, token: secretOrNull(token, secrets) }
    }
    case "matrix": {
      const { kind, api, token, room } = written
      return { kind, api: serverOf(api, secrets), token: secretOf(token, secrets), room }
    }
    case "telegram": {
      const { kind, api, chat, approvers } = written
      return {
        kind,
        api: serverOf(api, secrets),
        chat,
        approvers,
        token: secretOf(written.token, secrets),
      }
    }
    case "email": {
      const { kind, host, port, tls, user, from, to } = written
      return {
        kind,
        host,
        port,
        tls,
        user,
        from,
        to,
        password: secretOrNull(written.password, secrets),
      }
    }
  }
}

function serverOf(written: string, secrets: ReadonlyMap<string, Secret>): string {
  return trimEndOf(secretUrlOf(written, secrets).reveal(), "/")
}

function secretOrNull(
  reference: string | null,
  secrets: ReadonlyMap<string, Secret>,
): Secret | null {
  return reference === null ? null : secretOf(reference, secrets)
}

function secretOf(reference: string, secrets: ReadonlyMap<string, Secret>): Secret {
  const secret = secrets.get(reference) ?? new Secret("", reference)
  rememberSecret(secret.reveal())
  return secret
}

function placeOf(
  written: string | { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  secrets: ReadonlyMap<string, Secret>,
): Place {
  if (typeof written === "string") return { url: secretUrlOf(written, secrets) }
  const headers = buildHeaders(written.headers, secrets)
  return { url: secretUrlOf(written.url, secrets), headers }
}
