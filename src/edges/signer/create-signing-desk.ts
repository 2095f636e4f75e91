import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { InspectingKeyHolder, SigningContext, SigningScope } from "#ports/key-holder.ts"
import { importUses, listUses } from "./exchange-uses.ts"
import type { HeldChain } from "./held-chain.ts"
import {
  chargeOf,
  isRescue,
  judgeSignature,
  type SignatureQuestion,
  type SignerLimits,
} from "./judge-signature.ts"
import type { LoggedSignature, SignatureLog, SignedAnswer } from "./signature-log.ts"
import type { SignerAnswers, SignerRequest } from "./wire.ts"

/** Answers one request. Throws `signer.*`; a refusal uses no key and writes no row. */
export type SigningDesk = (request: SignerRequest) => Promise<SignerAnswers[SignerRequest["kind"]]>

/**
 * Inspects the content, judges it by this process's own record and limits, writes the record, then
 * signs. The same content again gives the same bytes and is not judged twice.
 *
 * From the judgement to the record everything is synchronous, so that two requests cannot pass one
 * limit together.
 */
export function createSigningDesk(options: {
  readonly chains: ReadonlyMap<string, HeldChain>
  readonly limits: SignerLimits
  readonly signatures: SignatureLog
  readonly clock: Clock
  readonly log: Logger
}): SigningDesk {
  const { chains, signatures, clock, log } = options

  /** A clock that was set back frees nothing: time never goes behind the record. */
  const now = (): number => Math.max(clock.now(), signatures.latestMs())

  function admit(held: HeldChain, scope: SigningScope, order: string): void {
    if (signatures.find(scope.chain, scope.digest) !== null) return
    const question = { scope, order, coin: held.coin, timelocks: held.timelocks, nowMs: now() }
    const { reasons, isLasting } = judge(question, options)
    if (scope.deposit !== null && !signatures.hasSpace())
      throw refusal(question, [...reasons, NO_SPACE], true)
    if (reasons.length > 0) throw refusal(question, reasons, isLasting)
    const { group, charges } = chargeOf(question)
    const { chain, account, action, digest, resources, deposit } = scope
    const at = { atMs: question.nowMs, order, chain, account, action, digest, resources }
    signatures.add({ ...at, secretHash: deposit?.secretHash ?? null, group, charges })
    log.info({ order, chain, action, digest }, "Signs")
  }

  /** Throws as for a signature, and uses nothing up: no key, no row, no limit. */
  function answerHeadroom({ order, chain, others, ...redemption }: HeadroomRequest): null {
    const held = chainOf(chains, chain)
    const scope = scopeOfRedemption(held, chain, { order, ...redemption })
    const { coin, timelocks } = held
    const question = { scope, order, coin, timelocks, nowMs: now() }
    const { reasons, isLasting } = judge(question, options, expect(question, others))
    if (reasons.length > 0) throw refusal(question, reasons, isLasting)
    return null
  }

  return async (request) => {
    if (request.kind === "identify") {
      const known = [...chains].map(([chain, held]) => identify(chain, held))
      return { chains: known, ...lossOf(signatures) }
    }
    if (request.kind === "listUses") return listUses(signatures, request.before)
    if (request.kind === "importUses") return importUses(chains, signatures, request.uses)
    if (request.kind === "headroom") return answerHeadroom(request)
    const { order } = request
    if (request.kind === "transaction") {
      const { plan, worthUnits } = request
      const held = chainOf(chains, plan.chain)
      const worth = worthUnits === undefined ? {} : { worthUnits }
      const context: SigningContext = { order, deposit: toDeposit(request.deposit), ...worth }
      const scope = held.keys.readTransaction(plan, context)
      admit(held, scope, order)
      const [raw, txid] = await signOnce(signatures, { held, scope }, async () => {
        const signed = await held.keys.signTransaction(plan, context)
        return [signed.raw, signed.txid]
      })
      return { raw, txid }
    }
    const held = chainOf(chains, request.deposit.chain)
    const deposit = toDeposit(request.deposit)
    const scope = held.keys.readTypedData(deposit)
    admit(held, scope, order)
    const [digest, signature] = await signOnce(signatures, { held, scope }, async () => {
      const signed = await held.keys.signTypedData(deposit, { order, deposit })
      return [signed.digest, signed.signature]
    })
    return { digest, signature }
  }
}

/** `expected`: signatures that are not made yet, and count as if they were. */
function judge(
  question: SignatureQuestion,
  { signatures, limits }: { readonly signatures: SignatureLog; readonly limits: SignerLimits },
  expected: readonly LoggedSignature[] = [],
) {
  const { scope, order, nowMs } = question
  const history = {
    deposits:
      scope.deposit === null ? [] : signatures.listDeposits(order, scope.deposit.secretHash),
    hasDeposit: (secretHash: string) =>
      signatures.listDeposits(order, secretHash).some((past) => past.secretHash === secretHash),
    hasRefund: (secretHash: string) => signatures.hasRefund(secretHash),
    sameResources: signatures.listByResources(scope.chain, scope.account, scope.resources),
    ofDay: [...signatures.listOfDay(nowMs), ...expected],
  }
  return judgeSignature(question, history, limits)
}

