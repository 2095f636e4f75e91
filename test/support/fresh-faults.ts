import type { StrangeFault } from "./strange-faults.ts"

/**
 * A fifth list of faults by strangers, written from the documents alone before one of them was
 * planted: the service and the nodes fail in the calls of an order and in nothing else, wallets
 * and tokens change under way, answers come in another form, rules and limits can never act.
 */
/**
 * The daemon named 20 of the 24 rows of the idle world at their first whole run, 15 of the 20
 * starts, 1 of the 4 machines, and 11 of the 23 of orders whose planting did harm: 47 of 71. The
 * patterns of redirections no longer take the word itself, which the names of the rows have.
 */
export const UNNAMED_FRESH: Readonly<Record<string, string>> = {
  aged_stark_chain: "an old version is no fault while it answers what Ballast asks",
  quote_zero: "a quote of nothing is none: the order says that no solver quotes the pair",
  quote_high: "the order ends or waits without a word of the price; its course was not examined",
  order_gone: "it is no fault: the order completes by what our own nodes show",
  deadline_solana_testnet: "it is no fault: the sandbox gives more time than the margin",
  receipt_base_sepolia: "it is named by the nonce that is used: our own words did not fit",
  feehistory_ethereum_sepolia: "no sentence names it; the course of its order was not examined",
}

const REPAIR = "Repair the node, or use another endpoint"

