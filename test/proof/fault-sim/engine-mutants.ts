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
    | "crowded"
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

export function edit(file: string, find: string, replace: string): EngineMutant["edits"][number] {
  return { file, find, replace }
}

/**
 * Mistakes about lease, claim, void, refund and reveal. Where the machine and the journal both keep
 * a rule, a mutant breaks both: with one of them the run stays right.
 */
export const ENGINE_MUTANTS: readonly EngineMutant[] = [
  ...(["deposit", "void", "refund", "redeem"] as const).map(
    (purpose): EngineMutant => ({
      name: `a ${purpose} is signed without its claim`,
      edits: [
        edit(
          SIGN,
          "    registerSignatures(job, kind, bound, hold)\n",
          `    if (kind !== "${purpose}") registerSignatures(job, kind, bound, hold)\n`,
        ),
      ],
      ...(purpose === "redeem" ? { runs: { ownSecrets: true } } : {}),
    }),
  ),
  {
    name: "typed data is signed without its claim",
    edits: [
      edit(
        "src/engine/orders/deposit/sign-typed-data.ts",
        "job.context.journal.claimSignature({",
        "Object({",
      ),
    ],
  },
  {
    name: "claims are cleaned by age",
    edits: [
      edit(RECORD, "  if (clash === undefined) return\n", "  return\n"),
      edit(
        SIGN,
        "  const open = context.journal.findOpenClaim(data.id, kind)\n",
        "  const open = [null][0]\n",
      ),
    ],
  },
  {
    name: "calls do not wait for the journal",
    edits: [edit(CALLS, "journal.isPending() ? journal.durable().then(act) : act()", "act()")],
  },
  {
    name: "a deposit is sent before its bytes are stored",
    edits: [
      edit(
        SIGN,
        "    const transaction = await chain.signTransaction(bound.plan, context)\n",
        `    const transaction = await chain.signTransaction(bound.plan, context)
    if (kind === "deposit") await chain.broadcastTransaction(transaction).catch(() => undefined)\n`,
      ),
    ],
  },
  {
    name: "other bytes are sent than the stored ones",
    edits: [
      edit(
        "src/engine/orders/deposit/broadcast-transaction.ts",
        "broadcastTransaction(transaction, mayLeave)",
        "broadcastTransaction({ ...transaction, raw: transaction.txid }, mayLeave)",
      ),
    ],
  },
  {
    name: "signed bytes are not stored",
    edits: [edit(STEPPER, "    signed: signedRow(before, event),\n", "    signed: null,\n")],
  },
  {
    name: "the lease is not asked for",
    edits: [edit(CALLS, "      await proveLease(since)\n", "")],
    runs: { lease: true },
  },
  {
    name: "the proof of the lease is cached",
    edits: [
      edit(CALLS, "await proveLease(since)", "await (cached ??= proveLease(since))"),
      edit(CALLS, "type Gate =", "let cached: Promise<void> | undefined\n\ntype Gate ="),
    ],
    runs: { lease: true },
  },
  {
    name: "a broadcast needs no lease",
    edits: [
      edit(
        CALLS,
        "        if (proveLease)\n",
        '        if (proveLease && key !== "broadcastTransaction")\n',
      ),
    ],
    runs: { lease: true },
  },
  {
    name: "a void that is sent releases its deposit",
    edits: [
      edit(
        STEPPER,
        'state === "disarmed") return "all"',
        'state === "disarmed" || state === "void-confirming") return "all"',
      ),
    ],
  },
  {
    name: "a held order releases its reservations",
    edits: [
      edit(
        STEPPER,
        'state === "disarmed") return "all"',
        'state === "disarmed" || state === "held") return "all"',
      ),
    ],
  },
  {
    name: "a refund is signed after a reveal",
    edits: [
      edit(OBSERVE, "  if (isRevealed(job.data)) return false\n", ""),
      edit(
        SIGN,
        'if (kind === "refund" && job.data.ownSecret != null) await recordLostPayout(job)',
        "",
      ),
      edit(
        "src/edges/journal/secret-decisions.ts",
        'if (known.includes("reveal") && !known.includes("lost"))',
        "if (known.length > 9)",
      ),
    ],
    runs: { ownSecrets: true },
  },
  {
    name: "a secret is told without its payout",
    edits: [
      edit(
        "src/engine/orders/observe/decide-secret-step.ts",
        '  if (own == null || own.status === "lost") return {}\n',
        '  if (own != null && own.status === "unknown") return { secret: "reveal" }\n  if ' +
          '(own == null || own.status === "lost") return {}\n',
      ),
      edit("src/engine/orders/observe/prove-payout.ts", "    ...judgePayout(data, leg),\n", ""),
    ],
    runs: { ownSecrets: true },
  },
  {
    name: "a secret is told without a decision",
    edits: [
      edit(
        REVEAL,
        '  context.journal.decideSecret({ orderId: data.id, decision: "reveal", secretHash, ' +
          "atMs: nowMs })\n  noteTelling(",
        "  noteTelling(",
      ),
    ],
    runs: { ownSecrets: true },
  },
  {
    name: "a secret is told before its decision is on disk",
    edits: [
      edit(REVEAL, "  await job.begin()\n  await untilHere(context.journal)\n", ""),
      edit(CALLS, '  "revealSecret",\n]', "]"),
    ],
    runs: { ownSecrets: true },
  },
  {
    name: "a withheld secret is told",
    edits: [
      edit(
        REVEAL,
        '    return { event: { type: "secret.withheld", reasons: proof.reasons } }\n',
        "    await serviceFor(context, data).revealSecret(mustExist(data.created, " +
          '"it").orderId, mustExist(deriveOwnSecret(context.settings.ownSecrets, data), ' +
          '"it"))\n    return { event: { type: "secret.withheld", reasons: proof.reasons } ' +
          "}\n",
      ),
      edit(
        REVEAL,
        'import { untilHere } from "../outgoing-calls.ts"\n',
        'import { untilHere } from "../outgoing-calls.ts"\nimport { deriveOwnSecret } from ' +
          '"../pay/own-secret.ts"\n',
      ),
    ],
    runs: { ownSecrets: true },
  },
]
