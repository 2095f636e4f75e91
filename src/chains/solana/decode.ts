import { PublicKey, SystemProgram } from "@solana/web3.js"
import type { AssetId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest, Finding } from "#domain/deposit.ts"
import { isSolanaRequest } from "./deposit-request.ts"
import type { ExpectedLookup, SolanaExtras } from "./extras.ts"
import { decodeHtlcCall, deriveSwapAccount, type InitiateTerms } from "./htlc.ts"
import {
  type AccountReference,
  isComputeBudget,
  type ReadInstruction,
  type ReadTransaction,
  readTransaction,
} from "./read-transaction.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Decodes the effect of the transaction that the service returned. Pure; never throws: a deviation becomes a finding.
 *
 * We never sign that transaction: we build our own from the decoded fields. This loses nothing, because the transaction
 * carries no foreign signature and needs a fresh blockhash anyway. Accounts behind lookup tables are unknown here:
 * `extras.lookups` lists them with their expected addresses, and the planner resolves them on chain.
 */
export function decodeDeposit(request: DepositRequest, wallet: Wallet, asked: AssetId): DecodedDeposit {
  if (!isSolanaRequest(request)) return undecoded(wallet, finding("solana.family", "a Solana request", request.family))
  const transaction = readTransaction.fromBase64(request.transaction)
  if (transaction === null) {
    return undecoded(
      wallet,
      finding("solana.undecodable", "a serialized transaction", `${request.transaction.length} characters`),
    )
  }
  const transactionFindings = [...findSigningFaults(transaction, wallet), ...findExtraParts(transaction, wallet)]
  const calls = transaction.instructions.filter((instruction) => isHtlcCall(instruction, wallet))
  const [call] = calls
  if (call === undefined || calls.length > 1) {
    const count = finding("solana.initiate_count", "one instruction of a configured HTLC program", `${calls.length}`)
    return { ...undecoded(wallet, count), findings: [...transactionFindings, count] }
  }
  const decoded = decodeHtlcCall(call.data)
  if (decoded?.kind !== "initiate") {
    const wrong = finding(
      "solana.instruction",
      "initiate",
      decoded?.kind ?? Buffer.from(call.data.subarray(0, 8)).toString("hex"),
    )
    return { ...undecoded(wallet, wrong), findings: [...transactionFindings, wrong] }
  }
  return describe(call, decoded.terms, wallet, asked, transactionFindings)
}

const KIND = { htlcKind: "contract", isRefundableByUs: true, hasTypedData: false } as const

function describe(
  call: ReadInstruction,
  terms: InitiateTerms,
  wallet: Wallet,
  asked: AssetId,
  transactionFindings: readonly Finding[],
): DecodedDeposit {
  const program = call.program.address ?? ""
  const initiator = call.accounts[1]?.address ?? wallet.account
  const swapAccount = deriveSwapAccount(new PublicKey(program), new PublicKey(initiator), terms.secretHash).toBase58()
  const expected: readonly ExpectedAccount[] = [
    { code: "solana.swap_account", address: swapAccount, signer: false, writable: true },
    { code: "solana.initiator", address: wallet.account, signer: true, writable: true },
    { code: "solana.system_program", address: SystemProgram.programId.toBase58(), signer: false, writable: false },
  ]
  const lookups = expected.flatMap(({ address }, index): ExpectedLookup[] => {
    const lookup = call.accounts[index]?.lookup
    return lookup ? [{ ...lookup, expected: address }] : []
  })
  const candidates = wallet.assets.filter((asset) => asset.htlc.includes(program))
  const asset = candidates.find((candidate) => candidate.id === asked) ?? candidates[0]
  return {
    chain: wallet.chain,
    family: "solana",
    ...KIND,
    htlc: program,
    asset: asset?.id ?? null,
    units: terms.units,
    redeemer: terms.redeemer.toBase58(),
    refundTo: initiator,
    secretHash: terms.secretHash.toString("hex"),
    timelock: terms.slots,
    extras: { swapAccount, lookups } satisfies SolanaExtras,
    findings: [
      ...transactionFindings,
      ...findTokenFault(asset?.token ?? null),
      ...findAccountFaults(call.accounts, expected),
    ],
  }
}

