import type { ManualClock } from "../../../support/manual-clock.ts"
import type { EventLog } from "../event-log.ts"
import type { Random } from "../random.ts"
import { freeze, type Machine, type Place, type Process, thaw } from "./machine.ts"
import type { SimulatedServers } from "./simulated-servers.ts"

type Target = {
  readonly machines: readonly [Machine, Machine]
  readonly servers: SimulatedServers
  readonly random: Random
  readonly clock: ManualClock
  readonly log: EventLog
  readonly end: (process: Process, how: string) => void
  /** The machine of the leading daemon. */
  readonly leader: Machine | null
  readonly isBusy: boolean
}

/**
 * A turn has one of these faults with this probability, and a turn of a busy run, in which many
 * orders begin, with the second one.
 */
const CHANCE = 0.03
const BUSY_CHANCE = 0.15
const SECOND_MS = 1_000
const PLACES: readonly Place[] = ["database", "chains", "service"]

/** Each fault ends by itself. Most end a leader, because the run counts take-overs. */
export function injectClusterFault({
  machines,
  servers,
  random,
  clock,
  log,
  end,
  leader,
  isBusy,
}: Target): void {
  if (!random.chance(isBusy ? BUSY_CHANCE : CHANCE)) return
  const isLeader = random.chance(0.7)
  const machine =
    leader === null
      ? random.pick(machines)
      : isLeader
        ? leader
        : (machines.find((one) => one !== leader) ?? leader)
  const { process } = machine
  const lengthMs = Math.round(100 + random.next() ** 2 * 60 * SECOND_MS)
  const later = (undo: () => void): void => void clock.sleep(lengthMs).then(undo)
  const kind = random.below(16)
  const cut = ({ cuts }: Machine, place: Place): void => {
    cuts.add(place)
    later(() => void cuts.delete(place))
  }
  const part = (): void => {
    servers.part()
    later(servers.join)
  }
  log.add(machine.name, "cluster fault", `${kind} for ${lengthMs} ms`)
  switch (kind) {
    case 0:
    case 1:
    case 2:
      if (process !== null) end(process, "killed")
      break
    case 3:
    case 4:
      if (process === null) break
      freeze(process, clock.now())
      later(() => thaw(process, clock.now()))
      break
    case 5:
      cut(machine, "database")
      break
    case 6:
      part()
      break
    case 7:
      servers.crash()
      break
    case 8:
      servers.promote()
      break
    case 9:
      servers.shiftClock(random.pick([-6, -3, 3, 6, 60]) * SECOND_MS)
      later(() => servers.shiftClock(0))
      break
    case 10:
      machine.skewMs = random.pick([-60, -6, 6, 60]) * SECOND_MS
      later(() => {
        machine.skewMs = 0
      })
      break
    case 11:
      cut(machine, random.pick(["chains", "service"]))
      break
    case 12:
    case 13:
      // The machine is with the former primary on one side, and everything else is on the other
      // side.
      servers.promote(true)
      machine.isAtFormer = true
      later(() => {
        machine.isAtFormer = false
        servers.dropFormer()
      })
      break
    case 14:
      for (const one of machines)
        for (const place of PLACES) if (random.chance(0.3)) cut(one, place)
      if (random.chance(0.5)) part()
      break
    default:
      if (random.chance(0.2)) servers.cancelWaits()
      else servers.crash()
  }
}
