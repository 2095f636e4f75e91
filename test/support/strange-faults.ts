/** Faults of these lists that no sentence of an idle daemon names within a minute, and why. */
export const UNNAMED: Readonly<Record<string, string>> = {
  feeless_chain: "an idle daemon asks a single endpoint for no fee; a quote says fees.unknown",
  twoface_chain: "a known network is asked for once an hour: chance decides which answer it gets",
  turned_chain: "a known network is asked for once an hour, so an idle daemon may notice late",
  void_chain: "three failed reads are a fault, and an idle daemon reads balances rarely",
  vhost_chain: "the probe keeps no words of a refusal, so a refused host is like a refused key",
  client_chain: "this server closes the connection after the handshake without an alert",
}

/**
 * A fault that a stranger plants over the real processes, with the sentence and the remedy that a
 * good operator's tool would say. Written before they were planted for the first time: `says` and
 * `todo` are the words that no good sentence and no good remedy can do without.
 */
export type StrangeFault = {
  readonly name: string
  /** The chain, service, asset, receiver or start that carries the fault. */
  readonly at: string
  readonly sentence: string
  readonly remedy: string
  readonly says: RegExp
  readonly todo: RegExp
}

const URL = "Correct the URL of the endpoint"
const REPAIR = "Repair the node, or use another endpoint"