type ExpectedAccount = {
  readonly code: string
  readonly address: string
  readonly signer: boolean
  readonly writable: boolean
}

function isHtlcCall(instruction: ReadInstruction, wallet: Wallet): boolean {
  const program = instruction.program.address
  return program !== null && wallet.assets.some((asset) => asset.htlc.includes(program))
}

function findSigningFaults({ message, signatures }: ReadTransaction, wallet: Wallet): Finding[] {
  const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures).map(String)
  const findings: Finding[] = []
  if (signers[0] !== wallet.account)
    findings.push(finding("solana.fee_payer", wallet.account, signers[0] ?? "no signer"))
  if (signers.length !== 1) {
    findings.push(finding("solana.signers", `only ${wallet.account}`, signers.join(", ")))
  }
  const filled = signatures.filter((signature) => signature.some((byte) => byte !== 0)).length
  if (filled > 0) findings.push(finding("solana.signature_present", "no signature yet", `${filled} filled`))
  return findings
}

function findExtraParts(transaction: ReadTransaction, wallet: Wallet): Finding[] {
  const instructions = transaction.instructions.filter((one) => !isComputeBudget(one) && !isHtlcCall(one, wallet))
  return [
    ...instructions.map((one) =>
      finding("solana.extra_instruction", "the HTLC's initiate and compute budget only", nameOf(one.program)),
    ),
    ...transaction.unusedAccounts.map((account) =>
      finding("solana.extra_account", "only accounts that the instructions need", nameOf(account)),
    ),
  ]
}

/** Our own instruction transfers native SOL; a token HTLC has other accounts and another program. */
function findTokenFault(token: string | null): Finding[] {
  return token === null
    ? []
    : [finding("solana.spl_deposit_unsupported", "a deposit of the native asset", `token ${token}`)]
}

function findAccountFaults(accounts: readonly AccountReference[], expected: readonly ExpectedAccount[]): Finding[] {
  const findings = expected.flatMap(({ code, ...right }, index) => {
    const found = accounts[index]
    if (found === undefined) return [finding(code, showAccount(right), "missing")]
    const sameAddress = found.lookup !== null || found.address === right.address
    if (sameAddress && found.signer === right.signer && found.writable === right.writable) return []
    return [finding(code, showAccount(right), showAccount(found))]
  })
  const extra = accounts
    .slice(expected.length)
    .map((account) => finding("solana.extra_account", "three accounts", nameOf(account)))
  return [...findings, ...extra]
}

function showAccount(account: { address: string | null; signer: boolean; writable: boolean }): string {
  return `${account.address ?? "a lookup"}${account.signer ? " signer" : ""}${account.writable ? " writable" : ""}`
}

function nameOf(account: AccountReference): string {
  return account.address ?? `entry ${account.lookup?.index} of lookup table ${account.lookup?.table}`
}

function undecoded(wallet: Wallet, fault: Finding): DecodedDeposit {
  return {
    chain: wallet.chain,
    family: "solana",
    ...KIND,
    htlc: "",
    asset: null,
    units: 0n,
    redeemer: "",
    refundTo: "",
    secretHash: "",
    timelock: 0n,
    extras: {},
    findings: [fault],
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  "solana.family": "the request is for another chain family",
  "solana.undecodable": "the transaction cannot be decoded",
  "solana.initiate_count": "the transaction does not call the HTLC exactly once",
  "solana.instruction": "the transaction calls the HTLC with an instruction other than initiate",
  "solana.fee_payer": "another account pays the fee",
  "solana.signers": "the transaction needs more signatures than ours, or other ones",
  "solana.signature_present": "the transaction already carries a signature",
  "solana.extra_instruction": "the transaction does more than the deposit",
  "solana.extra_account": "the transaction locks an account that a deposit does not need",
  "solana.swap_account": "the swap account does not belong to this initiator and secret hash",
  "solana.initiator": "the initiator is not our account as a writable signer",
  "solana.system_program": "the third account is not the system program",
  "solana.spl_deposit_unsupported": "deposits of SPL tokens are not supported",
}

function finding(code: string, expected: string, found: string): Finding {
  return { code, message: MESSAGES[code] ?? code, expected, found }
}
