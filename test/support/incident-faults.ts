import type { PlantedFault } from "./ordinary-faults.ts"

/**
 * An eleventh list of faults, written from the documents and from what operators report, before
 * one of them was planted: a chain that stands still at every endpoint, lists of allowed addresses
 * at providers, feeds of prices without their account, certificates of mail servers, references to
 * names that the file does not have, an older program on a newer journal, a proxy's name, a daemon
 * that dies again and again, and quotes, orders and nodes with words of their own.
 *
 * At its first run the daemon named 12 of the 16 starts and none of the 4 machines. One start was
 * planted wrongly: contracts of another token stop it before (`observe-left`). In the idle world
 * three wallets of Solana had one key, so that nothing started. The 23 rows there and the 10 of
 * orders have had no whole run yet.
 */
export const UNNAMED_INCIDENT: Readonly<Record<string, string>> = {
  twin: "two daemons know nothing of each other before one finds a transaction of the other",
  "redenominated_chain:usdc": "an asset is compared with its chain once, at the start",
}

const REPAIR = "Repair the node, or use another endpoint"

/** Each on a chain of its own, in the world of one idle daemon. */
export const INCIDENT_NODE_FAULTS: readonly PlantedFault[] = [
  fault("the provider lets only listed addresses in (403)", "fenced_chain", {
    sentence: "the provider of fenced_chain says: origin IP is not on the allowlist (HTTP 403)",
    remedy: "List this machine's address at the provider",
    says: /allowlist/,
    todo: /allowlist|address|provider/i,
    shows: "the stub answered 403 with these words",
  }),
  fault("the chain makes no block: both endpoints have the same old head", "halted_chain", {
    sentence: "halted_chain makes no block since 25 minutes: all its endpoints say the same",
    remedy: "Read the chain's own page of its state; wait",
    says: /newest block|no block|halted|stands still|behind/i,
    todo: /chain itself|chain's own|explorer|status page|wait/i,
    shows: "both stubs gave one block of 25 minutes ago",
  }),
  fault("the answers end in their middle", "cut_chain", {
    sentence: "the answers of cut_chain are no whole JSON",
    remedy: REPAIR,
    says: /JSON|\bform\b|malformed|\bcut\b|whole|unreadable/i,
    todo: /URL|Repair|replace|another endpoint/i,
    shows: "the stub answered with half a body",
  }),
  fault("only the balance is limited (429)", "weighed_chain", {
    sentence: "the balance of weighed_chain cannot be read: HTTP 429",
    remedy: "Raise the plan, or use another endpoint",
    says: /429|compute units/,
    todo: /plan|limit|provider|another endpoint/i,
    shows: "the stub answered a request for the balance with 429",
  }),
  fault("a mesh without its node (503)", "mesh_chain", {
    sentence: "mesh_chain answers HTTP 503: upstream connect error",
    remedy: REPAIR,
    says: /503|upstream connect error/,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub answered 503",
  }),
  fault("the decimals of a token change under the daemon", "redenominated_chain:usdc", {
    sentence: "redenominated_chain:usdc has 18 decimals on chain, and 8 in the configuration",
    remedy: "Read the token's announcement; correct decimals",
    says: /decimals/,
    todo: /decimals|token/i,
    shows: "the stub answered decimals() with 8, and then with 18",
  }),
  fault("Solana: the first block is not told", "nogenesis_sol_chain", {
    sentence: "nogenesis_sol_chain does not tell its genesis hash: Method not supported",
    remedy: REPAIR,
    says: /getGenesisHash|genesis|not supported/i,
    todo: /URL|Repair|replace|another endpoint/i,
    shows: "the stub refused getGenesisHash",
  }),
  fault("Solana: the newest block is an hour old", "late_sol_chain", {
    sentence: "late_sol_chain is behind: its newest block is an hour old",
    remedy: REPAIR,
    says: /behind|newest block/,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub gave a time of an hour ago",
  }),
  fault("Starknet: the newest block is an hour old", "late_stark_chain", {
    sentence: "late_stark_chain is behind: its newest block is an hour old",
    remedy: REPAIR,
    says: /behind|newest block/,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub gave blocks of an hour ago",
  }),
  fault("Bitcoin: only our address leads to a web page, with 200", "pagecoins_btc", {
    sentence: 'the coins of pagecoins_btc cannot be read: the answer is the web page "Sorry"',
    remedy: REPAIR,
    says: /web page|not JSON|\bform\b|malformed/i,
    todo: /URL|Repair|replace|another endpoint/i,
    shows: "the stub answered a path of the address with a page",
  }),
]

