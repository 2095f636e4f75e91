import type { FaultyPortDeps } from "./faulty-port.ts"
import type { PlantedBug } from "./planted-bugs.ts"
import type { Random } from "./random.ts"
import { type Daemon, type DaemonOptions, type Surroundings, startDaemon } from "./sim-world.ts"
import type { FaultKind, Swarm } from "./swarm.ts"
import type { Tally } from "./tally.ts"
import type { Witness } from "./witness.ts"

/** The machine that the daemon runs on: it starts a new process some time after the old one died. */
export type ProcessHost = {
  /** The process that runs now; a new one where the old one died and its time has come; `null` while none runs. */
  readonly live: () => Daemon | null
  readonly stop: () => void
  /** Whoever is dead starts at once. */
  readonly hurry: () => void
}

type Deps = {
  readonly world: Surroundings
  readonly swarm: Swarm
  readonly witness: Witness
  readonly bug: PlantedBug | null
  readonly disk: Random
  readonly network: Random
  readonly script: Random
  readonly tally: Tally
  readonly isHostile: () => boolean
  readonly outage: FaultyPortDeps["outage"]
  readonly isChased: FaultyPortDeps["isChased"]
  readonly onCall: FaultyPortDeps["onCall"]
  readonly onStep: DaemonOptions["onStep"]
  readonly mayStart: () => boolean
  readonly onStart: () => void
  readonly rules: () => DaemonOptions["rules"]
  readonly standing: () => DaemonOptions["standing"]
  readonly configuration: DaemonOptions["configuration"]
}

export function createProcessHost(deps: Deps): ProcessHost {
  const { world, swarm, witness, bug, tally, script, isHostile, outage, isChased, onCall, onStep } = deps
  const { clock, log } = world
  const ids = { order: 0, nonce: 0 }
  let [lives, restartAtMs] = [0, clock.now()]
  let daemon: Daemon | null = null
  let isStarting = false

  function onDeath(how: FaultKind): void {
    tally.kill()
    log.add("process", "dies", how)
    restartAtMs = clock.now() + script.pick([0, 0, 1_000, 20_000, 200_000])
  }

  function live(): Daemon | null {
    if (daemon?.isAlive()) return daemon
    // Its first calls are made before it has come up: who asks for it meanwhile must not start another.
    if (isStarting || clock.now() < restartAtMs || !deps.mayStart()) return null
    isStarting = true
    deps.onStart()
    log.add("process", "starts")
    const faults = {
      clock,
      log,
      random: deps.network,
      swarm,
      isHostile,
      outage,
      isChased,
      strike: tally.strike,
      onCall,
    }
    const shared = {
      random: deps.disk,
      swarm,
      witness,
      bug,
      isFirstLife: lives++ === 0,
      ids,
      rules: deps.rules(),
      standing: deps.standing(),
      configuration: deps.configuration,
    }
    daemon = startDaemon(world, { ...shared, onDeath, faults, onStep })
    isStarting = false
    return daemon
  }

  return {
    live,
    stop: () => daemon?.stop(),
    hurry: () => {
      restartAtMs = 0
    },
  }
}
