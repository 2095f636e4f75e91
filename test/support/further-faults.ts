/** A fault, the code and the words that `status` (or `run`) must show, and its remedy. */
export type FurtherFault = {
  readonly name: string
  /** The chain, service or asset that carries the fault, or its place in the test. */
  readonly at: string
  readonly code: string
  readonly says: RegExp
  readonly todo: RegExp
}

const RENEW = /Renew the key/
const LIMITED = /limits our requests/
const CORRECT_URL = /Correct the URL/
const REPAIR = /Repair the node/

/** One endpoint each, on a chain of its own. */
export const NODE_FAULTS: readonly FurtherFault[] = [
  node("the plan's requests are used up (429)", "busy_chain", /429|rate limited until/, LIMITED),
  node("the plan is not paid (402)", "unpaid_chain", /402/, /Pay the provider/),
  node("the key is unknown (401)", "keyless_chain", /401/, RENEW),
  node("the path is wrong (404)", "path_chain", /404/, CORRECT_URL),
  node("the node fails (500)", "broken_chain", /500/, REPAIR),
  node("the URL leads to a web page", "page_chain", /JSON|web page/, CORRECT_URL),
  node("the host has no address", "name_chain", /ENOTFOUND|EAI_AGAIN/, /host name/),
  node("https to a port of http", "tls_chain", /TLS|SSL|wrong version/i, CORRECT_URL),
  node(
    "the connection ends in the middle",
    "cut_chain",
    /closed|broke|hang up|reset|ended/i,
    REPAIR,
  ),
  node("a limit as an error of JSON-RPC", "limited_chain", /rate limited/, LIMITED),
  node("the node lacks the method", "method_chain", /method/, REPAIR),
  node("the endpoint has moved (301)", "elsewhere_chain", /301/, CORRECT_URL),
  {
    ...node("a node that synchronises from the start", "young_chain", /newest block is/, REPAIR),
    code: "node.behind",
  },
  {
    ...node(
      "a node that has pruned the accounts",
      "pruned_chain",
      /_\w+ fails.*missing trie/,
      /Repair/,
    ),
    code: "node.failing",
  },
]

export const SERVICE_FAULTS: readonly FurtherFault[] = [
  service("the app id is refused (403)", "refused", "failing", /403/, /app_id/),
  service("the path is wrong (404)", "lost", "failing", /404/, /url/),
  service("our requests are limited (429)", "busy", "failing", /429/, /max_requests_per_second/),
  service("the service fails (500)", "ill", "failing", /500/, /operator/),
  service("the gateway has no service (502)", "gone", "away", /502/, /operator|url/),
  service("the service has moved (301)", "elsewhere", "failing", /301/, /url/),
  service("the host has no address", "unnamed", "away", /ENOTFOUND|EAI_AGAIN/, /url/),
]

export const PRICE_FAULTS: readonly FurtherFault[] = [
  price("the source has no such page (404)", "busy_chain:eth", "unavailable", /HTTP 404/),
  price("the source answers with a page", "unpaid_chain:eth", "unavailable", /not JSON/),
  price("the source gives zero", "keyless_chain:eth", "unavailable", /zero/),
  price("the source gives another field", "path_chain:eth", "unavailable", /nothing at price/),
  price("one of three sources is 10 times too high", "page_chain:eth", "outlier", /30000/),
  price("one of two sources fails (500)", "young_chain:eth", "source_down", /HTTP 500/),
]

export const RECEIVER_FAULTS: readonly FurtherFault[] = [
  {
    name: "a receiver of alerts: its address is gone (410)",
    at: "gone_desk",
    code: "alerts.undelivered",
    says: /HTTP 410/,
    todo: /Correct its address .* alerts test gone_desk/,
  },
  {
    name: "the heartbeat: its address is unknown there (404)",
    at: "heartbeat",
    code: "alerts.undelivered",
    says: /heartbeat has not arrived .*HTTP 404/,
    todo: /Correct alerts.heartbeat .* ballast reload/,
  },
]

/** Planted one after the other into the running daemon's own files. */
export const FILE_FAULTS: readonly FurtherFault[] = [
  {
    name: "the configuration is half edited",
    at: "half-edited",
    code: "config.unread",
    says: /mistake/,
    todo: /Check the file|Correct the file/,
  },
  {
    name: "the configuration is deleted",
    at: "config-deleted",
    code: "config.unread",
    says: /does not exist|deleted|cannot be read/,
    todo: /Put the file back|Check the file/,
  },
  {
    name: "others can change the configuration",
    at: "config-open",
    code: "config.file_open",
    says: /other users can change the configuration/i,
    todo: /chmod go-w/,
  },
  {
    name: "data_dir is opened to others",
    at: "data-dir-open",
    code: "daemon.data_dir_open",
    says: /open to other users/,
    todo: /chmod 700/,
  },
]

/** `ballast run` ends with a message, and `status` names it afterwards as the last exit. */
export const EXIT_FAULTS: readonly FurtherFault[] = [
  start(
    "the key's file is missing",
    "config.invalid",
    /cannot be read \(ENOENT\)/,
    /check the path/,
  ),
  start("the key's file is empty", "config.invalid", /is empty/, /put the secret there/),
  start("others can change the key's file", "config.invalid", /can change/, /chmod go-w/),
  start("the key has 31 bytes", "config.key", /private key/, /0x/),
  start("the keystore has no password", "config.keystore_locked", /is locked/, /PASSWORD/),
  start("the token is not in the environment", "config.invalid", /is not set/, /set it/),
  start("data_dir is a file", "daemon.lock_file", /is a file, not a folder/, /name a folder/),
  start("ops.listen has an impossible port", "config.invalid", /ops\.listen/, /65535|port/),
  start("the file is no YAML", "config.invalid", /./, /line|:\d+/),
  start("a key is unknown", "config.invalid", /chian/, /chains/),
  start(
    "the journal is of a newer version",
    "journal.future_schema",
    /schema 9999/,
    /newer Ballast/,
  ),
  start("the disk is read-only", "system.disk_read_only", /is read-only/, /mount it writable/),
  start("the disk is full", "system.disk_full", /no space is left/, /free some space/),
]

function node(name: string, at: string, says: RegExp, todo: RegExp): FurtherFault {
  return { name: `a node: ${name}`, at, code: "node.silent", says, todo }
}

function service(
  name: string,
  at: string,
  state: string,
  says: RegExp,
  todo: RegExp,
): FurtherFault {
  return { name: `a service: ${name}`, at, code: `service.${state}`, says, todo }
}

function price(name: string, at: string, state: string, says: RegExp): FurtherFault {
  return { name: `prices: ${name}`, at, code: `prices.${state}`, says, todo: /prices\.sources/ }
}

function start(name: string, code: string, says: RegExp, todo: RegExp): FurtherFault {
  return { name, at: name.replaceAll(/\W+/g, "-"), code, says, todo }
}
