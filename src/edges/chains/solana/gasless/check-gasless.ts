import { PublicKey, type TransactionInstruction } from "@solana/web3.js"
import type { DecodedDeposit, Finding } from "#domain/deposit.ts"
import { type SolanaExtras, solanaExtras } from "../extras.ts"
import {
  isComputeBudget,
  type ReadInstruction,
  type ReadTransaction,
  readTransaction,
} from "../legs/read-transaction.ts"
import { buildSplInitiate } from "../spl-htlc.ts"
import { parseAddress, payeeOf, type Wallet } from "../wallet.ts"

/**
 * Compares the relay's transaction with the decoded deposit. Pure, and never throws: each deviation
 * is a finding, and only a transaction without one may be signed.
 *
 * The one form that passes: the relay is fee payer and sponsor, we are the second of two signers
 * and read-only, so that the runtime lets none of our lamports go. Beside compute-budget limits,
 * which the relay pays, it holds the `initiate` that the deposit's fields give and nothing else: no
 * other account, no lookup table, and no nonce that would keep the signature alive.
 */
export function checkGasless(
  text: unknown,
  deposit: CheckedDeposit,
  wallet: Wallet,
): { readonly findings: readonly Finding[]; readonly transaction: ReadTransaction | null } {
  const isShort = typeof text === "string" && text.length <= MOST_CHARACTERS
  const transaction = isShort ? readTransaction.fromBase64(text) : null
  if (transaction === null)
    return {
      findings: [finding("solana.gasless_undecodable", "base64 of a transaction", typeof text)],
      transaction: null,
    }
  const relay = transaction.message.staticAccountKeys[0]
  const expected = relay === undefined ? null : rebuildInitiate(deposit, wallet, relay)
  const findings = [
    ...findSignerFaults(transaction, wallet),
    ...findOtherParts(transaction),
    ...(expected === null
      ? [finding("solana.gasless_asset", "a configured token", `${deposit.asset}`)]
      : findCallFaults(transaction, expected)),
  ]
  return { findings, transaction }
}

/** A packet of Solana holds 1232 bytes. */
const MOST_CHARACTERS = 1_644

/** The fields that the transaction is compared with. */
type CheckedDeposit = Omit<DecodedDeposit, "findings" | "hasTypedData">

/**
 * `null` for native SOL, whose program takes the rent from the initiator and not from the relay,
 * and for a deposit that is not from our wallet into a configured program.
 */
function rebuildInitiate(
  deposit: CheckedDeposit,
  wallet: Wallet,
  sponsor: PublicKey,
): TransactionInstruction | null {
  const asset = wallet.assets.find(({ id }) => id === deposit.asset)
  const spl = readExtras(deposit)?.spl
  if (asset?.token == null || spl?.mint !== asset.token || !asset.htlc.includes(deposit.htlc))
    return null
  const isOurs = deposit.chain === wallet.chain && deposit.refundTo === wallet.account
  const redeemer = parseAddress(deposit.redeemer)
  if (!isOurs || redeemer === null || !/^[0-9a-f]{64}$/.test(deposit.secretHash)) return null
  const data = spl.destinationData
  return buildSplInitiate(
    new PublicKey(deposit.htlc),
    { initiator: new PublicKey(wallet.account), mint: new PublicKey(asset.token), sponsor },
    {
      units: deposit.units,
      slots: deposit.timelock,
      redeemer,
      secretHash: Buffer.from(deposit.secretHash, "hex"),
      destinationData: data === null ? null : Buffer.from(data, "hex"),
    },
  )
}

function readExtras({ extras }: CheckedDeposit): SolanaExtras | null {
  const read = solanaExtras.safeParse(extras)
  return read.success ? read.data : null
}

