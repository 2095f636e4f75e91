import type { Agent } from "#domain/agent.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { encodeJson } from "#lib/json.ts"
import type { Logger } from "#lib/log.ts"
import type { Answer, AnswerName, AnswerOf } from "#schema/answers/answers.ts"
import type {
  OrdersQuery,
  PageQuery,
  ReportQuery,
  SimulationQuery,
  SubmitRequest,
} from "#schema/requests.ts"
import { fence } from "./fence.ts"
import { createRates } from "./rates.ts"
import { INPUTS, type InputOf, type ToolName, toolsOf } from "./tools.ts"
import {
  shortDecision,
  shortStatus,
  viewOne,
  viewPlan,
  viewProposed,
  viewQuote,
  viewReasons,
  viewReport,
  viewRow,
  viewSimulation,
} from "./views.ts"

/** The operations that an agent's calls may reach, and no others. All values are JSON-able. */
export type AgentOperations = {
  /** The one model of the state, which every surface shows. */
  readonly overview: () => AnswerOf<"Overview">
  /** `null` for a cursor that no page has given. */
  readonly orders: (query: OrdersQuery) => AnswerOf<"Orders"> | null
  readonly order: (id: string) => AnswerOf<"OrderWithEvents"> | null
  readonly decisions: (query: PageQuery & { rule?: string }) => AnswerOf<"Decisions"> | null
  /** The plan of a tick now; writes nothing. */
  readonly plan: () => Promise<AnswerOf<"Plan">>
  /** Of 30 days without `since`. */
  readonly report: (query: ReportQuery) => Promise<Answer<"Report">>
  /** A backtest of the rules in force in random markets, and of them with one rule changed. */
  readonly simulate: (query: SimulationQuery) => Promise<Answer<"Simulation">>
  /** The changes of rules that agents have proposed, newest first. */
  readonly proposals: () => readonly AnswerOf<"Proposal">[]
  /** Keeps a change of a rule with its backtest, for a person to apply in the file. */
  readonly propose: (agent: Agent, change: RuleChange, key: string) => Promise<Answer<"Proposal">>
  /** A quote as this agent would get it, with its own limits among the refusals. */
  readonly quoteFor: (agent: Agent, request: SubmitRequest) => Promise<Answer<"Quote">>
  /**
   * A swap that an agent asks for, within its own limits and all others. `duplicateOf`: its order
   * of the same swap, for which a new key opens no second one.
   */
  readonly submitFor: (
    agent: Agent,
    request: SubmitRequest,
    key: string,
    duplicateOf: string | null,
  ) => Promise<Answer<"AcceptedSwap">>
  /** Writes a changing request down, before it is carried out. */
  readonly recordCall: (call: CallRecord) => void
  /** Resolves when every change so far is on disk. */
  readonly durable: () => Promise<void>
  /**
   * Resolves when all that a read has shown so far is on this machine's disk. Throws
   * `journal.write_failed` where the disk refused it.
   */
  readonly untilOnDisk: () => Promise<void>
}

/** Keys of a rule with other texts, and the length and number of the backtest's runs. */
export type RuleChange = {
  readonly rule: string
  readonly changes: readonly (readonly [key: string, text: string])[]
  readonly days: number
  readonly runs: number
}

/**
 * `source` is an address, or `unix`; `subject` the order, chain, rule or asset that the request is
 * about.
 */
export type CallRecord = {
  readonly caller: string
  readonly source: string
  readonly action: string
  readonly subject: string | null
  readonly body: string
}

export type ToolAnswer = { readonly isError: boolean; readonly body: Record<string, unknown> }

/** Carries out the calls of agents, whichever way they came. Never throws. */
type AgentDesk = {
  readonly call: (agent: Agent, tool: string, args: unknown, source: string) => Promise<ToolAnswer>
}

/** The most characters of an answer, about 2 000 tokens. */
const MOST_CHARACTERS = 8_000
/** The same swap under another key within this time needs `again`. */
const DUPLICATE_MS = 600_000
const DAY_MS = 86_400_000
const MOST_PROPOSALS = 5

type Parts = { readonly clock: Clock; readonly log: Pick<Logger, "error"> }
type Call = { readonly agent: Agent; readonly args: unknown; readonly source: string }

