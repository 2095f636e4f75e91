import type { FaultKind } from "./swarm.ts"

/** What a run counts: which faults struck, what was covered. */
export type Tally = ReturnType<typeof createTally>

export function createTally() {
  const faults = new Map<FaultKind, number>()
  const [states, transitions] = [new Set<string>(["quoting"]), new Set<string>()]
  let [kills, checks] = [0, 0]
  return {
    strike: (kind: FaultKind): void => void faults.set(kind, (faults.get(kind) ?? 0) + 1),
    transit: (from: string, event: string, to: string): void => {
      states.add(to)
      transitions.add(`${from} ${event}`)
    },
    kill: (): void => void kills++,
    check: (): void => void checks++,
    read: () => ({ faults, states, transitions, kills, checks }),
  }
}