export const INCIDENT_SERVICE_FAULTS: readonly PlantedFault[] = [
  fault("the word of a balancer in place of an answer", "balancer", {
    sentence: "the answer of balancer is no JSON: OK",
    remedy: "Correct its url, or ask its operator",
    says: /JSON|\bform\b|malformed|"?OK"?/,
    todo: /\burl\b|operator/i,
    shows: "the stub answered with the text OK",
  }),
  fault("a header is missing (400)", "headless", {
    sentence: "the service says: missing header x-client-id (HTTP 400)",
    remedy: "Correct app_id_header, or ask its operator",
    says: /missing header|400/,
    todo: /app_id|header|operator/i,
    shows: "the stub answered 400",
  }),
  fault("the network wants a login (511)", "hotel", {
    sentence: "the network answers HTTP 511 in the place of hotel",
    remedy: "Log this machine in to its network",
    says: /511/,
    todo: /network|login|log in|operator|\burl\b/i,
    shows: "the stub answered 511",
  }),
  fault("it lets only listed addresses in (403)", "walled", {
    sentence: "the service says: source IP is not on the allowlist (HTTP 403)",
    remedy: "Ask its operator to list this machine's address",
    says: /allowlist|403/,
    todo: /address|operator/i,
    shows: "the stub answered 403",
  }),
]

export const INCIDENT_PRICE_FAULTS: readonly PlantedFault[] = [
  fault("the price has its currency in the text", "fenced_chain:eth", {
    sentence: '"3000 USD" is no number',
    remedy: "Name a path with a plain number",
    says: /3000 USD|no number|no price/,
    todo: /\bpath\b|prices\.sources/i,
    shows: "the stub answered with a text of number and currency",
  }),
  fault("Kraken: too many requests, said with 200", "cut_chain:eth", {
    sentence: "Kraken says: EGeneral:Too many requests",
    remedy: "Wait, or add another source",
    says: /Too many requests/,
    todo: /wait|another|prices\.sources/i,
    shows: "the stub answered with the exchange's error",
  }),
  fault("Pyth: the account of the price does not exist", "late_sol_chain:sol", {
    sentence: "there is no account of a price at the address",
    remedy: "Correct address, or chain",
    says: /account|Pyth/i,
    todo: /address|prices\.sources/i,
    shows: "the stub has no account at the address",
  }),
  fault("Chainlink: the newest round is ten hours old", "redenominated_chain:eth", {
    sentence: "the feed's newest price is ten hours old",
    remedy: "Name another feed or source",
    says: /\bold\b|stale|max_age|hours/i,
    todo: /feed|prices\.sources|another/i,
    shows: "the stub gave a round of ten hours ago",
  }),
]

