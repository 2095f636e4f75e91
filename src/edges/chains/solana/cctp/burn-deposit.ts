import { PublicKey } from "@solana/web3.js"
import type { AssetId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest, Finding } from "#domain/deposit.ts"
import { type BurnRequest, readBurnRequest } from "#routes/cctp/burn-request.ts"
import { burnFinding, describeBurn, describeNoBurn } from "#routes/cctp/decoded-burn.ts"
import { encodeBurnWords } from "#routes/cctp/kept-burn.ts"
import { FINALITY, ZERO_WORD } from "#routes/cctp/message.ts"
import type { Wallet } from "../wallet.ts"
import type { BurnPermissions } from "./burn-permissions.ts"
import { decodeBurnCall, encodeBurnCall, fitsProgram } from "./calls.ts"
import { wordOf } from "./presets.ts"

/**
 * Builds the call of an order's burn, and decodes those bytes again: the deposit is the effect of
 * the bytes. Pure. Hostile input never throws: each doubt becomes a finding.
 */
export function decodeBurnDeposit(
  { chain, account }: Wallet,
  burns: BurnPermissions,
  request: DepositRequest,
  asset: AssetId,
): DecodedDeposit {
  const { accounts } = burns
  const place = { chain, family: "solana", htlc: accounts.messenger.toBase58() } as const
  const burn = readBurnRequest(request)
  if (burn === null || asset !== burns.asset) return describeNoBurn(place, burns.asset, asset)
  return {
    ...describeBurn(place, asset, burn),
    extras: {
      data: encodeBurnWords(wordsOf(burn, burns)),
      source: accounts.domain,
      sourceMessenger: wordOf(accounts.messenger),
      depositor: wordOf(new PublicKey(account)),
      ...(burn.txid === undefined ? {} : { txid: burn.txid }),
    },
    findings: findFaults(burn, burns),
  }
}

function wordsOf(
  { amountUnits, destinationDomain, mintRecipient, maxFeeUnits, finality }: BurnRequest,
  { accounts }: BurnPermissions,
) {
  return {
    amountUnits,
    destinationDomain,
    mintRecipient,
    burnToken: wordOf(accounts.mint),
    destinationCaller: ZERO_WORD,
    maxFeeUnits,
    minFinalityThreshold: FINALITY[finality],
  }
}

function findFaults(burn: BurnRequest, burns: BurnPermissions): readonly Finding[] {
  const { amountUnits, maxFeeUnits, mintRecipient, destinationDomain } = burn
  const words = wordsOf(burn, burns)
  if (!fitsProgram(amountUnits) || !fitsProgram(maxFeeUnits))
    return [
      burnFinding(
        "An amount of the burn is above those of the program",
        "64 bits",
        `${amountUnits}`,
      ),
    ]
  const { burnToken: _, ...asked } = words
  const decoded = decodeBurnCall(encodeBurnCall(asked))
  const isSame =
    decoded !== null &&
    encodeBurnWords({ ...decoded, burnToken: words.burnToken }) === encodeBurnWords(words)
  const own = burns.recipients.get(destinationDomain) ?? []
  return [
    ...(isSame
      ? []
      : [burnFinding("The call is not the order's burn", "its terms", "other bytes")]),
    ...(maxFeeUnits < amountUnits
      ? []
      : [
          burnFinding(
            "The highest fee is not below the amount",
            `${amountUnits}`,
            `${maxFeeUnits}`,
          ),
        ]),
    ...(own.includes(mintRecipient)
      ? []
      : [
          burnFinding(
            "The burn pays an account that is not ours",
            "one of our own accounts",
            mintRecipient,
          ),
        ]),
  ]
}
