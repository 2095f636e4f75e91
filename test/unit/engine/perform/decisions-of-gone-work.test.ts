import { expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { recordLostPayout } from "#engine/orders/observe/prove-payout.ts"
import { revealSecret } from "#engine/orders/observe/reveal-secret.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { SecretDecision } from "#ports/signing-record.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

/*
 * The disk may refuse the step that a work follows from while the work reads its chains. What it
 * decides then about the order's secret would stay.
 */

const onChain = {
  txid: "aa",
  height: 90n,
  confirmations: 9,
  seen: true,
  revealable: true,
  final: true,
}
const payout: LegObservation = {
  ...emptyLeg(100n),
  initiated: { ...onChain, units: 0n },
  refundableAt: 101n,
}

const deposit: LegObservation = {
  ...emptyLeg(100n),
  initiated: { ...onChain, units: 0n },
}

function scene(leg: LegObservation, known: readonly SecretDecision[], hasWork: boolean) {
  const decided: SecretDecision[] = []
  const data = sampleData(
    {},
    {
      ownSecret: {
        nonce: "1",
        hash: "11".repeat(32),
        status: "unknown",
        isTold: false,
        revealedAt: null,
      },
    },
  )
  const journal = {
    listSecretDecisions: () => known,
    decideSecret: ({ decision }: { decision: SecretDecision }) => void decided.push(decision),
    hasWork: () => hasWork,
  }
  // CAST: only these parts of the port are used.
  const source = { traits: {}, observeLeg: async () => deposit } as unknown as ChainPort
  const job = sampleJob(data, { journal, chain: source }, { workId: 7 })
  const to = chainOf(data.request.to)
  const destination = { chain: to, traits: {}, observeLeg: async () => leg }
  // CAST: only these parts of the port are used.
  const chains = new Map([...job.context.chains, [to, destination as unknown as ChainPort]])
  return { decided, job: { ...job, context: { ...job.context, chains } } }
}

test.each([true, false])(
  "a secret is withheld only while the work belongs to its order: %s",
  async (hasWork) => {
    const { decided, job } = scene(payout, [], hasWork)
    const answer = revealSecret(job)
    if (hasWork) expect((await answer).event.type).toBe("secret.withheld")
    else
      await expect(answer).rejects.toMatchObject({
        code: "journal.stale_work",
        disposition: "aborted",
      })
    expect(decided).toEqual(hasWork ? ["withhold"] : [])
  },
)

test.each([true, false])(
  "a payout counts as lost only while the work belongs to its order: %s",
  async (hasWork) => {
    const { decided, job } = scene(
      { ...payout, refunded: { ...onChain, paidUnits: null } },
      ["reveal"],
      hasWork,
    )
    const answer = recordLostPayout(job)
    if (hasWork) await answer
    else await expect(answer).rejects.toMatchObject({ code: "journal.stale_work" })
    expect(decided).toEqual(hasWork ? ["lost"] : [])
  },
)
