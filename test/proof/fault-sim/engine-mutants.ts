import type { SimCase } from "./sim-case.ts"

/**
 * A mistake in production code, made while a worker loads it: in each file `find` occurs exactly
 * once and becomes `replace`.
 */
export type EngineMutant = {
  readonly name: string
  readonly edits: readonly {
    readonly file: string
    readonly find: string
    readonly replace: string
  }[]
  /** How its seeds run. */
  readonly runs?: Pick<
    SimCase,
    | "ownSecrets"
    | "routes"
    | "lease"
    | "cluster"
    | "lateAppends"
    | "mode"
    | "bug"
    | "orders"
    | "means"
    | "pair"
    | "steps"
    | "only"
  >
}

const SIGN = "src/engine/orders/deposit/sign-transaction.ts"
const CALLS = "src/engine/orders/outgoing-calls.ts"
const REVEAL = "src/engine/orders/observe/reveal-secret.ts"
const STEPPER = "src/engine/orders/stepper.ts"
const OBSERVE = "src/engine/orders/observe/observe-order.ts"
const RECORD = "src/edges/journal/sqlite-signing-record.ts"

/**
 * Mistakes about lease, claim, void, refund and reveal. Where the machine and the journal both keep
 * a rule, a mutant breaks both: with one of them the run stays right.
 */
export const ENGINE_MUTANTS: readonly EngineMutant[] = [
  ...(["deposit", "void", "refund", "redeem"] as const).map(
    (purpose): EngineMutant => ({
      name: `a ${purpose} is signed without its claim`,
      edits: [
        {
          file: SIGN,
          find: "    registerSignatures(job, kind, bound, hold)\n",
          replace: `    if (kind !== "${purpose}") registerSignatures(job, kind, bound, hold)\n`,
        },
      ],
      ...(purpose === "redeem" ? { runs: { ownSecrets: true } } : {}),
    }),
  ),
  {
    name: "typed data is signed without its claim",
    edits: [
      {
        file: "src/engine/orders/deposit/sign-typed-data.ts",
        find: "job.context.journal.claimSignature({",
        replace: "Object({",
      },
    ],
  },
  {
    name: "claims are cleaned by age",
    edits: [
      { file: RECORD, find: "  if (clash === undefined) return\n", replace: "  return\n" },
      {
        file: SIGN,
        find: "  const open = context.journal.findOpenClaim(data.id, kind)\n",
        replace: "  const open = [null][0]\n",
      },
    ],
  },
  {
    name: "calls do not wait for the journal",
    edits: [
      {
        file: CALLS,
        find: "journal.isPending() ? journal.durable().then(act) : act()",
        replace: "act()",
      },
    ],
  },
  {
    name: "a deposit is sent before its bytes are stored",
    edits: [
      {
        file: SIGN,
        find: "    const transaction = await chain.signTransaction(bound.plan, context)\n",
        replace: `    const transaction = await chain.signTransaction(bound.plan, context)
    if (kind === "deposit") await chain.broadcastTransaction(transaction).catch(() => undefined)\n`,
      },
    ],
  },
  {
    name: "other bytes are sent than the stored ones",
    edits: [
      {
        file: "src/engine/orders/deposit/broadcast-transaction.ts",
        find: "broadcastTransaction(transaction, mayLeave)",
        replace: "broadcastTransaction({ ...transaction, raw: transaction.txid }, mayLeave)",
      },
    ],
  },
  {
    name: "signed bytes are not stored",
    edits: [
      {
        file: STEPPER,
        find: "    signed: signedRow(before, event),\n",
        replace: "    signed: null,\n",
      },
    ],
  },
  {
    name: "the lease is not asked for",
    edits: [{ file: CALLS, find: "      await proveLease(since)\n", replace: "" }],
    runs: { lease: true },
  },
  {
    name: "the proof of the lease is cached",
    edits: [
      {
        file: CALLS,
        find: "await proveLease(since)",
        replace: "await (cached ??= proveLease(since))",
      },
      {
        file: CALLS,
        find: "type Gate =",
        replace: "let cached: Promise<void> | undefined\n\ntype Gate =",
      },
    ],
    runs: { lease: true },
  },
  {
    name: "a broadcast needs no lease",
    edits: [
      {
        file: CALLS,
        find: "        if (proveLease)\n",
        replace: '        if (proveLease && key !== "broadcastTransaction")\n',
      },
    ],
    runs: { lease: true },
  },
  {
    name: "a void that is sent releases its deposit",
    edits: [
      {
        file: STEPPER,
        find: 'state === "disarmed") return "all"',
        replace: 'state === "disarmed" || state === "void-confirming") return "all"',
      },
    ],
  },
  {
    name: "a held order releases its reservations",
    edits: [
      {
        file: STEPPER,
        find: 'state === "disarmed") return "all"',
        replace: 'state === "disarmed" || state === "held") return "all"',
      },
    ],
  },
  {
    name: "a refund is signed after a reveal",
    edits: [
      { file: OBSERVE, find: "  if (isRevealed(job.data)) return false\n", replace: "" },
      {
        file: SIGN,
        find: 'if (kind === "refund" && job.data.ownSecret != null) await recordLostPayout(job)',
        replace: "",
      },
      {
        file: "src/edges/journal/secret-decisions.ts",
        find: 'if (known.includes("reveal") && !known.includes("lost"))',
        replace: "if (known.length > 9)",
      },
    ],
    runs: { ownSecrets: true },
  },
  {
    name: "a secret is told without its payout",
    edits: [
      {
        file: "src/engine/orders/observe/decide-secret-step.ts",
        find: '  if (own == null || own.status === "lost") return {}\n',
        replace:
          '  if (own != null && own.status === "unknown") return { secret: "reveal" }\n  if ' +
          '(own == null || own.status === "lost") return {}\n',
      },
      {
        file: "src/engine/orders/observe/prove-payout.ts",
        find: "    ...judgePayout(data, leg),\n",
        replace: "",
      },
    ],
    runs: { ownSecrets: true },
  },
  {
    name: "a secret is told without a decision",
    edits: [
      {
        file: REVEAL,
        find:
          '  context.journal.decideSecret({ orderId: data.id, decision: "reveal", secretHash, ' +
          "atMs: nowMs })\n  await job.begin()\n",
        replace: "  await job.begin()\n",
      },
    ],
    runs: { ownSecrets: true },
  },
  {
    name: "a secret is told before its decision is on disk",
    edits: [
      {
        file: REVEAL,
        find: "  await job.begin()\n  await untilHere(context.journal)\n",
        replace: "",
      },
      {
        file: CALLS,
        find: '  "revealSecret",\n]',
        replace: "]",
      },
    ],
    runs: { ownSecrets: true },
  },
  {
    name: "a withheld secret is told",
    edits: [
      {
        file: REVEAL,
        find: '    return { event: { type: "secret.withheld", reasons: proof.reasons } }\n',
        replace:
          "    await serviceFor(context, data).revealSecret(mustExist(data.created, " +
          '"it").orderId, mustExist(deriveOwnSecret(context.settings.ownSecrets, data), ' +
          '"it"))\n    return { event: { type: "secret.withheld", reasons: proof.reasons } ' +
          "}\n",
      },
      {
        file: REVEAL,
        find: 'import { untilHere } from "../outgoing-calls.ts"\n',
        replace:
          'import { untilHere } from "../outgoing-calls.ts"\nimport { deriveOwnSecret } from ' +
          '"../pay/own-secret.ts"\n',
      },
    ],
    runs: { ownSecrets: true },
  },
]