/** Each on a chain of its own, in the world of one idle daemon. */
export const FRESH_NODE_FAULTS: readonly StrangeFault[] = [
  fault("https to a port that speaks http", "tlsport_chain", {
    sentence: "the host speaks no TLS at this port",
    remedy: "Correct the URL: http in place of https",
    says: /TLS|https|WRONG_VERSION/i,
    todo: /URL/,
  }),
  fault("the address has moved (301)", "redirect_chain", {
    sentence: "the node has moved to http://127.0.0.1/new (HTTP 301)",
    remedy: "Correct the URL of the endpoint",
    says: /\b301\b/,
    todo: /URL/,
  }),
  fault("the answer says gzip and is none", "gzip_chain", {
    sentence: "the answer of the node is not in the compression that it names",
    remedy: REPAIR,
    says: /gzip|compress|encod|incorrect header/i,
    todo: /Repair|replace|another endpoint|URL/i,
  }),
  fault("the answer comes a byte a second", "drip_chain", {
    sentence: "the node gives no whole answer within its time",
    remedy: REPAIR,
    says: /no (whole |complete )?answer|timed? ?out|slow/i,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("the answer is of another request", "id_chain", {
    sentence: "the answer of the node has the id of another request",
    remedy: REPAIR,
    says: /\bid\b|another (call|request)/i,
    todo: /Repair|replace|another endpoint|URL/i,
  }),
  fault("the provider wants its money (402)", "unpaid_chain", {
    sentence: "the node answers HTTP 402: Payment Required",
    remedy: "Pay the provider, or use another endpoint",
    says: /402/,
    todo: /pay|plan|provider|bill/i,
  }),
  fault("the gateway knows no such route (404)", "kong_chain", {
    sentence: "the gateway says: no Route matched with those values (HTTP 404)",
    remedy: "Correct the URL of the endpoint",
    says: /404|no Route/,
    todo: /URL/,
  }),
  fault("no content (204)", "wordless_chain", {
    sentence: "the answer of the node is empty (HTTP 204)",
    remedy: "Correct the URL of the endpoint",
    says: /204|empty/i,
    todo: /URL|Repair/,
  }),
  fault("Bitcoin: the coins of our address take too long (504)", "late_btc", {
    sentence: "the server answers HTTP 504 for our address",
    remedy: REPAIR,
    says: /504/,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("Starknet: an old version of the interface (0.6)", "aged_stark_chain", {
    sentence: "the node has version 0.6.0 of the interface, which is too old",
    remedy: "Correct the URL: the path of a newer version",
    says: /0\.6|version/i,
    todo: /URL|version|Repair/,
  }),
  fault("Starknet: the endpoint is of the main network", "main_stark_chain", {
    sentence: "the endpoint is on network SN_MAIN, not SN_SEPOLIA",
    remedy: "Correct the URL or the network",
    says: /SN_MAIN|0x534e5f4d41494e|network/,
    todo: /Correct the URL/,
  }),
]

export const FRESH_SERVICE_FAULTS: readonly StrangeFault[] = [
  fault("https to a port that speaks http", "tlsport", {
    sentence: "the host speaks no TLS at this port",
    remedy: "Correct the url of the service: http in place of https",
    says: /TLS|https|WRONG_VERSION/i,
    todo: /\burl\b/i,
  }),
  fault("the address has moved (301)", "redirect", {
    sentence: "the service has moved (HTTP 301)",
    remedy: "Correct the url of the service",
    says: /\b301\b/,
    todo: /\burl\b/i,
  }),
  fault("the answer is null", "nothing", {
    sentence: "the answer of the service is null",
    remedy: "Check the url of the service, ask its operator",
    says: /null|form|not an? /i,
    todo: /url|operator/,
  }),
  fault("it wants its money (402)", "unpaid", {
    sentence: "the service answers HTTP 402",
    remedy: "Ask its operator",
    says: /402/,
    todo: /operator|pay|plan/i,
  }),
]

export const FRESH_PRICE_FAULTS: readonly StrangeFault[] = [
  fault("a price of zero", "redirect_chain:eth", {
    sentence: "0 is no price",
    remedy: "Repair or replace the source",
    says: /\b0\b|zero|is no price/,
    todo: /prices\.sources/,
  }),
  fault("a negative price", "gzip_chain:eth", {
    sentence: "-3000 is no price",
    remedy: "Repair or replace the source",
    says: /-3000|is no price/,
    todo: /prices\.sources/,
  }),
  fault("the address has moved (302)", "drip_chain:eth", {
    sentence: "the source has moved (HTTP 302)",
    remedy: "Correct the url of the source",
    says: /\b302\b/,
    todo: /\burl\b|prices\.sources/i,
  }),
  fault("https to a port that speaks http", "id_chain:eth", {
    sentence: "the host of the source speaks no TLS at this port",
    remedy: "Correct the url of the source",
    says: /TLS|https|WRONG_VERSION/i,
    todo: /\burl\b|prices\.sources/i,
  }),
  fault("nothing is at path", "unpaid_chain:eth", {
    sentence: "the answer has nothing at data.0.price",
    remedy: "Correct path of the source",
    says: /data\.0\.price|\bpath\b/,
    todo: /\bpath\b|prices\.sources/,
  }),
]

export const FRESH_RECEIVER_FAULTS: readonly StrangeFault[] = [
  fault("the webhook has moved (301)", "redirect_desk", {
    sentence: "the receiver has moved (HTTP 301)",
    remedy: "Correct its address",
    says: /\b301\b/,
    todo: /address|url/i,
  }),
  fault("the webhook never answers", "mute_desk", {
    sentence: "the receiver gives no answer",
    remedy: "Repair the receiver, or correct its address",
    says: /no (whole |complete )?answer|timed? ?out/i,
    todo: /address|repair|receiver|network/i,
  }),
  fault("the mail server has too many connections (421)", "busymail_desk", {
    sentence: "the mail server says: 421 Too many connections",
    remedy: "Wait, or ask its operator: the address is right",
    says: /421/,
    todo: /wait|later|limit|again|operator/i,
  }),
  fault("ntfy: the topic is protected (403)", "topic_desk", {
    sentence: "ntfy says: forbidden (HTTP 403)",
    remedy: "Correct token or topic of the receiver",
    says: /403|forbidden/i,
    todo: /token|topic|secret|address/i,
  }),
]

/** Each a service of its own, with a pair of its own: calls of orders fail, all else is good. */
export const FRESH_CALL_FAULTS: readonly StrangeFault[] = [
  fault("only quotes answer 500", "quote_status", {
    sentence: "all quotes fail with HTTP 500",
    remedy: "Ask its operator",
    says: /500/,
    todo: /operator/,
  }),
  fault("only quotes answer with a page", "quote_page", {
    sentence: 'the answer to a quote is the web page "Sorry"',
    remedy: "Ask its operator",
    says: /web page|not JSON/i,
    todo: /url|operator/,
  }),
  fault("only quotes are never answered", "quote_mute", {
    sentence: "quotes get no answer",
    remedy: "Ask its operator",
    says: /no (whole |complete )?answer|timed? ?out/i,
    todo: /url|operator/,
  }),
  fault("a quote that pays nothing", "quote_zero", {
    sentence: "the quote pays 0",
    remedy: "Ask its operator",
    says: /\b0\b|nothing|too dear|cost|loss/i,
    todo: /operator|max_cost|service/,
  }),
  fault("no solver quotes the pair", "quote_none", {
    sentence: "the service has no quote for the pair",
    remedy: "Ask its operator, or correct the pair",
    says: /no (quote|solver|offer)|offers? no|without a quote/i,
    todo: /operator|pair|service/,
  }),
  fault("a quote that pays ten times the value", "quote_high", {
    sentence: "the quote is too good to be true",
    remedy: "Ask its operator",
    says: /too good|better|gain|above|more than/i,
    todo: /operator|price|service|max_gain/,
  }),
  fault("new orders are refused (400)", "create_refused", {
    sentence: "the service refuses new orders: amount below minimum 50000",
    remedy: "Raise the amount, or ask its operator",
    says: /below minimum/,
    todo: /operator|amount|service/,
  }),
  fault("only new orders answer 500", "create_status", {
    sentence: "new orders fail with HTTP 500",
    remedy: "Ask its operator",
    says: /500/,
    todo: /operator|service/,
  }),
  fault("new orders go to an unknown contract", "create_contract", {
    sentence: "the service names a contract that is not in htlc",
    remedy: "Compare it with the operator; never add it unread",
    says: /contract|htlc/i,
    todo: /operator|htlc|contract|service/,
  }),
  fault("new orders want a login (401)", "create_login", {
    sentence: "the service answers HTTP 401 to new orders",
    remedy: "Check app_id",
    says: /401/,
    todo: /app_id|operator|url/,
  }),
  fault("the service forgets an order with a deposit (404)", "order_gone", {
    sentence: "the service does not know the order any more (HTTP 404)",
    remedy: "Ask its operator; Ballast refunds the deposit",
    says: /404|does not know|not found/i,
    todo: /operator|order|refund/,
  }),
  fault("an order with a deposit cannot be read (500)", "order_status", {
    sentence: "the order cannot be read: HTTP 500",
    remedy: "Ask its operator; Ballast refunds the deposit",
    says: /500/,
    todo: /operator|order|refund/,
  }),
]

/** Each a chain of the sandbox, behind a proxy that spoils one method. */
export const FRESH_METHOD_FAULTS: readonly StrangeFault[] = [
  fault("the issuer has frozen our account (EVM)", "frozen_base_sepolia", {
    sentence: "orders wait: Blacklistable: account is blacklisted",
    remedy: "Ask the issuer of the token",
    says: /blacklist/i,
    todo: /issuer|token|asset/i,
  }),
  fault("the nonce cannot be read", "nonce_ethereum_sepolia", {
    sentence: "orders wait: eth_getTransactionCount is disabled",
    remedy: REPAIR,
    says: /eth_getTransactionCount|method is disabled/,
    todo: /node|endpoint/i,
  }),
  fault("Bitcoin: the fee is below the node's minimum", "relay_bitcoin_testnet", {
    sentence: "orders wait: min relay fee not met",
    remedy: "Raise max_fee_rate, or use another endpoint",
    says: /min relay fee/,
    todo: /fee|node|endpoint/i,
  }),
  fault("Solana: the node takes no transactions", "blockhash_solana_testnet", {
    sentence: "orders wait: Blockhash not found",
    remedy: REPAIR,
    says: /blockhash not found/i,
    todo: /node|endpoint/i,
  }),
  fault("Starknet: fees cannot be estimated", "estimate_starknet_sepolia", {
    sentence: "orders wait: starknet_estimateFee fails",
    remedy: REPAIR,
    says: /estimateFee|unexpected error/i,
    todo: /node|endpoint/i,
  }),
  fault("receipts are never shown", "receipt_base_sepolia", {
    sentence: "the transaction was sent 40 s ago, and no block has it",
    remedy: "Compare with an explorer; use another endpoint",
    says: /receipt|no block|not (yet )?(in a block|seen|shown)|waits for/i,
    todo: /node|endpoint|explorer|order/i,
  }),
  fault("fees are not told", "feehistory_ethereum_sepolia", {
    sentence: "orders wait: eth_feeHistory is not available",
    remedy: REPAIR,
    says: /eth_feeHistory|fee/,
    todo: /node|endpoint/i,
  }),
  fault("Bitcoin: the coins cannot be read (500)", "utxo_bitcoin_testnet", {
    sentence: "orders wait: the server answers HTTP 500 for our coins",
    remedy: REPAIR,
    says: /500/,
    todo: /node|endpoint/i,
  }),
  fault("Solana: no blockhash is told", "latest_solana_testnet", {
    sentence: "orders wait: getLatestBlockhash fails",
    remedy: REPAIR,
    says: /getLatestBlockhash|node is behind/i,
    todo: /node|endpoint/i,
  }),
  fault("Starknet: the nonce cannot be read", "nonce_starknet_sepolia", {
    sentence: "orders wait: starknet_getNonce fails",
    remedy: REPAIR,
    says: /getNonce|internal error/i,
    todo: /node|endpoint/i,
  }),
]

/** Wallets and contracts of the sandbox change; limits of chains that no order can meet. */
export const FRESH_MONEY_FAULTS: readonly StrangeFault[] = [
  fault("the coin for fees is gone", "coinless_base_sepolia", {
    sentence: "base_sepolia has 0 ETH for fees",
    remedy: "Send ETH to the wallet of base_sepolia",
    says: /base_sepolia.*(ETH|fee)/,
    todo: /send|fund|wallet/i,
  }),
  fault("the code of a contract is gone", "codeless_ethereum_sepolia", {
    sentence: "the contract of ethereum_sepolia:wbtc has no code",
    remedy: "Compare with an explorer; pause",
    says: /no (code|contract)|without code|contract|code/i,
    todo: /contract|htlc|asset|explorer|order/i,
  }),
  fault("a deadline that no order can keep", "deadline_solana_testnet", {
    sentence: "every order is refused: deadline_margin is longer than the service's deadline",
    remedy: "Lower deadline_margin",
    says: /deadline/i,
    todo: /deadline_margin|deadline/i,
  }),
  fault("a timelock that the service never offers", "timelock_bitcoin_testnet", {
    sentence: "every order is refused: its timelock is below timelock.min",
    remedy: "Lower timelock.min",
    says: /timelock/i,
    todo: /timelock|service|operator|bounds/i,
  }),
  fault("a fee cap below every fee", "cap_starknet_sepolia", {
    sentence: "the fee of starknet_sepolia is above max_fee",
    remedy: "Raise max_fee",
    says: /max_fee|cap\b|fee/i,
    todo: /max_fee|fee|cap/i,
  }),
]

/** Each with a daemon of its own. */
export const FRESH_MACHINE_FAULTS: readonly StrangeFault[] = [
  fault("the shell limits the size of files (ulimit -f)", "fsize", {
    sentence: "no file may grow above 1 MiB: ulimit -f",
    remedy: "Raise the limit: LimitFSIZE of the unit",
    says: /file size|EFBIG|too (large|big)|ulimit|size limit/i,
    todo: /ulimit|limit/i,
  }),
  fault("the key's file is deleted under the daemon", "key_gone", {
    sentence: "the file of the key of one_chain is gone: the next start will fail",
    remedy: "Put the file back from its backup",
    says: /key.*(gone|missing|deleted|does not exist|cannot be read|ENOENT)/i,
    todo: /file|backup|back|restore/i,
  }),
  fault("the machine's clock is of 1970", "epoch", {
    sentence: "this machine's clock shows 1970",
    remedy: "Set the clock (NTP)",
    says: /clock/i,
    todo: /clock|NTP/i,
  }),
  fault("the certificate of ops.tls ends tomorrow", "ops_ends", {
    sentence: "the certificate of ops.tls ends in 23 h",
    remedy: "Renew the certificate, then reload",
    says: /certificate.*(end|expire)|ops\.tls.*(end|expire)/i,
    todo: /renew|certificate/i,
  }),
]

/** `ballast run` names it, and `status` then, of a daemon that runs or one that ended. */
export const FRESH_START_FAULTS: readonly StrangeFault[] = [
  fault("a schedule without a day (30 February)", "february", {
    sentence: "the schedule of some names no day that exists: the rule never runs",
    remedy: "Correct the schedule",
    says: /never|no (time|day|date)/i,
    todo: /schedule/,
  }),
  fault("a rule that may cost nothing", "costless", {
    sentence: "the rule can never act: max_cost is 0",
    remedy: "Raise max_cost",
    says: /max_cost|never/,
    todo: /max_cost|raise/i,
  }),
  fault("each run falls into the quiet hours", "quiet-run", {
    sentence: "every run of some is in quiet_hours: the rule never acts",
    remedy: "Move the schedule, or shorten the quiet hours",
    says: /quiet/,
    todo: /quiet|schedule/,
  }),
  fault("the smallest order is above the largest", "least-above", {
    sentence: "the rule can never act: least is above guards.max_order",
    remedy: "Lower least, or raise max_order",
    says: /least|max_order|never/,
    todo: /least|max_order/,
  }),
  fault("a band upside down", "upside-down", {
    sentence: "min is above target",
    remedy: "Let min be below target",
    says: /min|target/,
    todo: /min|target|below|above/,
  }),
  fault("three must agree, and there is one endpoint", "agree", {
    sentence: "agree is 3, and some_chain has 1 endpoint",
    remedy: "Name more endpoints, or lower agree",
    says: /agree/,
    todo: /endpoint|rpc|agree/,
  }),
  fault("two keys in one file", "two-keys", {
    sentence: "the file has two lines and not one key",
    remedy: "Keep one key in the file",
    says: /key|line/,
    todo: /one|64|0x/,
  }),
  fault("Bitcoin: an extended key in the place of WIF", "xprv", {
    sentence: "the file has an extended key (xprv)",
    remedy: "Export one key in WIF",
    says: /xprv|tprv|extended|WIF/i,
    todo: /WIF/,
  }),
  fault("Solana: an address in the place of the key", "sol-address", {
    sentence: "the file has an address, not a key",
    remedy: "Write the 64 bytes of the keypair",
    says: /address|key/i,
    todo: /64|keypair/,
  }),
  fault("the keystore has no password", "no-password", {
    sentence: "BALLAST_KEYSTORE_PASSWORD is not set",
    remedy: "Set BALLAST_KEYSTORE_PASSWORD",
    says: /password/i,
    todo: /BALLAST_KEYSTORE_PASSWORD|password-stdin/,
  }),
  fault("the password of the keystore is wrong", "wrong-password", {
    sentence: "the password does not open the keystore",
    remedy: "Correct BALLAST_KEYSTORE_PASSWORD",
    says: /password/i,
    todo: /password/i,
  }),
  fault("own secrets without their key", "own-secret", {
    sentence: "secret is own, and secrets.key is missing",
    remedy: "Make one: ballast wallet random",
    says: /secrets\.key|secrets/,
    todo: /secrets|key|random/,
  }),
  fault("PostgreSQL: the role may create nothing (42501)", "pg-42501", {
    sentence: "the role may not create tables: permission denied for schema public",
    remedy: "Grant it the schema, or own the database",
    says: /permission denied/,
    todo: /grant|owner|role|right|privilege/i,
  }),
  fault("PostgreSQL: the role may not log in (28000)", "pg-28000-login", {
    sentence: "the role ballast may not log in",
    remedy: "ALTER ROLE ballast LOGIN",
    says: /not permitted to log in/,
    todo: /LOGIN|role|user/i,
  }),
  fault("PostgreSQL: the server takes connections and never answers", "pg-mute", {
    sentence: "PostgreSQL gives no answer",
    remedy: "Repair PostgreSQL, or correct journal",
    says: /PostgreSQL.*(no answer|time)|(no answer|timed? ?out).*PostgreSQL/i,
    todo: /PostgreSQL|journal/i,
  }),
  fault("PostgreSQL: another program has its port", "pg-http", {
    sentence: "another program than PostgreSQL answers at the address of journal",
    remedy: "Correct the port in journal",
    says: /PostgreSQL/i,
    todo: /journal|port|address/i,
  }),
  fault("journal.db is of another program", "foreign-journal", {
    sentence: "journal.db is a database of another program",
    remedy: "Move it away, or name another data_dir",
    says: /another program|not a journal|no journal|not .*Ballast/i,
    todo: /data_dir|move|backup/i,
  }),
  fault("instance.lock is a folder", "lock-folder", {
    sentence: "instance.lock is a folder and no file",
    remedy: "Remove it",
    says: /instance\.lock/,
    todo: /remove|move|rename/i,
  }),
  fault("PAUSE is a folder", "pause-folder", {
    sentence: "everything is paused by PAUSE in data_dir",
    remedy: "Remove PAUSE",
    says: /PAUSE/,
    todo: /PAUSE|remove/i,
  }),
  fault("data_dir is a link to nowhere", "dangling", {
    sentence: "data_dir is a link to a folder that does not exist",
    remedy: "Make the folder, or correct the link",
    says: /link|does not exist|ENOENT|no such/i,
    todo: /folder|link|data_dir|make/i,
  }),
]

type Words = Pick<StrangeFault, "sentence" | "remedy" | "says" | "todo">

function fault(name: string, at: string, words: Words): StrangeFault {
  return { name, at, ...words }
}
