import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Send } from "#nodes/node-client.ts"
import { gatherReads, type Question } from "#nodes/rpc-client.ts"
import { withRank } from "#ports/urgency.ts"

type Asked = Question<readonly unknown[]>

/** The protocol's limit of addresses in one `getMultipleAccounts`. */
const MOST_ACCOUNTS = 100

/**
 * Joins the reads of one node that begin in one turn of the event loop: the same question is asked
 * once, and accounts at the same commitment and slot are read by one `getMultipleAccounts`. Each
 * node has its own, so an answer of one says nothing about another one.
 *
 * A node that refuses the joint question, or answers it in another form, is asked for each account
 * alone from then on.
 */
export function createSharedReads(send: Send, clock: Clock): Send {
  let joins = true

  function submit(questions: readonly Asked[]): void {
    const groups = Map.groupBy(questions, (question) => (joins ? accountGroupOf(question) : null))
    for (const [group, members] of groups) {
      if (group === null || members.length === 1) members.forEach(sendAlone)
      else
        for (let start = 0; start < members.length; start += MOST_ACCOUNTS)
          void sendJointly(members.slice(start, start + MOST_ACCOUNTS))
    }
  }

  async function sendJointly(members: readonly Asked[]): Promise<void> {
    const addresses = members.map(({ params }) => params[0])
    try {
      const rank = Math.min(...members.map((member) => member.rank))
      const params = [addresses, members[0]?.params[1]]
      const answer = await withRank(rank, () => send("getMultipleAccounts", params))
      const { context, value } = jointAnswer.parse(answer)
      if (value.length !== members.length) throw new RangeError("not an answer for each account")
      for (const [index, { resolve }] of members.entries())
        resolve({ context, value: value[index] })
    } catch (error) {
      const isSilent = error instanceof AppError && error.code !== "solana.node_error"
      // A node that gives no answer at all would only be asked the more often.
      if (isSilent) for (const { reject } of members) reject(error)
      else {
        joins = false
        members.forEach(sendAlone)
      }
    }
  }

  function sendAlone({ method, params, rank, resolve, reject }: Asked): void {
    withRank(rank, () => send(method, params)).then(resolve, reject)
  }

  return gatherReads(clock, submit)
}

/** Accounts in one group can be read together; `null` for any other question. */
function accountGroupOf({ method, params }: Asked): string | null {
  return method === "getAccountInfo" ? JSON.stringify(params[1]) : null
}

const jointAnswer = z.object({ context: z.unknown(), value: z.array(z.unknown()) })
