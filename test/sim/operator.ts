import type { Journal } from "#journal/port.ts"
import type { EventLog } from "./event-log.ts"
import type { Random } from "./random.ts"
import { ROUTES } from "./routes.ts"
import type { Daemon } from "./sim-world.ts"
import type { Swarm } from "./swarm.ts"
import type { Witness } from "./witness.ts"

/** The person at the console: asks for swaps, pauses, and answers for orders. */
export type Operator = {
  /** A pause was answered, and nobody lifted it. */
  readonly isPauseOn: () => boolean
  readonly hasAskedPause: () => boolean
  readonly countSubmitted: () => number
  /** A new process goes by what the journal says. */
  readonly recall: () => void
  readonly submit: (daemon: Daemon, random: Random) => void
  readonly requestPause: (daemon: Daemon) => void
  readonly liftPause: (daemon: Daemon) => void
  readonly operate: (daemon: Daemon, random: Random) => void
}

type Deps = {
  readonly journal: Journal
  readonly log: EventLog
  readonly swarm: Swarm
  readonly witness: Witness
}

export function createOperator({ journal, log, swarm, witness }: Deps): Operator {
  const pause = { isOn: false, request: 0 }
  let submitted = 0

  function submit({ engine }: Daemon, random: Random): void {
    const [from, to] = random.pick(ROUTES)
    const sourceUnits = BigInt(1_000 + random.below(30_000))
    const ways = [{}, { way: "auto" }, { way: "gasless" }, { way: "onchain" }] as const
    submitted++
    log.add("operator", "asks", `${sourceUnits} ${from} → ${to}`)
    engine.submit({ from, to, sourceUnits, ...(swarm.way === null ? random.pick(ways) : { way: swarm.way }) }).then(
      (answer) =>
        log.add("operator", "is answered", answer.ok ? answer.id : answer.reasons.map(({ code }) => code).join(" ")),
      (error: unknown) => log.add("operator", "is answered", String(error)),
    )
  }

  /** From its answer on, and until it is lifted, a pause holds. */
  function requestPause(process: Daemon): void {
    if (pause.request % 2 === 1) return
    const request = ++pause.request
    log.add("operator", "pauses")
    process.engine.pause({ kind: "all" }).then(
      () => {
        if (pause.request === request && process.isAlive()) pause.isOn = true
      },
      (error: unknown) => log.add("operator", "pause failed", String(error)),
    )
  }

  function liftPause(process: Daemon): void {
    pause.isOn = false
    try {
      process.engine.resume({ kind: "all" })
      pause.request += pause.request % 2
      log.add("operator", "resumes")
    } catch (error) {
      log.add("operator", "resume failed", String(error))
      pause.isOn = journal.readFlag("pause") !== null
    }
  }

  function operate({ engine }: Daemon, random: Random): void {
    const rows = [...witness.rows.values()]
    const row = rows[random.below(rows.length)]
    const verb = random.pick(["approve", "reject", "retry", "abandon", "refund"] as const)
    if (row === undefined) return
    log.add(row.id, "operator", verb)
    try {
      engine.operate(row.id, verb, "somebody")
    } catch (error) {
      log.add("operator", "is answered", String(error))
    }
  }

  return {
    isPauseOn: () => pause.isOn,
    hasAskedPause: () => pause.request % 2 === 1,
    countSubmitted: () => submitted,
    recall: () => {
      pause.isOn = journal.readFlag("pause") !== null
    },
    submit,
    requestPause,
    liftPause,
    operate,
  }
}
