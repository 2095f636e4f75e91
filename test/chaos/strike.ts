import { systemClock } from "#lib/clock.ts"
import type { Blow } from "./draw-blow.ts"
import { callChain } from "./remote-chain.ts"
import type { CutProxy } from "./start-cut-proxy.ts"
import type { ChainPart, World } from "./start-world.ts"

/** What a blow strikes: while one is under way there, another one is not dealt. */
export function targetOf(blow: Blow): string {
  if ("chain" in blow) return blow.chain
  if (blow.kind === "cut")
    return blow.what === "service" ? "line to service" : `${blow.what.side} line to ${blow.what.chain}`
  return blow.kind.includes("daemon") ? "daemon" : "service"
}

/** Deals the blow and resolves when what it struck is up again. */
export async function strike(world: World, blow: Blow): Promise<void> {
  switch (blow.kind) {
    case "kill daemon":
      return world.daemon.kill(blow.downMs)
    case "kill service":
      return world.service.kill(blow.downMs, false)
    case "forget service":
      return world.service.kill(blow.downMs, true)
    case "kill chain":
      return partOf(world, blow.chain).kill?.(blow.downMs)
    case "freeze daemon":
      return freeze(world.daemon.process.child.pid, blow.ms)
    case "freeze service":
      return freeze(world.service.host.child.pid, blow.ms)
    case "freeze chain":
      return freeze(partOf(world, blow.chain).host.line.nodePid, blow.ms)
    case "cut":
      return cut(proxyOf(world, blow.what), blow)
    case "bad answers":
      return world.service.setFaults({ answers: blow.fault })
    case "bad solver":
      return world.service.setFaults({ solver: blow.fault })
    case "leap":
      return leap(partOf(world, blow.chain))
  }
}

/** Every order of this chain that is under way becomes refundable. */
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

async function cut(proxy: CutProxy, { how, ms }: Extract<Blow, { kind: "cut" }>): Promise<void> {
  proxy.harm(how)
  await systemClock.sleep(ms)
  proxy.harm(null)
}

function partOf(world: World, name: string): ChainPart {
  const part = world.chains.find((chain) => chain.name === name)
  if (!part) throw new Error(`no chain ${name}`)
  return part
}

function proxyOf(world: World, what: Extract<Blow, { kind: "cut" }>["what"]): CutProxy {
  if (what === "service") return world.service.proxy
  const part = partOf(world, what.chain)
  return what.side === "node" ? part.nodeProxy : part.controlProxy
}
