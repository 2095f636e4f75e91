import type { FurtherFault } from "./further-faults.ts"

/**
 * Faults of the third list: written before they were planted for the first time. Of the twenty-nine
 * the daemon then named sixteen in the words of the list, eight more with the true cause and other
 * words or another code (the rows have them now), and missed five: answers with the ids of other
 * calls (named by a symptom), an invented fee, a delegated wallet, a service with another
 * interface, and the day that never comes (in the words of a library).
 */
export const OUTSIDE_NODE_FAULTS: readonly FurtherFault[] = [
  node("a certificate that no authority signed", "forged_chain", /SELF.SIGNED/i, /CA_CERTS/),
  node("a broken gzip body", "packed_chain", /gzip|decompress|header|encoding/i, /Correct|Repair/),
  node("an answer of one byte a second", "drip_chain", /no whole answer/, /Repair/),
  node("the answers of other calls", "mixed_chain", /\bids?\b|other call|answer/i, /Repair/),
  node("no newest block", "null_chain", /block|null/i, /Repair|Correct/),
  {
    ...node("Solana, of another cluster", "sol_chain", /is on network/, /Correct the URL/),
    code: "node.wrong_network",
  },
  {
    ...node("Starknet, of another network", "stark_chain", /is on network/, /Correct the URL/),
    code: "node.wrong_network",
  },
  {
    ...node("Bitcoin, of another network", "coin_chain", /is on network/, /Correct the URL/),
    code: "node.wrong_network",
  },
  {
    ...node("Bitcoin, with a head of this morning", "old_coin_chain", /newest block is/, /Repair/),
    code: "node.behind",
  },
  {
    ...node("one of three invents a fee", "fee_chain", /network fee of 9\d+/, /explorer/),
    code: "chain.fee_outlier",
  },
  {
    ...node("the wallet delegates to a contract", "stolen_chain", /delegates to 0x/, /key/),
    code: "wallet.has_code",
  },
]

export const OUTSIDE_SERVICE_FAULTS: readonly FurtherFault[] = [
  service("a certificate that no authority signed", "forged", /SELF.SIGNED/i, /CA_CERTS/),
  {
    ...service("a redirect to a login page (302)", "portal", /302/, /url/),
    code: "service.failing",
  },
  service("JSON of another interface", "foreign", /not the interface/, /url|operator/),
  service("an answer of one byte a second", "drip", /no complete answer/, /url|operator/),
]

export const OUTSIDE_PRICE_FAULTS: readonly FurtherFault[] = [
  price("a negative price", "forged_chain:eth", "unavailable", /negative|below zero|-3000/),
  price("a price that is a word", "packed_chain:eth", "unavailable", /soon.* is no price/),
  price("one of three sources is inverted", "drip_chain:eth", "source_down", /too small/),
  {
    ...price("a forged certificate", "mixed_chain:eth", "unavailable", /SELF.SIGNED/i),
    todo: /CA_CERTS/,
  },
]

export const OUTSIDE_RECEIVER_FAULTS: readonly FurtherFault[] = [
  receiver("the token is wrong (401)", "token_desk", /HTTP 401/),
  receiver("a redirect to a login page (302)", "portal_desk", /HTTP 302/),
  receiver("no answer at all", "mute_desk", /no whole answer/),
]

/** `ballast run` ends with a message, and `status` names it afterwards as the last exit. */
export const OUTSIDE_EXIT_FAULTS: readonly FurtherFault[] = [
  start("the node's URL is a WebSocket", "config.invalid", /rpc/, /https?:/),
  start("the keystore's password is wrong", "config.invalid", /password in/, /does not open/),
  start("data_dir is a link to nowhere", "daemon.lock_file", /does not exist|link/, /folder|link/),
  start("ops.listen is not of this machine", "ops.listen", /192\.0\.2\.1/, /ops\.listen/),
  start("the key is of Solana, the chain of EVM", "config.key", /private key/, /0x/),
  start("a band's minimum is above its maximum", "config.invalid", /min|max/, /./),
  start("a schedule that no day meets", "config.invalid", /never comes/, /0 9 \* \* MON/),
]

function node(name: string, at: string, says: RegExp, todo: RegExp): FurtherFault {
  return { name: `a node: ${name}`, at, code: "node.silent", says, todo }
}

function service(name: string, at: string, says: RegExp, todo: RegExp): FurtherFault {
  return { name: `a service: ${name}`, at, code: "service.away", says, todo }
}

function price(name: string, at: string, state: string, says: RegExp): FurtherFault {
  return { name: `prices: ${name}`, at, code: `prices.${state}`, says, todo: /prices\.sources/ }
}

function receiver(name: string, at: string, says: RegExp): FurtherFault {
  const todo = /Correct its address/
  return { name: `a receiver: ${name}`, at, code: "alerts.undelivered", says, todo }
}

function start(name: string, code: string, says: RegExp, todo: RegExp): FurtherFault {
  return { name, at: name.replaceAll(/\W+/g, "-"), code, says, todo }
}
