import { PublicKey, SystemProgram, TransactionInstruction } from "@solana/web3.js"
import type { Hex } from "#routes/cctp/message.ts"
import { deriveTokenAccount, TOKEN_PROGRAM } from "../tokens.ts"
import type { CctpPrograms } from "./presets.ts"

/** The accounts that every burn and every mint of one cluster names. Deriving them takes long. */
export type CctpAccounts = CctpPrograms & {
  readonly senderAuthority: PublicKey
  readonly receiverAuthority: PublicKey
  readonly transmitterState: PublicKey
  readonly messengerState: PublicKey
  readonly minter: PublicKey
  readonly localToken: PublicKey
  readonly custody: PublicKey
  readonly messengerEvents: PublicKey
  readonly transmitterEvents: PublicKey
}

export function deriveAccounts(programs: CctpPrograms): CctpAccounts {
  const { messenger, transmitter, mint } = programs
  return {
    ...programs,
    senderAuthority: derive(messenger, "sender_authority"),
    receiverAuthority: derive(transmitter, "message_transmitter_authority", messenger.toBytes()),
    transmitterState: derive(transmitter, "message_transmitter"),
    messengerState: derive(messenger, "token_messenger"),
    minter: derive(messenger, "token_minter"),
    localToken: derive(messenger, "local_token", mint.toBytes()),
    custody: derive(messenger, "custody", mint.toBytes()),
    messengerEvents: derive(messenger, "__event_authority"),
    transmitterEvents: derive(transmitter, "__event_authority"),
  }
}

/** The messenger of another chain; a domain stands as its decimal text. */
export function deriveRemoteMessenger({ messenger }: CctpPrograms, domain: number): PublicKey {
  return derive(messenger, "remote_token_messenger", Buffer.from(String(domain)))
}

/** Which token of ours a burn of the other chain's token mints. */
export function deriveTokenPair(
  { messenger }: CctpPrograms,
  domain: number,
  burnToken: Hex,
): PublicKey {
  return derive(messenger, "token_pair", Buffer.from(String(domain)), bytesOf(burnToken))
}

/** It exists once the message with this nonce is minted. */
export function deriveUsedNonce({ transmitter }: CctpPrograms, nonce: Hex): PublicKey {
  return derive(transmitter, "used_nonce", bytesOf(nonce))
}

/** It exists while the account is on the list of those that cannot burn. */
export function deriveDenylist({ messenger }: CctpPrograms, account: PublicKey): PublicKey {
  return derive(messenger, "denylist_account", account.toBytes())
}

function derive(program: PublicKey, name: string, ...seeds: readonly Uint8Array[]): PublicKey {
  return PublicKey.findProgramAddressSync([Buffer.from(name), ...seeds], program)[0]
}

function bytesOf(word: Hex): Buffer {
  return Buffer.from(word.slice(2), "hex")
}

/** Where the account of the emitted message stands among those of a burn. */
export const EVENT_ACCOUNT_AT = 11

/** `deposit_for_burn` of the owner's associated token account. The owner pays the rent. */
export function buildBurn(
  accounts: CctpAccounts,
  parts: { readonly owner: PublicKey; readonly eventAccount: PublicKey; readonly domain: number },
  data: Buffer,
): TransactionInstruction {
  const { owner, eventAccount, domain } = parts
  const keys = [
    { pubkey: owner, isSigner: true, isWritable: false },
    { pubkey: owner, isSigner: true, isWritable: true },
    read(accounts.senderAuthority),
    write(deriveTokenAccount(owner, accounts.mint)),
    read(deriveDenylist(accounts, owner)),
    write(accounts.transmitterState),
    read(accounts.messengerState),
    read(deriveRemoteMessenger(accounts, domain)),
    read(accounts.minter),
    write(accounts.localToken),
    write(accounts.mint),
    { pubkey: eventAccount, isSigner: true, isWritable: true },
    read(accounts.transmitter),
    read(accounts.messenger),
    read(TOKEN_PROGRAM),
    read(SystemProgram.programId),
    read(accounts.messengerEvents),
    read(accounts.messenger),
  ]
  return new TransactionInstruction({ programId: accounts.messenger, keys, data })
}

/** Where accounts of a mint stand that its bytes do not determine, or that it opens. */
export const MINT_AT = { usedNonce: 4, feeAccount: 14 } as const

type MintParts = {
  readonly payer: PublicKey
  readonly nonce: Hex
  readonly source: number
  readonly burnToken: Hex
  /** The token account of the program's fee recipient. */
  readonly feeAccount: PublicKey
  readonly recipient: PublicKey
}

/** `receive_message`, with the accounts that the messenger asks for. */
export function buildMint(
  accounts: CctpAccounts,
  { payer, nonce, source, burnToken, feeAccount, recipient }: MintParts,
  data: Buffer,
): TransactionInstruction {
  const keys = [
    { pubkey: payer, isSigner: true, isWritable: true },
    { pubkey: payer, isSigner: true, isWritable: false },
    read(accounts.receiverAuthority),
    read(accounts.transmitterState),
    write(deriveUsedNonce(accounts, nonce)),
    read(accounts.messenger),
    read(SystemProgram.programId),
    read(accounts.transmitterEvents),
    read(accounts.transmitter),
    read(accounts.messengerState),
    read(deriveRemoteMessenger(accounts, source)),
    read(accounts.minter),
    write(accounts.localToken),
    read(deriveTokenPair(accounts, source, burnToken)),
    write(feeAccount),
    write(recipient),
    write(accounts.custody),
    read(TOKEN_PROGRAM),
    read(accounts.messengerEvents),
    read(accounts.messenger),
  ]
  return new TransactionInstruction({ programId: accounts.transmitter, keys, data })
}

/** The accounts of a mint that a table of addresses may hold: those of no single message. */
export function listSharedAccounts(accounts: CctpAccounts): readonly PublicKey[] {
  return [
    accounts.receiverAuthority,
    accounts.transmitterState,
    accounts.messenger,
    SystemProgram.programId,
    accounts.transmitterEvents,
    accounts.messengerState,
    accounts.minter,
    accounts.localToken,
    accounts.custody,
    TOKEN_PROGRAM,
    accounts.messengerEvents,
  ]
}

function read(pubkey: PublicKey) {
  return { pubkey, isSigner: false, isWritable: false }
}

function write(pubkey: PublicKey) {
  return { pubkey, isSigner: false, isWritable: true }
}
