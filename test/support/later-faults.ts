import type { StrangeFault } from "./strange-faults.ts"

const REPAIR = "Repair the node, or use another endpoint"
const ASK = "Ask its operator"
const CORRECT_KEY = "Write the key of this family"

/** Each on a chain of its own, in the world of one idle daemon. */
export const LATER_NODE_FAULTS: readonly StrangeFault[] = [
  fault("the day's requests are used up, said with 200", "quota_chain", {
    sentence: "the node says: daily request count exceeded",
    remedy: "Wait until tomorrow, take a larger plan, or another endpoint",
    says: /daily request count exceeded/,
    todo: /plan|limit|wait|another endpoint|replace/i,
  }),
  fault("balances of the newest block cannot be read", "header_chain", {
    sentence: "the balance of header_chain cannot be read: header not found",
    remedy: REPAIR,
    says: /header not found/,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("an error that is no answer of JSON-RPC, with 200", "naked_chain", {
    sentence: "the node says: API key expired",
    remedy: "Renew the key in the endpoint's URL",
    says: /API key expired/,
    todo: /key|URL/i,
  }),
  fault("Solana: accounts are excluded from the node's index", "index_sol_chain", {
    sentence: "the balance of index_sol_chain cannot be read: excluded from account indexes",
    remedy: REPAIR,
    says: /excluded/,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("Starknet: the token reverts when it is asked for the balance", "revert_stark_chain", {
    sentence: "the balance of revert_stark_chain cannot be read: the call reverts",
    remedy: "Repair the node, or ask the issuer of the token",
    says: /revert|contract error|is paused/i,
    todo: /Repair|replace|another endpoint|token|issuer/i,
  }),
  fault("Bitcoin: our address has too many entries for the server (400)", "hot_btc", {
    sentence: "the coins of hot_btc cannot be read: Too many history entries",
    remedy: "Use a server with a higher limit, or another address",
    says: /too many history entries/i,
    todo: /Repair|replace|endpoint|server/i,
  }),
  fault("Bitcoin: the server's newest block is ten hours old", "old_btc", {
    sentence: "old_btc is behind: its newest block is ten hours old",
    remedy: REPAIR,
    says: /behind|newest block|no (new )?block/i,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("one of two endpoints stands half an hour behind", "lag_chain", {
    sentence: "one of two endpoints of lag_chain is half an hour behind",
    remedy: "Repair or replace the endpoint",
    says: /behind/,
    todo: /Repair|replace|another endpoint/i,
  }),
]

/** Each a service of its own. */
export const LATER_SERVICE_FAULTS: readonly StrangeFault[] = [
  fault("the answer comes a byte a second", "drip", {
    sentence: "the service gives no whole answer within its timeout",
    remedy: ASK,
    says: /no (whole |complete )?answer|timed? ?out|within/i,
    todo: /operator|service|url|timeout/i,
  }),
  fault("it is not offered in this country (403)", "region", {
    sentence: "the service says: not available in your region (HTTP 403)",
    remedy: ASK,
    says: /403.*region|region.*403/i,
    todo: /operator|region|country|network|permission/i,
  }),
  fault("lists are objects", "shape", {
    sentence: "the service's answers have another form than agreed",
    remedy: ASK,
    says: /form|malformed|list|shape/i,
    todo: /operator|version|url/i,
  }),
]

/** Each a price source of an asset of its own. */
export const LATER_PRICE_FAULTS: readonly StrangeFault[] = [
  fault("the price is an empty text", "quota_chain:eth", {
    sentence: "the source gives no price: the text is empty",
    remedy: "Correct or replace the source",
    says: /empty|no (price|number)|not a (price|number)/i,
    todo: /path|replace|prices\.sources/i,
  }),
  fault("the price's time is tomorrow", "header_chain:eth", {
    sentence: "the price of the source has a time in the future",
    remedy: "Correct time_path, or replace the source",
    says: /future|ahead|tomorrow|later than/i,
    todo: /time_path|clock|replace|prices\.sources/i,
  }),
  fault("the answer ends in its middle", "naked_chain:eth", {
    sentence: "the source's answer is cut off",
    remedy: "Replace the source",
    says: /not JSON|no JSON|cut|broken|incomplete|ends/i,
    todo: /\burl\b|replace|prices\.sources/i,
  }),
]

/** Each a receiver of alerts. */
export const LATER_RECEIVER_FAULTS: readonly StrangeFault[] = [
  fault("Slack: the channel is archived (410)", "archived_desk", {
    sentence: "Slack says: channel_is_archived (HTTP 410)",
    remedy: "Make a webhook for another channel",
    says: /channel_is_archived/,
    todo: /channel|webhook|url/i,
  }),
  fault("the mail server takes us for new and asks for patience (451)", "grey_desk", {
    sentence: "the mail server says: 451 greylisted, try again later",
    remedy: "Nothing: it passes. Else ask the operator of the mail server",
    says: /451.*(greylist|later)/i,
    todo: /wait|pass|later|again|operator|mail server/i,
  }),
]

/** `ballast run` names it, and `status` then, of a daemon that runs or one that ended. */
export const LATER_START_FAULTS: readonly StrangeFault[] = [
  fault("the configured contract of swaps has no code there", "htlcless", {
    sentence: "no contract is at the htlc of some_chain:eth",
    remedy: "Correct htlc of the asset",
    says: /no (code|contract)|htlc/i,
    todo: /htlc|correct|asset/i,
  }),
  fault("a window that allows nothing", "zero-window", {
    sentence: "guards.windows[0].max is zero, so no order ever begins",
    remedy: "Raise the window, or pause",
    says: /windows?.*(zero|no order|never|nothing|0 usd|above)/i,
    todo: /windows?|raise|max/i,
  }),
  fault("no solver is allowed", "no-solver", {
    sentence: "guards.solvers.allow is empty, so no quote is ever accepted",
    remedy: "Name a solver, or remove the list",
    says: /solvers?.*(empty|no (solver|quote)|never|nothing|at least|none)/i,
    todo: /solver|remove|list/i,
  }),
  fault("a band has its own asset as source", "self-source", {
    sentence: "some_chain:eth is its own source",
    remedy: "Name another source",
    says: /sources?.*(own|itself|same)|(own|itself|same).*source/i,
    todo: /sources?|remove|another/i,
  }),
  fault("a rule of kind gas names a token", "gas-token", {
    sentence: "some_chain:usdc is not the coin of its chain",
    remedy: "Name some_chain:eth",
    says: /(coin|native|network fees?)/i,
    todo: /asset|coin|native/i,
  }),
  fault("EVM: a key with a digit too few", "short-key", {
    sentence: "the key has 63 hexadecimal digits in place of 64",
    remedy: "Copy the whole key again",
    says: /private key|63|digits|32 bytes/i,
    todo: /key|0x|hex|copy/i,
  }),
  fault("Solana: the key in base 64", "sol-base64", {
    sentence: "the key of Solana is no base 58 of 64 bytes",
    remedy: CORRECT_KEY,
    says: /Solana|base ?58/i,
    todo: /base ?58|64 (bytes|numbers)|array/i,
  }),
  fault("Starknet: the key of an EVM wallet", "stark-large", {
    sentence: "the key is not below the order of the Stark curve",
    remedy: CORRECT_KEY,
    says: /curve|Stark(net)? (private )?key|too large|range/i,
    todo: /key|Stark/i,
  }),
  fault("the variable of a key is empty", "empty-env", {
    sentence: "the variable KEY_OF_THE_CHAIN is empty",
    remedy: "Set it",
    says: /KEY_OF_THE_CHAIN.*(empty|not set|no value)|(empty|not set).*KEY_OF_THE_CHAIN/i,
    todo: /set|KEY_OF_THE_CHAIN/i,
  }),
  fault("no signer is behind signer.socket", "no-signer", {
    sentence: "no signer listens on signer.sock",
    remedy: "Start it: ballast signer",
    says: /signer/i,
    todo: /ballast signer|start|supervisor/i,
  }),
  fault("PostgreSQL: its host has no address", "pg-host", {
    sentence: "the host journal.invalid has no address",
    remedy: "Correct the host in journal",
    says: /journal\.invalid|ENOTFOUND|no address|not (be )?found|EAI_AGAIN/i,
    todo: /journal|host|name|url|DNS/i,
  }),
]

/** Each with a daemon of its own. */
export const LATER_MACHINE_FAULTS: readonly StrangeFault[] = [
  fault("the daemon's own signer is killed again and again", "signer_loop", {
    sentence: "the signer ended several times: SIGKILL",
    remedy: "Read its log; the system may lack memory",
    says: /signer.*(ended|killed|SIGKILL|down|does not answer|keeps)/i,
    todo: /log|memory|restart|signer/i,
  }),
  fault("the daemon's own signer stands still (SIGSTOP)", "signer_stopped", {
    sentence: "the signer does not answer",
    remedy: "Restart the daemon",
    says: /signer.*(does not answer|no answer|stands still|down|stopped)/i,
    todo: /log|restart|signer/i,
  }),
  fault("the clock is three minutes ahead", "drift", {
    sentence: "this machine's clock is three minutes ahead of its chains",
    remedy: "Set the clock (NTP)",
    says: /clock/i,
    todo: /clock|NTP/i,
  }),
  fault("the file of a key has another key than the running daemon", "key_swapped", {
    sentence: "the key's file of one_chain is of another wallet than the daemon's",
    remedy: "Put the old key back, or restart to use the new one",
    says: /key.*(changed|another|differs|other)|(changed|another|differs).*key/i,
    todo: /restart|back|reload|key/i,
  }),
  fault("data_dir is given to another user under the daemon", "dir_owner", {
    sentence: "data_dir belongs to another user",
    remedy: "chown it back",
    says: /data_dir.*(belongs|owner|another user)|belongs to/i,
    todo: /chown|owner|own/i,
  }),
]

/** Each a service of its own, with a pair of its own: calls of orders fail, all else is good. */
export const LATER_CALL_FAULTS: readonly StrangeFault[] = [
  fault("new orders are repeated ones (409)", "create_conflict", {
    sentence: "the service answers HTTP 409 to new orders: duplicate nonce",
    remedy: ASK,
    says: /409|duplicate nonce/,
    todo: /operator|service|send/,
  }),
  fault("new orders are not for our address (403)", "create_blocked", {
    sentence: "the service says to new orders: address is not eligible (HTTP 403)",
    remedy: ASK,
    says: /403|not eligible/,
    todo: /operator|service/,
  }),
  fault("too many quotes (429)", "quote_limit", {
    sentence: "the service answers HTTP 429 to quotes",
    remedy: "Wait, or ask its operator for a higher limit",
    says: /429|limit/i,
    todo: /operator|limit|wait/i,
  }),
  fault("quotes are refused in words, with 200", "quote_words", {
    sentence: "the service says to quotes: trading is halted",
    remedy: ASK,
    says: /trading is halted/,
    todo: /operator|service|wait/i,
  }),
  fault("the amounts of quotes are null", "quote_null", {
    sentence: "the quotes of the service have no amount",
    remedy: ASK,
    says: /amount|malformed|form|no (usable )?quote/i,
    todo: /operator|service/i,
  }),
  fault("the service does not know the order that it has just made (404)", "order_lost", {
    sentence: "the service does not know its own new orders (HTTP 404)",
    remedy: ASK,
    says: /404|not (found|know)|no such order|unknown/i,
    todo: /operator|service|order/i,
  }),
]

/** Each a chain of the sandbox, behind a proxy that spoils one method. */
export const LATER_METHOD_FAULTS: readonly StrangeFault[] = [
  fault("another transaction with our nonce pays more", "underpriced_ethereum_sepolia", {
    sentence: "orders wait: replacement transaction underpriced",
    remedy: "Another program may use the key; raise the chain's fee cap",
    says: /underpriced/,
    todo: /key|program|fee|cap|node|endpoint|explorer/i,
  }),
  fault("the node finds too little coin for the fee", "funds_base_sepolia", {
    sentence: "orders wait: insufficient funds for gas * price + value",
    remedy: "Send ETH to the wallet",
    says: /insufficient funds/,
    todo: /send|fund|ETH|wallet|node|endpoint/,
  }),
  fault("Bitcoin: too many of our transactions wait for a block", "ancestors_bitcoin_testnet", {
    sentence: "orders wait: too-long-mempool-chain",
    remedy: "Wait for a block",
    says: /too-long-mempool-chain|too many unconfirmed/,
    todo: /wait|block|node|endpoint|explorer/i,
  }),
  fault("Solana: a program fails in the simulation", "custom_solana_testnet", {
    sentence: "orders wait: custom program error: 0x1",
    remedy: "Compare the token's account with an explorer",
    says: /custom program error|0x1\b|insufficient/i,
    todo: /token|account|explorer|fund|node|endpoint/i,
  }),
  fault("Starknet: the node takes our nonce for used", "oldnonce_starknet_sepolia", {
    sentence: "orders wait: Invalid transaction nonce",
    remedy: "Another program may use the key",
    says: /nonce/i,
    todo: /key|program|node|endpoint|explorer/i,
  }),
]

/** Each a rule of the sandbox that can never act. */
export const LATER_RULE_FAULTS: readonly StrangeFault[] = [
  fault("each run wants more than the wallet has", "short_rule", {
    sentence: "short_rule misses its runs: the wallet holds less than it sells",
    remedy: "Fund the wallet, or sell less",
    says: /holds|balance|less|too little|not enough|spendable/i,
    todo: /fund|send|amount|balance|wallet/i,
  }),
  fault("each run costs more than the rule allows", "dear_rule", {
    sentence: "dear_rule misses its runs: each quote costs more than 1 bps",
    remedy: "Raise max_cost, or sell more at once",
    says: /cost|dear/i,
    todo: /max_cost|cost|amount/i,
  }),
  fault("all of the coin is reserved for fees", "reserve_rule", {
    sentence: "reserve_rule cannot act: min_native keeps more than the wallet has",
    remedy: "Lower min_native, or fund the wallet",
    says: /min_native|reserve|coin|fees?/i,
    todo: /min_native|fund|send/i,
  }),
]

type Words = Pick<StrangeFault, "sentence" | "remedy" | "says" | "todo">

function fault(name: string, at: string, words: Words): StrangeFault {
  return { name, at, ...words }
}
