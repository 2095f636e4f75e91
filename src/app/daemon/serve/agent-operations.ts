import type { ChainConfig } from "#chains/chain-config.ts"
import type { Agent } from "#domain/agent.ts"
import type { Reason } from "#domain/reason.ts"
import type { EngineContext } from "#engine/context.ts"
import type { Engine } from "#engine/engine.ts"
import { AGENT_PREFIX } from "#ops/caller.ts"
import type { Operations } from "#ops/operations.ts"
import type { SubmitRequest } from "#schema/requests.ts"
import { readQuote } from "../views/view-quote.ts"
import { answerRequest } from "./answer-request.ts"
import type { KeyedRequests } from "./keyed-requests.ts"

type Parts = {
  readonly context: EngineContext
  readonly engine: Pick<Engine, "submit">
  readonly keyed: KeyedRequests
  readonly chains: () => readonly ChainConfig[]
}

/** Swaps that agents ask for: each has a rule of its own, and limits beside all others. */
export function createAgentOperations({
  context,
  engine,
  keyed,
  chains,
}: Parts): Pick<Operations, "quoteFor" | "submitFor"> {
  const ruleOf = ({ name }: Agent): string => `${AGENT_PREFIX}${name}`
  return {
    quoteFor: (agent, request) =>
      answerRequest(context, ownPayee(request), async (asked) => {
        const limits = agent.limits === null ? {} : { agent: agent.limits }
        const rule = ruleOf(agent)
        const swap = { ...asked, ...limits, rule, occurrence: null }
        return { ok: true, body: await readQuote(context, chains(), swap) }
      }),
    submitFor: async (agent, request, key, duplicateOf) => {
      const { limits } = agent
      if (limits === null) return { ok: false, reasons: [NO_SWAPS] }
      const rule = ruleOf(agent)
      const own = ownPayee(request)
      return keyed.submit(`${rule}/${key}`, own, (requestKey) =>
        answerRequest(context, own, async (asked) => {
          if (duplicateOf !== null) return { ok: false, reasons: [duplicate(duplicateOf)] }
          const admission = await engine.submit({
            ...asked,
            rule,
            requestKey,
            askedBy: rule,
            agent: limits,
            needsQuote: true,
          })
          return admission.ok ? { ok: true, body: { id: admission.id } } : admission
        }),
      )
    },
  }
}

/** An agent names no payee and no way to deposit. */
function ownPayee({ deposit: _way, destination: _payee, ...own }: SubmitRequest): SubmitRequest {
  return own
}

const NO_SWAPS: Reason = { code: "agent.no_swaps", message: "This agent may not ask for swaps" }

function duplicate(order: string): Reason {
  const message =
    `Order ${order} is the same swap, asked for within ten minutes under another key; with again ` +
    "a second one opens"
  return { code: "agent.duplicate", message, order }
}
