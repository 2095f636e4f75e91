import type { OpsConfig } from "#config/config.ts"
import { ALL_SCOPES, type OpsToken } from "#ops/caller.ts"

/** `ops.token` has every scope, and a name that no configured token can have. */
export function tokensOf({ token, tokens }: OpsConfig): readonly OpsToken[] {
  return [...(token === null ? [] : [{ name: "ops.token", token, scopes: ALL_SCOPES }]), ...tokens]
}

/** Clients also reach the listener by the name that it listens on. */
export function hostsOf({ listen, hosts }: OpsConfig): readonly string[] {
  return listen === null ? hosts : [listen.host.toLowerCase(), ...hosts]
}