export const INCIDENT_RECEIVER_FAULTS: readonly PlantedFault[] = [
  fault("a webhook fails each time (500)", "ill_desk", {
    sentence: "the receiver answers HTTP 500",
    remedy: "Repair the receiver, and try it: ballast alerts test",
    says: /500/,
    todo: /receiver|address|alerts test/i,
    shows: "the stub answered a message with 500",
  }),
  fault("Slack: the workspace is gone (403)", "team_desk", {
    sentence: "Slack says: team_disabled (HTTP 403)",
    remedy: "Make another webhook",
    says: /team_disabled|403/,
    todo: /\burl\b|webhook|address|secret/i,
    shows: "the stub answered a message with 403",
  }),
  fault("ntfy: the access token is wrong (401)", "locked_desk", {
    sentence: "ntfy says: unauthorized (HTTP 401)",
    remedy: "Renew the token of the receiver",
    says: /401|unauthorized/i,
    todo: /token|secret/i,
    shows: "the stub answered a message with 401",
  }),
  fault("mail: the server ends the connection after its greeting", "hasty_desk", {
    sentence: "the mail server closes the connection",
    remedy: "Compare host, port and tls with the server's",
    says: /closed|reset|ended|broke|hang up|no (whole |complete )?answer/i,
    todo: /address|host|port|receiver|server/i,
    shows: "the mail server greeted and ended the connection",
  }),
  fault("mail: no authority signed the server's certificate", "selfsigned_desk", {
    sentence: "the certificate of the mail server is signed by no known authority",
    remedy: "Name the authority in NODE_EXTRA_CA_CERTS",
    says: /self.signed|certificate|authority/i,
    todo: /NODE_EXTRA_CA_CERTS|certificate|authority/i,
    shows: "the mail server was called, and its certificate signs itself",
  }),
]

/** `ballast run` names it, and `status` then, of a daemon that runs or one that ended. */
export const INCIDENT_START_FAULTS: readonly PlantedFault[] = [
  fault("the certificate of ops.tls is not there", "tls-missing", {
    sentence: "ops.tls.cert names a file that does not exist",
    remedy: "Write the file, or correct its path",
    says: /ops\.tls|cert\.pem/,
    todo: /file|path/i,
    shows: "the file names a certificate that does not exist",
  }),
  fault("the key of ops.tls has a passphrase", "tls-passphrase", {
    sentence: "the key of ops.tls is encrypted",
    remedy: "Write the key without a passphrase",
    says: /ops\.tls.*(encrypt|passphrase|password)/i,
    todo: /passphrase|without|decrypt|plain|openssl/i,
    shows: "the key's file begins with ENCRYPTED PRIVATE KEY",
  }),
  fault("a peg of one asset", "lone-peg", {
    sentence: "a peg needs two assets",
    remedy: "Add another asset to it, or remove it",
    says: /peg/i,
    todo: /another|second|two|add|remove/i,
    shows: "the file has a peg with one member",
  }),
  fault("a price for an asset that is not listed", "price-unlisted", {
    sentence: "some_chain:wbtc of prices.sources is not in assets",
    remedy: "List the asset, or remove the source",
    says: /some_chain:wbtc/,
    todo: /assets|list|remove|add/i,
    shows: "the file has a source for an asset that it does not list",
  }),
  fault("coin is kept on a chain that is not listed", "native-unlisted", {
    sentence: "guards.min_native names som_chain, which is not in chains",
    remedy: "Correct the name",
    says: /som_chain/,
    todo: /chains|name|some_chain/i,
    shows: "the file has min_native for a chain that it does not list",
  }),
  fault("a limit of the signer for an asset that is not listed", "limit-unlisted", {
    sentence: "signer.limits names some_chain:usd, which is not in assets",
    remedy: "Correct the name",
    says: /some_chain:usd\b/,
    todo: /assets|name|list|some_chain:usdc/i,
    shows: "the file has a limit for an asset that it does not list",
  }),
  fault("an approver in the chat who is nobody of the file", "approver-unknown", {
    sentence: "carol of approvers has no token in ops.tokens",
    remedy: "Give her a token with the scope approve",
    says: /carol/,
    todo: /ops\.tokens/,
    shows: "the file has an approver without a token",
  }),
  fault("alerts escalate to a receiver that is not listed", "escalate-unknown", {
    sentence: "night of escalate_to is no receiver",
    remedy: "Correct the name, or add the receiver",
    says: /night/,
    todo: /receiver/,
    shows: "the file has escalate_to with a name without a receiver",
  }),
  fault("the highest fee is zero", "fee-zero", {
    sentence: "max_fee_per_gas of some_chain is zero, so no transaction can be sent",
    remedy: "Raise it",
    says: /max_fee_per_gas/,
    todo: /max_fee_per_gas|raise|gwei/i,
    shows: "the file has max_fee_per_gas: 0 gwei",
  }),
  fault("the shortest poll is above the longest", "poll-turned", {
    sentence: "poll.min is above poll.max",
    remedy: "Lower min, or raise max",
    says: /poll/,
    todo: /\bmin\b|\bmax\b/,
    shows: "the file has min: 30s and max: 5s",
  }),
  fault("own secrets of a treasury without a name", "nameless-secrets", {
    sentence: "secrets.key needs treasury",
    remedy: "Write treasury",
    says: /treasury/,
    todo: /treasury/,
    shows: "the file has secrets.key, and no treasury",
  }),
  fault("mode observe was forgotten, and a rule waits for its time", "observe-left", {
    sentence: "mode is observe, so no rule makes an order",
    remedy: "Write mode: live",
    says: /\bobserve\b/,
    todo: /mode: live|\blive\b/,
    shows: "the file has mode: observe and a rule",
  }),
  fault("the key of a webhook's signature is no base64", "webhook-key", {
    sentence: "the key of the receiver desk is not base64",
    remedy: "Write a key in base64",
    says: /base64/,
    todo: /base64|key/,
    shows: "the environment has a key with letters that base64 lacks",
  }),
  fault("PostgreSQL: it has no memory left (53200)", "pg-53200", {
    sentence: "PostgreSQL says: out of memory (53200)",
    remedy: "Give the server more memory",
    says: /53200|out of memory/,
    todo: /memory|server|PostgreSQL/i,
    shows: "the stub refused a connection by 53200",
  }),
  fault("PostgreSQL: it has no TLS, and the URL demands it", "pg-no-tls", {
    sentence: "the server at the URL of journal does not offer TLS",
    remedy: "Turn TLS on at the server",
    says: /TLS|SSL/,
    todo: /TLS|SSL|sslmode|server/i,
    shows: "the stub answers N to a request for TLS",
  }),
  fault("the journal is of a newer Ballast", "newer-journal", {
    sentence: "journal.db was written by a newer version of Ballast",
    remedy: "Install the newer version again",
    says: /journal.*(newer|version)|newer.*journal/i,
    todo: /version|newer|upgrade|install/i,
    shows: "the journal's user_version is a thousand higher than that of its start",
  }),
]

