import type { PlantedFault } from "./ordinary-faults.ts"

/**
 * A twelfth list of faults, written from the documents alone before a row of the eleventh list was
 * planted.
 *
 * At its first run, before any mend, the daemon named 14 of the 17 rows that ran: 8 of 10 in the
 * idle world, 5 of 5 starts, 1 of 2 machines. One pattern was too narrow (`text_sol_chain:sol`).
 * The three rows of orders have had no whole run yet.
 */
export const UNNAMED_SURPRISE: Readonly<Record<string, string>> = {
  listless_btc: "doctor names it, and the daemon does not; its course was not examined",
  tls_client: "a handshake with a port without TLS is bytes of no request, and leaves no word",
}

export const SURPRISE_NODE_FAULTS: readonly PlantedFault[] = [
  fault("the trial of the provider is over, said with 200", "trial_chain", {
    sentence: "the node says: your trial has ended",
    remedy: "Raise the plan, or use another endpoint",
    says: /trial has ended/,
    todo: /plan|provider|Repair|another endpoint/i,
    shows: "the stub answered with these words",
  }),
  fault("Solana: the balance is a text", "text_sol_chain", {
    sentence: "the balance of text_sol_chain is no number",
    remedy: "Repair the node, or use another endpoint",
    says: /\bform\b|malformed|number|expected|balance/i,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub answered getBalance with a text",
  }),
  fault("Starknet: the version of the interface is retired (410)", "retired_stark_chain", {
    sentence: "retired_stark_chain answers HTTP 410",
    remedy: "Correct the URL, or use another endpoint",
    says: /410/,
    todo: /URL|Repair|replace|another endpoint/i,
    shows: "the stub answered 410",
  }),
  fault("Bitcoin: the list of blocks is empty", "listless_btc", {
    sentence: "listless_btc shows no block",
    remedy: "Repair the node, or use another endpoint",
    says: /block|\bform\b|malformed/i,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub answered a path of blocks with an empty list",
  }),
]

export const SURPRISE_SERVICE_FAULTS: readonly PlantedFault[] = [
  fault("it wants a newer client (426)", "upgrading", {
    sentence: "upgrading says: client version is not supported (HTTP 426)",
    remedy: "Upgrade Ballast, or ask its operator",
    says: /426|not supported/,
    todo: /operator|upgrade|version|\burl\b/i,
    shows: "the stub answered 426",
  }),
  fault("it accepts nothing that we accept (406)", "picky", {
    sentence: "picky answers HTTP 406",
    remedy: "Ask its operator",
    says: /406/,
    todo: /operator|\burl\b/i,
    shows: "the stub answered 406",
  }),
]

export const SURPRISE_PRICE_FAULTS: readonly PlantedFault[] = [
  fault("the price is in hexadecimal", "trial_chain:eth", {
    sentence: "0x0bb8 is no price",
    remedy: "Name a path with a plain number",
    says: /0x0bb8|no number|no price/,
    todo: /\bpath\b|prices\.sources/i,
    shows: "the stub answered with 0x0bb8",
  }),
  fault("Kraken: the answer has no market", "text_sol_chain:sol", {
    sentence: "Kraken's answer has no market",
    remedy: "Correct product, or add another source",
    says: /market|pair|Kraken|\bform\b|malformed|no price|result/i,
    todo: /product|prices\.sources/i,
    shows: "the stub answered with an empty result",
  }),
]

export const SURPRISE_RECEIVER_FAULTS: readonly PlantedFault[] = [
  fault("Telegram: too many messages (429)", "flooded_desk", {
    sentence: "Telegram says: Too Many Requests: retry after 35 (HTTP 429)",
    remedy: "Nothing: it passes",
    says: /429|Too Many Requests|rate limited until/i,
    todo: /wait|limit|pass|later|again|fewer|receiver/i,
    shows: "the stub answered a message with 429",
  }),
  fault("a webhook's path is unknown (404)", "pathless_desk", {
    sentence: "the receiver answers HTTP 404",
    remedy: "Correct its address",
    says: /404/,
    todo: /address|\burl\b|receiver/i,
    shows: "the stub answered a message with 404",
  }),
]