function lossOf(signatures: SignatureLog): { readonly lost?: "deleted" | "replaced" } {
  const place = signatures.findPlace()
  return place === "in_place" ? {} : { lost: place }
}

type HeadroomRequest = Extract<SignerRequest, { kind: "headroom" }>

/**
 * The effect of a redemption that is not planned yet: it takes only its fee, and tells the secret.
 */
function scopeOfRedemption(
  { keys }: HeldChain,
  chain: HeadroomRequest["chain"],
  { order, secretHash, feeUnits }: Pick<HeadroomRequest, "order" | "secretHash" | "feeUnits">,
): SigningScope {
  return {
    chain,
    account: keys.account,
    action: "redeem",
    digest: `headroom:${order}`,
    resources: [],
    isExclusive: false,
    deposit: null,
    spends: [],
    redeemsHash: secretHash,
    allowance: null,
    feeUnits,
  }
}

/** As many further redemptions as this one. */
function expect({ scope, coin, nowMs }: SignatureQuestion, count: number): LoggedSignature[] {
  const { chain, account, action, resources, feeUnits } = scope
  return Array.from({ length: count }, (_, index) => ({
    atMs: nowMs,
    order: "",
    chain,
    account,
    action,
    digest: `expected:${index}`,
    resources,
    secretHash: null,
    group: `expected:${index}`,
    charges: new Map([[coin, feeUnits]]),
  }))
}

/**
 * Two requests for one content can be under way together. The first stored answer goes out to both,
 * and an answer goes out only after it is stored. So a crash between signature and record loses
 * only a signature that no process has seen.
 */
async function signOnce(
  signatures: SignatureLog,
  { held, scope }: { readonly held: HeldChain; readonly scope: SigningScope },
  sign: () => Promise<SignedAnswer>,
): Promise<SignedAnswer> {
  if (!held.keys.isRandomised) return sign()
  const { chain, digest } = scope
  const earlier = signatures.findAnswer(chain, digest)
  if (earlier !== null) return earlier
  const fresh = await sign()
  const meanwhile = signatures.findAnswer(chain, digest)
  if (meanwhile !== null) return meanwhile
  signatures.keepAnswer(chain, digest, fresh)
  return fresh
}

function identify(chain: string, { keys }: HeldChain): SignerAnswers["identify"]["chains"][number] {
  // CAST: the map's keys are the configured chains.
  return { chain: chain as SignerAnswers["identify"]["chains"][number]["chain"], ...pick(keys) }
}

function pick({ account, publicKey }: InspectingKeyHolder): { account: string; publicKey: string } {
  return { account, publicKey }
}

function chainOf(chains: ReadonlyMap<string, HeldChain>, chain: string): HeldChain {
  const held = chains.get(chain)
  if (held !== undefined) return held
  throw new AppError({
    code: "signer.chain_unknown",
    disposition: "refused",
    message: `the signer has no key for ${chain}; restart it after a change of the configuration`,
    details: { chain },
  })
}

type WireDeposit = NonNullable<Extract<SignerRequest, { kind: "transaction" }>["deposit"]>

/**
 * The brand says here only that the daemon calls the deposit verified. The family compares each
 * field that it signs.
 */
function toDeposit(deposit: WireDeposit): VerifiedDeposit
function toDeposit(deposit: WireDeposit | null): VerifiedDeposit | null
function toDeposit(deposit: WireDeposit | null): VerifiedDeposit | null {
  // CAST: see above.
  return deposit === null ? null : ({ ...deposit, findings: [] } as unknown as VerifiedDeposit)
}

const NO_SPACE: Reason = {
  code: "signer.no_space",
  message:
    "the disk of the signer's record is full, and what it has left is kept for refunds and " +
    "redemptions",
}

function refusal(
  { scope, order }: SignatureQuestion,
  reasons: ReturnType<typeof judgeSignature>["reasons"],
  isLasting: boolean,
): AppError {
  const [first] = reasons
  const numbers = Object.entries(first ?? {}).filter(([key]) => key !== "code" && key !== "message")
  const shown = numbers.map(([key, value]) => `${key} ${String(value)}`).join(", ")
  return new AppError({
    code: first?.code ?? "signer.velocity",
    // A rescue can wait for its window, because nothing replaces it. Anything else ends here.
    disposition: !isLasting && isRescue(scope) ? "transient" : "refused",
    message:
      `the signer refuses this ${scope.action}: ` +
      `${reasons.map(({ message }) => message).join("; ")} (${shown})`,
    details: { order, chain: scope.chain, reasons: reasons.map(({ code }) => code).join() },
  })
}
