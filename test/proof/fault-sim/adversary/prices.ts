import type { Family } from "#domain/asset.ts"
import { UNIT_FIAT } from "../configuration.ts"

/*
 * The price of each means of the adversary, in fiat millionths: a unit of the simulated chains is
 * worth UNIT_FIAT of them. The amounts are those of the table of reads in docs/THREATS.md, at these
 * prices of whole coins.
 */
const COIN = { sol: 150n, btc: 100_000n, eth: 3_000n } as const

const LAMPORTS = 10n ** 9n
const SATOSHI = 10n ** 8n

function worth(units: bigint, perCoin: bigint, coin: bigint): bigint {
  return (units * coin * UNIT_FIAT) / perCoin
}

/** `each`: the price of one. `why`: where the amount comes from. */
type Price = { readonly each: bigint; readonly why: string }

/**
 * Every means, with its price. The free ones are actions of a party that lies with the adversary
 * anyway.
 */
export const PRICES = {
  "Solana: a failed transaction that names the swap account": {
    each: worth(5_000n, LAMPORTS, COIN.sol),
    why: "the base fee of one signature",
  },
  "Bitcoin: dust on the HTLC's address": {
    each: worth(500n, SATOSHI, COIN.btc),
    why: "an output at the dust limit and its part of a batch at 1 sat/vB",
  },
  "EVM: a receipt of megabytes that the service names": {
    each: worth(11n * 10n ** 15n, 10n ** 18n, COIN.eth),
    why: "29 000 empty logs are 11 million gas, at 1 gwei",
  },
  "Starknet: an initiation under the secret hash": {
    each: UNIT_FIAT / 50n,
    why: "one invoke with a transfer",
  },
  "block space": {
    each: UNIT_FIAT,
    why:
      "for each block, the number of our transactions that fit into it (BLOCK_SPACE) times the " +
      "fee of one",
  },
  "Bitcoin: a second payment of the whole amount": {
    each: UNIT_FIAT,
    why: "each unit that is paid twice; only the solver's refund returns it",
  },
  "a frozen payee": {
    each: 0n,
    why: "the issuer of the token freezes for him, and lifts it late or never",
  },
  "a wallet with little coin": { each: 0n, why: "he waits for an operator who keeps little coin" },
  "a signer with limits": { each: 0n, why: "the operator's own limits; deposits use them up" },
  "a lost machine": {
    each: 0n,
    why: "the daemon's machine is down for a whole lock, and the nodes of the source too",
  },
  "a lost decision": {
    each: 0n,
    why: "he waits for a journal that is restored from before the reveal",
  },
  "alarms that pause nothing": {
    each: 0n,
    why: "the operator has set `on_alarm: continue`",
  },
  "a slow node": { each: 0n, why: "its operator answers late" },
  "a limit of requests": { each: 0n, why: "the plan that the treasury has with its provider" },
  "a node without an estimate": { each: 0n, why: "its operator, or a young node" },
  "a false estimate": { each: 0n, why: "its operator" },
  "a full network": { each: 0n, why: "others pay for it; the adversary only waits for such hours" },
} as const satisfies Readonly<Record<string, Price>>

export type Means = keyof typeof PRICES

/**
 * So many of our transactions fill one block, or on Solana all that a block lets write to one
 * account. A lock has 500 blocks here and 144 on Bitcoin, so one block stands for a part of one
 * there. On EVM chains a real lock has more blocks, which would cost the adversary more.
 */
export const BLOCK_SPACE: Readonly<Record<Family, bigint>> = {
  // 1 000 000 virtual bytes, 154 for each redemption, times 144 / 500.
  bitcoin: 1_870n,
  // 30 million gas, 100 000 for each redemption.
  evm: 300n,
  // 12 million compute units for each account, 200 000 for each redemption.
  solana: 60n,
  starknet: 300n,
}

/** The purse of one order: so many times its worth. */
export const PURSE = 10n
