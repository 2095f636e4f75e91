import type { PlantedFault } from "./ordinary-faults.ts"

/**
 * A thirteenth list of faults, written from the documents alone before one of them was planted: one
 * call of nodes that an idle daemon or an order needs, history that providers cut, quotes that
 * are over, slips of a file that is edited in a hurry, and a host that stands still.
 *
 * At its first run the daemon named 13 of the 24 rows: 5 of 7 in the idle world, 3 of 6 starts,
 * none of 4 machines, 5 of 7 orders. Two were planted wrongly (`against`: without contracts no
 * rule acts; `listen-away`: without TLS the address is refused first), two are no faults
 * (`crlf-key`: white space around a key is dropped; `other_token`: commands use the socket), and
 * the pattern of `retry_chain` was too narrow.
 */
export const UNNAMED_DRILL: Readonly<Record<string, string>> = {
  against: "alarm.churn names it after a day; before, nothing compares the rules of a file",
  "crlf-key": "it is no fault: white space around a key is dropped",
  other_token: "it is no fault: commands of this machine use the socket",
  asleep: "it is over when the daemon can say it; a suspended machine is no fault",
  allowance_ethereum_sepolia: "the order waits for the finality of its approval without a reason",
}

const REPAIR = "Repair the node, or use another endpoint"
const NODE = /Repair|replace|another endpoint/i
const ORDER = /node|endpoint|order/i

/** Each on a chain of its own, in the world of one idle daemon. */
export const DRILL_NODE_FAULTS: readonly PlantedFault[] = [
  fault("the newest block is null", "null_chain", {
    sentence: "null_chain gives no newest block",
    remedy: REPAIR,
    says: /block|null|\bform\b|malformed/i,
    todo: NODE,
    shows: "the stub answered eth_getBlockByNumber with null",
  }),
  fault("only the newest block is limited (429)", "retry_chain", {
    sentence: "retry_chain answers HTTP 429: too many requests for eth_getBlockByNumber",
    remedy: "Raise the plan, or use another endpoint",
    says: /429|too many requests/,
    todo: /plan|limit|provider|another endpoint/i,
    shows: "the stub answered a request for a block with 429",
  }),
  fault("Solana: too many requests of one method, said with 200", "rated_sol_chain", {
    sentence: "the node says: Too many requests for a specific RPC call",
    remedy: "Raise the plan, or use another endpoint",
    says: /Too many requests|429/,
    todo: /plan|limit|provider|another endpoint/i,
    shows: "the stub refused getBalance with code 429",
  }),
]

export const DRILL_SERVICE_FAULTS: readonly PlantedFault[] = [
  fault("its answers are compressed, and no header says so", "zipped", {
    sentence: "the answers of zipped are no JSON",
    remedy: "Ask its operator, or look at the proxy before it",
    says: /JSON|\bform\b|malformed|gzip|compress/i,
    todo: /operator|proxy|\burl\b/i,
    shows: "the stub answered with bytes of gzip",
  }),
]

export const DRILL_PRICE_FAULTS: readonly PlantedFault[] = [
  fault("Coinbase: the last trade is an hour old", "null_chain:eth", {
    sentence: "the price of null_chain:eth is an hour old",
    remedy: "Name another market or source",
    says: /\bold\b|stale/i,
    todo: /product|another|prices\.sources/i,
    shows: "the stub gave a ticker of an hour ago",
  }),
]

export const DRILL_RECEIVER_FAULTS: readonly PlantedFault[] = [
  fault("nothing listens at a webhook's port", "closed_desk", {
    sentence: "the receiver refuses connections",
    remedy: "Start the receiver, or correct its address",
    says: /ECONNREFUSED|refuse/i,
    todo: /receiver|address|\burl\b/i,
    shows: "a connection to the port is refused",
  }),
  fault("Telegram: a refusal, said with 200", "nay_desk", {
    sentence: "Telegram says: need administrator rights in the channel chat",
    remedy: "Make the bot an administrator of the channel",
    says: /administrator rights/,
    todo: /chat|channel|bot|receiver|token/i,
    shows: "the stub answered a message with ok: false",
  }),
]

