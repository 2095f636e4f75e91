import type { StrangeFault } from "./strange-faults.ts"

/**
 * A third list of faults by strangers, written before one of them was planted and without a look
 * at the code that would name them: proxies, the variables of Node, certificates that are half
 * there, the errors of PostgreSQL, keys and files as people paste them, rules that can never act.
 */
/**
 * Of the 64 rows the daemon named 26 by their cause at the first run, and of the 33 of
 * `unforeseen-faults.ts` 30, after the kinds behind the first ones were mended. `@daily` there is
 * no fault: the schedule is accepted.
 */
export const UNNAMED_UNSEEN: Readonly<Record<string, string>> = {
  tagless_chain: "an idle daemon asks for no finalized block; an order's first read says it",
  poor: "an empty list of chains tells nothing; the quote of a rule says that it has no pair",
  heap: "a process that the engine of Node aborts can keep no reason",
  collector: "this suite asks too early; the row `collector-404` of the everyday faults waits",
  daily: "it is no fault: the schedule is accepted",
}

const REPAIR = "Repair the node, or use another endpoint"

/** Each on a chain of its own, in the world of one daemon. */
export const UNSEEN_NODE_FAULTS: readonly StrangeFault[] = [
  fault("the certificate comes without its intermediate", "leaf_chain", {
    sentence: "the host does not send the whole chain of its certificate",
    remedy: "Its operator adds the intermediate certificate, or name it in NODE_EXTRA_CA_CERTS",
    says: /authority|whole chain|intermediate|UNABLE_TO|issuer/i,
    todo: /CA_CERTS|intermediate|whole chain/i,
  }),
  fault("the host speaks only TLS 1.1", "oldtls_chain", {
    sentence: "the host speaks only an old version of TLS",
    remedy: "Its operator turns on TLS 1.2 or newer",
    says: /TLS|protocol/i,
    todo: /TLS/,
  }),
  fault("http to a port of https (400)", "plainhttp_chain", {
    sentence: "the host wants https at this port (HTTP 400)",
    remedy: "Correct the URL: https in place of http",
    says: /400|https/i,
    todo: /https|Correct the URL/,
  }),
  fault("no route leads to the host", "route_chain", {
    sentence: "no route leads to the host of the node (ENETUNREACH)",
    remedy: "Repair the route of this machine, or use another address",
    says: /ENETUNREACH|EHOSTUNREACH|no route|unreachable/i,
    todo: /route|network|firewall|IPv6|address/i,
  }),
  fault("the node knows no finalized block", "tagless_chain", {
    sentence: "the node shows no finalized block: finalized block not found",
    remedy: "Give finality as numbers of blocks, or use another endpoint",
    says: /finalized/i,
    todo: /finality|Repair|replace|another endpoint|confirmations/i,
  }),
  fault("Bitcoin: the server shows no coins of our address", "history_chain", {
    sentence: "the server refuses the coins of our address: too many history entries",
    remedy: "Use a server with a larger limit",
    says: /history|utxo|balance/i,
    todo: /Repair|replace|another endpoint|server|limit/i,
  }),
  fault("two of three calls fail (503)", "flaky_chain", {
    sentence: "11 of 16 calls failed with HTTP 503",
    remedy: REPAIR,
    says: /503/,
    todo: /Repair|replace|another endpoint/i,
  }),
]

export const UNSEEN_SERVICE_FAULTS: readonly StrangeFault[] = [
  fault("it knows none of our assets", "poor", {
    sentence: "the service lists none of our assets",
    remedy: "Correct the assets, or ask its operator",
    says: /none of|lists no|no asset|does not (list|know|trade)/i,
    todo: /assets|operator|discover/i,
  }),
  fault("it does not know our app id, said with 200", "tenant", {
    sentence: "the service says: app not found",
    remedy: "Check app_id",
    says: /app not found/,
    todo: /app_id/,
  }),
  fault("two of three calls fail (500)", "flaky", {
    sentence: "10 of 15 calls failed with HTTP 500",
    remedy: "Ask its operator",
    says: /500/,
    todo: /operator/,
  }),
]

