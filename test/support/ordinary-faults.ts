import type { StrangeFault } from "./strange-faults.ts"

/** `shows`: the fact by which the test sees that the fault was planted. */
export type PlantedFault = StrangeFault & { readonly shows: string }

/**
 * A ninth list of faults, written from the documents alone before one of them was planted:
 * gateways and nodes of another network, one method or one body of theirs, tokens without their
 * code, receivers' own refusals, settings that let an alert or a rule never act, other programs at
 * the journal and the port, and quotes and orders that differ from the request.
 *
 * At its first run the daemon named 28 of the 41 rows: 17 of 19 in the idle world, 4 of 10 starts,
 * none of 4 machines, 7 of 8 orders. A journal that was cut was called a deleted one. Two patterns
 * were too narrow (`quote_late`, `proxy-socks`). Two plantings were corrected before the run that
 * counts: three wallets had one key, and a token that never answers is refused at the start.
 */
const REPAIR = "Repair the node, or use another endpoint"

/** Each on a chain of its own, in the world of one idle daemon. */
export const ORDINARY_NODE_FAULTS: readonly PlantedFault[] = [
  fault("a tunnel without its node (530)", "cloudy_chain", {
    sentence: "cloudy_chain answers HTTP 530: error code: 1033",
    remedy: REPAIR,
    says: /530|1033/,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub answered 530",
  }),
  fault("only the balance is an empty number (0x)", "hollow_chain", {
    sentence: "the balance of hollow_chain cannot be read: 0x is no number",
    remedy: REPAIR,
    says: /balance|0x\b|malformed|\bform\b|invalid|no number/i,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub answered eth_getBalance with 0x",
  }),
  fault("Solana: the endpoint is of the main network", "mainnet_sol_chain", {
    sentence: "the endpoint of mainnet_sol_chain is of another network",
    remedy: "Correct the URL of the endpoint, or the network",
    says: /network|genesis|mainnet|another chain/i,
    todo: /URL|network|another endpoint/i,
    shows: "the stub gave the genesis hash of the main network",
  }),
  fault("Bitcoin: the server is of the main network", "mainnet_btc", {
    sentence: "the server of mainnet_btc is of another network",
    remedy: "Correct the URL of the server, or the network",
    says: /network|genesis|mainnet|another chain/i,
    todo: /URL|network|another endpoint/i,
    shows: "the stub gave the first block of the main network",
  }),
  fault("Bitcoin: only the list of blocks fails (500)", "blockless_btc", {
    sentence: "blockless_btc answers HTTP 500",
    remedy: REPAIR,
    says: /500/,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub answered a path of blocks with 500",
  }),
  fault("Starknet: the newest block has no hash yet", "pending_stark_chain", {
    sentence: "the newest block of pending_stark_chain has no hash",
    remedy: REPAIR,
    says: /block|hash|malformed|\bform\b/i,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub gave a block without a hash",
  }),
  fault("Bitcoin: the coins of our address are never answered", "mute_btc", {
    sentence: "the balance of mute_btc gets no answer",
    remedy: REPAIR,
    says: /no (whole |complete )?answer|timed? ?out/i,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub left a request for the address without an answer",
  }),
  fault("it works for four seconds and fails for four (502)", "blink_chain", {
    sentence: "half of the calls of blink_chain fail with HTTP 502",
    remedy: REPAIR,
    says: /502/,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub answered 502 and well in turn",
  }),
  fault("a token's proxy has lost its code: calls give nothing", "gutted_chain", {
    sentence: "the token of gutted_chain:usdc answers nothing",
    remedy: "Correct the token's address, or read its contract",
    says: /token|0x\b|empty|nothing|decimals|no data/i,
    todo: /token|endpoint|contract/i,
    shows: "the stub answered a call of the token with 0x",
  }),
  fault("our account has the code of another program (EIP-7702)", "delegated_chain", {
    sentence: "the wallet of delegated_chain has code",
    remedy: "Find out which key signed it, and move the coins to another key",
    says: /\bcode\b|contract|delegat/i,
    todo: /key|wallet|move|account|revoke/i,
    shows: "the stub gave code for the account",
  }),
]

