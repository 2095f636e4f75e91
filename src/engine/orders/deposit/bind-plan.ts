import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { assert, mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { accountPrefix } from "../../context.ts"
import { destinationChain, type Job, sourceChain } from "../observe/job.ts"

/**
 * The nonce of the plan is provisional until the plan is signed. A void or a fee bump must use the
 * nonce of the transaction that it replaces, so its plan is bound from the start.
 */
export function bindsLate(chain: ChainPort, plan: TransactionPlan): boolean {
  return isBoundLater(chain, plan) && plan.attempt === 0
}

/**
 * Plans a request. Where `NonceSequence.bindPlan` gives the nonce, planning reads none: the one of
 * the plan reserves nothing and is never signed. It reads the account's count and mempool in the
 * lane, after every claim of this process is in the journal, so a transaction of another program
 * with our key between plan and signature is seen. After a restart the plan is bound in the same
 * way, unless its claim holds the bound plan already.
 */
export function planRequested(
  chain: ChainPort,
  request: TransactionRequest,
  reserved: ReadonlySet<string>,
): ReturnType<ChainPort["planTransaction"]> {
  return chain.planTransaction(request, reserved, { isBoundLater: isBoundLater(chain, request) })
}

function isBoundLater(chain: ChainPort, { action }: Pick<TransactionPlan, "action">): boolean {
  return chain.nonces !== undefined && action !== "void"
}

/**
 * The resources that the commit of a plan reserves: none for a provisional nonce, which would leave
 * a gap if the plan were never signed.
 */
export function reserveWithPlan(chain: ChainPort, plan: TransactionPlan): readonly string[] {
  return bindsLate(chain, plan) ? [] : fullNames(chain, plan)
}

export function fullNames(chain: ChainPort, { resources }: TransactionPlan): readonly string[] {
  return resources.map((resource) => accountPrefix(chain) + resource)
}

/**
 * The plan with the account's next free nonce. Runs in the account's lane, immediately before the
 * claim.
 */
export async function bindPlan(job: Job, plan: TransactionPlan): Promise<TransactionPlan> {
  const chain = plan.action === "redeem" ? destinationChain(job) : sourceChain(job)
  if (chain.nonces === undefined || !bindsLate(chain, plan)) return plan
  const bound = await chain.nonces.bindPlan(plan, listTaken(job, chain, plan))
  assert(isSameButNonce(plan, bound), "binding a plan changes nothing but its nonce")
  return bound
}

/**
 * As `bindPlan`, for an approval and its deposit: adjacent nonces, so that no other transaction of
 * the account comes between them.
 */
export async function bindPair(job: Job, plans: Pair): Promise<Pair> {
  const chain = sourceChain(job)
  if (!plans.every((plan) => bindsLate(chain, plan))) return plans
  const [first, second] = plans
  const taken = new Set([...listTaken(job, chain, first), ...listTaken(job, chain, second)])
  const bound = await mustExist(chain.pairs?.bindPair(plans, taken), "a chain that binds pairs")
  const isSame = isSameButNonce(first, bound[0]) && isSameButNonce(second, bound[1])
  assert(isSame && !sharesName(bound), "binding a pair changes nothing but its nonces")
  return bound
}

type Pair = readonly [TransactionPlan, TransactionPlan]

function sharesName([{ resources }, second]: Pair): boolean {
  return second.resources.some((resource) => resources.includes(resource))
}

/**
 * The nonces of other orders, and those that this order has claimed. A node that lags may offer the
 * order's own last nonce again, and two transactions with one nonce exclude each other.
 */
function listTaken(
  { context: { journal }, data }: Job,
  chain: ChainPort,
  plan: TransactionPlan,
): ReadonlySet<string> {
  const own = journal
    .listOf(data.id)
    .filter(
      (row) => row.chain === plan.chain && (row.account === chain.account || row.account === ""),
    )
    .flatMap(({ resources }) => resources)
  return new Set([...journal.listReserved(accountPrefix(chain), data.id), ...own])
}

function isSameButNonce(plan: TransactionPlan, bound: TransactionPlan): boolean {
  return (
    bound.chain === plan.chain &&
    bound.account === plan.account &&
    bound.action === plan.action &&
    bound.attempt === plan.attempt &&
    bound.maxFeeUnits <= plan.maxFeeUnits &&
    bound.spends.length === plan.spends.length &&
    bound.spends.every(({ asset, units }, index) => {
      const spent = plan.spends[index]
      return spent?.asset === asset && spent.units === units
    })
  )
}