export const UNSEEN_PRICE_FAULTS: readonly StrangeFault[] = [
  fault("the source refuses by number, said with 200", "leaf_chain:eth", {
    sentence: "the source says: You've exceeded the Rate Limit",
    remedy: "Ask less often, or buy more requests",
    says: /rate limit/i,
    todo: /requests|less often|limit/i,
  }),
  fault("the answer has no time at time_path", "oldtls_chain:eth", {
    sentence: "the source gives no time at time_path",
    remedy: "Correct time_path of the source",
    says: /time/i,
    todo: /time_path|prices\.sources/,
  }),
  fault("Chainlink's feed has no contract", "plainhttp_chain:eth", {
    sentence: "there is no feed at the address",
    remedy: "Correct the address of the source",
    says: /no (contract|feed|code|price|answer)|empty/i,
    todo: /address|prices\.sources/,
  }),
]

export const UNSEEN_RECEIVER_FAULTS: readonly StrangeFault[] = [
  fault("Telegram: the chat is unknown", "chat_desk", {
    sentence: "Telegram says: chat not found (HTTP 400)",
    remedy: "Correct chat, and add the bot to it",
    says: /chat not found|400/,
    todo: /\bchat\b|address/i,
  }),
  fault("Matrix: the bot is not in the room", "room_desk", {
    sentence: "the Matrix server says: not in room (HTTP 403)",
    remedy: "Invite the bot to the room",
    says: /not in room|403/,
    todo: /room|invite|token|secret/i,
  }),
  fault("the mail server offers no STARTTLS", "starttls_desk", {
    sentence: "the mail server offers no STARTTLS",
    remedy: "Correct tls or port of the receiver",
    says: /STARTTLS/i,
    todo: /\btls\b|\bport\b|STARTTLS/i,
  }),
  fault("the mail server relays nothing for us (554)", "relay_desk", {
    sentence: "the mail server says: 554 relay access denied",
    remedy: "Correct from and to, or log in with user and password",
    says: /554/,
    todo: /address|from|user|log ?in/i,
  }),
]

