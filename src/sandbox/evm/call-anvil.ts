import type { EvmClient } from "./evm-client.ts"

/** Calls one of anvil's own methods, which viem's public client does not know by name. */
export function callAnvil(client: EvmClient, method: string, params: readonly unknown[]): Promise<unknown> {
  return client.request<{ Method: string; Parameters: readonly unknown[]; ReturnType: unknown }>({ method, params })
}
