import { createHash } from "node:crypto"
import { z } from "zod"
import type { RuleChange } from "#agent/desk.ts"
import type { Agent } from "#domain/agent.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { Reason } from "#domain/reason.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { Operations } from "#ops/operations.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Answer } from "#schema/answers/answers.ts"
import { ANSWERS, type AnswerOf } from "#schema/answers/answers.ts"
import { isMap, itemsAt } from "#schema/read-path.ts"

/*
 * Changes of rules that agents propose, each with its backtest. A person applies one in the file,
 * so this code never writes a configuration. The journal keeps them as one small value.
 */

type Proposal = AnswerOf<"Proposal">

const FLAG = "proposals"
const DAY_MS = 86_400_000
const OPEN_MS = 7 * DAY_MS
const MOST_OPEN = 3
const MOST_A_DAY = 10
/** Those that are not open; the latest, because a repeated key is answered from them. */
const MOST_ENDED = 50

type Parts = {
  readonly journal: FlagStore
  readonly clock: Pick<Clock, "now">
  /** The plain data of the file in force. */
  readonly written: () => unknown
  readonly simulate: Operations["simulate"]
}

export type Proposals = Pick<Operations, "proposals" | "propose" | "dismissProposal">

export function createProposals({ journal, clock, written, simulate }: Parts): Proposals {
  const read = (): readonly Proposal[] => readProposals(journal, written(), clock.now())
  const keep = (all: readonly Proposal[]): void => {
    const ended = all.filter(({ state }) => state !== "open").slice(0, MOST_ENDED)
    const kept = all.filter((one) => one.state === "open" || ended.includes(one))
    journal.writeFlag(FLAG, encodeJson(kept))
  }

  /** The proposal of this key, or the reason against a new one; `null` where one may be made. */
  function judge(agent: Agent, id: string, change: RuleChange): Answer<"Proposal"> | null {
    const known = read().find((one) => one.id === id)
    if (known !== undefined)
      return isSame(known, change) ? { ok: true, body: known } : { ok: false, reasons: [REUSED] }
    const own = read().filter((one) => one.agent === agent.name)
    const open = own.filter(({ state }) => state === "open")
    const recent = own.filter(({ at }) => Date.parse(at) > clock.now() - DAY_MS)
    const isFull = open.length >= MOST_OPEN || recent.length >= MOST_A_DAY
    return isFull ? { ok: false, reasons: [TOO_MANY] } : null
  }

  return {
    proposals: read,
    propose: async (agent, change, key) => {
      const id = createHash("sha256").update(`${agent.name}/${key}`).digest("hex").slice(0, 16)
      const early = judge(agent, id, change)
      if (early !== null) return early
      const { rule, changes, days, runs } = change
      const text = changes.map(([name, value]) => `${name}=${value}`).join(",")
      const simulated = await simulate({ days, seeds: runs, seed: 1, rule, change: text })
      if (!simulated.ok) return simulated
      // Another call may have come meanwhile; from here to the write nothing waits.
      const late = judge(agent, id, change)
      if (late !== null) return late
      const nowMs = clock.now()
      const proposal: Proposal = {
        id,
        agent: agent.name,
        at: timeOf(nowMs),
        expires: timeOf(nowMs + OPEN_MS),
        rule,
        state: "open",
        dismissedBy: null,
        changes: changes.map(([name, to]) => ({
          key: name,
          from: textIn(written(), rule, name),
          to,
        })),
        simulation: summarise(simulated.body, rule),
      }
      keep([proposal, ...read()])
      return { ok: true, body: proposal }
    },
    dismissProposal: (id, by) => {
      const all = read()
      const found = all.find((one) => one.id === id)
      if (found === undefined) return { ok: false, reasons: [UNKNOWN] }
      if (found.state === "dismissed") return { ok: true, body: found }
      if (found.state !== "open") return { ok: false, reasons: [notOpen(found.state)] }
      const dismissed: Proposal = { ...found, state: "dismissed", dismissedBy: by }
      keep(all.map((one) => (one === found ? dismissed : one)))
      return { ok: true, body: dismissed }
    },
  }
}

/**
 * The newest first, each with its state by the file in force and the time. Another version's are
 * none: no money depends on them.
 */
export function readProposals(
  journal: Pick<FlagStore, "readFlag">,
  written: unknown,
  nowMs: number,
): readonly Proposal[] {
  const text = journal.readFlag(FLAG)
  if (text === null) return []
  const kept = z.array(ANSWERS.Proposal).catch([]).parse(decodeJson(text))
  return kept.map((one) => ({ ...one, state: stateOf(one, written, nowMs) }))
}

/** `stale`: the file in force has other texts than those that the proposal would replace. */
function stateOf(one: Proposal, written: unknown, nowMs: number): Proposal["state"] {
  if (one.state === "dismissed") return "dismissed"
  const has = (wanted: "from" | "to"): boolean =>
    one.changes.every((change) => textIn(written, one.rule, change.key) === change[wanted])
  if (has("to")) return "applied"
  if (!has("from")) return "stale"
  return nowMs < Date.parse(one.expires) ? "open" : "expired"
}

function textIn(written: unknown, rule: string, key: string): string | null {
  const found = itemsAt(written, ["rules"]).find((one) => isMap(one) && one["id"] === rule)
  const value = isMap(found) ? (found[key] ?? null) : null
  if (value === null) return null
  return typeof value === "object" ? encodeJson(value) : String(value)
}

function isSame({ rule, changes }: Proposal, asked: RuleChange): boolean {
  const texts = changes.map(({ key, to }) => [key, to])
  return rule === asked.rule && encodeJson(texts) === encodeJson(asked.changes)
}

/** The medians of the runs; the whole backtest is one command away. */
function summarise(
  { seeds, scenario, subjects }: AnswerOf<"Simulation">,
  id: string,
): Proposal["simulation"] {
  const [now, changed] = subjects.map(({ summary }) => ({
    moves: summary.moves.p50,
    volumeFiat: formatUnits(BigInt(summary.volumeFiat.p50), FIAT_DECIMALS),
    feesFiat: formatUnits(BigInt(summary.feesFiat.p50), FIAT_DECIMALS),
    outsideBps: summary.rules.find(({ rule }) => rule === id)?.outsideBps.p50 ?? null,
  }))
  return {
    days: scenario.days,
    runs: seeds.count,
    now: mustExist(now, "the figures of the rules in force"),
    changed: mustExist(changed, "the figures of the changed rule"),
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}

function notOpen(state: string): Reason {
  return { code: "proposal.not_open", message: `The proposal is ${state}`, state }
}

const UNKNOWN: Reason = { code: "proposal.unknown", message: "There is no such proposal" }
const TOO_MANY: Reason = {
  code: "proposal.limit",
  message: `An agent has at most ${MOST_OPEN} open proposals, and makes ${MOST_A_DAY} a day`,
}
const REUSED: Reason = {
  code: "request.key_reused",
  message: "Another proposal has used this key; send a changed one with a new key",
}
