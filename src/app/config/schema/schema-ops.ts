import { choice, list, secretReference, text } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { agentsSchema } from "./schema-agents.ts"

/** The HTTP interface for operators. */
export const opsSchema = section({
  listen: orNone(
    text(
      /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/,
      'host:port, such as "127.0.0.1:7070"',
    ).refine((written) => Number(written.slice(written.lastIndexOf(":") + 1)) <= 65_535, {
      error: "expected a port from 0 to 65535",
    }),
    "Address of the HTTP interface over TCP, host:port. Without it Ballast listens only on " +
      "the Unix socket in data_dir. Beyond loopback it needs tls.",
  ),
  token: orNone(
    secretReference,
    "The bearer token with all scopes, by reference; at least 16 characters. Without any " +
      "token, TCP serves only /healthz and /readyz.",
  ),
  tokens: withDefault(
    list(
      section({
        name: required(
          text(
            /^[a-z][a-z0-9_-]{0,31}$/,
            "a letter, then at most 31 lower case letters, digits, - and _",
          ),
          "The name that Ballast writes down with every change.",
        ),
        token: required(secretReference, "The bearer token, by reference; at least 16 characters."),
        scopes: required(
          list(choice(["read", "operate", "approve"]), "a list of read, operate and approve", 1),
          "The allowed requests: read shows, operate changes, approve approves or rejects orders.",
        ),
      }),
      "a list of tokens",
    ),
    [],
    "Further bearer tokens, each with a name and scopes.",
  ),
  agents: withDefault(
    agentsSchema,
    [],
    "Programs that use language models, with their own limits; docs/AGENTS.md explains them.",
  ),
  tls: orNone(
    section({
      cert: required(secretReference, "The certificate chain in PEM, such as file:tls/cert.pem."),
      key: required(secretReference, "The private key in PEM, such as file:tls/key.pem."),
    }),
    "TLS of the TCP listener. A reload reads certificate and key again.",
  ),
  hosts: withDefault(
    list(
      text(/^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/, "a host name without port"),
      "a list of host names",
    ),
    [],
    "Further names by which clients reach the TCP listener, such as the name in its " +
      "certificate. IP addresses, localhost and the host of listen are known.",
  ),
})
