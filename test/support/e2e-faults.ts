import type { Fault } from "../../src/sandbox/service/faults.ts"

/** Replaces the faults of a sandbox's service; none given clears them. */
export async function setFaults(sandbox: { readonly service: string }, ...faults: readonly Fault[]): Promise<void> {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(`${sandbox.service}/sandbox/faults`, {
    method: "POST",
    headers,
    body: JSON.stringify(faults),
  })
  if (answer.status !== 200) throw new Error(`the faults were not taken: ${await answer.text()}`)
}

/** How often each fault that is set has struck. */
export async function countStrikes(sandbox: { readonly service: string }): Promise<number[]> {
  const answer = await fetch(`${sandbox.service}/sandbox/faults`)
  // CAST: the sandbox's own route.
  const { faults } = (await answer.json()) as { faults: { struck: number }[] }
  return faults.map(({ struck }) => struck)
}
