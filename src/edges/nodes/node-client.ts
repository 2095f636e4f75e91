import type { z } from "zod"
import { type AppError, toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { retryRead } from "#lib/retry.ts"
import { type Address, hostOf } from "./address.ts"
import { nonsense, type RpcDialect } from "./json-rpc.ts"
import { createKeptAnswers } from "./kept-answers.ts"
import { createNetworkCheck } from "./network-check.ts"
import { isLimited } from "./pace.ts"
import type { AskOptions, Paces } from "./paces.ts"
import { firstIssues } from "./rpc-answer.ts"
import { createRpcClient } from "./rpc-client.ts"

/** A question whose answer has the form of the schema, or is the endpoint's failure. */
export type Question = <T>(
  method: string,
  params: readonly unknown[],
  schema: z.ZodType<T>,
) => Promise<T>

/** One endpoint of a family that checks the form of each answer. */
export type NodeClient = {
  readonly host: string
  readonly checkNetwork: () => Promise<void>
  /** Asks again when the endpoint fails for a moment, and waits while it limits its requests. */
  readonly read: Question
  /** Asks once, and waits while the endpoint limits its requests. */
  readonly ask: Question
  /** Asks once, and throws the refusal of a limit, for a caller with another endpoint. */
  readonly askNow: Question
  /** Sends once, before every read. */
  readonly write: Question
}

export type Send = (method: string, params: readonly unknown[]) => Promise<unknown>

type NodeOptions = AskOptions & {
  readonly paces: Paces
  readonly address: Address
  readonly dialect: RpcDialect
  /** Throws where the endpoint is on another network. */
  readonly checkNetwork: (ask: Question) => Promise<void>
  /** How often a read is tried that fails so. */
  readonly triesFor?: (error: AppError) => number
  /** For how long the answer to a question holds, such as a constant of the network; else 0. */
  readonly holdsMs?: (method: string, params: readonly unknown[]) => number
  /** Joins the reads of a turn. */
  readonly join?: (send: Send) => Send
}

/** The first use compares the network, so that no answer of another one counts. */
export function createNodeClient(options: NodeOptions): NodeClient {
  const { address, dialect, timeoutMs, clock, join } = options
  const pace = options.paces(address, timeoutMs)
  const shared = { address, dialect, timeoutMs, clock, pace }
  const rpc = createRpcClient({ ...shared, batches: true })

  const questionBy =
    (send: Send): Question =>
    async (method, params, schema) => {
      const { success, data, error } = schema.safeParse(await send(method, params))
      if (success) return data
      throw nonsense(dialect, { address, method }, firstIssues(error))
    }
  const network = createNetworkCheck((send: Send) => options.checkNetwork(questionBy(send)))
  const checked =
    (send: Send): Send =>
    async (method, params) => {
      await network.first(send)
      return send(method, params)
    }
  const kept = createKeptAnswers(clock)
  const joined = (send: Send): Question => {
    const ask = questionBy((join ?? ((own) => own))(checked(send)))
    return (method, params, schema) => {
      const forMs = options.holdsMs?.(method, params) ?? 0
      const key = forMs === 0 ? "" : JSON.stringify([method, params])
      return kept(key, forMs, () => ask(method, params, schema))
    }
  }
  const code = dialect.codes.unreachable
  const coded =
    (ask: Question): Question =>
    async (method, params, schema) => {
      try {
        return await ask(method, params, schema)
      } catch (error) {
        throw toAppError(error, { code, disposition: "transient" })
      }
    }
  const ask = coded(joined(rpc.read))
  return {
    host: hostOf(address),
    checkNetwork: async () => {
      // A head that is joined waits for a turn, and then goes with this in one request.
      if (join !== undefined) await clock.turn?.()
      await network.again(rpc.read)
    },
    ask,
    askNow: coded(joined(rpc.readOnce)),
    read: (method, params, schema) =>
      readAgain(() => ask(method, params, schema), clock, options.triesFor),
    write: coded(questionBy(checked(rpc.write))),
  }
}

/** The wait for a limit is over when its refusal comes, so that is tried once. */
export function readAgain<T>(
  read: () => Promise<T>,
  clock: Clock,
  triesFor: (error: AppError) => number = () => 3,
): Promise<T> {
  return retryRead(read, { clock, attempts: (error) => (isLimited(error) ? 1 : triesFor(error)) })
}
