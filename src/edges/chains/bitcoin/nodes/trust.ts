import type { ChainTrust } from "#chains/family-definition.ts"
import { neededAnswers } from "#nodes/quorum/agree-on.ts"
import type { BitcoinChainConfig } from "../config.ts"
import { type Depths, depthsOf, MEDIUM_UNITS, SMALL_UNITS } from "../finality.ts"

/** How far the Esplora servers of this configuration are trusted, in plain words. Pure. */
export function describeBitcoinTrust(chain: BitcoinChainConfig): ChainTrust {
  const endpoints = chain.esplora.length
  const agree = neededAnswers(chain.agree, endpoints)
  return {
    endpoints,
    agree,
    finality: {
      seen: describeDepth(chain, ({ seen }) => seen),
      reveal: describeDepth(chain, ({ reveal }) => reveal),
      ending: describeDepth(chain, ({ ending }) => ending),
    },
    worst:
      agree > 1
        ? describeMinority(agree, endpoints)
        : chain.network === "mainnet"
          ? ALONE_PROVEN
          : ALONE,
  }
}

/**
 * Signatures protect against more than one server alone could invent: a spend of our coins or of an
 * HTLC needs the owner's signature, and the values of our inputs follow from bytes whose ids
 * Ballast recomputes.
 */
const ALONE =
  "one server can claim that a block contains our payout or refund although none does, so " +
  "that the order ends without its money, and it can hide deposits and payments; it cannot " +
  "invent a spend of our coins, nor the value of an input"

/** On the main network the work of the blocks proves payouts and refunds (ADR 21). */
const ALONE_PROVEN =
  "one server can hide deposits and payments, and so delay orders and endings; it cannot " +
  "invent a payout, a refund, a spend of our coins, nor the value of an input"

function describeMinority(agree: number, endpoints: number): string {
  const delay =
    "one lying server can delay deposits and endings and cause alarms; it cannot end an " +
    "order or move money"
  return agree < endpoints
    ? delay
    : `${delay}. If one server is down, new deposits and endings wait`
}

/** One number, or the three by value. */
function describeDepth(chain: BitcoinChainConfig, of: (depths: Depths) => number): string {
  const at = (units: bigint) => of(depthsOf(chain.network, chain, units))
  const small = at(SMALL_UNITS)
  const medium = at(MEDIUM_UNITS)
  const large = at(MEDIUM_UNITS + 1n)
  if (small === large) return confirmations(small)
  return `${confirmations(small)} up to 0.01 BTC, ${medium} up to 0.1 BTC, else ${large}`
}

function confirmations(count: number): string {
  return `${count} ${count === 1 ? "confirmation" : "confirmations"}`
}
