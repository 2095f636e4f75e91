import type { AssetId } from "#domain/asset.ts"
import type { ContractIdentity, PinnedContract } from "#domain/contract-identity.ts"
import type { Reason } from "#domain/reason.ts"
import { compareContract } from "#guards/compare-contract.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Configured } from "../../context.ts"
import { destinationChain, type Job, sourceChain } from "../observe/job.ts"
import { readInTime } from "../observe/read-in-time.ts"

/**
 * Compares the pinned contracts of both assets with the chains, one reason for each difference.
 *
 * An order does this when it verifies the deposit, and again before approval, deposit and typed
 * data: it may wait for an hour in between.
 *
 * The work before a deposit holds the lane of the source account, so a silent destination may not
 * keep it for long: a refund needs the lane too.
 *
 * Throws `verify.contract_unreadable` and `read.late` (transient) when a node does not tell a
 * contract's identity: nothing is signed before it does.
 */
export async function findChangedContracts(job: Job): Promise<readonly Reason[]> {
  const { from, to } = job.data.request
  const pairs: readonly [ChainPort, AssetId][] = [
    [sourceChain(job), from],
    [destinationChain(job), to],
  ]
  const checks = pairs.flatMap(([chain, asset]) =>
    listPinned(job.context, asset).map(async (pinned) =>
      compareContract(
        chain.chain,
        pinned,
        await readInTime(job.context, `${chain.chain} contract ${pinned.htlc}`, () =>
          readIdentity(chain, pinned.htlc),
        ),
      ),
    ),
  )
  return (await Promise.all(checks)).flat()
}

/**
 * An order with a deposit checks its contracts at every eighth observation: the code of a contract
 * is a large answer.
 */
const EVERY_OBSERVATION = 8

/**
 * The alarm for a contract that changed after the deposit. The order goes on: only the chain can
 * pay or refund it now.
 */
export async function findContractAlarms(job: Job): Promise<readonly Reason[]> {
  if (job.data.tries % EVERY_OBSERVATION !== 0) return []
  const [changed] = await findChangedContracts(job)
  if (changed === undefined) return []
  const advice = "The deposit is already made: read the new code, and watch the refund"
  const message = `${changed.message}. ${advice}`
  return [{ ...changed, code: "alarm.contract_changed", message }]
}

function listPinned({ settings }: Configured, asset: AssetId): readonly PinnedContract[] {
  return settings.assets.get(asset)?.pinned ?? []
}

async function readIdentity(chain: ChainPort, htlc: string): Promise<ContractIdentity> {
  try {
    if (chain.contracts) return await chain.contracts.fetchContractIdentity(htlc)
  } catch (error) {
    const known = toAppError(error, {
      code: "verify.contract_unreadable",
      disposition: "transient",
    })
    if (known.disposition === "transient" || known.disposition === "aborted") throw known
    throw unreadable(chain, htlc, known)
  }
  throw unreadable(chain, htlc, null)
}

function unreadable({ chain }: ChainPort, htlc: string, cause: AppError | null): AppError {
  const why = cause === null ? "" : `: ${cause.message}`
  return new AppError({
    code: "verify.contract_unreadable",
    disposition: "transient",
    message: `The pinned contract ${htlc} on ${chain} cannot be compared now${why}`,
    details: { htlc },
    cause,
  })
}
