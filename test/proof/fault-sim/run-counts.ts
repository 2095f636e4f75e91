import type { FaultKind } from "./fault-kinds.ts"
import type { Lie } from "./lying-endpoint.ts"

/** The counts of a run: injected faults, covered states and transitions. */
export type RunCounts = ReturnType<typeof createRunCounts>

export function createRunCounts() {
  const faults = new Map<FaultKind, number>()
  const lies = new Map<Lie, number>()
  const states = new Set<string>(["quoting"])
  const transitions = new Set<string>()
  let kills = 0
  let checks = 0
  return {
    countFault: (kind: FaultKind): void => void faults.set(kind, (faults.get(kind) ?? 0) + 1),
    countLie: (lie: Lie): void => void lies.set(lie, (lies.get(lie) ?? 0) + 1),
    countTransition: (from: string, event: string, to: string): void => {
      states.add(to)
      transitions.add(`${from} ${event}`)
    },
    countKill: (): void => void kills++,
    countCheck: (): void => void checks++,
    read: () => ({ faults, lies, states, transitions, kills, checks }),
  }
}