function findSignerFaults({ message }: ReadTransaction, wallet: Wallet): Finding[] {
  const count = message.header.numRequiredSignatures
  const [payer, second, ...more] = message.staticAccountKeys.slice(0, count).map(String)
  const ours: readonly (string | undefined)[] = [wallet.account, payeeOf(wallet)]
  return [
    ...(ours.includes(payer)
      ? [finding("solana.gasless_fee_payer", "a relay's account", `${payer}`)]
      : []),
    ...(second === wallet.account && more.length === 0
      ? []
      : [finding("solana.gasless_signers", `the relay and ${wallet.account}`, `${count} signers`)]),
    ...(message.isAccountWritable(1)
      ? [finding("solana.gasless_writable", "our account read-only", "writable")]
      : []),
  ]
}

function findOtherParts({ message, instructions, unusedAccounts }: ReadTransaction): Finding[] {
  const kinds = instructions.filter(isComputeBudget).map(({ data }) => budgetOf(data))
  const isRepeated = new Set(kinds).size < kinds.length
  return [
    ...(message.addressTableLookups.length > 0
      ? [finding("solana.gasless_lookup", "no lookup table", "one")]
      : []),
    ...unusedAccounts.map(({ address }) =>
      finding("solana.gasless_account", "only accounts of the deposit", `${address}`),
    ),
    ...(kinds.includes(null) || isRepeated
      ? [finding("solana.gasless_budget", "one unit limit and one unit price", `${kinds.length}`)]
      : []),
  ]
}

/** SetComputeUnitLimit (2, u32) or SetComputeUnitPrice (3, u64); `null` for anything else. */
function budgetOf(data: Uint8Array): number | null {
  const [kind] = data
  if (kind === 2 && data.length === 5) return kind
  return kind === 3 && data.length === 9 ? kind : null
}

/** The call is compared as a whole: program, data, and each account with its rights. */
function findCallFaults(
  { instructions }: ReadTransaction,
  expected: TransactionInstruction,
): Finding[] {
  const calls = instructions.filter((one) => !isComputeBudget(one))
  const [call] = calls
  if (call === undefined || calls.length > 1)
    return [finding("solana.gasless_instructions", "one initiate", `${calls.length} instructions`)]
  const faults: Finding[] = []
  if (call.program.address !== expected.programId.toBase58())
    faults.push(
      finding("solana.gasless_program", `${expected.programId}`, `${call.program.address}`),
    )
  if (!Buffer.from(call.data).equals(expected.data))
    faults.push(
      finding(
        "solana.gasless_terms",
        expected.data.toString("hex"),
        Buffer.from(call.data).toString("hex"),
      ),
    )
  const right = listExpected(expected)
  const found = listFound(call)
  if (right !== found) faults.push(finding("solana.gasless_account", right, found))
  return faults
}

function listExpected({ keys }: TransactionInstruction): string {
  return keys
    .map(({ pubkey, isSigner, isWritable }) => show(pubkey.toBase58(), isSigner, isWritable))
    .join(", ")
}

function listFound({ accounts }: ReadInstruction): string {
  return accounts
    .map(({ address, signer, writable }) => show(`${address}`, signer, writable))
    .join(", ")
}

function show(address: string, isSigner: boolean, isWritable: boolean): string {
  return `${address}${isSigner ? " signer" : ""}${isWritable ? " writable" : ""}`
}

const MESSAGES: Readonly<Record<string, string>> = {
  "solana.gasless_undecodable": "the relay's transaction cannot be decoded",
  "solana.gasless_asset":
    "the deposit is not of a configured token from our wallet; native SOL takes its rent from us",
  "solana.gasless_fee_payer": "the relay's transaction lets our account pay the fee",
  "solana.gasless_signers":
    "the relay's transaction needs other signatures than the relay's and ours",
  "solana.gasless_writable": "the relay's transaction may take lamports from our account",
  "solana.gasless_lookup": "the relay's transaction takes accounts from a lookup table",
  "solana.gasless_account":
    "the relay's transaction names an account that the deposit does not need",
  "solana.gasless_budget": "the relay's transaction sets its compute budget in another way",
  "solana.gasless_instructions": "the relay's transaction does not hold exactly one instruction",
  "solana.gasless_program": "the relay's transaction calls another program",
  "solana.gasless_terms": "the relay's transaction deposits on other terms",
}

function finding(code: string, expected: string, found: string): Finding {
  return { code, message: MESSAGES[code] ?? code, expected, found }
}