/** Each with a daemon of its own. */
export const INCIDENT_MACHINE_FAULTS: readonly PlantedFault[] = [
  fault("a proxy asks for a name that ops.hosts lacks", "proxy_host", {
    sentence: "requests for desk.example.com are refused: ops.hosts does not have it",
    remedy: "Add desk.example.com to ops.hosts",
    says: /desk\.example\.com/,
    todo: /ops\.hosts/,
    shows: "the port refuses a request with the name",
  }),
  fault("journal.db-shm is deleted under the daemon", "shm_gone", {
    sentence: "journal.db-shm was deleted under the daemon",
    remedy: "Restart the daemon",
    says: /journal\.db-shm|journal.*(deleted|missing|gone)/i,
    todo: /restart|back|rescue|copy|restore/i,
    shows: "the file is not there after the planting",
  }),
  fault("a second daemon has the same wallet, with a data_dir of its own", "twin", {
    sentence: "another daemon of this machine uses the wallet of one_chain",
    remedy: "Stop one of them, or give it another key",
    says: /(another|second|other) (daemon|Ballast|program|process)/i,
    todo: /stop|another key|other key/i,
    shows: "the second daemon answers at a port of its own",
  }),
  fault("the daemon dies and is started again and again", "restart_loop", {
    sentence: "the daemon ended 5 times within 10 minutes",
    remedy: "Read how it ended: dmesg, the log",
    says: /(ended|started|restart(s|ed)?|died|killed|crash(es|ed)?) .*(times|again)/i,
    todo: /\blog\b|dmesg|journalctl|memory|supervisor/i,
    shows: "five daemons of this data_dir were killed, and a sixth runs",
  }),
]

