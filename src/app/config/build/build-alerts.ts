import type { AlertsConfig, Channel, Receiver } from "#alerts/port.ts"
import { rememberKeys, rememberSecret } from "#lib/known-keys.ts"
import { Secret } from "#lib/secret.ts"
import { trimEndOf } from "#lib/trim-end.ts"
import type { AlertsFile } from "../schema/schema-alerts.ts"

/** From here on no log line or answer shows the secrets of the receivers. */
export function buildAlerts(file: AlertsFile, secrets: ReadonlyMap<string, Secret>): AlertsConfig {
  const { heartbeat, dashboard } = file
  return {
    receivers: Object.entries(file.receivers).map(([name, written]): Receiver => {
      const { least, tells_end: tellsEnd } = written
      return { name, least, tellsEnd, ...buildChannel(written, secrets) }
    }),
    groupMs: file.group_for,
    overAfterMs: file.over_after,
    repeatMs: file.repeat_every,
    escalateAfterMs: file.escalate_after,
    escalateTo: file.escalate_to,
    dashboard: dashboard === null ? null : trimEndOf(dashboard, "/"),
    heartbeat:
      heartbeat === null
        ? null
        : {
            url: urlOf(heartbeat.url, secrets),
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
        url: urlOf(written.url, secrets),
        key: secretOrNull(written.key, secrets),
      }
    case "slack":
      return { kind: written.kind, url: urlOf(written.url, secrets) }
    case "telegram": {
      const { kind, api, chat } = written
      return { kind, api: trimEndOf(api, "/"), chat, token: secretOf(written.token, secrets) }
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

/** A URL that stands in the file may hold a key too. */
export function urlOf(written: string, secrets: ReadonlyMap<string, Secret>): Secret {
  const secret = secrets.get(written) ?? new Secret(written, "a URL of the file")
  rememberKeys(secret.reveal())
  return secret
}