export function createAgentDesk(operations: AgentOperations, { clock, log }: Parts): AgentDesk {
  const rates = createRates(clock)
  const act = createActs(operations, clock)

  async function perform(call: Call, name: string): Promise<ToolAnswer> {
    const tool = toolsOf(call.agent.tools).find((one) => one.name === name)
    if (tool === undefined) return refused([reason("agent.unknown_tool")], "no", "no")
    const waitMs = rates.take(call.agent.name, tool.name)
    if (waitMs > 0) return refused([reason("ops.busy", { waitMs: String(waitMs) })], "no", "later")
    const read = INPUTS[tool.name].safeParse(call.args ?? {})
    if (!read.success) return refused([reason("request.malformed")], "no", "no")
    // CAST: these are the arguments of this tool.
    return act[tool.name](read.data as never, call)
  }

  return {
    call: async (agent, tool, args, source) => {
      try {
        return bounded(await perform({ agent, args, source }, tool))
      } catch (error) {
        if (error instanceof AppError && error.disposition === "transient")
          return bounded(refused([reason(error.code)], "no", "later"))
        log.error({ err: error, agent: agent.name, tool }, "An agent's call failed")
        return refused([reason("agent.internal")], "maybe", "same-key")
      }
    },
  }
}

type ListOrders = (query: Parameters<AgentOperations["orders"]>[0]) => AnswerOf<"Orders">["orders"]
type Acts = {
  readonly [Name in ToolName]: (args: InputOf<Name>, call: Call) => Promise<ToolAnswer>
}

function createActs(operations: AgentOperations, clock: Clock): Acts {
  const reading =
    <Args>(act: (args: Args, call: Call) => object | null | Promise<object | null>) =>
    async (args: Args, call: Call): Promise<ToolAnswer> => {
      const body = await act(args, call)
      await operations.untilOnDisk()
      return body === null
        ? refused([reason("request.unknown")], "no", "no")
        : { isError: false, body: { ...body } }
    }
  // Only a cursor can be unknown, and an agent names none.
  const listOrders: ListOrders = (query) => operations.orders(query)?.orders ?? []
  return {
    status: reading((_args, { agent }) => shortStatus(operations.overview(), agent)),
    orders: reading(({ open, mine, limit }, { agent }) => {
      const own = mine ? { rule: ruleOf(agent) } : {}
      const found = listOrders({ limit: limit + 1, open, ...own })
      return { orders: found.slice(0, limit).map(viewRow), more: found.length > limit }
    }),
    order: reading(({ id, detail }) => {
      const order = operations.order(id)
      return order === null ? null : viewOne(order, detail)
    }),
    explain: reading(({ rule, last, detail }) => ({
      decisions: (operations.decisions({ rule, limit: last })?.decisions ?? []).map((decision) =>
        shortDecision(decision, detail),
      ),
    })),
    plan: reading(async ({ detail }) => viewPlan(await operations.plan(), detail)),
    ...createStudyActs(operations, clock),
    quote: async ({ detail, ...asked }, { agent }) => {
      const quoted = await operations.quoteFor(agent, toSwap(asked))
      return answerOf(quoted, (body) => viewQuote(body, detail), detail)
    },
    proposals: reading((_args, { agent }) => {
      const own = operations.proposals().filter((one) => one.agent === agent.name)
      return { proposals: own.slice(0, MOST_PROPOSALS).map(viewProposed) }
    }),
    ...createAskingActs(operations, clock, listOrders),
  }
}