export const ORDINARY_SERVICE_FAULTS: readonly PlantedFault[] = [
  fault("its answers end in their middle", "torn", {
    sentence: "the answers of torn are no whole JSON",
    remedy: "Ask its operator, or look for a proxy that cuts them",
    says: /JSON|\bform\b|malformed|\bcut\b|whole|unreadable/i,
    todo: /operator|proxy|\burl\b/i,
    shows: "the stub answered with half a body",
  }),
  fault("it works for twenty seconds and never answers again", "muting", {
    sentence: "muting gives no answer",
    remedy: "Ask its operator",
    says: /no (whole |complete )?answer|timed? ?out/i,
    todo: /operator|network|\burl\b/i,
    shows: "the stub answered well, then left requests without an answer",
  }),
  fault("a gateway cannot reach it in time (522)", "edge", {
    sentence: "edge answers HTTP 522",
    remedy: "Ask its operator",
    says: /522/,
    todo: /operator|\burl\b|wait/i,
    shows: "the stub answered 522",
  }),
]

export const ORDINARY_PRICE_FAULTS: readonly PlantedFault[] = [
  fault("the price is an object", "cloudy_chain:eth", {
    sentence: "the value at path is no number",
    remedy: "Correct its path",
    says: /number|object|path|no price/i,
    todo: /\bpath\b|prices\.sources/i,
    shows: "the stub answered with an object at path",
  }),
  fault("Chainlink: the address is of a token and of no feed", "delegated_chain:eth", {
    sentence: "the contract at the address is no feed",
    remedy: "Correct the address of the feed",
    says: /feed|Chainlink|latestRoundData|answer/i,
    todo: /address|feed|prices\.sources/i,
    shows: "the stub answered a call to the token's address",
  }),
  fault("Kraken: the exchange is under maintenance", "hollow_chain:eth", {
    sentence: "Kraken says: EService:Unavailable",
    remedy: "Wait, or add another source",
    says: /EService:Unavailable/,
    todo: /wait|another|prices\.sources/i,
    shows: "the stub answered with the exchange's error",
  }),
]

export const ORDINARY_RECEIVER_FAULTS: readonly PlantedFault[] = [
  fault("ntfy: the day's messages are used up (429)", "spent_desk", {
    sentence: "ntfy says: limit reached: daily message quota reached",
    remedy: "Wait, or raise the plan at ntfy",
    says: /429|quota|rate limited until/,
    todo: /limit|wait|plan|receiver|fewer|later/i,
    shows: "the stub answered a message with 429",
  }),
  fault("Matrix: another server is at the address (404)", "lost_desk", {
    sentence: "the home server says: M_UNRECOGNIZED (HTTP 404)",
    remedy: "Correct api of the receiver",
    says: /404|M_UNRECOGNIZED/,
    todo: /\bapi\b|\burl\b|address/i,
    shows: "the stub answered a message with 404",
  }),
  fault("mail: tls to a port that begins without it", "plain_desk", {
    sentence: "the mail server at the port does not speak TLS",
    remedy: "Write tls: starttls, or port 465",
    says: /TLS|SSL|wrong version/i,
    todo: /\btls\b|port|starttls/i,
    shows: "the mail server was called and said its greeting",
  }),
]

