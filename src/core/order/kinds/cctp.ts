import type { OrderKind } from "./order-kind.ts"

const NO_REFUND = "no: a burn never comes back"
const LEAVING = { canRefund: NO_REFUND }

/** USDC, burnt on one chain and minted on another by its issuer's message (CCTP). */
export const cctpOrders = {
  kind: "cctp",
  abilities: { isReported: false, refund: false, redeem: "voucher" },
  names: {
    deposit: "burn",
    voucher: "attested",
    payout: "mint",
    trust: "The issuer of the coin: a burn never comes back, and its attestation opens the mint.",
  },
  words: {
    creating: { money: "in the wallet; building the burn", onRestart: "builds it again" },
    verifying: { money: "in the wallet; comparing the burn with the request and with the chains" },
    "deposit-planning": { money: "in the wallet; planning the burn", ...LEAVING },
    "deposit-signing": { money: "in the wallet; signing the planned burn", ...LEAVING },
    "deposit-sending": { money: "leaving the wallet; sending the stored burn", ...LEAVING },
    "deposit-confirming": { money: "leaving the wallet; confirming the burn", ...LEAVING },
    "deposit-bumping": {
      money: "leaving the wallet; raising the fee of the burn, same nonce",
      ...LEAVING,
    },
    funded: { money: "burnt; waiting for the issuer's attestation", ...LEAVING },
    "redeem-reported": {
      money: "minted, as the issuer reports; our own node does not show it yet",
      ...LEAVING,
    },
    "redeem-planning": { money: "burnt and attested; planning the mint", ...LEAVING },
    "redeem-signing": { money: "burnt and attested; signing the planned mint", ...LEAVING },
    "redeem-sending": { money: "burnt and attested; sending the stored mint", ...LEAVING },
    "redeem-confirming": { money: "burnt and attested; confirming the mint", ...LEAVING },
    "redeem-bumping": {
      money: "burnt and attested; raising the fee of the mint, same nonce",
      ...LEAVING,
    },
    settling: {
      money: "minted, as our own node shows; waiting for the finality of burn and mint",
      ...LEAVING,
    },
    held: {
      money: "the order's reasons tell; until an operator acts, Ballast signs nothing",
      canRefund: NO_REFUND,
      who: "operator: retry or abandon",
    },
    "proving-unfunded": {
      money: "in the wallet, as far as known; proving that no burn landed",
      ...LEAVING,
    },
  },
  without: [
    "gasless-signing",
    "gasless-submitting",
    "gasless-confirming",
    "disarmed",
    "revealing",
    "revealed",
    "refund-watch",
    "refund-planning",
    "refund-signing",
    "refund-sending",
    "refund-confirming",
    "refund-bumping",
    "refunded",
  ],
} as const satisfies OrderKind
