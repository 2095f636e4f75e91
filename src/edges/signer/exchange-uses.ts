import type { VerifiedDeposit } from "#domain/deposit.ts"
import { AppError } from "#lib/app-error.ts"
import type { SigningScope } from "#ports/key-holder.ts"
import type { HeldChain } from "./held-chain.ts"
import { chargeOf } from "./judge-signature.ts"
import type { LoggedSignature, SignatureLog } from "./signature-log.ts"
import { MOST_USES, type SignerAnswers, type SignerRequest } from "./wire.ts"

/** The record, newest first, for a comparison with the journal. */
export function listUses(
  signatures: SignatureLog,
  before: number | null,
): SignerAnswers["listUses"] {
  const uses = signatures.listBefore(before, MOST_USES).map((row) => {
    const { seq, atMs, order, account, action, digest, resources, secretHash } = row
    // CAST: the desk wrote it from a configured chain.
    const chain = row.chain as SignerAnswers["listUses"]["uses"][number]["chain"]
    return {
      seq,
      atMs,
      order,
      chain,
      account,
      action,
      digest,
      resources: [...resources],
      secretHash,
    }
  })
  return { first: signatures.firstDigest(), uses }
}

type Uses = Extract<SignerRequest, { kind: "importUses" }>["uses"]

/**
 * Adds the journal's claims to the record: another machine's signer may have made these signatures.
 * A row can only exclude later signatures, so no claim needs a proof. The effect is read from the
 * content, as for a signature.
 */
export function importUses(
  chains: ReadonlyMap<string, HeldChain>,
  signatures: SignatureLog,
  uses: Uses,
): SignerAnswers["importUses"] {
  const fresh = new Map<string, LoggedSignature>()
  for (const use of uses) {
    const found = toSignature(chains, use)
    if (found === null || signatures.find(found.chain, found.digest) !== null) continue
    fresh.set(`${found.chain}/${found.digest}`, found)
  }
  signatures.addAll([...fresh.values()])
  const last = uses.at(-1)
  if (last !== undefined) signatures.noteImported({ seq: last.seq, digest: last.digest })
  return signatures.readImported()
}

/** `null`: no key of this signer made it. */
function toSignature(
  chains: ReadonlyMap<string, HeldChain>,
  use: Uses[number],
): LoggedSignature | null {
  const held = chains.get(use.plan?.chain ?? use.deposit?.chain ?? "")
  if (held === undefined) return null
  const scope = readScope(held, use)
  if (scope === null) return null
  const { group, charges } = chargeOf({ scope, coin: held.coin })
  const { chain, account, action, digest, resources, deposit } = scope
  const at = { atMs: use.atMs, order: use.order, chain, account, action, digest, resources }
  return { ...at, secretHash: deposit?.secretHash ?? null, group, charges }
}

/**
 * Content that the rules of today refuse, such as a fee above a lower cap, was signed all the same.
 * Its plan names its effect.
 */
function readScope(
  { keys }: HeldChain,
  { order, digest, plan, deposit }: Uses[number],
): SigningScope | null {
  // CAST: the brand says here only that the daemon calls the deposit verified.
  const verified =
    deposit === null ? null : ({ ...deposit, findings: [] } as unknown as VerifiedDeposit)
  try {
    if (plan !== null) return keys.readTransaction(plan, { order, deposit: verified })
    return verified === null ? null : keys.readTypedData(verified)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const terms = verified && { secretHash: verified.secretHash, timelock: verified.timelock }
    const none = { isExclusive: true, allowance: null } as const
    if (plan !== null) {
      const { chain, account, action, resources, spends, maxFeeUnits: feeUnits } = plan
      const isDeposit = action === "initiate"
      const effect = { resources, spends, feeUnits, deposit: isDeposit ? terms : null }
      return { ...none, chain, account, action, digest: plan.digest, ...effect }
    }
    if (verified === null) return null
    const { chain, asset, units } = verified
    const effect = {
      resources: [],
      spends: asset === null ? [] : [{ asset, units }],
      feeUnits: 0n,
      deposit: terms,
    }
    return { ...none, chain, account: keys.account, action: "gasless", digest, ...effect }
  }
}
