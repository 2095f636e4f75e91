import type { ClusterDatabase, QueryAnswer } from "#cluster/open-cluster-database.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { never } from "../../../support/faults.ts"
import type { Random } from "../random.ts"
import type { SimulatedServers } from "./simulated-servers.ts"

export type LinkDeps = {
  readonly servers: SimulatedServers
  readonly clock: Clock
  readonly random: Random
  /** The probability of each fault of a statement; 0 without faults. */
  readonly rate: () => number
  /** Nothing passes in either direction. */
  readonly isCut: () => boolean
  /** The machine is on the former primary's side of a cut. */
  readonly isAtFormer: () => boolean
  /** Resolves while the process lives and is not frozen. */
  readonly gate: () => Promise<void>
  readonly onUnreplicated: () => void
  readonly onSent: (sql: string) => void
  /** `tookMs`: since the statement was sent. */
  readonly onAnswer: (sql: string, tookMs: number) => void
}

const TIMEOUT_MS = 3_000

/**
 * A member's connection to the servers. Statements and answers can be lost, late, or arrive twice;
 * a late statement runs after its client has given up. The client waits for so long as the real one
 * does.
 */
export function openLink(deps: LinkDeps): ClusterDatabase {
  const { clock, gate } = deps
  return {
    query: async (sql, values) => {
      await gate()
      const sentMs = clock.now()
      const answered = new AbortController()
      const late = clock.sleep(TIMEOUT_MS, answered.signal).then(() => null)
      try {
        const travelling = travel(deps, sql, values)
        deps.onSent(sql)
        const answer = await Promise.race([travelling, late])
        await gate()
        if (answer === null) throw new Error("no answer")
        deps.onAnswer(sql, clock.now() - sentMs)
        return answer
      } catch (error) {
        await gate()
        throw unreachable(error)
      } finally {
        // A reason of its own, because the usual one is an error with a stack.
        answered.abort("answered")
      }
    },
    close: async () => undefined,
  }
}

async function travel(
  { servers, clock, random, rate, isCut, isAtFormer, onUnreplicated }: LinkDeps,
  sql: string,
  values: readonly unknown[],
): Promise<QueryAnswer> {
  const draws = (factor = 1): boolean => rate() > 0 && random.chance(rate() * factor)
  const run = (): Promise<QueryAnswer> => servers.run(sql, values, { onUnreplicated, isAtFormer })
  if (isCut() || draws()) return never()
  if (draws()) await clock.sleep(random.below(2 * TIMEOUT_MS))
  if (draws()) {
    // The statement arrives twice, and either answer may be the first.
    const twice = [run(), run()] as const
    for (const one of twice) one.catch(() => undefined)
    return random.chance(0.5) ? twice[0] : twice[1]
  }
  const answer = await run()
  if (isCut() || draws(2)) return never()
  if (draws()) await clock.sleep(random.below(2 * TIMEOUT_MS))
  return answer
}

function unreachable(cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AppError({
    code: "cluster.unreachable",
    disposition: "uncertain",
    message: why,
    cause,
  })
}