/** `ballast run` names it, and `status` then, of a daemon that runs or one that ended. */
export const SURPRISE_START_FAULTS: readonly PlantedFault[] = [
  fault("the daily message has an hour that no day has", "hour-25", {
    sentence: "alerts.daily.at is no time of day: 25:00",
    remedy: "Write HH:MM",
    says: /daily/,
    todo: /HH:MM|00:00|07:00|\btime\b/,
    shows: "the file has at: 25:00",
  }),
  fault("an agent may swap without a limit", "agent-limitless", {
    sentence: "the agent helper may swap, and has no max_order",
    remedy: "Write max_order and max_day",
    says: /max_order|max_day/,
    todo: /max_order|max_day/,
    shows: "the file has an agent with the tool swap and no limit",
  }),
  fault("a scope has a slip", "scope-slip", {
    sentence: "aprove is no scope",
    remedy: "Write read, operate or approve",
    says: /aprove|scopes/,
    todo: /approve/,
    shows: "the file has a token with the scope aprove",
  }),
  fault("PostgreSQL: an administrator ends our connections (57P01)", "pg-57P01", {
    sentence: "PostgreSQL says: terminating connection due to administrator command",
    remedy: "Ask the administrator of the server",
    says: /57P01|administrator/,
    todo: /server|PostgreSQL|database|administrator/i,
    shows: "the stub refused a connection by 57P01",
  }),
  fault("the port of the proxy does not exist", "proxy-port", {
    sentence: "HTTPS_PROXY is no URL: its port is 99999",
    remedy: "Write http://host:port",
    says: /proxy/i,
    todo: /http:\/\/|port/,
    shows: "the daemon's environment has HTTPS_PROXY with port 99999",
  }),
]

/** Each with a daemon of its own. */
export const SURPRISE_MACHINE_FAULTS: readonly PlantedFault[] = [
  fault("the clock jumps back by an hour under the daemon", "clock_step", {
    sentence: "this machine's clock went back by an hour",
    remedy: "Set the clock right (NTP)",
    says: /\bclock\b|ahead/i,
    todo: /NTP|clock/i,
    shows: "the daemon's environment moves its clock after fifteen seconds",
  }),
  fault("clients speak TLS to a port without it", "tls_client", {
    sentence: "clients speak TLS to ops.listen, which has none",
    remedy: "Write ops.tls, or http:// at the client",
    says: /TLS|https/i,
    todo: /ops\.tls|http:\/\//i,
    shows: "a handshake with the port fails",
  }),
]

/** Each a service of its own, with a pair of its own. */
export const SURPRISE_CALL_FAULTS: readonly PlantedFault[] = [
  fault("new orders are sent elsewhere (302)", "create_redirect", {
    sentence: "new orders are redirected (HTTP 302)",
    remedy: "Correct its url, or ask its operator",
    says: /302|redirect/,
    todo: /\burl\b|operator|service/i,
    shows: "the stub answered a new order with 302",
  }),
  fault("the answer to a quote has no result", "quote_resultless", {
    sentence: "the quotes of quote_resultless have another form",
    remedy: "Ask its operator",
    says: /\bform\b|malformed|result|answer/i,
    todo: /operator|service/,
    shows: "the stub answered a quote without its result",
  }),
]

/** A chain of the sandbox, behind a proxy that spoils one method. */
export const SURPRISE_METHOD_FAULTS: readonly PlantedFault[] = [
  fault("the node's policy refuses our account", "policy_ethereum_sepolia", {
    sentence: "orders wait: sender is blocked by policy",
    remedy: "Use another endpoint",
    says: /blocked by policy/,
    todo: /node|endpoint/i,
    shows: "the proxy refused a transaction",
  }),
]

type Words = Omit<PlantedFault, "name" | "at">

function fault(name: string, at: string, words: Words): PlantedFault {
  return { name, at, ...words }
}
