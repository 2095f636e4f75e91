import type { StrangeFault } from "./strange-faults.ts"

/**
 * An eighth list of faults, written from the documents alone before one of them was planted: nodes
 * and services that fail in mid-run, one method or one body of theirs, receivers' and providers'
 * own refusals, slips of the configuration that let a rule never act, other programs' hands on the
 * journal, and quotes and orders that differ from the request.
 *
 * At its first run the daemon named 35 of the 48 rows: 18 of 19 in the idle world, 6 of 13 starts,
 * 2 of 4 machines, 9 of 12 orders. Five were planted wrongly: a window counts after the jitter, a
 * folder in the place of `.env` harms only a start that needs it, the collector was asked about
 * after fifteen seconds, the halved quotes kept their values, and orders of other rows held two
 * rules. Two patterns were too narrow (`quote_other`, `dust_rule`).
 */
export const UNNAMED_EVERYDAY: Readonly<Record<string, string>> = {
  "window-jitter": "it is no fault: a window begins after the jitter",
}

const REPAIR = "Repair the node, or use another endpoint"

/** Each on a chain of its own, in the world of one idle daemon. */
export const EVERYDAY_NODE_FAULTS: readonly StrangeFault[] = [
  fault("only the balance is never answered", "mutebal_chain", {
    sentence: "the balance of mutebal_chain gets no answer",
    remedy: REPAIR,
    says: /no (whole |complete )?answer|timed? ?out/i,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("an error that is a text, with 200", "textual_chain", {
    sentence: "the node says: Monthly capacity limit exceeded",
    remedy: "Raise the plan, or use another endpoint",
    says: /Monthly capacity/,
    todo: /plan|limit|provider|Repair|another endpoint/i,
  }),
  fault("the node is still syncing, in its own words", "syncing_chain", {
    sentence: "the node says: node is syncing, please retry later",
    remedy: "Wait, or use another endpoint",
    says: /node is syncing/,
    todo: /wait|Repair|another endpoint/i,
  }),
  fault("it works for twenty seconds and dies (502)", "dying_chain", {
    sentence: "dying_chain answers HTTP 502",
    remedy: REPAIR,
    says: /502/,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("its blocks are twenty minutes in the future", "future_chain", {
    sentence: "the newest block of future_chain is 20 minutes ahead of our clock",
    remedy: "Compare the clock with an explorer, or repair the node",
    says: /ahead|future|clock|newer/i,
    todo: /clock|Repair|node|endpoint/i,
  }),
  fault("Bitcoin: too many requests, in plain text (429)", "banned_btc", {
    sentence: "banned_btc answers HTTP 429",
    remedy: "Wait, raise the plan, or use another endpoint",
    says: /429|1015/,
    todo: /plan|limit|provider|another endpoint/i,
  }),
  fault("Solana: the plan's credits are used up, said with 200", "credits_sol_chain", {
    sentence: "the node says: max usage reached",
    remedy: "Raise the plan, or use another endpoint",
    says: /max usage/,
    todo: /plan|limit|provider|Repair|another endpoint/i,
  }),
  fault("Starknet: only the balance is refused", "params_stark_chain", {
    sentence: "the balance of params_stark_chain cannot be read: Invalid params",
    remedy: REPAIR,
    says: /Invalid params/i,
    todo: /URL|Repair|replace|another endpoint/i,
  }),
]

export const EVERYDAY_SERVICE_FAULTS: readonly StrangeFault[] = [
  fault("only another verb is allowed (405)", "verb", {
    sentence: "the service answers HTTP 405",
    remedy: "Correct its url",
    says: /405/,
    todo: /\burl\b|operator/i,
  }),
  fault("its answers have another envelope", "shell", {
    sentence: "the answers of shell have another form",
    remedy: "Correct its url, or upgrade Ballast",
    says: /form|envelope|status|shape/i,
    todo: /\burl\b|operator|version|upgrade/i,
  }),
  fault("our application is suspended (403)", "suspended", {
    sentence: "the service says: app id is suspended (HTTP 403)",
    remedy: "Ask its operator",
    says: /403|is suspended/,
    todo: /app_id|app id|operator/i,
  }),
  fault("it works for twenty seconds and is gone (503)", "dying", {
    sentence: "dying answers HTTP 503",
    remedy: "Ask its operator",
    says: /503/,
    todo: /operator|url|wait/i,
  }),
]

export const EVERYDAY_PRICE_FAULTS: readonly StrangeFault[] = [
  fault("the price has a comma for thousands", "textual_chain:eth", {
    sentence: "3,000.50 is no number",
    remedy: "Repair or replace the source",
    says: /3,000\.50|no number|not a number|no price/i,
    todo: /prices\.sources/,
  }),
  fault("Coinbase: the product is unknown (404)", "syncing_chain:eth", {
    sentence: "the source answers HTTP 404: NotFound",
    remedy: "Correct the product",
    says: /404|NotFound/,
    todo: /product|\burl\b|prices\.sources/i,
  }),
  fault("the source's host has no address", "future_chain:eth", {
    sentence: "the name of the source's host is unknown",
    remedy: "Correct its url",
    says: /\bname\b|resolve|no address|ENOTFOUND/i,
    todo: /\burl\b|prices\.sources/i,
  }),
]

export const EVERYDAY_RECEIVER_FAULTS: readonly StrangeFault[] = [
  fault("Telegram: the bot's token is revoked (401)", "revoked_desk", {
    sentence: "Telegram says: Unauthorized (HTTP 401)",
    remedy: "Renew the token of the receiver",
    says: /401|Unauthorized/,
    todo: /token|secret/i,
  }),
  fault("Telegram: the group has become a supergroup (400)", "super_desk", {
    sentence: "Telegram says: group chat was upgraded to a supergroup chat",
    remedy: "Write the chat's new number",
    says: /supergroup/,
    todo: /chat/i,
  }),
  fault("Slack: the webhook is removed (404)", "noservice_desk", {
    sentence: "Slack says: no_service (HTTP 404)",
    remedy: "Make another webhook",
    says: /404|no_service/,
    todo: /\burl\b|webhook|address/i,
  }),
  fault("a webhook takes our signature for false (401)", "signed_desk", {
    sentence: "the receiver answers HTTP 401: invalid signature",
    remedy: "Compare the key of the signature",
    says: /401|signature/i,
    todo: /\bkey\b|token|secret|signature/i,
  }),
]

/** `ballast run` names it, and `status` then, of a daemon that runs or one that ended. */
export const EVERYDAY_START_FAULTS: readonly StrangeFault[] = [
  fault("the token itself is in the file", "literal-token", {
    sentence: "ops.token is no reference",
    remedy: "Write env:NAME or file:PATH",
    says: /ops\.token|reference/i,
    todo: /env:|file:/,
  }),
  fault(".env is a folder, as a missing mount makes it", "env-folder", {
    sentence: ".env is a folder and no file",
    remedy: "Remove the folder, or mount the file",
    says: /\.env.*(folder|directory)|(folder|directory).*\.env/i,
    todo: /file|remove|mount/i,
  }),
  fault("the third account of a keystore with one key", "far-account", {
    sentence: "the keystore has one key and no account 3",
    remedy: "Write it without #3, or use a mnemonic",
    says: /one key|single key|no mnemonic|#3|account/i,
    todo: /#|mnemonic/i,
  }),
  fault("a rule sells from a wallet that is only watched", "watch-seller", {
    sentence: "the wallet of some_chain has no key here",
    remedy: "Sell another asset, or write the key",
    says: /no key|watch/i,
    todo: /another asset|key/i,
  }),
  fault("no destination is allowed", "no-destination", {
    sentence: "guards.destinations is empty, so no order can pay",
    remedy: "Write own",
    says: /guards\.destinations|destinations/,
    todo: /\bown\b/,
  }),
  fault("a solver is allowed and denied", "solver-both", {
    sentence: "each allowed solver is denied too",
    remedy: "Remove it from deny",
    says: /solver/i,
    todo: /\b(allow|deny)\b/,
  }),
  fault("the jitter is longer than the window", "window-jitter", {
    sentence: "most runs of weekly begin after their window",
    remedy: "Lower jitter, or raise window",
    says: /jitter/,
    todo: /jitter|window/,
  }),
  fault("a band without sources and sinks", "idle-band", {
    sentence: "stock has no sources and no sinks, so it can never act",
    remedy: "Add sources or sinks",
    says: /sources|sinks/,
    todo: /sources|sinks/,
  }),
  fault("the bounds of the timelocks are upside down", "timelock-turned", {
    sentence: "timelock.min is above timelock.max",
    remedy: "Lower min, or raise max",
    says: /timelock/,
    todo: /\bmin\b|\bmax\b/,
  }),
  fault("the journal is on MySQL", "mysql", {
    sentence: "mysql:// is no PostgreSQL",
    remedy: "Write postgres://",
    says: /postgres/i,
    todo: /postgres/i,
  }),
  fault("PostgreSQL: statements time out (57014)", "pg-57014", {
    sentence: "PostgreSQL says: canceling statement due to statement timeout (57014)",
    remedy: "Raise statement_timeout of the role",
    says: /57014|statement timeout/,
    todo: /statement_timeout|PostgreSQL|database/i,
  }),
  fault("an approval ends a second after its order", "short-approval", {
    sentence: "approval_ttl of 1s is too short for a person",
    remedy: "Write approval_ttl: 1h",
    says: /approval_ttl/,
    todo: /approval_ttl|1h|raise|longer/i,
  }),
  fault("the collector of traces has no such path (404)", "collector-404", {
    sentence: "the collector of traces answers HTTP 404",
    remedy: "Correct telemetry.otlp",
    says: /404/,
    todo: /telemetry|otlp|collector/i,
  }),
]

/** Each with a daemon of its own. */
export const EVERYDAY_MACHINE_FAULTS: readonly StrangeFault[] = [
  fault("a backup tool holds a lock on journal.db", "journal_locked", {
    sentence: "another program holds a lock on journal.db",
    remedy: "End the other program",
    says: /journal.*(\block|busy|another (program|process))/i,
    todo: /program|process|\bclose\b|\bend\b/i,
  }),
  fault("journal.db-wal is deleted under the daemon", "wal_gone", {
    sentence: "journal.db-wal was deleted under the daemon",
    remedy: "Put the files back, then restart",
    says: /journal\.db-wal|journal.*(deleted|missing|gone)/i,
    todo: /restart|back|rescue|copy|restore/i,
  }),
  fault("the reader of the log is gone", "reader_gone", {
    sentence: "lines of the log are lost: its reader is gone",
    remedy: "Restart the daemon with a reader",
    says: /\blog\b.*(lost|closed|gone|written|taken|lines)/i,
    todo: /restart|reader|journald|process manager/i,
  }),
  fault("the machine gives the daemon a tenth of a processor", "starved", {
    sentence: "this machine is too slow: the daemon stands still again and again",
    remedy: "End other work on the machine, or use a larger one",
    says: /(machine|processor|event loop|daemon).*(busy|slow|late\b|stands? still|overload)/i,
    todo: /processor|machine|load|CPU/i,
  }),
]

/** Each a service of its own, with a pair of its own: calls of orders fail, all else is good. */
export const EVERYDAY_CALL_FAULTS: readonly StrangeFault[] = [
  fault("quotes pay half of the value", "quote_half", {
    sentence: "each quote costs 5000 bps, above max_cost",
    remedy: "Ask its operator, or raise max_cost",
    says: /max_cost|too dear|too expensive|costs? .*(bps|%)/i,
    todo: /max_cost|operator|service/,
  }),
  fault("quotes are refused as too small (400)", "quote_min", {
    sentence: "the service says: amount too small, minimum 0.01",
    remedy: "Raise the amount",
    says: /amount too small/,
    todo: /amount|operator|least/,
  }),
  fault("quotes are of another pair", "quote_other", {
    sentence: "quotes of quote_other are of another pair",
    remedy: "Ask its operator",
    says: /asset|pair|another swap/i,
    todo: /operator|service/,
  }),
  fault("new orders pay another address", "create_payee", {
    sentence: "the service's order pays another address",
    remedy: "Ask its operator; pause",
    says: /redeemer|payee|destination|address|account/i,
    todo: /operator|service/,
  }),
  fault("the legs of new orders have two hashes", "create_hash", {
    sentence: "the hashes of the order's legs differ",
    remedy: "Ask its operator; pause",
    says: /secret|hash/i,
    todo: /operator|service/,
  }),
  fault("the source lock of new orders lasts a block", "create_lock", {
    sentence: "the timelock of the source is too short",
    remedy: "Ask its operator",
    says: /timelock/i,
    todo: /operator|service|timelock/,
  }),
]

/** Each a chain of the sandbox, behind a proxy that spoils one method. */
export const EVERYDAY_METHOD_FAULTS: readonly StrangeFault[] = [
  fault("the gas of a transaction is never estimated", "estmute_base_sepolia", {
    sentence: "orders wait: eth_estimateGas gets no answer",
    remedy: REPAIR,
    says: /no (whole |complete )?answer|timed? ?out/i,
    todo: /node|endpoint/i,
  }),
  fault("the node takes no transactions of our type", "type_ethereum_sepolia", {
    sentence: "orders wait: transaction type not supported",
    remedy: REPAIR,
    says: /transaction type/,
    todo: /node|endpoint/i,
  }),
  fault("Bitcoin: the server broadcasts nothing (404)", "nobroadcast_bitcoin_testnet", {
    sentence: "orders wait: the broadcast answers HTTP 404",
    remedy: REPAIR,
    says: /404/,
    todo: /node|endpoint|esplora|URL/i,
  }),
  fault("Solana: sending is not in the plan", "tier_solana_testnet", {
    sentence: "orders wait: sendTransaction is not available on the free tier",
    remedy: "Raise the plan, or use another endpoint",
    says: /free tier/,
    todo: /node|endpoint|plan/i,
  }),
  fault("Starknet: the account's balance is below the fee", "poor_starknet_sepolia", {
    sentence: "orders wait: Account balance is smaller than the transaction's maximal fee",
    remedy: "Send STRK to the wallet",
    says: /balance is smaller|too little|insufficient/i,
    todo: /send|fund|STRK|wallet|node|endpoint/,
  }),
]

/** A rule that meets its own configuration. */
export const EVERYDAY_RULE_FAULTS: readonly StrangeFault[] = [
  fault("each run sells a hundredth of what the fee costs", "dust_rule", {
    sentence: "each run of dust_rule costs more than it sells",
    remedy: "Raise its amount",
    says: /cost|fee|small|dear|sells 0\.0000001/i,
    todo: /amount|max_cost/,
  }),
]

type Words = Pick<StrangeFault, "sentence" | "remedy" | "says" | "todo">

function fault(name: string, at: string, words: Words): StrangeFault {
  return { name, at, ...words }
}
