import type { Fault } from "../../src/lab/sandbox/service/faults.ts"

/** Replaces the faults of a sandbox's service; a call without faults clears them. */
export async function setFaults(
  sandbox: { readonly service: string },
  ...faults: readonly Fault[]
): Promise<void> {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(`${sandbox.service}/sandbox/faults`, {
    method: "POST",
    headers,
    body: JSON.stringify(faults),
  })
  if (answer.status !== 200)
    throw new Error(`the service refused the faults: ${await answer.text()}`)
}

/** The number of requests or orders that each active fault has affected. */
export async function countStrikes(sandbox: { readonly service: string }): Promise<number[]> {
  const answer = await fetch(`${sandbox.service}/sandbox/faults`)
  // CAST: the sandbox's own route.
  const { faults } = (await answer.json()) as { faults: { struck: number }[] }
  return faults.map(({ struck }) => struck)
}
