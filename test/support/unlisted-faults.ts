import type { StrangeFault } from "./strange-faults.ts"

/**
 * A sixth list of faults, written from the documents alone before one of them was planted: one
 * method of a node, every second answer, one endpoint of two, receivers' and providers' own
 * refusals, files of `data_dir` that are pipes, links or of other programs, limits of the process,
 * and orders whose answers are malformed for good.
 *
 * Of the 49 rows four were planted wrongly: three on a signer inside the daemon, which keeps no
 * record, and one behind the fault of another chain. Of the other 45 the daemon named 32 at their
 * first run: 15 of 21 in the idle world, 6 of 10 starts, 1 of 4 machines, 10 of 10 orders.
 */
export const UNNAMED_UNLISTED: Readonly<Record<string, string>> = {
  journal_zeros: "every page is in the log still, so nothing is lost; the file is read once a day",
}

const REPAIR = "Repair the node, or use another endpoint"

/** Each on a chain of its own, in the world of one idle daemon. */
export const UNLISTED_NODE_FAULTS: readonly StrangeFault[] = [
  fault("the node has lost its state: balances cannot be read", "trie_chain", {
    sentence: "the balance of trie_chain cannot be read: missing trie node",
    remedy: REPAIR,
    says: /missing trie node/,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("a token's balance cannot be read while it is paused", "paused_chain", {
    sentence: "the balance of paused_chain:usdc cannot be read: Pausable: paused",
    remedy: "Ask the issuer of the token",
    says: /Pausable: paused/,
    todo: /issuer|token|contract|asset/i,
  }),
  fault("every second answer is HTTP 500", "flip_chain", {
    sentence: "half of the requests to flip_chain fail: HTTP 500",
    remedy: REPAIR,
    says: /500/,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("the node has only the first block", "genesis_chain", {
    sentence: "genesis_chain is behind: its newest block is years old",
    remedy: REPAIR,
    says: /behind|newest block/,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("only eth_chainId is refused", "idless_chain", {
    sentence: "the node says: the method eth_chainId is not available",
    remedy: REPAIR,
    says: /eth_chainId/,
    todo: /URL|Repair|replace|another endpoint/i,
  }),
  fault("each connection is reset", "reset_chain", {
    sentence: "the connection to reset_chain is closed before an answer",
    remedy: REPAIR,
    says: /closed|reset|hang up|broke|ended/i,
    todo: /URL|Repair|replace|another endpoint/i,
  }),
  fault("one endpoint of two wants another key (401)", "halflogin_chain", {
    sentence: "an endpoint of halflogin_chain answers HTTP 401",
    remedy: "Renew the key in the endpoint's URL",
    says: /401/,
    todo: /\bkey\b/i,
  }),
  fault("headers longer than any client takes", "headers_chain", {
    sentence: "the headers of the answer are too long",
    remedy: REPAIR,
    says: /header/i,
    todo: /URL|Repair|replace|another endpoint/i,
  }),
  fault("Solana: only the balance cannot be read", "rebuild_sol_chain", {
    sentence: "the balance of rebuild_sol_chain cannot be read: account index is being rebuilt",
    remedy: REPAIR,
    says: /account index/,
    todo: /Repair|replace|another endpoint|wait/i,
  }),
  fault("Starknet: the token of the fees is not there", "class_stark_chain", {
    sentence: "the balance of class_stark_chain cannot be read: Contract not found",
    remedy: "Correct the URL or the network",
    says: /contract not found/i,
    todo: /URL|Repair|network|another endpoint|token/i,
  }),
  fault("Bitcoin: an error in the place of the coins, with 200", "worded_btc", {
    sentence: "the server says: electrum backend is not reachable",
    remedy: REPAIR,
    says: /electrum backend/,
    todo: /Repair|replace|another endpoint/i,
  }),
]

export const UNLISTED_SERVICE_FAULTS: readonly StrangeFault[] = [
  fault("the version of the interface is retired (410)", "retired", {
    sentence: "the service answers HTTP 410: this version is retired",
    remedy: "Upgrade Ballast, or correct the url",
    says: /410|retired/,
    todo: /\burl\b|operator|upgrade/i,
  }),
  fault("a limit of requests, said with 200", "bursts", {
    sentence: "the service says: rate limit exceeded, retry in 60 s",
    remedy: "Wait, or ask its operator for a higher limit",
    says: /rate limit/i,
    todo: /limit|wait|operator/i,
  }),
  fault("every second answer is HTTP 500", "flip", {
    sentence: "half of the requests fail: HTTP 500",
    remedy: "Ask its operator",
    says: /500/,
    todo: /operator|url/i,
  }),
]

export const UNLISTED_PRICE_FAULTS: readonly StrangeFault[] = [
  fault("the price is NaN", "trie_chain:eth", {
    sentence: "NaN is no price",
    remedy: "Repair or replace the source",
    says: /NaN/,
    todo: /prices\.sources/,
  }),
  fault("the source is retired (410)", "flip_chain:eth", {
    sentence: "the source answers HTTP 410",
    remedy: "Replace the source",
    says: /410/,
    todo: /\burl\b|prices\.sources/i,
  }),
  fault("the source closes each connection", "idless_chain:eth", {
    sentence: "the connection to the source is closed before an answer",
    remedy: "Replace the source",
    says: /closed|reset|hang up|broke|ended/i,
    todo: /\burl\b|prices\.sources/i,
  }),
]

export const UNLISTED_RECEIVER_FAULTS: readonly StrangeFault[] = [
  fault("Telegram: the bot was removed from the chat (403)", "kicked_desk", {
    sentence: "Telegram says: bot was kicked from the group chat (HTTP 403)",
    remedy: "Add the bot to the chat again",
    says: /kicked/,
    todo: /bot|chat|add|invite/i,
  }),
  fault("Matrix: the token has ended (401)", "ended_desk", {
    sentence: "the Matrix server says: Unknown access token (HTTP 401)",
    remedy: "Renew the token of the receiver",
    says: /401|access token/i,
    todo: /token|secret/i,
  }),
  fault("Discord: too many messages (429)", "rated_desk", {
    sentence: "Discord says: You are being rate limited (HTTP 429)",
    remedy: "Nothing: it passes",
    says: /429|rate limited/i,
    todo: /wait|limit|pass|later|again/i,
  }),
  fault("mail: the mailbox is full (552)", "mailbox_desk", {
    sentence: "the mail server says: 552 mailbox full",
    remedy: "Make room in the mailbox",
    says: /552/,
    todo: /mailbox|room|space|operator/i,
  }),
]

/** `ballast run` names it, and `status` then, of a daemon that runs or one that ended. */
export const UNLISTED_START_FAULTS: readonly StrangeFault[] = [
  fault("the file of a key is empty", "empty-key", {
    sentence: "the file of the key is empty",
    remedy: "Put the key back from its backup",
    says: /empty/i,
    todo: /key|backup|write/i,
  }),
  fault("the file of a key is a pipe without a writer", "key-pipe", {
    sentence: "the file of the key is a pipe and no file",
    remedy: "Name a file",
    says: /pipe|FIFO|not a (regular )?file|no (regular )?file/i,
    todo: /file/i,
  }),
  fault("journal.db is a link to a disk that is not there", "link-journal", {
    sentence: "journal.db is a link to a file that does not exist",
    remedy: "Mount the disk, or remove the link",
    says: /journal\.db.*(link|does not exist)/i,
    todo: /mount|link|disk/i,
  }),
  fault("data_dir is in /proc", "proc-data", {
    sentence: "no folder can be made in /proc",
    remedy: "Name another data_dir",
    says: /\/proc\b|data_dir/,
    todo: /data_dir/,
  }),
  fault("the signer's record is a text file", "signer-text", {
    sentence: "signatures.db is damaged",
    remedy: "Take it away, or put a backup back",
    says: /signatures\.db|signer's (record|database)/,
    todo: /move|backup|restore|remove/i,
  }),
  fault("the signer's record is a database of another program", "signer-foreign", {
    sentence: "signatures.db is a database of another program",
    remedy: "Take it away, or name another data_dir",
    says: /signatures\.db.*another program|another program.*signatures\.db/i,
    todo: /move|data_dir|backup/i,
  }),
  fault("the configuration is a folder", "config-folder", {
    sentence: "ballast.yaml is a folder",
    remedy: "Name a file with --config",
    says: /folder|directory/i,
    todo: /file|--config/i,
  }),
  fault("the configuration has only zeros after a crash", "config-zeros", {
    sentence: "the configuration has zero bytes in place of text",
    remedy: "Put it back from a backup",
    says: /zero|NUL|binary|character|not text|control/i,
    todo: /backup|write|save|text/i,
  }),
  fault("guard in place of guards", "misspelt", {
    sentence: "guard is no key: guards is meant",
    remedy: "Write guards",
    says: /\bguard\b/,
    todo: /\bguards\b/,
  }),
  fault("the key has only zeros", "zero-key", {
    sentence: "the key is zero, which no wallet has",
    remedy: "Write 32 bytes in hex",
    says: /zero|private key|valid/i,
    todo: /key|0x|hex/i,
  }),
  fault("half of a keystore", "half-keystore", {
    sentence: "the keystore is cut off",
    remedy: "Put it back from a backup",
    says: /keystore/i,
    todo: /backup|copy|restore|again/i,
  }),
  fault("the certificate of ops.tls has another key", "other-tls", {
    sentence: "the key of ops.tls is not the one of its certificate",
    remedy: "Name the key of this certificate",
    says: /ops\.tls|certificate/i,
    todo: /key.*certificate|certificate.*key|pair/i,
  }),
]

/** Each with a daemon of its own. */
export const UNLISTED_MACHINE_FAULTS: readonly StrangeFault[] = [
  fault("the process may open no more files", "nofile", {
    sentence: "this process has no descriptors left (EMFILE)",
    remedy: "Raise the limit: LimitNOFILE of the unit, ulimit -n",
    says: /descriptors|open files|EMFILE/i,
    todo: /ulimit|LimitNOFILE|limit/i,
  }),
  fault("others may read the file of a key", "key_open", {
    sentence: "others can read the file of the key of one_chain",
    remedy: "chmod 600",
    says: /key.*(others|readable|mode|permission)|(others|readable|mode|permission).*key/i,
    todo: /chmod|600|mode/i,
  }),
  fault("data_dir is renamed under the daemon", "data_away", {
    sentence: "data_dir was renamed or deleted under the daemon",
    remedy: "Put it back, then restart",
    says: /deleted|\bmoved|gone|missing/i,
    todo: /back|restore|copy|rescue|backup|stop/i,
  }),
  fault("the first pages of journal.db are overwritten", "journal_zeros", {
    sentence: "journal.db is damaged",
    remedy: "Follow the runbook: ballast recover",
    says: /journal.*(damaged|not a database|malformed|overwritten)/i,
    todo: /recover|backup|restore|copy|rescue|RUNBOOK/i,
  }),
  fault("the signer's record is deleted under the daemon", "record_gone", {
    sentence: "signatures.db was deleted under the signer",
    remedy: "Restart: the signer makes a new one",
    says: /signatures\.db|signer's (record|database)/,
    todo: /restart|backup|back|restore/i,
  }),
]

/** Each a service of its own, with a pair of its own: calls of orders fail, all else is good. */
export const UNLISTED_CALL_FAULTS: readonly StrangeFault[] = [
  fault("new orders get an answer without an order", "create_null", {
    sentence: "the answer to a new order has no order",
    remedy: "Ask its operator",
    says: /answer|form|null/i,
    todo: /operator|service/,
  }),
  fault("new orders get no answer", "create_mute", {
    sentence: "new orders get no answer",
    remedy: "Ask its operator",
    says: /no (whole |complete )?answer|timed? ?out|lost/i,
    todo: /operator|service/,
  }),
  fault("too many new orders (429)", "create_limit", {
    sentence: "the service answers HTTP 429 to new orders",
    remedy: "Wait, or ask its operator for a higher limit",
    says: /429|limit/i,
    todo: /operator|limit|wait/i,
  }),
  fault("each new order is a web page when it is read", "order_page", {
    sentence: 'the order cannot be read: the answer is the web page "Sorry"',
    remedy: "Ask its operator",
    says: /web page|not JSON/i,
    todo: /operator|service/,
  }),
  fault("new orders sell twice the amount", "create_double", {
    sentence: "the service's order sells twice as much as was asked",
    remedy: "Ask its operator; pause",
    says: /amount/i,
    todo: /operator|service/,
  }),
  fault("new orders refund to another account", "create_refund", {
    sentence: "the service's order refunds to another account",
    remedy: "Ask its operator; pause",
    says: /refund|owner|account|address|initiator/i,
    todo: /operator|service/,
  }),
]

/** Each a chain of the sandbox, behind a proxy that spoils one method. */
export const UNLISTED_METHOD_FAULTS: readonly StrangeFault[] = [
  fault("a sent transaction gets no answer", "sendmute_base_sepolia", {
    sentence: "the node takes the transaction and never answers",
    remedy: REPAIR,
    says: /no (whole |complete )?answer|timed? ?out|sent|no block/i,
    todo: /node|endpoint|explorer/i,
  }),
  fault("Bitcoin: the coins are spent already", "spent_bitcoin_testnet", {
    sentence: "orders wait: bad-txns-inputs-missingorspent",
    remedy: "Compare with an explorer; another program may use the key",
    says: /missingorspent/,
    todo: /node|endpoint|key|explorer/i,
  }),
  fault("Starknet: the account refuses our signature", "validate_starknet_sepolia", {
    sentence: "orders wait: Account validation failed: invalid signature",
    remedy: "Correct key or account of the chain",
    says: /validation failed|invalid signature/i,
    todo: /key|account|node|endpoint/i,
  }),
  fault("Solana: a simulation finds too little rent", "rent_solana_testnet", {
    sentence: "orders wait: insufficient funds for rent",
    remedy: "Send SOL to the wallet",
    says: /rent/i,
    todo: /send|fund|SOL|wallet|node|endpoint/,
  }),
  fault("the code of contracts cannot be read", "code_ethereum_sepolia", {
    sentence: "orders wait: eth_getCode: execution aborted (timeout)",
    remedy: REPAIR,
    says: /execution aborted|eth_getCode/,
    todo: /node|endpoint/i,
  }),
]

type Words = Pick<StrangeFault, "sentence" | "remedy" | "says" | "todo">

function fault(name: string, at: string, words: Words): StrangeFault {
  return { name, at, ...words }
}
