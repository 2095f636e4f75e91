import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { decodeJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { InspectingKeyHolder, SigningScope } from "#ports/key-holder.ts"
import { createSigningDesk, type SigningDesk } from "#signer/create-signing-desk.ts"
import type { HeldChain } from "#signer/held-chain.ts"
import type { LoggedSignature } from "#signer/signature-log.ts"
import { openSignatureLog } from "#signer/signature-log.ts"
import {
  encodeRequest,
  parseRequest,
  type SignerAnswers,
  type SignerQuestion,
} from "#signer/wire.ts"
import type { LedgerTx } from "../../../support/fake-ledger.ts"
import { ARB, BTC, ETH, type World } from "../../../support/fake-world.ts"
import type { Beside } from "./attacked-order.ts"

/*
 * The signer of a world, which outlives its daemons: the real desk with the real record on disk,
 * asked in the words of its protocol. Only the keys are those of the fake chains.
 */

/** A day's limit of each coin: one deposit, and a few fees. */
const PER_DAY = 30_000n

export type LimitedSigner = {
  /** Each daemon of the world signs by it. */
  readonly beside: Beside
  /** Other work has used up the day's limit of this asset. */
  readonly useUp: (asset: AssetId, action: "initiate" | "redeem") => void
  /** Its answers, oldest first: `headroom`, `redeem signer.velocity`, and so on. */
  readonly answers: readonly string[]
}

export function openLimitedSigner(): LimitedSigner {
  const signatures = openSignatureLog(join(mkdtempSync(join(tmpdir(), "desk-")), "signatures.db"))
  onTestFinished(() => signatures.close())
  const held = new Map<string, HeldChain>()
  const answers: string[] = []
  let desk: SigningDesk | null = null
  let nowMs = (): number => 0

  async function ask<Kind extends SignerQuestion["kind"]>(
    question: Extract<SignerQuestion, { readonly kind: Kind }>,
    about: string,
  ): Promise<SignerAnswers[Kind]> {
    try {
      const answer = await desk?.(parseRequest(encodeRequest(1, question)))
      answers.push(about)
      // CAST: the desk answers each kind of request with its own answer.
      return answer as SignerAnswers[Kind]
    } catch (error) {
      answers.push(`${about} ${error instanceof AppError ? error.code : "failed"}`)
      throw error
    }
  }

  const beside: Beside = ({ clock, evm, arbitrum, bitcoin }: World) => {
    nowMs = clock.now
    desk = createSigningDesk({
      chains: held,
      limits: {
        byAsset: new Map(
          [ETH, ARB, BTC].map((asset) => [
            asset,
            { perSignature: null, perHour: null, perDay: PER_DAY },
          ]),
        ),
        signaturesPerHour: 1_000,
      },
      signatures,
      clock,
      log: silentLogger,
    })
    const ledgers = new Map([
      [chainOf(ETH), { coin: ETH, ledger: evm }],
      [chainOf(ARB), { coin: ARB, ledger: arbitrum }],
      [chainOf(BTC), { coin: BTC, ledger: bitcoin }],
    ])
    return {
      adaptPort: (port) => {
        const known = ledgers.get(port.chain)
        if (known === undefined) return port
        const hashOf = (key: string) => known.ledger.state().swaps.get(key)?.secretHash
        held.set(port.chain, {
          keys: holdKeys(port, hashOf),
          coin: known.coin,
          timelocks: { min: 0n, max: 1_000_000n },
        })
        return {
          ...port,
          signTransaction: async (plan, context) => {
            const { order, deposit } = context ?? { order: plan.digest, deposit: null }
            const { raw, txid } = await ask(
              { kind: "transaction", order, plan, deposit },
              plan.action,
            )
            return { plan, raw, txid }
          },
        }
      },
      adaptContext: (context) => ({
        ...context,
        keyRecord: {
          listUses: (before) => ask({ kind: "listUses", before }, "listUses"),
          importUses: (uses) => ask({ kind: "importUses", uses }, "importUses"),
          askHeadroom: (redemption) => ask({ kind: "headroom", ...redemption }, "headroom"),
        },
      }),
    }
  }

  return {
    beside,
    answers,
    useUp: (asset, action) => signatures.add(otherWork(asset, action, nowMs())),
  }
}

/** The effect of a plan of a fake chain. */
function holdKeys(
  port: ChainPort,
  hashOf: (key: string) => string | undefined,
): InspectingKeyHolder {
  const readTransaction = (plan: TransactionPlan): SigningScope => {
    const { chain, account, action, digest, resources, spends, maxFeeUnits: feeUnits } = plan
    // CAST: written by the fake chain.
    const { action: act } = decodeJson(plan.unsigned) as LedgerTx
    const redeemsHash = act.kind === "redeem" ? hashOf(act.key) : undefined
    return {
      chain,
      account,
      action,
      digest,
      resources,
      spends,
      feeUnits,
      allowance: null,
      isExclusive: resources.length > 0,
      deposit:
        act.kind === "initiate"
          ? { secretHash: act.swap.secretHash, timelock: act.swap.timelock }
          : null,
      ...(redeemsHash === undefined ? {} : { redeemsHash }),
    }
  }
  const refuse = (): never => {
    throw new Error("no order of these worlds is gasless")
  }
  return {
    account: port.account,
    publicKey: port.account,
    isRandomised: false,
    readTransaction,
    readTypedData: refuse,
    signTypedData: refuse,
    signTransaction: (plan, context) => port.signTransaction(plan, context),
  }
}

function otherWork(asset: AssetId, action: "initiate" | "redeem", atMs: number): LoggedSignature {
  const chain: ChainId = chainOf(asset)
  const name = `other ${action}s on ${chain} ${atMs}`
  return {
    atMs,
    order: name,
    chain,
    account: `${chain}/wallet`,
    action,
    digest: name,
    resources: [name],
    secretHash: null,
    group: name,
    charges: new Map([[asset, PER_DAY]]),
  }
}
