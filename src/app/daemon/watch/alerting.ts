import { createDispatcher, type Dispatcher } from "#alerts/dispatcher.ts"
import { runHeartbeat } from "#alerts/heartbeat.ts"
import { createParcelSender, createSender } from "#alerts/send-message.ts"
import type { Config } from "#config/config.ts"
import type { EngineContext } from "#engine/context.ts"
import type { Engine } from "#engine/engine.ts"
import type { Problem } from "#health/problem.ts"
import { encodeJson } from "#lib/json.ts"
import { createPaces } from "#nodes/paces.ts"
import { scheduleOf } from "#policy/rules/registry.ts"
import { createHumaniser, humaniseReason } from "../views/human-units.ts"
import { ALERTS_FLAG, noteHeartbeat, readDeliveryState } from "../views/read-deliveries.ts"
import { runChatApprovals } from "./chat-approvals.ts"
import { type Daily, readDaily } from "./daily.ts"
import { type EndedRun, listMissed } from "./list-missed.ts"
import { packChange } from "./pack-change.ts"
import { pushChanges } from "./push-changes.ts"

/** The work of the outbox is listed at least every second; a rule may wait for slow quotes. */
const WORK_STALLS_MS = 60_000
const RULES_STALL_MS = 10 * 60_000

export type Alerting = Pick<Dispatcher, "acknowledge" | "read"> & {
  readonly run: (signal: AbortSignal) => Promise<void>
}

/**
 * Delivers the alerts, and sends the heartbeat while the engine works and the journal can be
 * written.
 */
export function createAlerting(
  { journal, clock, log, memory }: EngineContext,
  engine: Pick<Engine, "lastTurns" | "operate">,
  parts: { readonly config: () => Config; readonly findProblems: () => readonly Problem[] },
): Alerting {
  const paces = createPaces(clock)
  const dispatcher = createDispatcher({
    config: () => parts.config().alerts,
    treasury: () => parts.config().treasury,
    findProblems: parts.findProblems,
    store: {
      read: () => readDeliveryState(journal),
      write: (state) => journal.noteFlag(ALERTS_FLAG, encodeJson(state)),
      // An alert about a silent log must not wait for it.
      durable: () => journal.durableHere(),
    },
    send: createSender(clock, paces),
    clock,
    log,
  })
  const listMissedNow = (config: Config, sinceMs: number): readonly EndedRun[] => {
    const rules = config.rules.filter((rule) => scheduleOf(rule) !== null).map(({ id }) => id)
    const humanise = createHumaniser(config)
    return listMissed(journal, rules, { sinceMs, nowMs: clock.now() }, (reason) =>
      humaniseReason(humanise, reason, null),
    )
  }
  const readDailyNow = (sinceMs: number): Daily => {
    const sources = { journal, config: parts.config(), nowMs: clock.now() }
    return readDaily(sources, parts.findProblems(), sinceMs)
  }
  return {
    run: async (signal) => {
      const heartbeat = runHeartbeat(
        {
          config: () => parts.config().alerts.heartbeat,
          isAlive: async () => {
            if (!isWorking(engine, clock.now())) return false
            await journal.durableHere()
            return true
          },
          note: (error) => noteHeartbeat(journal, error, clock.now()),
          clock,
          log,
        },
        signal,
      )
      const pushed = pushChanges(
        {
          receivers: () => parts.config().alerts.receivers,
          journal,
          listMissed: (sinceMs) => listMissedNow(parts.config(), sinceMs),
          daily: () => parts.config().alerts.daily,
          pack: (change) => packChange(change, parts.config(), readDailyNow),
          send: createParcelSender(clock, paces),
          clock,
          log,
          memory,
        },
        signal,
      )
      const chat = { journal, operate: engine.operate, clock, log, memory, config: parts.config }
      const approvals = runChatApprovals(chat, signal)
      await Promise.all([dispatcher.run(signal), heartbeat, pushed, approvals])
    },
    acknowledge: dispatcher.acknowledge,
    read: dispatcher.read,
  }
}

function isWorking({ lastTurns }: Pick<Engine, "lastTurns">, nowMs: number): boolean {
  const { workMs, rulesMs } = lastTurns()
  if (workMs === null || rulesMs === null) return false
  return nowMs - workMs <= WORK_STALLS_MS && nowMs - rulesMs <= RULES_STALL_MS
}
