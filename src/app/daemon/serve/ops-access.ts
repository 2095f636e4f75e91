import type { OpsConfig } from "#config/config.ts"
import { AGENT_PREFIX, ALL_SCOPES, type OpsToken } from "#ops/caller.ts"

/** `ops.token` has every scope, and a name that no configured token can have. */
export function tokensOf({ token, tokens, agents }: OpsConfig): readonly OpsToken[] {
  const ofAgents = agents.flatMap((agent) =>
    agent.token === null
      ? []
      : [{ name: `${AGENT_PREFIX}${agent.name}`, token: agent.token, scopes: ["agent" as const] }],
  )
  const own = token === null ? [] : [{ name: "ops.token", token, scopes: ALL_SCOPES }]
  return [...own, ...tokens, ...ofAgents]
}

/** Clients also reach the listener by the name that it listens on. */
export function hostsOf({ listen, hosts }: OpsConfig): readonly string[] {
  return listen === null ? hosts : [listen.host.toLowerCase(), ...hosts]
}
