import { AppError } from "#lib/app-error.ts"
import type { ChainReport, KeptChain } from "./keep-chain.ts"

/** The part of a service that a rehearsal uses. */
type FaultyService = { setFaults(faults: { status: number; error: string } | readonly []): void }

type Rehearsal = {
  readonly control: SandboxControl
  readonly add: (services: readonly FaultyService[]) => void
}

/** Breaks and mends parts of a running sandbox. */
export function createRehearsal(kept: readonly KeptChain[]): Rehearsal {
  let services: readonly FaultyService[] = []
  let service: SandboxReport["service"] = "up"
  let timer: NodeJS.Timeout | null = null
  const mendService = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (service === "up") return
    service = "up"
    for (const each of services) each.setFaults([])
  }
  const breakService = (forMs: number | null): void => {
    mendService()
    service = "broken"
    for (const each of services) each.setFaults({ status: 503, error: "broken on request" })
    timer = forMs === null ? null : setTimeout(mendService, forMs)
  }
  const find = (part: string): KeptChain => {
    const found = kept.find(({ chain }) => chain.name === part)
    if (found !== undefined) return found
    const message =
      `the sandbox has no part ${part}; it has ` +
      `${["service", ...kept.map(({ chain }) => chain.name)].join(", ")}`
    throw new AppError({ code: "sandbox.part", disposition: "refused", message })
  }
  const control: SandboxControl = {
    break: (part, forMs) => (part === SERVICE ? breakService(forMs) : find(part).break(forMs)),
    mend: (part) => {
      if (part === null || part === SERVICE) mendService()
      for (const chain of part === null ? kept : part === SERVICE ? [] : [find(part)]) chain.mend()
    },
    report: () => ({ chains: kept.map((chain) => chain.report()), service }),
  }
  return {
    control,
    add: (started) => {
      services = started
    },
  }
}

const SERVICE = "service"

/**
 * `part` is `service` or the name of a chain; `mend` without one mends all. Throws `sandbox.part`
 * (refused) for another name.
 */
export type SandboxControl = {
  readonly break: (part: string, forMs: number | null) => void
  readonly mend: (part: string | null) => void
  readonly report: () => SandboxReport
}

export type SandboxReport = {
  readonly chains: readonly ChainReport[]
  /** Every service answers 503 while it is broken. */
  readonly service: "up" | "broken"
}
