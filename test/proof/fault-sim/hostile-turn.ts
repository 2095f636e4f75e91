import { drawConfiguration } from "./configuration.ts"
import type { Run } from "./create-run.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { Daemon } from "./simulated-world.ts"

/**
 * Acts in one turn of the hostile time: as operator, and with faults of process, clock and machine.
 * Returns the time that passes.
 */
export function actHostile(
  run: Run,
  turn: number,
): { readonly stepMs: number; readonly jumpMs: number } {
  const { profile, operator, counts, phase, host, world, recorder } = run
  const { script, review } = run.streams
  phase.isHostile = turn >= (run.simCase.faultsFrom ?? 0)
  const process = host.live()
  const draws = (kind: FaultKind): boolean => {
    if (
      !phase.isHostile ||
      !profile.enabled.has(kind) ||
      !script.chance(Math.max(0.02, profile.rate))
    )
      return false
    counts.countFault(kind)
    return true
  }
  if (process !== null) {
    const { orders, activeSteps, ordersATurn = 1 } = profile
    // Of a crowd that an issuer serves, many are refused before they are orders.
    const countsOpen = profile.hasIssuer === true && profile.isCrowded === true
    const count = (): number => (countsOpen ? recorder.rows.size : operator.countSubmitted())
    for (let asked = 0; asked < ordersATurn; asked++)
      if (count() < orders && script.chance((2 * orders) / activeSteps))
        operator.submit(process, script)
    if (draws("paused")) operator.requestPause(process, script)
    else if (operator.hasPaused() && script.chance(0.15)) operator.liftPause(process, script)
    const isAsked = draws("operator") || (operator.hasOrphan() && script.chance(0.3))
    if (isAsked) operator.operate(process, script)
    if (draws("configuration changed")) changeConfiguration(run, process)
    operator.review(process, review)
    if (draws("killed between steps")) process.die("killed between steps")
  }
  const stepMs = script.pick([300, 1_000, 1_000, 2_000, 5_000, 12_000])
  const jumpMs = drawJump(run, draws)
  if (jumpMs > 0) world.log.add("clock", "jumps", `${jumpMs} ms, turn ${turn}`)
  return { stepMs, jumpMs }
}

/**
 * Changes the configuration by a reload, or with the next process. Here only a restart changes the
 * mode, because a reload into observe mode lets a signature that is being made finish.
 */
function changeConfiguration({ streams, profile, configured, world }: Run, process: Daemon): void {
  const next = drawConfiguration(streams.configuration, profile)
  if (streams.configuration.chance(0.3)) {
    configured.next = next
    return
  }
  configured.inForce = { ...next, mode: configured.inForce.mode }
  world.log.add("operator", "reloads")
  process.reload()
}

function drawJump({ streams, host }: Run, draws: (kind: FaultKind) => boolean): number {
  if (draws("clock jumps")) return streams.script.pick([60_000, 10 * 60_000, 2 * 60 * 60_000])
  if (!draws("machine off")) return 0
  host.live()?.die("machine off")
  return streams.script.pick([5 * 60_000, 25 * 60_000, 100 * 60_000, 4 * 60 * 60_000])
}
