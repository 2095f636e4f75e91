import type { EvmClient } from "./evm-client.ts"

/** Calls a method that only anvil has, so viem's public client does not declare it. */
export function callAnvil(
  client: EvmClient,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  return client.request<{ Method: string; Parameters: readonly unknown[]; ReturnType: unknown }>({
    method,
    params,
  })
}