/** Each a service of its own, with a pair of its own: calls of orders fail, all else is good. */
export const INCIDENT_CALL_FAULTS: readonly PlantedFault[] = [
  fault("quotes sell twice the amount that was asked for", "quote_more", {
    sentence: "quotes of quote_more sell another amount than was asked for",
    remedy: "Ask its operator",
    says: /amount/i,
    todo: /operator|service/,
    shows: "the stub doubled the source amount of a quote",
  }),
  fault("the amounts of quotes have a fraction", "quote_fraction", {
    sentence: "the amounts of quotes are no whole numbers of units",
    remedy: "Ask its operator",
    says: /amount|whole|\bform\b|malformed|integer|digits/i,
    todo: /operator|service/,
    shows: "the stub wrote a fraction into a quote",
  }),
  fault("new orders sell another token", "create_token", {
    sentence: "the order sells another token than was asked for",
    remedy: "Ask its operator; pause",
    says: /token|asset/i,
    todo: /operator|service/,
    shows: "the stub put another asset into an order",
  }),
  fault("new orders find no money at the solver (422)", "create_dry", {
    sentence: "the service says: insufficient solver liquidity",
    remedy: "Wait, or lower the amount",
    says: /insufficient solver liquidity/,
    todo: /operator|service|amount|wait/i,
    shows: "the stub refused a new order by 422",
  }),
  fault("the service shows another order than was asked for", "order_other", {
    sentence: "the service shows another order than it was asked for",
    remedy: "Ask its operator",
    says: /another order|order id|\bid\b|other order/i,
    todo: /operator|service/,
    shows: "the stub changed the id of an order",
  }),
]

/** Each a chain of the sandbox, behind a proxy that spoils one method. */
export const INCIDENT_METHOD_FAULTS: readonly PlantedFault[] = [
  fault("the node says that it has our transaction, and drops it", "known_base_sepolia", {
    sentence: "the transaction is in no block, though the node says: already known",
    remedy: REPAIR,
    says: /already known|no block|not in a block|pending|unmined|not (seen|shown)/i,
    todo: /node|endpoint|explorer/i,
    shows: "the proxy answered already known and forwarded nothing",
  }),
  fault("the node signs for another chain", "signer_ethereum_sepolia", {
    sentence: "orders wait: invalid chain id for signer",
    remedy: "Compare the endpoint's network with chain_id",
    says: /invalid chain id/,
    todo: /node|endpoint|chain_id|network/i,
    shows: "the proxy refused a transaction",
  }),
  fault("Bitcoin: another transaction spends the same coins", "conflict_bitcoin_testnet", {
    sentence: "orders wait: txn-mempool-conflict",
    remedy: "Compare with an explorer; another program may use the key",
    says: /txn-mempool-conflict/,
    todo: /node|endpoint|key|explorer/i,
    shows: "the proxy refused a broadcast",
  }),
  fault("Solana: the issuer has frozen our token account", "icy_solana_testnet", {
    sentence: "orders wait: Account is frozen",
    remedy: "Ask the issuer of the token",
    says: /frozen/i,
    todo: /issuer|token/i,
    shows: "the proxy refused a transaction with the program's log",
  }),
  fault("Starknet: the transaction offers too little for its resources", "gas_starknet_sepolia", {
    sentence: "orders wait: The transaction's resources don't cover validation",
    remedy: "Raise the chain's highest fee, or use another endpoint",
    says: /resources don't cover/,
    todo: /fee|node|endpoint/i,
    shows: "the proxy refused a transaction",
  }),
]

type Words = Omit<PlantedFault, "name" | "at">

function fault(name: string, at: string, words: Words): PlantedFault {
  return { name, at, ...words }
}
