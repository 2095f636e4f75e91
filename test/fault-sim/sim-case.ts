import type { PlantedBug } from "./planted-bugs.ts"
import type { FaultKind, Swarm } from "./swarm.ts"

/** A seed, and as much of what it draws as is to happen. What is left out is drawn. */
export type SimCase = {
  readonly seed: number
  readonly orders?: number
  /** Of the kinds of fault that the seed has on, these only. */
  readonly only?: readonly FaultKind[]
  /** Turns of the hostile time. */
  readonly steps?: number
  /** The first turn in which anything may go wrong. */
  readonly faultsFrom?: number
  /** How many of the drawn rules there are. */
  readonly rules?: number
  readonly bug?: PlantedBug
  /** Troubles aimed at states that do not last: answers nobody expects, and an operator at work in them. */
  readonly directed?: boolean
}

export function narrowSwarm(swarm: Swarm, { only, steps }: SimCase): Swarm {
  const on = only === undefined ? swarm.on : new Set([...swarm.on].filter((kind) => only.includes(kind)))
  return { ...swarm, on, activeSteps: steps ?? swarm.activeSteps }
}

/** The command that runs exactly this case again. */
export function formatCommand({ seed, orders, only, steps, faultsFrom, rules, bug, directed }: SimCase): string {
  const flags: (readonly [string, string | number | undefined])[] = [
    ["--seed", seed],
    ["--orders", orders],
    ["--only", only === undefined ? undefined : `"${only.join(",")}"`],
    ["--steps", steps],
    ["--faults-from", faultsFrom],
    ["--rules", rules],
    ["--bug", bug === undefined ? undefined : `"${bug}"`],
  ]
  const given = flags.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
  return `npm run sim -- ${[...given, ...(directed ? ["--directed"] : [])].join(" ")}`
}
