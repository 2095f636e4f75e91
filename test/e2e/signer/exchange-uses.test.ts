import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { KeyUse, RecordedUse } from "#domain/key-use.ts"
import type { SignerQuestion } from "#signer/wire.ts"
import {
  type RawClient,
  type SignerProcess,
  startSignerProcess,
} from "../../support/signer-process.ts"
import { evmQuestions } from "../../unit/signer/evm-attacks.ts"

/*
 * Two machines have the same keys, and each its own signer. The journal of the treasury goes from
 * one to the other.
 */

let machines: { readonly signer: SignerProcess; readonly client: RawClient }[]
beforeAll(async () => {
  machines = await Promise.all(
    [0, 1].map(async () => {
      const signer = await startSignerProcess({ refund_key: "own", signatures_per_hour: 100_000 })
      return { signer, client: signer.open() }
    }),
  )
}, 60_000)
afterAll(async () => {
  for (const { signer, client } of machines ?? []) {
    client.socket.destroy()
    await signer.stop()
  }
})

type Deposit = Extract<SignerQuestion, { kind: "transaction" }>

const isDeposit = (question: SignerQuestion): question is Deposit =>
  question.kind === "transaction" && question.plan.action === "initiate"

test("the second machine's signer refuses a deposit that the first one's has excluded, also when " +
  "it is asked directly", async () => {
  const [a, b] = machines
  if (a === undefined || b === undefined) throw new Error("two machines")
  const questions = fc.sample(evmQuestions, { numRuns: 3_000, seed: 20 }).filter(isDeposit)
  const signed: Deposit[] = []
  const refused: Deposit[] = []
  for (const question of questions) {
    const answer = await a.client.ask(question)
    const code = answer.ok ? null : answer.error.code
    if (code === null) signed.push(question)
    // A rule about earlier signatures refuses it, and nothing about its own content.
    if (code !== null && /order_reused|second_deposit|resource_reused/.test(code))
      refused.push(question)
  }
  expect(signed.length).toBeGreaterThan(5)
  expect(refused.length).toBeGreaterThan(5)

  const uses = signed.map(({ order, plan, deposit }, index): RecordedUse => {
    return { seq: index + 1, atMs: Date.now(), order, digest: plan.digest, plan, deposit }
  })
  expect(await b.client.ask({ kind: "importUses", uses: [] })).toMatchObject({
    ok: true,
    result: null,
  })
  const last = uses.at(-1)
  const imported = await b.client.ask({ kind: "importUses", uses })
  expect(imported).toMatchObject({ ok: true, result: { seq: last?.seq, digest: last?.digest } })

  // No request goes through the second machine's daemon: its signer decides by its record alone.
  for (const question of refused) {
    const answer = await b.client.ask(question)
    expect(answer.ok ? "signed" : answer.error.code).toMatch(
      /order_reused|second_deposit|resource_reused/,
    )
  }
  // The same plan still gives the same bytes.
  const [first] = signed
  if (first === undefined) throw new Error("a deposit was signed")
  expect(await b.client.ask(first)).toMatchObject({
    ok: true,
    result: resultOf(await a.client.ask(first)),
  })
  // Imported rows are equal to the first machine's own ones.
  expect(withoutTimes(await listUses(b.client))).toEqual(withoutTimes(await listUses(a.client)))
}, 60_000)

test(
  "an import can only exclude: it takes nothing out of the record, and a second one changes " +
    "nothing",
  async () => {
    const [, b] = machines
    if (b === undefined) throw new Error("two machines")
    const before = await listUses(b.client)
    const again = before.map(({ seq, atMs, order, digest }): RecordedUse => {
      return { seq, atMs, order, digest, plan: null, deposit: null }
    })
    expect(await b.client.ask({ kind: "importUses", uses: again })).toMatchObject({ ok: true })
    expect(await listUses(b.client)).toEqual(before)
  },
)

async function listUses(client: RawClient): Promise<readonly KeyUse[]> {
  // CAST: the protocol's own form.
  return (resultOf(await client.ask({ kind: "listUses", before: null })) as { uses: KeyUse[] }).uses
}

function resultOf(
  answer: Awaited<ReturnType<RawClient["ask"]>>,
): Readonly<Record<string, unknown>> {
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.result
}

function withoutTimes(uses: readonly KeyUse[]): unknown {
  return uses.map(({ atMs: _time, ...use }) => use)
}