/** Each on a chain of its own. */
export const STRANGE_NODE_FAULTS: readonly StrangeFault[] = [
  fault("blocks have their time in milliseconds", "milli_chain", {
    sentence: "the newest block of milli_chain is thousands of years in the future",
    remedy: `${REPAIR}; our clock is not the cause`,
    says: /in the future|millisecond/,
    todo: /^(?!.*\bSet this machine's clock).*(repair|replace)/i,
  }),
  fault("numbers are decimal, not hexadecimal", "plain_chain", {
    sentence: 'the node gives "84532" where a hexadecimal number belongs',
    remedy: REPAIR,
    says: /hex|0x|is no number|not a number|is no quantity|no (chain id|block|height)/i,
    todo: /Repair|Correct/,
  }),
  fault("200 with an empty body", "empty_chain", {
    sentence: "the answer of the node is empty",
    remedy: URL,
    says: /empty|not JSON|no body/i,
    todo: /URL|Repair/,
  }),
  fault("an answer without an end", "huge_chain", {
    sentence: "the answer of the node is larger than any good one",
    remedy: REPAIR,
    says: /too large|larger|more than \d+ (bytes|MiB|MB)/i,
    todo: /Repair|replace|URL/i,
  }),
  fault("the certificate is of another name", "alias_chain", {
    sentence: "the certificate of the node's host is of another name",
    remedy: `${URL}, which names another host than the certificate`,
    says: /ALTNAME|another name|other name/i,
    todo: /URL|host name/,
  }),
  fault("the certificate has expired", "expired_chain", {
    sentence: "the certificate of the node's host has expired",
    remedy: "Its operator renews the certificate; or our clock is wrong",
    says: /expired/i,
    todo: /certificate/,
  }),
  fault("the host demands a certificate of the client", "client_chain", {
    sentence: "the host of the node demands a certificate of the client",
    remedy: "Ask the provider for a URL with a key in place of a certificate",
    says: /certificate/i,
    todo: /certificate|URL|provider/,
  }),
  fault("the port is of another program (SSH)", "ssh_chain", {
    sentence: "another program than a node answers at this port, not in HTTP",
    remedy: URL,
    says: /HTTP|protocol|parse/i,
    todo: /Correct the URL/,
  }),
  fault("Bitcoin: no fee estimates", "feeless_chain", {
    sentence: "the node gives no estimate of a fee",
    remedy: REPAIR,
    says: /\bfee/i,
    todo: /Repair|replace|another endpoint|fee/i,
  }),
  fault("Bitcoin: the explorer's page, not its API", "explorer_chain", {
    sentence: "the URL leads to a web page and not to the interface of Esplora",
    remedy: URL,
    says: /JSON|web page|HTML|not a|is no /i,
    todo: /Correct the URL/,
  }),
  fault("Bitcoin: the RPC of Bitcoin Core, not Esplora", "core_chain", {
    sentence: "the host answers HTTP 405 and has not the interface of Esplora",
    remedy: URL,
    says: /405/,
    todo: /Correct the URL/,
  }),
  fault("Solana: the node says that it is behind", "slow_sol_chain", {
    sentence: "the node says that it is 5000 slots behind",
    remedy: REPAIR,
    says: /behind/i,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("Solana: no block has a time", "gap_sol_chain", {
    sentence: "the node shows no time of its newest blocks",
    remedy: REPAIR,
    says: /\bblock|slot|-3200\d/i,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("Starknet: the URL is of an old version of the interface", "old_stark_chain", {
    sentence: "the node refuses our calls as Invalid params: another version of the interface",
    remedy: `${URL}, with the path of the newest version`,
    says: /params/i,
    todo: /URL|version|Repair/,
  }),
  fault("Starknet: the account is not deployed", "bare_stark_chain", {
    sentence: "the account of bare_stark_chain is not deployed (wallet.not_deployed)",
    remedy: "Deploy the account, or correct its address",
    says: /not deployed|no (account|contract)|not found/i,
    todo: /deploy|account/i,
  }),
  fault("a balancer with another chain behind it, after a while", "turned_chain", {
    sentence: "the endpoint is on network 1, not 84532",
    remedy: URL,
    says: /on network 1,? (and )?not 84532/,
    todo: /Correct the URL/,
  }),
  fault("each second answer is of another chain", "twoface_chain", {
    sentence: "the endpoint answers now for network 84532, now for network 1",
    remedy: URL,
    says: /network/,
    todo: /URL|replace/i,
  }),
  fault("balances are null", "void_chain", {
    sentence: "the node shows new blocks, and eth_getBalance fails",
    remedy: REPAIR,
    says: /balance/i,
    todo: /Repair|replace/i,
  }),
  fault("the head has stood still for ten minutes", "still_chain", {
    sentence: "the newest block of still_chain is 10 minutes old",
    remedy: REPAIR,
    says: /newest block|stands still/,
    todo: /Repair|replace/i,
  }),
  fault("heights go up and down by thousands", "jumping_chain", {
    sentence: "the height that the endpoint shows goes back by 5000 blocks: nodes behind it differ",
    remedy: "Use an endpoint of one node, or ask the provider",
    says: /back|lower|fall|behind|differ/i,
    todo: /Repair|replace|provider|another endpoint/i,
  }),
  fault("a bot wall (403 with a page)", "wall_chain", {
    sentence: "the protection of the provider refuses this machine (HTTP 403, a page)",
    remedy: "Ask the provider to admit this machine's address, or use another",
    says: /403/,
    todo: /address|provider|firewall|protection/i,
  }),
  fault("the key is wrong, in words of JSON-RPC", "worded_chain", {
    sentence: "the node says: Must be authenticated!",
    remedy: "Renew the key in the URL",
    says: /authenticated/i,
    todo: /Renew the key/,
  }),
  fault("both endpoints refuse by number (429)", "both_chain", {
    sentence: "both endpoints of both_chain limit our requests",
    remedy: "Buy more requests; the endpoints are not wrong",
    says: /429|limit/,
    todo: /limits our requests/,
  }),
]

export const STRANGE_SERVICE_FAULTS: readonly StrangeFault[] = [
  fault("maintenance, said with 200", "upkeep", {
    sentence: "the service says: maintenance until 20:00",
    remedy: "Wait, or ask its operator",
    says: /maintenance/i,
    todo: /operator|wait/i,
  }),
  fault("503 with a Retry-After of a day", "closed", {
    sentence: "the service is closed (HTTP 503)",
    remedy: "Ask its operator",
    says: /503/,
    todo: /operator/,
  }),
  fault("a bot wall (403 with a page)", "wall", {
    sentence: "the protection of the service refuses this machine (HTTP 403, a page)",
    remedy: "Ask the operator to admit this machine's address",
    says: /403/,
    todo: /address|operator|firewall|protection/i,
  }),
  fault("the certificate is of another name", "alias", {
    sentence: "the certificate of the service is of another name",
    remedy: "Correct the url of the service",
    says: /ALTNAME|another name|other name/i,
    todo: /\burl\b|host name/i,
  }),
  fault("the connection is reset", "hangup", {
    sentence: "the service closes each connection without an answer",
    remedy: "Ask its operator, check the url",
    says: /closed|reset|hang up|ended|broke/i,
    todo: /url|operator/,
  }),
  fault("200 with an empty body", "mute", {
    sentence: "the answer of the service is empty",
    remedy: "Check the url",
    says: /empty|not JSON/i,
    todo: /url|operator/,
  }),
  fault("an answer without an end", "huge", {
    sentence: "the answer of the service is larger than any good one",
    remedy: "Check the url",
    says: /too large|larger|more than \d+ (bytes|MiB|MB)/i,
    todo: /url|operator/,
  }),
]

export const STRANGE_PRICE_FAULTS: readonly StrangeFault[] = [
  fault('a price with a comma, "3,000.00"', "milli_chain:eth", {
    sentence: '"3,000.00" is no price',
    remedy: "Repair or replace the source",
    says: /3,000/,
    todo: /prices\.sources/,
  }),
  fault("a price of null", "plain_chain:eth", {
    sentence: "the source gives null and no price",
    remedy: "Repair or replace the source",
    says: /null|nothing|neither number/,
    todo: /prices\.sources/,
  }),
  fault("a price beyond any number (1e999)", "empty_chain:eth", {
    sentence: "1e999 is no price",
    remedy: "Repair or replace the source",
    says: /Infinity|1e999|is no price|too large/,
    todo: /prices\.sources/,
  }),
  fault("the source limits our requests (429)", "huge_chain:eth", {
    sentence: "the source refuses by number (HTTP 429)",
    remedy: "Ask less often or buy more requests",
    says: /429|rate limited/,
    todo: /limit|requests|less often/i,
  }),
  fault("the source refuses our key (401)", "alias_chain:eth", {
    sentence: "the source refuses our key (HTTP 401)",
    remedy: "Renew the key of the source",
    says: /401/,
    todo: /\bkey\b/i,
  }),
  fault("the source is closed to this country (451)", "expired_chain:eth", {
    sentence: "the source is closed to this country (HTTP 451)",
    remedy: "Replace the source",
    says: /451/,
    todo: /replace/i,
  }),
  fault("the source never answers", "client_chain:eth", {
    sentence: "the source gives no answer within its time",
    remedy: "Repair or replace the source",
    says: /no (whole |complete )?answer|timed? ?out/i,
    todo: /prices\.sources/,
  }),
  fault("the time of the price is in microseconds", "ssh_chain:eth", {
    sentence: "the time of the price is thousands of years in the future",
    remedy: "Correct time_path or the source",
    says: /future|ahead|\btime\b/i,
    todo: /prices\.sources/,
  }),
]

export const STRANGE_RECEIVER_FAULTS: readonly StrangeFault[] = [
  fault("a forged certificate", "forged_desk", {
    sentence: "the certificate of the receiver is of no known authority",
    remedy: "Name its authority in NODE_EXTRA_CA_CERTS",
    says: /SELF.SIGNED/i,
    todo: /CA_CERTS/,
  }),
  fault("it limits our messages (429)", "busy_desk", {
    sentence: "the receiver limits our messages (HTTP 429)",
    remedy: "Fewer messages, or wait: its address is not wrong",
    says: /429/,
    todo: /limit|fewer|group_for/i,
  }),
  fault("its host has no address", "lost_desk", {
    sentence: "the host of the receiver has no address",
    remedy: "Correct its host name",
    says: /ENOTFOUND|EAI_AGAIN/,
    todo: /address|host name/i,
  }),
  fault("the mail server refuses the login (535)", "mail_desk", {
    sentence: "the mail server refuses user and password (535)",
    remedy: "Correct user and password",
    says: /535/,
    todo: /password|user/i,
  }),
]

/** `ballast run` ends with a message that names the cause; `status` names it afterwards. */
export const STRANGE_START_FAULTS: readonly StrangeFault[] = [
  fault("twelve words in the place of a key", "words", {
    sentence: "the file has the words of a wallet and no private key",
    remedy: "Derive the key from them, 0x and 64 digits",
    says: /words|phrase|mnemonic|private key/i,
    todo: /0x|words|phrase/i,
  }),
  fault("the key's file is a folder", "folder", {
    sentence: "the key's path is a folder and no file",
    remedy: "Name the file",
    says: /folder|EISDIR/i,
    todo: /path|file/i,
  }),
  fault("the time zone has a slip", "zone", {
    sentence: "Europe/Berlim is no time zone",
    remedy: "Write a name such as Europe/Berlin",
    says: /Europe\/Berlim/,
    todo: /IANA|Europe\/\w+|UTC/,
  }),
  fault("a rule sells an asset that is not listed", "unlisted", {
    sentence: "the rule names some_chain:usdc, which is not in assets",
    remedy: "List it in assets",
    says: /some_chain:usdc/,
    todo: /assets|did you mean/i,
  }),
  fault("a tab in the file", "tab", {
    sentence: "line 3 has a tab, which YAML does not allow",
    remedy: "Write spaces",
    says: /tab/i,
    todo: /line|:3|space/i,
  }),
  fault("ops listens to the world without TLS", "open", {
    sentence: "ops.listen is open to other machines without TLS",
    remedy: "Give ops.tls, or listen on 127.0.0.1",
    says: /ops\.listen|TLS/,
    todo: /tls|127\.0\.0\.1|loopback/i,
  }),
  fault("a token of three letters", "short", {
    sentence: "the token is too short",
    remedy: "Use at least 16 characters",
    says: /token/i,
    todo: /at least|characters|letters|openssl/i,
  }),
  fault("one endpoint is listed twice", "twice", {
    sentence: "the endpoint stands twice: it cannot prove itself",
    remedy: "Name another endpoint",
    says: /twice|same|repeat|more than once/i,
    todo: /different hosts/,
  }),
  fault("data_dir begins with ~", "tilde", {
    sentence: "~ is not expanded in data_dir",
    remedy: "Write the whole path",
    says: /~/,
    todo: /path|absolute|home/i,
  }),
  fault("an amount with a comma", "comma", {
    sentence: '"1,5" is no amount',
    remedy: "Write 1.5",
    says: /1,5/,
    todo: /1\.5|\bpoint\b|decimal/i,
  }),
  fault("a duration without a unit", "unitless", {
    sentence: "check_every has no unit",
    remedy: "Write 5s",
    says: /check_every/,
    todo: /\d+ ?(s|m|h)\b/,
  }),
  fault("a key stands twice", "double", {
    sentence: "the key chains stands twice",
    remedy: "Keep one",
    says: /chains|unique|twice|duplicate/i,
    todo: /line|:\d+|once|unique/i,
  }),
  fault("data_dir is of another user", "owner", {
    sentence: "data_dir belongs to the user nobody",
    remedy: "Run as that user, or chown it",
    says: /belongs|owned|owner/i,
    todo: /chown|as that user|run as/i,
  }),
  fault("the disk has no free inodes", "inodes", {
    sentence: "the disk takes no new file",
    remedy: "Delete files (df -i)",
    says: /no space|inode/i,
    todo: /inode|df -i/i,
  }),
]

/** Each with a daemon of its own. */
export const STRANGE_MACHINE_FAULTS: readonly StrangeFault[] = [
  fault("no name resolves any more", "dns", {
    sentence: "this machine resolves no name (DNS)",
    remedy: "Repair the name service; no endpoint is wrong",
    says: /\(DNS\)/,
    todo: /name service|resolv/,
  }),
  fault("the clock is three days ahead", "clock", {
    sentence: "the clock of this machine is 3 days ahead of all chains",
    remedy: "Set the clock",
    says: /clock of this machine is .*ahead of/,
    todo: /Set this machine's clock/,
  }),
  fault("the socket of the running daemon is deleted", "socket", {
    sentence: "the daemon runs, and its socket is gone",
    remedy: "Restart it",
    says: /socket/,
    todo: /restart/i,
  }),
  fault("data_dir is moved away under the daemon", "moved", {
    sentence: "the journal of the running daemon is no longer at its path",
    remedy: "Put it back, and restart",
    says: /deleted|moved|gone|no longer/,
    todo: /back|restart/i,
  }),
  fault("the lock's file is deleted, and a second daemon starts", "lock", {
    sentence: "another daemon runs on this data_dir",
    remedy: "Stop it first",
    says: /another daemon|already runs|runs on/i,
    todo: /stop it/i,
  }),
  fault("the disk turns read-only under the daemon", "readonly", {
    sentence: "the disk of data_dir is read-only",
    remedy: "Mount it writable",
    says: /read-only/,
    todo: /mount it writable/i,
  }),
  fault("PostgreSQL refuses connections at the start", "nobase", {
    sentence: "PostgreSQL does not answer (ECONNREFUSED)",
    remedy: "Start PostgreSQL, or correct journal",
    says: /PostgreSQL.*ECONNREFUSED|ECONNREFUSED.*PostgreSQL/i,
    todo: /PostgreSQL|journal/,
  }),
]

/** Each with orders over the sandbox. */
export const STRANGE_MONEY_FAULTS: readonly StrangeFault[] = [
  fault("a node that takes no transactions", "readonly_chain", {
    sentence: "orders wait: the node does not take transactions",
    remedy: "Use an endpoint that takes transactions",
    says: /eth_sendRawTransaction|takes? no transactions?|read.only/i,
    todo: /endpoint|node/i,
  }),
  fault("the mempool is full", "full_chain", {
    sentence: "orders wait: the mempool of the node is full",
    remedy: "Wait, or raise the fee cap, or use another endpoint",
    says: /txpool is full|mempool/i,
    todo: /endpoint|node|fee/i,
  }),
  fault("a token is paused", "paused_token", {
    sentence: "orders wait: the token refuses transfers",
    remedy: "Ask the issuer of the token",
    says: /revert|refuses|paused/i,
    todo: /token|issuer|asset/i,
  }),
  fault("the only price source is twenty times too high", "high_price", {
    sentence: "quotes differ from the reference price by 95 %",
    remedy: "Compare the source with the market",
    says: /reference|price/i,
    todo: /price|source/i,
  }),
  fault("a rule that is larger than max_order", "large_rule", {
    sentence: "the rule can never act: its amount is above guards.max_order",
    remedy: "Lower the amount or raise the limit",
    says: /max_order|above|limit/i,
    todo: /limit|amount|bounds/i,
  }),
]

type Words = Pick<StrangeFault, "sentence" | "remedy" | "says" | "todo">

function fault(name: string, at: string, words: Words): StrangeFault {
  return { name, at, ...words }
}
