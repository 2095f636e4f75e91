import type { StrangeFault } from "./strange-faults.ts"

/**
 * A fourth list, written after the kinds of `unseen-faults.ts` were mended and before one of these
 * was planted: providers' own words, pages in the place of answers, what people paste into the
 * file, the proxies and the errors of PostgreSQL that the third list did not have.
 */
const REPAIR = "Repair the node, or use another endpoint"

/** Each on a chain of its own. */
export const UNFORESEEN_NODE_FAULTS: readonly StrangeFault[] = [
  fault("the page of a gateway without its node, with 200", "gateway_chain", {
    sentence: 'the answer is the web page "502 Bad Gateway"',
    remedy: REPAIR,
    says: /Bad Gateway/,
    todo: /URL|Repair|replace|another endpoint/,
  }),
  fault("the provider has suspended the project", "suspended_chain", {
    sentence: "the provider says: project is suspended, update your billing",
    remedy: "Pay the provider, or use another endpoint",
    says: /suspended/,
    todo: /provider|Pay|plan|key/,
  }),
  fault("every read takes too long for the node", "timeout_chain", {
    sentence: "the node says: request timed out",
    remedy: REPAIR,
    says: /timed out/,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("Bitcoin: the index of the server is being built (503)", "index_btc", {
    sentence: "the server says: index is being built (HTTP 503)",
    remedy: "Wait, or use another endpoint",
    says: /503|index/,
    todo: /Repair|replace|another endpoint|wait/i,
  }),
  fault("Solana: a minimum slot is not reached", "minimum_sol_chain", {
    sentence: "the node says: Minimum context slot has not been reached",
    remedy: REPAIR,
    says: /minimum context slot/i,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("Starknet: the endpoint wants a key, in its own words", "keyed_stark_chain", {
    sentence: "the endpoint says: Unauthorized: missing API key",
    remedy: "Write the key into the endpoint's URL",
    says: /API key|unauthori[sz]ed/i,
    todo: /\bkey\b/i,
  }),
]

export const UNFORESEEN_SERVICE_FAULTS: readonly StrangeFault[] = [
  fault("a wrong key, said with 200", "keyed", {
    sentence: "the service says: Invalid API key",
    remedy: "Check app_id",
    says: /Invalid API key/,
    todo: /app_id/,
  }),
  fault("a check for browsers (503, a page)", "browser", {
    sentence: 'the answer is the web page "Just a moment..." (HTTP 503)',
    remedy: "Ask its operator to admit this machine",
    says: /Just a moment|web page/,
    todo: /operator|admit/,
  }),
  fault("the domain is for sale", "parked", {
    sentence: 'the answer is the web page "This domain is for sale"',
    remedy: "Correct the url of the service",
    says: /for sale/,
    todo: /\burl\b/,
  }),
]

export const UNFORESEEN_PRICE_FAULTS: readonly StrangeFault[] = [
  fault("the symbol is unknown there", "gateway_chain:eth", {
    sentence: "the source says: Invalid symbol",
    remedy: "Correct the url of the source",
    says: /Invalid symbol/,
    todo: /prices\.sources/,
  }),
  fault("Kraken: the pair is unknown", "suspended_chain:eth", {
    sentence: "Kraken says: Unknown asset pair",
    remedy: "Correct product of the source",
    says: /Unknown asset pair/,
    todo: /prices\.sources/,
  }),
  fault("the page of a check for browsers (403)", "timeout_chain:eth", {
    sentence: 'the source answers HTTP 403 with the page "Attention Required!"',
    remedy: "Replace the source",
    says: /403/,
    todo: /replace|prices\.sources/i,
  }),
]

export const UNFORESEEN_RECEIVER_FAULTS: readonly StrangeFault[] = [
  fault("Discord: the webhook is deleted", "discord_desk", {
    sentence: "Discord says: Unknown Webhook (HTTP 404)",
    remedy: "Make a new webhook, and correct its address",
    says: /Unknown Webhook|404/,
    todo: /address/i,
  }),
  fault("Slack: the application may not post there (403)", "slack_desk", {
    sentence: "Slack says: action_prohibited (HTTP 403)",
    remedy: "Correct its address, or ask the administrator",
    says: /action_prohibited|403/,
    todo: /address|secret/i,
  }),
  fault("the mail server lets us not send as this sender (550)", "sender_desk", {
    sentence: "the mail server says: 550 no permission to send as this sender",
    remedy: "Correct from of the receiver",
    says: /550/,
    todo: /address|from/i,
  }),
]

/** Each with a daemon of its own. */
export const UNFORESEEN_MACHINE_FAULTS: readonly StrangeFault[] = [
  fault("the proxy takes connections and never answers", "proxy_mute", {
    sentence: "the proxy gives no answer",
    remedy: "Repair the proxy, or correct HTTPS_PROXY",
    says: /proxy/i,
    todo: /PROXY|proxy/,
  }),
  fault("the proxy's name is unknown", "proxy_name", {
    sentence: "the name of the proxy is not known",
    remedy: "Correct HTTPS_PROXY",
    says: /proxy/i,
    todo: /PROXY|proxy/,
  }),
  fault("the proxy cannot reach the hosts (502)", "proxy_lost", {
    sentence: "the proxy answers HTTP 502",
    remedy: "Repair the proxy's own way out",
    says: /proxy.*502|502.*proxy/i,
    todo: /PROXY|proxy/,
  }),
  fault("NODE_EXTRA_CA_CERTS names a file without a certificate", "ca_empty", {
    sentence: "the file of NODE_EXTRA_CA_CERTS has no certificate",
    remedy: "Write the certificate in PEM",
    says: /NODE_EXTRA_CA_CERTS/,
    todo: /path|PEM|certificate/i,
  }),
]

/** `ballast run` names it, and `status` then, of a daemon that runs or one that ended. */
export const UNFORESEEN_START_FAULTS: readonly StrangeFault[] = [
  fault("a keystore in the place of a key", "json-key", {
    sentence: "the file is a keystore",
    remedy: "Write keystore: in place of file:",
    says: /keystore|private key/i,
    todo: /keystore:|0x/,
  }),
  fault("Bitcoin: the key is of another network", "main-wif", {
    sentence: "the key is not of this Bitcoin network",
    remedy: "Export the key of the right network",
    says: /network/i,
    todo: /export|network/i,
  }),
  fault("Solana: half of a key", "half-key", {
    sentence: "the key has 32 bytes, and 64 belong there",
    remedy: "Write all 64 numbers",
    says: /Solana key/,
    todo: /64/,
  }),
  fault("a variable as the shell writes it", "shell-variable", {
    sentence: "the braces of a shell are no reference",
    remedy: "Write env:EVM_KEY",
    says: /key/,
    todo: /env:/,
  }),
  fault("a URL without its scheme", "schemeless", {
    sentence: "localhost:8545 is no URL",
    remedy: "Write http:// before it",
    says: /rpc/,
    todo: /https?:\/\//,
  }),
  fault("only a port in ops.listen", "bare-port", {
    sentence: "7070 is no address",
    remedy: "Write 127.0.0.1:7070",
    says: /ops\.listen/,
    todo: /127\.0\.0\.1|host/i,
  }),
  fault("a schedule in words (@daily)", "daily", {
    sentence: "@daily is no schedule of five fields",
    remedy: 'Write "0 9 * * *"',
    says: /schedule/,
    todo: /\* \*|fields/,
  }),
  fault("shares that sum up to 90 %", "ninety", {
    sentence: "the weights sum up to 90 %",
    remedy: "Let them sum up to 100 %",
    says: /weights|90/,
    todo: /100/,
  }),
  fault("the asset in capitals", "capitals", {
    sentence: "some_chain:WBTC is not in assets",
    remedy: "Write some_chain:wbtc",
    says: /WBTC/,
    todo: /wbtc|lower|small/,
  }),
  fault("a negative amount", "negative", {
    sentence: '"-1" is no amount',
    remedy: "Write an amount above zero",
    says: /amount/,
    todo: /above zero|positive|such as/i,
  }),
  fault("a currency that the prices are not in", "currency", {
    sentence: "max_order is in eur, and prices are in usd",
    remedy: "Write usd",
    says: /eur/i,
    todo: /usd/i,
  }),
  fault("PostgreSQL: the server is a standby (25006)", "pg-25006", {
    sentence: "the server is read-only: a standby",
    remedy: "Name the primary in journal",
    says: /read-only/,
    todo: /primary|journal/i,
  }),
  fault("PostgreSQL: its disk is full (53100)", "pg-53100", {
    sentence: "PostgreSQL has no space left on its disk",
    remedy: "Free some space on the server",
    says: /no space left|disk/i,
    todo: /space|server/i,
  }),
  fault("PostgreSQL: it shuts down (57P03)", "pg-57P03b", {
    sentence: "the database system is shutting down",
    remedy: "Start PostgreSQL again",
    says: /shutting down/,
    todo: /start|wait|again/i,
  }),
]

type Words = Pick<StrangeFault, "sentence" | "remedy" | "says" | "todo">

function fault(name: string, at: string, words: Words): StrangeFault {
  return { name, at, ...words }
}
