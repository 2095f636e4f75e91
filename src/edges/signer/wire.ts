import { z } from "zod"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { MOST_OTHERS, type RecordedUse, type RedeemHeadroom } from "#domain/key-use.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError, type Disposition } from "#lib/app-error.ts"
import { assert } from "#lib/assert.ts"

/**
 * The protocol's version. Another one is refused, so that an old signer never guesses the meaning
 * of a new request.
 */
const VERSION = 2

const shortText = z.string().max(300)
const longText = z.string().max(4 * 1024 * 1024)
const integer = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
const chainId = z
  .string()
  .regex(/^[a-z0-9_-]{1,60}$/)
  .transform(toChainId)
const assetId = z
  .string()
  .regex(/^[a-z0-9_-]{1,60}:[a-z0-9_.-]{1,60}$/)
  .transform(parseAssetId)

const plan = z.object({
  chain: chainId,
  account: shortText,
  action: z.enum(["approve", "initiate", "refund", "redeem", "void", "openTokenAccount"]),
  attempt: z.int().min(0).max(10_000),
  unsigned: longText,
  digest: shortText,
  resources: z.array(shortText).max(500),
  spends: z.array(z.strictObject({ asset: assetId, units: integer })).max(4),
  maxFeeUnits: integer,
  fromHeight: integer,
  expiresAtHeight: integer.nullable(),
})

/** Fields that no rule reads are left out. */
const deposit = z.object({
  chain: chainId,
  family: shortText,
  htlc: shortText,
  htlcKind: z.enum(["contract", "derivable-address", "underivable-address"]),
  isRefundableByUs: z.boolean(),
  hasTypedData: z.boolean(),
  asset: assetId.nullable(),
  units: integer,
  redeemer: shortText,
  refundTo: shortText,
  secretHash: shortText,
  timelock: integer,
  /** Only the chain's family reads these, by its own schema. */
  extras: z.record(z.string(), z.unknown()),
})

const order = z.string().min(1).max(200)
const count = z.int().min(0)
/** The most uses of a key in one message. */
export const MOST_USES = 500
const base = { version: z.literal(VERSION), id: z.int().min(0) }
const request = z.discriminatedUnion("kind", [
  z.strictObject({ ...base, kind: z.literal("identify") }),
  z.strictObject({
    ...base,
    kind: z.literal("transaction"),
    order,
    plan,
    deposit: deposit.nullable(),
    worthUnits: integer.optional(),
  }),
  z.strictObject({ ...base, kind: z.literal("typedData"), order, deposit }),
  z.strictObject({ ...base, kind: z.literal("listUses"), before: count.nullable() }),
  z.strictObject({
    ...base,
    kind: z.literal("importUses"),
    uses: z
      .array(
        z.strictObject({
          seq: count,
          atMs: count,
          order,
          digest: shortText,
          plan: plan.nullable(),
          deposit: deposit.nullable(),
        }),
      )
      .max(MOST_USES),
  }),
  z.strictObject({
    ...base,
    kind: z.literal("headroom"),
    order,
    chain: chainId,
    secretHash: shortText,
    feeUnits: integer,
    others: count.max(MOST_OTHERS),
  }),
])

export type SignerRequest = z.output<typeof request>
/** One request without its frame: what the daemon asks for. */
export type SignerQuestion =
  | { readonly kind: "identify" }
  | {
      readonly kind: "transaction"
      readonly order: string
      readonly plan: TransactionPlan
      readonly deposit: VerifiedDeposit | null
      readonly worthUnits?: bigint
    }
  | { readonly kind: "typedData"; readonly order: string; readonly deposit: VerifiedDeposit }
  | { readonly kind: "listUses"; readonly before: number | null }
  | { readonly kind: "importUses"; readonly uses: readonly RecordedUse[] }
  | ({ readonly kind: "headroom" } & RedeemHeadroom)

