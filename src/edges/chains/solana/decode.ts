import { PublicKey, SystemProgram } from "@solana/web3.js"
import type { Asset, AssetId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest, Finding } from "#domain/deposit.ts"
import { mustExist } from "#lib/assert.ts"
import { isSolanaRequest } from "./deposit-request.ts"
import type { ExpectedLookup, SolanaExtras } from "./extras.ts"
import { checkGasless } from "./gasless/check-gasless.ts"
import type { InitiateTerms } from "./htlc.ts"
import {
  type AccountReference,
  isComputeBudget,
  type ReadInstruction,
  type ReadTransaction,
  readTransaction,
} from "./legs/read-transaction.ts"
import { programOf } from "./program.ts"
import { deriveIdentity, deriveVault, INITIATE_AT, MAX_DESTINATION_DATA_BYTES } from "./spl-htlc.ts"
import { buildCreateTokenAccount, deriveTokenAccount, TOKEN_PROGRAM } from "./tokens.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Decodes the effect of the transaction that the service returned. Pure; never throws: a deviation
 * becomes a finding.
 *
 * We never sign that transaction: we build our own from the decoded fields. This loses nothing,
 * because the transaction carries no foreign signature and needs a fresh blockhash anyway. For the
 * same reason a signature in our own slot, such as a relay's after a simulation, changes nothing:
 * its bytes are not used. Accounts behind lookup tables are unknown here: `extras.lookups` lists
 * them with their expected addresses, and the planner resolves them on chain.
 */
export function decodeDeposit(
  request: DepositRequest,
  wallet: Wallet,
  asked: AssetId,
): DecodedDeposit {
  if (!isSolanaRequest(request))
    return undecoded(wallet, finding("solana.family", "a Solana request", request.family))
  const transaction = readTransaction.fromBase64(request.transaction)
  if (transaction === null) {
    return undecoded(
      wallet,
      finding(
        "solana.undecodable",
        "a serialized transaction",
        `${request.transaction.length} characters`,
      ),
    )
  }
  const transactionFindings = [
    ...findSigningFaults(transaction, wallet),
    ...findExtraParts(transaction, wallet),
  ]
  const calls = transaction.instructions.filter((instruction) => isHtlcCall(instruction, wallet))
  const [call] = calls
  if (call === undefined || calls.length > 1) {
    const count = finding(
      "solana.initiate_count",
      "one instruction of a configured HTLC program",
      `${calls.length}`,
    )
    return { ...undecoded(wallet, count), findings: [...transactionFindings, count] }
  }
  const asset = findAsset(call, wallet, asked)
  const decoded = programOf(asset.token).decodeCall(call.data)
  if (decoded?.kind !== "initiate") {
    const wrong = finding(
      "solana.instruction",
      "initiate",
      decoded?.kind ?? Buffer.from(call.data.subarray(0, 8)).toString("hex"),
    )
    return { ...undecoded(wallet, wrong), findings: [...transactionFindings, wrong] }
  }
  const deposit = describe(call, decoded.terms, wallet, asset, transactionFindings)
  return request.gasless === undefined ? deposit : withGasless(deposit, request.gasless, wallet)
}

/**
 * A relay's transaction with a fault turns the gasless way off. It refuses no order: it is never
 * signed, and our own transaction does not depend on it.
 */
function withGasless(deposit: DecodedDeposit, gasless: unknown, wallet: Wallet): DecodedDeposit {
  const { findings } = checkGasless(gasless, deposit, wallet)
  if (findings.length > 0) return { ...deposit, gaslessFindings: findings }
  return { ...deposit, hasTypedData: true, extras: { ...deposit.extras, typedData: gasless } }
}

const KIND = { htlcKind: "contract", isRefundableByUs: true, hasTypedData: false } as const

