import type { PublicKey } from "@solana/web3.js"
import type { Reason } from "#domain/reason.ts"
import type { BurnCallWords } from "#routes/cctp/kept-burn.ts"
import type { Hex } from "#routes/cctp/message.ts"
import type { SolanaNode } from "../node.ts"
import { decodeTokenAccount } from "../tokens.ts"
import {
  type CctpAccounts,
  deriveDenylist,
  deriveRemoteMessenger,
  deriveTokenPair,
} from "./accounts.ts"
import { wordOf } from "./presets.ts"
import {
  decodeLocalToken,
  decodeMessenger,
  decodeMinter,
  decodeRemoteMessenger,
  decodeTokenPair,
  decodeTransmitter,
} from "./states.ts"

/**
 * Every reason of the source against a burn: it would fail, or never be minted. Without an owner no
 * account of ours is judged.
 */
export async function findBurnFaults(
  node: SolanaNode,
  accounts: CctpAccounts,
  call: Pick<BurnCallWords, "amountUnits" | "destinationDomain" | "maxFeeUnits">,
  parties: { readonly owner: PublicKey | null; readonly destinationMessenger: Hex | null },
): Promise<readonly Reason[]> {
  const { messenger } = accounts
  const { owner, destinationMessenger } = parties
  const read = (address: PublicKey) => node.fetchAccount(address.toBase58())
  const [shared, ofMessenger, ofRemote, ofToken, ofDenylist] = await Promise.all([
    findSharedFaults(node, accounts),
    read(accounts.messengerState),
    read(deriveRemoteMessenger(accounts, call.destinationDomain)),
    read(accounts.localToken),
    owner === null ? null : read(deriveDenylist(accounts, owner)),
  ])
  const state = decodeMessenger(ofMessenger, messenger)
  const token = decodeLocalToken(ofToken, messenger)
  const remote = decodeRemoteMessenger(ofRemote, messenger)
  const least = state === null ? 0n : leastFee(call.amountUnits, state.minFee)
  const limit = token?.burnLimitUnits ?? 0n
  return [
    ...shared,
    ...judgePin("the messenger of the destination", destinationMessenger, remote),
    ...judgePin("the mint of the token", wordOf(accounts.mint), token?.mint ?? null),
    ...(ofDenylist === null || ofDenylist.data.length === 0
      ? []
      : [
          {
            code: "cctp.blocked",
            message:
              "Our own account is on a list of blocked accounts; ask Circle, the issuer of the " +
              "token",
          },
        ]),
    ...(call.amountUnits <= limit
      ? []
      : [
          {
            code: "cctp.burn_limit",
            message: "The amount is above the limit of one burn; 0 means that it is not the token",
            amount: String(call.amountUnits),
            limit: String(limit),
          },
        ]),
    ...(call.maxFeeUnits >= least
      ? []
      : [
          {
            code: "cctp.fee_below_min",
            message: "The highest fee of the burn is below the least one of the contract",
            maxFee: String(call.maxFeeUnits),
            least: String(least),
          },
        ]),
  ]
}

/** In ten-millionths of the amount, and at least one unit where there is a fee. */
function leastFee(amountUnits: bigint, minFee: bigint): bigint {
  const fee = (amountUnits * minFee) / 10_000_000n
  return minFee > 0n && fee === 0n ? 1n : fee
}

/** Every reason of the destination against a mint, which must be judged before the burn. */
export async function findMintFaults(
  node: SolanaNode,
  accounts: CctpAccounts,
  burn: {
    readonly source: number
    readonly sourceMessenger: Hex
    readonly burnToken: Hex
    readonly amountUnits: bigint
  },
): Promise<readonly Reason[]> {
  const { messenger, localToken, custody } = accounts
  const read = (address: PublicKey) => node.fetchAccount(address.toBase58())
  const [shared, ofRemote, ofPair, ofCustody] = await Promise.all([
    findSharedFaults(node, accounts),
    read(deriveRemoteMessenger(accounts, burn.source)),
    read(deriveTokenPair(accounts, burn.source, burn.burnToken)),
    read(custody),
  ])
  const stock = decodeTokenAccount(ofCustody)?.units ?? 0n
  return [
    ...shared,
    ...judgePin(
      "the messenger of the source",
      burn.sourceMessenger,
      decodeRemoteMessenger(ofRemote, messenger),
    ),
    ...judgePin("the token of the mint", wordOf(localToken), decodeTokenPair(ofPair, messenger)),
    ...(burn.amountUnits <= stock
      ? []
      : [
          {
            code: "cctp.minter_allowance",
            message: "The minter may not mint as much now",
            amount: String(burn.amountUnits),
            allowance: String(stock),
          },
        ]),
  ]
}

async function findSharedFaults(
  node: SolanaNode,
  { domain, messenger, transmitter, transmitterState, minter }: CctpAccounts,
): Promise<readonly Reason[]> {
  const [ofTransmitter, ofMinter] = await Promise.all([
    node.fetchAccount(transmitterState.toBase58()),
    node.fetchAccount(minter.toBase58()),
  ])
  const state = decodeTransmitter(ofTransmitter, transmitter)
  const paused = [
    ...(state?.isPaused === false ? [] : ["transmitter"]),
    ...(decodeMinter(ofMinter, messenger)?.isPaused === false ? [] : ["minter"]),
  ]
  const message = "Circle has paused a contract of the route; it can be used again after that"
  return [
    ...judgePin("the domain of the transmitter", String(domain), `${state?.localDomain}`),
    ...(paused.length === 0 ? [] : [{ code: "cctp.paused", message, contracts: paused.join() }]),
  ]
}

function judgePin(what: string, expected: string | null, found: string | null): readonly Reason[] {
  if (expected !== null && expected === found) return []
  return [
    {
      code: "cctp.pin_differs",
      message: `On this chain ${what} is not the pinned one; nothing is burnt`,
      expected: expected ?? "a configured one",
      found: found ?? "none",
    },
  ]
}