/** The tools that leave something behind. */
function createAskingActs(
  operations: AgentOperations,
  clock: Clock,
  listOrders: ListOrders,
): Pick<Acts, "propose" | "request_swap"> {
  // Before the act, as every change of the interface.
  const record = ({ agent, source }: Call, tool: ToolName, subject: string | null, body: object) =>
    operations.recordCall({
      caller: ruleOf(agent),
      source,
      action: `agent.${tool}`,
      subject,
      body: encodeJson(body),
    })
  return {
    propose: async ({ detail, key, change, ...rest }, call) => {
      const request = { ...rest, changes: Object.entries(change).toSorted() }
      record(call, "propose", request.rule, { ...request, key })
      const asked = await operations.propose(call.agent, request, key)
      await operations.durable()
      return answerOf(asked, viewProposed, detail)
    },
    request_swap: async ({ detail, key, again, ...given }, call) => {
      const request = toSwap(given)
      record(call, "request_swap", null, { ...request, key, again })
      const sinceMs = clock.now() - DUPLICATE_MS
      const same = again
        ? undefined
        : listOrders({ limit: 100, open: false, rule: ruleOf(call.agent) }).find(
            (one) => isSameSwap(one, request) && Date.parse(one.createdAt) > sinceMs,
          )
      const asked = await operations.submitFor(call.agent, request, key, same?.id ?? null)
      await operations.durable()
      // The first call under this key may open an order yet.
      if (!asked.ok && asked.reasons.some(({ code }) => code === "request.key_in_flight"))
        return refused(asked.reasons, "maybe", "same-key", detail)
      if (!asked.ok) return refused(asked.reasons, "no", retryOf(asked.reasons), detail)
      const order = operations.order(asked.body.id)
      return { isError: false, body: order === null ? asked.body : { ...viewOne(order, detail) } }
    },
  }
}

function createStudyActs(
  operations: Pick<AgentOperations, "report" | "simulate">,
  clock: Clock,
): Pick<Acts, "report" | "simulate"> {
  return {
    report: async ({ days, by, detail }) => {
      const since = new Date(clock.now() - days * DAY_MS).toISOString()
      return answerOf(await operations.report({ since, by, open: false }), viewReport, detail)
    },
    simulate: async ({ days, runs, detail }) => {
      const asked = await operations.simulate({ days, seeds: runs, seed: 1 })
      return answerOf(asked, viewSimulation, detail)
    },
  }
}

function answerOf<Name extends AnswerName>(
  asked: Answer<Name>,
  view: (body: AnswerOf<Name>) => object,
  detail: boolean,
): ToolAnswer {
  return asked.ok
    ? { isError: false, body: { ...view(asked.body) } }
    : refused(asked.reasons, "no", retryOf(asked.reasons), detail)
}

/** What passes by itself; all else needs another request, or a person (docs/ERRORS.md). */
const PASSING: ReadonlySet<string> = new Set([
  "agent.day",
  "agent.day_count",
  "agent.in_flight",
  "funds.unreadable",
  "limit.cooldown",
  "limit.in_flight",
  "limit.in_flight_service",
  "limit.route_in_flight",
  "limit.window",
  "limit.window_count",
  "limit.window_fees",
  "price.missing",
  "price.reference_missing",
  "quote.none",
  "service.resting",
])

function retryOf(reasons: readonly Reason[]): "no" | "later" {
  return reasons.length > 0 && reasons.every(({ code }) => PASSING.has(code)) ? "later" : "no"
}

type AskedSwap = Omit<InputOf<"quote">, "detail">

function toSwap({ to_amount: toAmount, max_amount: maxAmount, ...rest }: AskedSwap): SubmitRequest {
  if (toAmount === undefined) return rest
  return { ...rest, toAmount, ...(maxAmount === undefined ? {} : { maxAmount }) }
}

function isSameSwap(order: AnswerOf<"Orders">["orders"][number], asked: SubmitRequest): boolean {
  const [has, wants] =
    asked.toAmount === undefined
      ? [order.amount, asked.amount]
      : [order.destinationAmount, asked.toAmount]
  return order.from === asked.from && order.to === asked.to && Number(has) === Number(wants)
}

function ruleOf({ name }: Agent): string {
  return `agent.${name}`
}

function reason(code: string, numbers: Record<string, string> = {}): Reason {
  return { code, message: "", ...numbers }
}

/** `happened`: whether the request may have had an effect; `retry`: what may help. */
export function refused(
  reasons: readonly Reason[],
  happened: "no" | "maybe",
  retry: "no" | "later" | "same-key",
  detail = false,
): ToolAnswer {
  return { isError: true, body: { ...viewReasons(reasons, detail), happened, retry } }
}

/** Fenced, and short enough: a longer answer is a refusal that asks for less. */
function bounded({ isError, body }: ToolAnswer): ToolAnswer {
  // CAST: `fence` keeps an object an object.
  const fenced = fence(body) as Record<string, unknown>
  if (JSON.stringify(fenced).length <= MOST_CHARACTERS) return { isError, body: fenced }
  return refused([reason("agent.too_long")], "no", "no")
}
