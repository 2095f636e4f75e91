import { systemClock } from "#lib/clock.ts"
import { callChain } from "./remote-chain.ts"
import type { ChaosFault } from "./sample-fault.ts"
import type { CutProxy } from "./start-cut-proxy.ts"
import type { ChainPart, World } from "./start-world.ts"

/** The target of a fault. A target has at most one active fault. */
export function targetOf(fault: ChaosFault): string {
  if ("chain" in fault) return fault.chain
  if (fault.kind === "cut")
    return fault.what === "service"
      ? "line to service"
      : `${fault.what.side} line to ${fault.what.chain}`
  return fault.kind.includes("daemon") ? "daemon" : "service"
}

/** Injects the fault and resolves when its target is up again. */
export async function injectFault(world: World, fault: ChaosFault): Promise<void> {
  switch (fault.kind) {
    case "kill daemon":
      return world.daemon.kill(fault.downMs)
    case "kill service":
      return world.service.kill(fault.downMs, false)
    case "forget service":
      return world.service.kill(fault.downMs, true)
    case "kill chain":
      return partOf(world, fault.chain).kill?.(fault.downMs)
    case "freeze daemon":
      return freeze(world.daemon.process.child.pid, fault.ms)
    case "freeze service":
      return freeze(world.service.host.child.pid, fault.ms)
    case "freeze chain":
      return freeze(partOf(world, fault.chain).host.line.nodePid, fault.ms)
    case "cut":
      return cut(proxyOf(world, fault.what), fault)
    case "bad answers":
      return world.service.setFaults({ answers: fault.fault })
    case "bad solver":
      return world.service.setFaults({ solver: fault.fault })
    case "leap":
      return leap(partOf(world, fault.chain))
  }
}

/**
 * Advances the chain past the source timelock, so that every open order of this chain becomes
 * refundable.
 */
export async function leap({ name, host: { line } }: ChainPart): Promise<void> {
  try {
    await callChain(line.control, "advance", [line.timelocks.source + 10])
  } catch (cause) {
    throw new Error(`${name} did not leap: ${String(cause)}`, { cause })
  }
}

async function freeze(pid: number | undefined, ms: number): Promise<void> {
  if (pid === undefined) return
  process.kill(pid, "SIGSTOP")
  await systemClock.sleep(ms)
  process.kill(pid, "SIGCONT")
}

async function cut(
  proxy: CutProxy,
  { how, ms }: Extract<ChaosFault, { kind: "cut" }>,
): Promise<void> {
  proxy.setFault(how)
  await systemClock.sleep(ms)
  proxy.setFault(null)
}

function partOf(world: World, name: string): ChainPart {
  const part = world.chains.find((chain) => chain.name === name)
  if (!part) throw new Error(`no chain ${name}`)
  return part
}

function proxyOf(world: World, what: Extract<ChaosFault, { kind: "cut" }>["what"]): CutProxy {
  if (what === "service") return world.service.proxy
  const part = partOf(world, what.chain)
  return what.side === "node" ? part.nodeProxy : part.controlProxy
}