/** `ballast run` names it, and `status` then, of a daemon that runs or one that ended. */
export const DRILL_START_FAULTS: readonly PlantedFault[] = [
  fault("ops.listen has an address of another machine", "listen-away", {
    sentence: "this machine has no address 203.0.113.7",
    remedy: "Write an address of this machine",
    says: /203\.0\.113\.7.*(address|EADDRNOTAVAIL)|EADDRNOTAVAIL/,
    todo: /ops\.listen|address/,
    shows: "the file has an address of a documentation network",
  }),
  fault("two rules undo each other", "against", {
    sentence: "the rules out and back sell each other's asset again and again",
    remedy: "Remove one of them",
    says: /\bout\b.*\bback\b|\bback\b.*\bout\b/,
    todo: /remove|one of|other/i,
    shows: "the file has a rule from a to b, and one from b to a at the same times",
  }),
  fault("one token is listed under two names", "token-twice", {
    sentence: "some_chain:usdc and some_chain:usdc2 are the same token",
    remedy: "Remove one of them",
    says: /usdc2/,
    todo: /remove|one of|once|same token/i,
    shows: "the file has two assets with one address",
  }),
  fault("the key ends with the line end of Windows", "crlf-key", {
    sentence: "the key in WALLET_KEY ends with a carriage return",
    remedy: "Write the variable without it",
    says: /carriage return|line end|\\r|white ?space|blank/i,
    todo: /remove|without|line end|\\r|write/i,
    shows: "the variable has a carriage return at its end",
  }),
  fault("a band narrower than its smallest order", "band-narrow", {
    sentence: "stock can never act: between target and max is less than least",
    remedy: "Widen the band, or lower least",
    says: /stock/,
    todo: /least|\bmin\b|target|\bmax\b/,
    shows: "the band is one dollar wide, and least is 500",
  }),
  fault("a currency's sign in an amount", "dollar-sign", {
    sentence: "guards.max_order is no amount: $500",
    remedy: "Write 500 usd",
    says: /max_order/,
    todo: /500 usd|usd/,
    shows: "the file has max_order: $500",
  }),
]

/** Each with a daemon of its own. */
export const DRILL_MACHINE_FAULTS: readonly PlantedFault[] = [
  fault("a reload refuses an unknown key", "unknown_key", {
    sentence: "the file has an unknown key: guards.max_ordr; the daemon keeps the old one",
    remedy: "Correct it, then reload",
    says: /max_ordr/,
    todo: /reload/,
    shows: "the reload was refused",
  }),
  fault("a reload needs a variable that the daemon lacks", "variable_lost", {
    sentence: "the environment of the daemon has no DESK_KEY",
    remedy: "Set it where the daemon is started, and restart",
    says: /DESK_KEY/,
    todo: /restart|environment|\bset\b/i,
    shows: "the reload was refused",
  }),
  fault("the command line has another token than the daemon", "other_token", {
    sentence: "the daemon refuses the token of this command (HTTP 401)",
    remedy: "Give the command the daemon's token",
    says: /401|token/,
    todo: /token/,
    shows: "the port answers 401 to the command's token",
  }),
  fault("the process stands still for forty seconds", "asleep", {
    sentence: "the daemon stood still for 40 seconds",
    remedy: "Look at the host: suspend, memory, processor",
    says: /(stood still|frozen|stopped|suspend|hung|did not run|paused by).*(4\d|3\d) ?s/i,
    todo: /host|machine|memory|processor|suspend/i,
    shows: "the process was stopped (SIGSTOP), and went on",
  }),
]

/** Each a service of its own, with a pair of its own: calls of orders fail, all else is good. */
export const DRILL_CALL_FAULTS: readonly PlantedFault[] = [
  fault("each new order comes too late: the quote is over (400)", "create_stale", {
    sentence: "the service says: quote expired",
    remedy: "Compare the clocks, or ask its operator",
    says: /quote expired/,
    todo: /operator|service|clock/,
    shows: "the stub refused a new order",
  }),
  fault("quotes sell half of the amount that was asked for", "quote_less", {
    sentence: "quotes of quote_less are of another amount",
    remedy: "Ask its operator",
    says: /amount/i,
    todo: /operator|service/,
    shows: "the stub halved the sold amount of a quote",
  }),
]

/** Each a chain of the sandbox, behind a proxy that spoils one method. */
export const DRILL_METHOD_FAULTS: readonly PlantedFault[] = [
  fault("the node gives no logs: too many results", "logs_base_sepolia", {
    sentence: "orders wait: query returned more than 10000 results",
    remedy: REPAIR,
    says: /10000 results/,
    todo: ORDER,
    shows: "the proxy refused eth_getLogs",
  }),
  fault("someone takes our allowance away again and again", "allowance_ethereum_sepolia", {
    sentence: "orders wait: the allowance is zero after its approval",
    remedy: "Find out who revokes it",
    says: /allowance/i,
    todo: /allowance|wallet|key|node|endpoint/i,
    shows: "the proxy answered allowance with zero",
  }),
  fault("Bitcoin: who spent an output is never known (500)", "outspend_bitcoin_testnet", {
    sentence: "orders wait: bitcoin_testnet answers HTTP 500 when asked who spent the deposit",
    remedy: REPAIR,
    says: /500/,
    todo: ORDER,
    shows: "the proxy answered a path of outspend with 500",
  }),
  fault("Solana: the node keeps no history", "history_solana_testnet", {
    sentence: "orders wait: Transaction history is not available from this node",
    remedy: REPAIR,
    says: /history is not available/,
    todo: ORDER,
    shows: "the proxy refused the reading of history",
  }),
  fault("Starknet: the node gives no events", "events_starknet_sepolia", {
    sentence: "orders wait: the node says: Cannot find events",
    remedy: REPAIR,
    says: /Cannot find events/,
    todo: ORDER,
    shows: "the proxy refused starknet_getEvents",
  }),
]

type Words = Omit<PlantedFault, "name" | "at">

function fault(name: string, at: string, words: Words): PlantedFault {
  return { name, at, ...words }
}