/** Each with a daemon of its own. */
export const UNSEEN_MACHINE_FAULTS: readonly StrangeFault[] = [
  fault("the proxy refuses connections", "proxy_dead", {
    sentence: "the proxy of HTTPS_PROXY refuses connections",
    remedy: "Start the proxy, or correct HTTPS_PROXY",
    says: /proxy/i,
    todo: /PROXY|proxy/,
  }),
  fault("the proxy wants a password (407)", "proxy_login", {
    sentence: "the proxy wants user and password (HTTP 407)",
    remedy: "Write user:password@ into HTTPS_PROXY",
    says: /407/,
    todo: /PROXY|proxy/,
  }),
  fault("the proxy does not let us to these hosts (403)", "proxy_denied", {
    sentence: "the proxy refuses these hosts (HTTP 403)",
    remedy: "Admit the hosts at the proxy, or name them in NO_PROXY",
    says: /proxy/i,
    todo: /PROXY|proxy/,
  }),
  fault("each host answers with the login page of the network", "portal", {
    sentence: "every host answers with the same web page: this network wants a login",
    remedy: "Log in to the network of this machine; no endpoint is wrong",
    says: /same (web )?page|this machine|network of|portal|every host|each (host|endpoint)/i,
    todo: /network|log ?in|proxy|portal/i,
  }),
  fault("NODE_EXTRA_CA_CERTS names a file that is not there", "ca_missing", {
    sentence: "the file of NODE_EXTRA_CA_CERTS cannot be read",
    remedy: "Correct the path in NODE_EXTRA_CA_CERTS",
    says: /NODE_EXTRA_CA_CERTS.*(cannot|does not|missing|no such|ENOENT)/i,
    todo: /path|file/i,
  }),
  fault("certificates are not checked (NODE_TLS_REJECT_UNAUTHORIZED=0)", "insecure", {
    sentence: "NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of certificates",
    remedy: "Remove the variable, and name an own authority in NODE_EXTRA_CA_CERTS",
    says: /NODE_TLS_REJECT_UNAUTHORIZED/,
    todo: /remove|unset|without|NODE_EXTRA_CA_CERTS/i,
  }),
  fault("a debugger may attach (NODE_OPTIONS=--inspect)", "inspect", {
    sentence: "NODE_OPTIONS opens a debugger, which can read the keys",
    remedy: "Remove --inspect from NODE_OPTIONS",
    says: /--inspect|debugger/i,
    todo: /remove|without|NODE_OPTIONS/i,
  }),
  fault("the heap is too small (NODE_OPTIONS)", "heap", {
    sentence: "the last start ran out of memory",
    remedy: "Give it more memory: --max-old-space-size in NODE_OPTIONS",
    says: /memory|heap/i,
    todo: /memory|max-old-space-size/i,
  }),
  fault("data_dir is another one in the file than in the running daemon", "moved_dir", {
    sentence: "a daemon with another data_dir answers at ops.listen",
    remedy: "Put data_dir back, or stop that daemon first",
    says: /another data_dir|other data_dir|at ops\.listen|uses the address|answers at/i,
    todo: /data_dir/,
  }),
  fault("the certificate of ops.tls has expired", "ops_expired", {
    sentence: "the certificate of ops.tls has expired",
    remedy: "Renew the certificate, then reload",
    says: /ops\.tls.*expired|certificate.*expired|expired.*certificate/i,
    todo: /renew|certificate/i,
  }),
  fault("the key of a chain is another one than before", "other_key", {
    sentence: "the journal has the books of another account of one_chain",
    remedy: "Put the old key back, or move its funds",
    says: /another (account|wallet|key|address)|other (account|wallet|key|address)|changed/i,
    todo: /key|account|wallet/i,
  }),
  fault("the collector of traces refuses connections", "collector", {
    sentence: "the collector of telemetry.otlp refuses connections",
    remedy: "Start the collector, or correct telemetry.otlp",
    says: /otlp|telemetry|collector|traces/i,
    todo: /otlp|telemetry|collector/i,
  }),
]