function describe(
  call: ReadInstruction,
  terms: InitiateTerms,
  wallet: Wallet,
  asset: Asset,
  transactionFindings: readonly Finding[],
): DecodedDeposit {
  const program = call.program.address ?? ""
  const initiator = call.accounts[asset.token === null ? 1 : 3]?.address ?? wallet.account
  const derive = programOf(asset.token).deriveSwapAccount
  const swapAccount = derive(
    new PublicKey(program),
    new PublicKey(initiator),
    terms.secretHash,
  ).toBase58()
  const tokens = asset.token === null ? null : deriveTokens(program, wallet.account, asset.token)
  const expected =
    tokens === null ? expectNative(swapAccount, wallet) : expectTokens(swapAccount, tokens, wallet)
  const lookups = expected.flatMap(({ address }, index): ExpectedLookup[] => {
    const lookup = call.accounts[index]?.lookup
    return lookup ? [{ ...lookup, expected: address }] : []
  })
  const accountFindings = findAccountFaults(call.accounts, expected)
  const destinationData = terms.destinationData ?? null
  const spl = tokens && {
    ...tokens.kept,
    destinationData: destinationData?.toString("hex") ?? null,
  }
  return {
    chain: wallet.chain,
    family: "solana",
    ...KIND,
    htlc: program,
    asset: accountFindings.some(({ code }) => code === "solana.mint") ? null : asset.id,
    units: terms.units,
    redeemer: terms.redeemer.toBase58(),
    refundTo: initiator,
    secretHash: terms.secretHash.toString("hex"),
    timelock: terms.slots,
    extras: { swapAccount, lookups, ...(spl && { spl }) } satisfies SolanaExtras,
    findings: [...transactionFindings, ...findLongData(destinationData), ...accountFindings],
  }
}

type Tokens = ReturnType<typeof deriveTokens>

function deriveTokens(program: string, account: string, token: string) {
  const programKey = new PublicKey(program)
  const mint = new PublicKey(token)
  const kept = {
    mint: token,
    tokenProgram: TOKEN_PROGRAM.toBase58(),
    vault: deriveVault(programKey, mint).toBase58(),
    tokenAccount: deriveTokenAccount(new PublicKey(account), mint).toBase58(),
  }
  return { kept, identity: deriveIdentity(programKey).toBase58() }
}

function expectNative(swapAccount: string, { account }: Wallet): readonly ExpectedAccount[] {
  return [
    { code: "solana.swap_account", address: swapAccount, signer: false, writable: true },
    { code: "solana.initiator", address: account, signer: true, writable: true },
    { code: "solana.system_program", address: SYSTEM, signer: false, writable: false },
  ]
}

/** Initiator and sponsor are the same account, so the message shows both as writable signers. */
function expectTokens(
  swapAccount: string,
  tokens: Tokens,
  { account }: Wallet,
): readonly ExpectedAccount[] {
  const { kept, identity } = tokens
  return [
    { code: "solana.identity", address: identity, signer: false, writable: true },
    { code: "solana.swap_account", address: swapAccount, signer: false, writable: true },
    { code: "solana.vault", address: kept.vault, signer: false, writable: true },
    { code: "solana.initiator", address: account, signer: true, writable: true },
    { code: "solana.token_account", address: kept.tokenAccount, signer: false, writable: true },
    { code: "solana.mint", address: kept.mint, signer: false, writable: false },
    { code: "solana.sponsor", address: account, signer: true, writable: true },
    { code: "solana.token_program", address: kept.tokenProgram, signer: false, writable: false },
    { code: "solana.system_program", address: SYSTEM, signer: false, writable: false },
  ]
}

const SYSTEM = SystemProgram.programId.toBase58()

/**
 * One program holds all tokens, so the mint among the accounts finds the asset. Without a match the
 * asked asset is expected.
 */
function findAsset(call: ReadInstruction, wallet: Wallet, asked: AssetId): Asset {
  const candidates = wallet.assets.filter((asset) =>
    asset.htlc.includes(call.program.address ?? ""),
  )
  const mint = call.accounts[INITIATE_AT.mint]?.address
  const found = candidates.find(({ token }) => token !== null && token === mint)
  return mustExist(
    found ?? candidates.find(({ id }) => id === asked) ?? candidates[0],
    "an asset of the called program",
  )
}