/** `ballast run` names it, and `status` then, of a daemon that runs or one that ended. */
export const ORDINARY_START_FAULTS: readonly PlantedFault[] = [
  fault("a rule sells an asset without a contract of swaps", "no-htlc", {
    sentence: "some_chain:usdc has no htlc, so its orders can never be paid",
    remedy: "List its contracts in htlc: ballast discover",
    says: /htlc/i,
    todo: /htlc|discover/i,
    shows: "the file has the rule, and the asset has no htlc",
  }),
  fault("the only receiver gets escalations alone, and nothing escalates", "mute-receiver", {
    sentence: "the receiver desk gets nothing: least is escalation without escalate_after",
    remedy: "Lower least, or write escalate_after",
    says: /escalat/i,
    todo: /least|escalate_after|escalate_to/,
    shows: "the file has least: escalation, and no escalate_after",
  }),
  fault("alerts escalate after a time to nobody", "no-escalation", {
    sentence: "escalate_after has no escalate_to, so nothing escalates",
    remedy: "Write escalate_to",
    says: /escalate_(to|after)/,
    todo: /escalate_(to|after)/,
    shows: "the file has escalate_after, and no escalate_to",
  }),
  fault("shares of one asset alone", "lone-weight", {
    sentence: "shares has one asset, so it can never act",
    remedy: "Add another asset to weights",
    says: /weights|one asset|shares/i,
    todo: /weights|another|asset/i,
    shows: "the file has the rule with one weight",
  }),
  fault("PostgreSQL: the authority's file is not there", "pg-ca", {
    sentence: "the file of sslrootcert is not there",
    remedy: "Correct sslrootcert, or write the file",
    says: /sslrootcert|missing\.pem|certificate/i,
    todo: /file|path|sslrootcert/i,
    shows: "the URL names the file, and the file does not exist",
  }),
  fault("PostgreSQL: a pooler refuses our settings (08P01)", "pg-08P01", {
    sentence: "the pooler says: unsupported startup parameter",
    remedy: "Name PostgreSQL itself, not a pooler",
    says: /08P01|unsupported startup parameter|pooler/,
    todo: /pooler|PostgreSQL|database/i,
    shows: "the stub refused a connection by 08P01",
  }),
  fault("a folder has the name of runtime.json", "runtime-folder", {
    sentence: "runtime.json is a folder and no file",
    remedy: "Remove the folder",
    says: /runtime\.json/,
    todo: /remove|move|folder/i,
    shows: "data_dir/runtime.json is a folder before the start",
  }),
  fault("a file has the name of the signer's folder", "signer-file", {
    sentence: "the signer's folder is a file",
    remedy: "Move the file away",
    says: /signer.*(file|folder|directory)/i,
    todo: /remove|move|signer\.data_dir/i,
    shows: "data_dir/signer is a file before the start",
  }),
  fault("the proxy of the environment is one of SOCKS", "proxy-socks", {
    sentence: "HTTPS_PROXY is no http:// proxy: socks5",
    remedy: "Write http://",
    says: /proxy/i,
    todo: /http:\/\//,
    shows: "the daemon's environment has HTTPS_PROXY with socks5",
  }),
  fault("data_dir is in the memory of the machine (tmpfs)", "ram-disk", {
    sentence: "the disk of data_dir is memory: a restart of the machine loses the journal",
    remedy: "Put data_dir on a disk",
    says: /\bmemory\b|tmpfs|\bRAM\b/i,
    todo: /\bdisk\b|data_dir/i,
    shows: "statfs says that data_dir is on tmpfs",
  }),
]