/** `ballast run` names it, and `status` then, of a daemon that runs or one that ended. */
export const UNSEEN_START_FAULTS: readonly StrangeFault[] = [
  fault("the token's address has no contract (EVM)", "codeless_chain", {
    sentence: "the address of codeless_chain:usdc has no contract on the chain",
    remedy: "Correct the token's address, or the chain",
    says: /no (code|contract)|not a token|no token|shows no/i,
    todo: /token|address/i,
  }),
  fault("the mint does not exist (Solana)", "mintless_sol_chain", {
    sentence: "the mint of mintless_sol_chain:usdc does not exist",
    remedy: "Correct the token's address, or the chain",
    says: /no (mint|account|token)|does not exist|not a token|shows no/i,
    todo: /token|address|mint/i,
  }),
  fault("the file is UTF-16", "utf16", {
    sentence: "the file is UTF-16 and not UTF-8",
    remedy: "Save it as UTF-8",
    says: /UTF-?16|UTF-?8|encoding/i,
    todo: /UTF-?8/i,
  }),
  fault("markers of a merge are in the file", "conflict", {
    sentence: "line 3 has the marker <<<<<<< of a merge",
    remedy: "Finish the merge",
    says: /merge|<<<<|conflict/i,
    todo: /merge|line|:\d+/i,
  }),
  fault("two documents in the file", "documents", {
    sentence: "the file has two documents (---)",
    remedy: "Keep one",
    says: /document|---/i,
    todo: /one|remove|line|:\d+/i,
  }),
  fault("an address without quotes is a number", "unquoted", {
    sentence: "the address has no quotes, so YAML reads a number",
    remedy: "Write it in quotes",
    says: /token|number/i,
    todo: /quote/i,
  }),
  fault("an amount without quotes", "bare-amount", {
    sentence: "0.1 is a number",
    remedy: 'Write "0.1" in quotes',
    says: /amount/,
    todo: /quote|"0\.1"/i,
  }),
  fault("quotation marks of a word processor", "curly", {
    sentence: "“http://… is no URL",
    remedy: "Use straight quotation marks",
    says: /“|quotation|URL/i,
    todo: /straight|quot|https?:/i,
  }),
  fault("two names for one chain", "same-chain", {
    sentence: "some_chain and other_chain are the same chain, with the same wallet",
    remedy: "Remove one",
    says: /same|twice|84532/i,
    todo: /one|remove|once|different/i,
  }),
  fault("an address with a slip (its checksum is wrong)", "checksum", {
    sentence: "the checksum of the address is wrong",
    remedy: "Copy the address again",
    says: /checksum/i,
    todo: /copy|address|capital|check/i,
  }),
  fault("the key is in quotes in the environment", "quoted-key", {
    sentence: "the variable has quotes around the key",
    remedy: "Remove the quotes",
    says: /in quotes/,
    todo: /remove/i,
  }),
  fault("an address in the place of the key", "address-key", {
    sentence: "the file has an address, not a private key",
    remedy: "Write the private key, 32 bytes",
    says: /address|private key/i,
    todo: /private key|64|32 bytes/i,
  }),
  fault("a key that everybody knows, on a main network", "public-key", {
    sentence: "the key is one of the published keys for tests",
    remedy: "Make a new key: ballast wallet new",
    says: /public|published|known|test key|everybody|everyone/i,
    todo: /new key|wallet new|another key/i,
  }),
  fault("credential: without systemd", "no-credentials", {
    sentence: "CREDENTIALS_DIRECTORY is not set: systemd did not start this",
    remedy: "Write LoadCredential into the unit",
    says: /CREDENTIALS_DIRECTORY|systemd/i,
    todo: /LoadCredential|systemd/,
  }),
  fault("the module of PKCS#11 is not installed", "no-module", {
    sentence: "the module /usr/lib/no-such-module.so does not exist",
    remedy: "Install it, or correct module-path",
    says: /no-such-module/,
    todo: /install|module-path|path/i,
  }),
  fault("a key of a KMS without its credentials", "no-kms", {
    sentence: "the file of credentials for aws-kms does not exist",
    remedy: "Write it, or correct credentials=",
    says: /credentials|aws/i,
    todo: /path|credentials|file/i,
  }),
  fault("two people have the same token", "same-token", {
    sentence: "the tokens of alice and ben are the same",
    remedy: "Give each a token of its own",
    says: /same|twice|unique|of its own/i,
    todo: /own|different|another|each/i,
  }),
  fault("two rules have one id", "same-rule", {
    sentence: "two rules have the id some",
    remedy: "Give each its own id",
    says: /twice|same|duplicate|unique|two rules|no other rule/i,
    todo: /id\b|rename|other|own/i,
  }),
  fault("the payout goes to the token's own contract", "token-payee", {
    sentence: "the destination is the contract of the token: the money would be lost",
    remedy: "Name a wallet",
    says: /contract|token/i,
    todo: /destination|wallet|address/i,
  }),
  fault("quiet hours cover every hour", "always-quiet", {
    sentence: "quiet_hours cover the whole week: no order can ever begin",
    remedy: "Shorten them",
    says: /quiet/i,
    todo: /quiet|shorten|from|to\b/i,
  }),
  fault("a window is smaller than a rule's amount", "small-window", {
    sentence: "the rule can never act: its amount is above the window",
    remedy: "Raise the window, or lower the amount",
    says: /never|window/i,
    todo: /window|amount/i,
  }),
  fault("finality is the wrong way round", "finality", {
    sentence: "finality.seen is deeper than finality.reveal",
    remedy: "Give seen the smallest number",
    says: /finality|seen|reveal/i,
    todo: /seen|reveal|ending|at least|deeper/i,
  }),
  fault("two people must approve, and one has a token", "too-few-people", {
    sentence: "approve_above asks for 2 people, and 1 token may approve",
    remedy: "Give a second person a token with the scope approve",
    says: /people|approve/i,
    todo: /token|scope|ops\.tokens/i,
  }),
  fault("a rule pays to an address that guards do not allow", "stranger-payee", {
    sentence: "the rule pays to 0x…, which guards.destinations does not allow",
    remedy: "Add it to guards.destinations",
    says: /destination/i,
    todo: /guards\.destinations|list|allow/i,
  }),
  fault("the service's url has its version already", "version-twice", {
    sentence: "the url ends with /v2, and path_prefix is /v2",
    remedy: "Write the url without the version",
    says: /\/v2|path_prefix/,
    todo: /without|remove/i,
  }),
  fault("a header with a character that HTTP lacks", "header", {
    sentence: "the header x-api-key has a character that no header may have",
    remedy: "Correct its value",
    says: /header|character/i,
    todo: /character|correct|ASCII|letters/i,
  }),
  fault("others can change .env", "env-open", {
    sentence: "other users can change .env",
    remedy: "chmod go-w .env",
    says: /\.env/,
    todo: /chmod/,
  }),
  fault("journal.db is a folder", "journal-folder", {
    sentence: "journal.db is a folder and no file",
    remedy: "Remove the folder, put the backup in its place",
    says: /journal\.db.*(folder|directory)|EISDIR/i,
    todo: /remove|move|backup|rename/i,
  }),
  fault("journal.db is empty", "journal-empty", {
    sentence: "journal.db is empty",
    remedy: "Put the newest backup in its place",
    says: /journal.*(empty|0 bytes|missing|damaged|no orders)/i,
    todo: /backup|recover/i,
  }),
  fault("a folder has the name of the socket", "socket-folder", {
    sentence: "ballast.sock is a folder",
    remedy: "Remove it",
    says: /ballast\.sock/,
    todo: /remove|move|rename/i,
  }),
  fault("PostgreSQL: the password is wrong (28P01)", "pg-28P01", {
    sentence: "PostgreSQL refuses the password of ballast",
    remedy: "Correct the password in journal",
    says: /password/i,
    todo: /journal|password/i,
  }),
  fault("PostgreSQL: the database does not exist (3D000)", "pg-3D000", {
    sentence: 'the database "ballast" does not exist',
    remedy: "Create it, or correct the name in journal",
    says: /database.*does not exist|3D000/i,
    todo: /create|journal/i,
  }),
  fault("PostgreSQL: too many connections (53300)", "pg-53300", {
    sentence: "PostgreSQL has no free connection",
    remedy: "Raise max_connections, or end others",
    says: /too many (clients|connections)|53300/i,
    todo: /connections/i,
  }),
  fault("PostgreSQL: not without TLS (28000)", "pg-28000", {
    sentence: "pg_hba.conf admits no connection without encryption",
    remedy: "Add sslmode to the URL, or an entry to pg_hba.conf",
    says: /pg_hba|encryption/i,
    todo: /add \?sslmode/,
  }),
  fault("PostgreSQL: it is starting (57P03)", "pg-57P03", {
    sentence: "the database system is starting up",
    remedy: "Wait: the supervisor tries again",
    says: /starting up/,
    todo: /wait|again/i,
  }),
]

type Words = Pick<StrangeFault, "sentence" | "remedy" | "says" | "todo">

function fault(name: string, at: string, words: Words): StrangeFault {
  return { name, at, ...words }
}
