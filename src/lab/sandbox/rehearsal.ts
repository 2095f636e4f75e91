import { AppError } from "#lib/app-error.ts"
import type { ChainReport, KeptChain } from "./keep-chain.ts"

/** The part of a service that a rehearsal uses. */
type FaultyService = {
  setFaults(faults: readonly ({ status: number; error: string } | { closePair: string })[]): void
}

type Rehearsal = {
  readonly control: SandboxControl
  readonly add: (services: readonly FaultyService[]) => void
}

/** Breaks and mends parts of a running sandbox. */
export function createRehearsal(kept: readonly KeptChain[]): Rehearsal {
  let services: readonly FaultyService[] = []
  let service: SandboxReport["service"] = "up"
  let closed: readonly string[] = []
  let timer: NodeJS.Timeout | null = null
  const apply = (): void => {
    const broken = service === "up" ? [] : [{ status: 503, error: "broken on request" }]
    const faults = [...broken, ...closed.map((closePair) => ({ closePair }))]
    for (const each of services) each.setFaults(faults)
  }
  const mendService = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (service === "up") return
    service = "up"
    apply()
  }
  const breakService = (forMs: number | null): void => {
    mendService()
    service = "broken"
    apply()
    timer = forMs === null ? null : setTimeout(mendService, forMs)
  }
  const close = (pair: string, forMs: number | null): void => {
    for (const asset of pair.split("/"))
      find(kept.find(({ chain }) => asset.startsWith(`${chain.name}:`))?.chain.name ?? asset)
    closed = [...closed, pair]
    apply()
    if (forMs !== null) setTimeout(() => open(pair), forMs).unref()
  }
  const open = (pair: string | null): void => {
    if (closed.length === 0) return
    closed = pair === null ? [] : closed.filter((one) => one !== pair)
    apply()
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
    break: (part, forMs) =>
      part === SERVICE
        ? breakService(forMs)
        : part.includes("/")
          ? close(part, forMs)
          : find(part).break(forMs),
    mend: (part) => {
      if (part === null || part.includes("/")) open(part)
      if (part?.includes("/")) return
      if (part === null || part === SERVICE) mendService()
      for (const chain of part === null ? kept : part === SERVICE ? [] : [find(part)]) chain.mend()
    },
    report: () => ({ chains: kept.map((chain) => chain.report()), service, closed }),
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
 * `part` is `service`, the name of a chain, or a pair `FROM/TO` that the services close; `mend`
 * without one mends all. Throws `sandbox.part` (refused) for another name.
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
  /** The pairs that every service has closed. */
  readonly closed: readonly string[]
}