function findLongData(data: Buffer | null): Finding[] {
  if (data === null || data.length <= MAX_DESTINATION_DATA_BYTES) return []
  return [
    finding(
      "solana.destination_data",
      `at most ${MAX_DESTINATION_DATA_BYTES} bytes`,
      `${data.length} bytes`,
    ),
  ]
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
  const signers = message.staticAccountKeys
    .slice(0, message.header.numRequiredSignatures)
    .map(String)
  const findings: Finding[] = []
  if (signers[0] !== wallet.account)
    findings.push(finding("solana.fee_payer", wallet.account, signers[0] ?? "no signer"))
  if (signers.length !== 1) {
    findings.push(finding("solana.signers", `only ${wallet.account}`, signers.join(", ")))
  }
  const filled = signatures.filter((signature, index) => {
    return signers[index] !== wallet.account && signature.some((byte) => byte !== 0)
  }).length
  if (filled > 0)
    findings.push(
      finding("solana.signature_present", "no signature of another key", `${filled} filled`),
    )
  return findings
}

function findExtraParts(transaction: ReadTransaction, wallet: Wallet): Finding[] {
  const instructions = transaction.instructions.filter(
    (one) => !isComputeBudget(one) && !isHtlcCall(one, wallet) && !isOwnTokenAccount(one, wallet),
  )
  return [
    ...instructions.map((one) =>
      finding(
        "solana.extra_instruction",
        "the HTLC's initiate and compute budget only",
        nameOf(one.program),
      ),
    ),
    ...transaction.unusedAccounts.map((account) =>
      finding("solana.extra_account", "only accounts that the instructions need", nameOf(account)),
    ),
  ]
}

/**
 * The creation of our own token account for a configured token, which does nothing where the
 * account exists.
 */
function isOwnTokenAccount({ program, accounts, data }: ReadInstruction, wallet: Wallet): boolean {
  return wallet.assets.some(({ token }) => {
    if (token === null) return false
    const expected = buildCreateTokenAccount(new PublicKey(wallet.account), new PublicKey(token))
    const addresses = expected.keys.map(({ pubkey }) => pubkey.toBase58())
    const isSameCall =
      program.address === expected.programId.toBase58() && expected.data.equals(data)
    return isSameCall && addresses.join() === accounts.map(({ address }) => address ?? "").join()
  })
}

function findAccountFaults(
  accounts: readonly AccountReference[],
  expected: readonly ExpectedAccount[],
): Finding[] {
  const findings = expected.flatMap(({ code, ...right }, index) => {
    const found = accounts[index]
    if (found === undefined) return [finding(code, showAccount(right), "missing")]
    const sameAddress = found.lookup !== null || found.address === right.address
    if (sameAddress && found.signer === right.signer && found.writable === right.writable) return []
    return [finding(code, showAccount(right), showAccount(found))]
  })
  const extra = accounts
    .slice(expected.length)
    .map((account) =>
      finding("solana.extra_account", `${expected.length} accounts`, nameOf(account)),
    )
  return [...findings, ...extra]
}

function showAccount(account: {
  address: string | null
  signer: boolean
  writable: boolean
}): string {
  const { address, signer, writable } = account
  return `${address ?? "a lookup"}${signer ? " signer" : ""}${writable ? " writable" : ""}`
}

function nameOf(account: AccountReference): string {
  return (
    account.address ?? `entry ${account.lookup?.index} of lookup table ${account.lookup?.table}`
  )
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
  "solana.signature_present": "the transaction already carries a signature of another key",
  "solana.extra_instruction": "the transaction does more than the deposit",
  "solana.extra_account": "the transaction locks an account that a deposit does not need",
  "solana.swap_account": "the swap account does not belong to this initiator and secret hash",
  "solana.initiator": "the initiator is not our account as a writable signer",
  "solana.system_program": "the account in its place is not the system program",
  "solana.identity": "the account that signs for the vaults is not the program's",
  "solana.vault": "the tokens go to another account than the program's vault for this mint",
  "solana.token_account": "the tokens come from another account than our associated token account",
  "solana.mint": "the mint is not the configured token",
  "solana.sponsor": "the sponsor of our own deposit is not our account",
  "solana.token_program": "the token program is not the SPL Token program",
  "solana.destination_data": "the data for the destination chain is too long",
}

function finding(code: string, expected: string, found: string): Finding {
  return { code, message: MESSAGES[code] ?? code, expected, found }
}