/** Each with a daemon of its own. */
export const ORDINARY_MACHINE_FAULTS: readonly PlantedFault[] = [
  fault("the clock is ten minutes back", "clock_back", {
    sentence: "this machine's clock differs from its chain by 10 minutes",
    remedy: "Set the clock right (NTP)",
    says: /\bclock\b|ahead/i,
    todo: /NTP|clock/i,
    shows: "the daemon's environment shifts its clock",
  }),
  fault("journal.db is cut to no byte under the daemon", "journal_cut", {
    sentence: "journal.db was cut under the daemon",
    remedy: "Stop the daemon, and restore the copy",
    says: /journal.*(cut|damaged|shorter|truncat|malformed|replaced|not a database|changed)/i,
    todo: /restore|rescue|recover|backup|copy|restart/i,
    shows: "journal.db has 0 bytes after the planting",
  }),
  fault("connections that say nothing fill the port", "crowded", {
    sentence: "all connections of ops.listen are taken",
    remedy: "Find the clients, or close the port to them",
    says: /connections/i,
    todo: /client|address|firewall|close|port|listen/i,
    shows: "a further connection is closed without an answer",
  }),
  fault("a stranger tries tokens at the port", "guessing", {
    sentence: "wrong tokens from 127.0.0.1",
    remedy: "Close ops.listen to it",
    says: /token|login/i,
    todo: /address|firewall|listen|token/i,
    shows: "the port answers 429 to a wrong token",
  }),
]

/** Each a service of its own, with a pair of its own: calls of orders fail, all else is good. */
export const ORDINARY_CALL_FAULTS: readonly PlantedFault[] = [
  fault("quotes are refused: the asset is not supported (400)", "quote_unlisted", {
    sentence: "the service says: asset not supported",
    remedy: "Take the asset from the rule, or ask its operator",
    says: /not supported/,
    todo: /operator|asset|rule|service/,
    shows: "the stub refused a quote of the pair",
  }),
  fault("each quote takes seven seconds", "quote_late", {
    sentence: "quotes of quote_late come after more than five seconds",
    remedy: "Ask its operator",
    says: /no (whole |complete )?answer|no quotes within|slow|timed? ?out|too late|seconds/i,
    todo: /operator|service/,
    shows: "the stub kept a quote of the pair for seven seconds",
  }),
  fault("new orders pay a twentieth less than their quote", "create_amount", {
    sentence: "the order pays less than its quote",
    remedy: "Ask its operator",
    says: /amount|less|quote/i,
    todo: /operator|service/,
    shows: "the stub lowered the payout of an order",
  }),
  fault("the deadline of new orders is over when they are made", "create_expired", {
    sentence: "the deadline of new orders is in the past",
    remedy: "Ask its operator, and compare the clocks",
    says: /deadline|past|\blate\b|no time/i,
    todo: /operator|service|clock/,
    shows: "the stub put a deadline of the past into an order",
  }),
  fault("new orders never get a contract to pay to", "create_unready", {
    sentence: "orders of create_unready wait: the service names no contract for the deposit",
    remedy: "Ask its operator",
    says: /htlc|contract|swap_id|incomplete|malformed|\bform\b|not ready|no deposit/i,
    todo: /operator|service/,
    shows: "the stub took the swap id and the contract out of an order",
  }),
]

/** Each a chain of the sandbox, behind a proxy that spoils one method. */
export const ORDINARY_METHOD_FAULTS: readonly PlantedFault[] = [
  fault("the node takes our fee for too low", "basefee_base_sepolia", {
    sentence: "orders wait: max fee per gas less than block base fee",
    remedy: "Raise the chain's fee cap, or use another endpoint",
    says: /base fee/,
    todo: /fee|node|endpoint/i,
    shows: "the proxy refused a transaction",
  }),
  fault("Bitcoin: the server takes our output for dust", "dust_bitcoin_testnet", {
    sentence: "orders wait: dust",
    remedy: "Raise the amount, or use another server",
    says: /\bdust\b/,
    todo: /amount|node|endpoint|order/i,
    shows: "the proxy refused a broadcast",
  }),
  fault("Starknet: a sent transaction is never found", "receipt_starknet_sepolia", {
    sentence: "orders wait: the node does not show the transaction",
    remedy: REPAIR,
    says: /receipt|not found|no block|transaction/i,
    todo: /node|endpoint|order/i,
    shows: "the proxy denied a transaction that it had forwarded",
  }),
]

type Words = Omit<PlantedFault, "name" | "at">

function fault(name: string, at: string, words: Words): PlantedFault {
  return { name, at, ...words }
}