const use = z.strictObject({
  seq: count,
  atMs: count,
  order,
  chain: chainId,
  account: shortText,
  digest: shortText,
  action: z.enum([
    "approve",
    "initiate",
    "refund",
    "redeem",
    "void",
    "openTokenAccount",
    "gasless",
  ]),
  resources: z.array(shortText).max(500),
  secretHash: shortText.nullable(),
})
const identity = z.strictObject({ chain: chainId, account: shortText, publicKey: shortText })
const answers = {
  identify: z.strictObject({
    chains: z.array(identity).max(200),
    /** The record's files are no longer those of their path. */
    lost: z.enum(["deleted", "replaced"]).optional(),
  }),
  transaction: z.strictObject({ raw: longText, txid: shortText }),
  typedData: z.strictObject({ digest: shortText, signature: longText }),
  listUses: z.strictObject({ first: shortText.nullable(), uses: z.array(use).max(MOST_USES) }),
  importUses: z.strictObject({ seq: count, digest: shortText }).nullable(),
  headroom: z.null(),
} as const

export type SignerAnswers = {
  readonly [Kind in keyof typeof answers]: z.output<(typeof answers)[Kind]>
}

const DISPOSITIONS = [
  "transient",
  "refused",
  "uncertain",
  "hold",
  "fatal",
  "bug",
  "aborted",
] as const
const failure = z.object({
  code: z.string().regex(/^[a-z_]+\.[a-z_0-9.]+$/),
  disposition: z.enum(DISPOSITIONS),
  message: z.string().max(2_000),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
const answer = z.union([
  z.strictObject({ id: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.strictObject({ id: z.int(), ok: z.literal(false), error: failure }),
])

export type SignerAnswer = z.output<typeof answer>

/**
 * Reads a request. Throws `signer.request` (refused); the message repeats nothing of the request.
 */
export function parseRequest(text: string): SignerRequest {
  const parsed = request.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const paths = parsed.error.issues.slice(0, 5).map(({ path, code }) => `${path.join(".")} ${code}`)
  throw requestError(`it does not have the form of a request: ${paths.join(", ")}`)
}

export function encodeRequest(id: number, question: SignerQuestion): string {
  return toWire({ version: VERSION, id, ...withoutFindings(question) })
}

export function encodeAnswer(content: SignerAnswer): string {
  return toWire(content)
}

/** Reads an answer for its id. Throws `signer.answer` (bug) for any other text. */
export function parseAnswer(text: string): SignerAnswer {
  const parsed = answer.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new AppError({
    code: "signer.answer",
    disposition: "bug",
    message: "the signer's answer has another form",
  })
}

export function parseResult<Kind extends keyof typeof answers>(
  kind: Kind,
  result: unknown,
): SignerAnswers[Kind] {
  const parsed = answers[kind].safeParse(result)
  assert(parsed.success, "the signer's result has the form of its request", { kind })
  // CAST: the schema was chosen by the kind.
  return parsed.data as SignerAnswers[Kind]
}

export function toFailure({
  code,
  disposition,
  message,
  details,
}: AppError): Extract<SignerAnswer, { ok: false }>["error"] {
  const plain = Object.entries(details).map(([key, value]) => [
    key,
    typeof value === "bigint" ? String(value) : value,
  ])
  return { code, disposition, message: message.slice(0, 2_000), details: Object.fromEntries(plain) }
}

export function fromFailure(error: Extract<SignerAnswer, { ok: false }>["error"]): AppError {
  const disposition: Disposition = error.disposition
  return new AppError({ ...error, disposition })
}

/** A deposit's findings decide nothing here, and a verified deposit has none. */
function withoutFindings(question: SignerQuestion): object {
  switch (question.kind) {
    case "identify":
    case "listUses":
    case "headroom":
      return question
    case "importUses":
      return {
        ...question,
        uses: question.uses.map((one) => ({ ...one, deposit: plainDeposit(one.deposit) })),
      }
    case "transaction":
    case "typedData":
      return { ...question, deposit: plainDeposit(question.deposit) }
  }
}

function plainDeposit(deposit: VerifiedDeposit | null): object | null {
  if (deposit === null) return null
  const { findings: _none, ...plain } = deposit
  return plain
}

function toWire(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "bigint" ? item.toString() : item,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the text.
    throw requestError("it is not JSON")
  }
}

function requestError(problem: string): AppError {
  return new AppError({
    code: "signer.request",
    disposition: "refused",
    message: `the signer refuses the request: ${problem}`,
  })
}
