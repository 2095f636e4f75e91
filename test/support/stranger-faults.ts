import type { StrangeFault } from "./strange-faults.ts"

/**
 * A second list, written after the faults of `strange-faults.ts` were mended and before one of
 * these was planted: it shows whether the kinds behind those were mended, or only their rows.
 */
const URL = "Correct the URL of the endpoint"
const REPAIR = "Repair the node, or use another endpoint"

export const STRANGER_NODE_FAULTS: readonly StrangeFault[] = [
  fault("the URL is of a WebSocket (426)", "upgrade_chain", {
    sentence: "the host answers HTTP 426: it wants another protocol",
    remedy: URL,
    says: /426/,
    todo: /Correct the URL/,
  }),
  fault("a gateway without its node (521)", "origin_chain", {
    sentence: "the gateway answers HTTP 521",
    remedy: REPAIR,
    says: /521/,
    todo: /Repair|replace|another endpoint/i,
  }),
  fault("a list in the place of one answer", "list_chain", {
    sentence: "the answer of the node is a list and no answer",
    remedy: REPAIR,
    says: /form|list|array|expected|not (a|an|the) /i,
    todo: /Repair|Correct/,
  }),
  fault("a text in the place of a result", "prose_chain", {
    sentence: "the node gives a text where a number belongs",
    remedy: REPAIR,
    says: /form|match|text|number|0x/i,
    todo: /Repair|Correct/,
  }),
  fault("the node's database is locked", "locked_db_chain", {
    sentence: "the node says: database is locked",
    remedy: REPAIR,
    says: /database is locked/,
    todo: /Repair|replace/i,
  }),
  fault("geth refuses our host name (403)", "vhost_chain", {
    sentence: "the node answers HTTP 403: invalid host specified",
    remedy: "Add the name to the node's http.vhosts; no key is wrong",
    says: /invalid host/i,
    todo: /vhosts|host name/i,
  }),
  fault("the key is not allowed on this chain", "plan_chain", {
    sentence: "the provider says: API key is not allowed to access blockchain",
    remedy: "Renew the key or the plan",
    says: /not allowed/,
    todo: /key|plan|provider/i,
  }),
  fault("the node is at its first block", "genesis_chain", {
    sentence: "the newest block of genesis_chain is years old",
    remedy: REPAIR,
    says: /newest block is/,
    todo: /Repair|replace/i,
  }),
  fault("Solana: another interface answers (no such method)", "das_sol_chain", {
    sentence: "the node has no method getSlot",
    remedy: URL,
    says: /method not found/i,
    todo: /URL|Repair/,
  }),
  fault("Solana: the public endpoint forbids us (403)", "public_sol_chain", {
    sentence: "the endpoint answers HTTP 403",
    remedy: "Use an endpoint with a key",
    says: /403/,
    todo: /\bkey\b|endpoint/i,
  }),
  fault("Starknet: no block is found", "blockless_stark_chain", {
    sentence: "the node says: Block not found",
    remedy: REPAIR,
    says: /block not found/i,
    todo: /Repair|replace/i,
  }),
]

export const STRANGER_SERVICE_FAULTS: readonly StrangeFault[] = [
  fault("our client is too old (400)", "ageing", {
    sentence: "the service says: client too old",
    remedy: "Update Ballast, or ask the operator",
    says: /too old/,
    todo: /operator|update|install/i,
  }),
  fault("a gateway without its service (521)", "origin", {
    sentence: "the gateway answers HTTP 521",
    remedy: "Ask the operator",
    says: /521/,
    todo: /operator/,
  }),
  fault("a login before the service (401)", "basic", {
    sentence: "the service answers HTTP 401",
    remedy: "Check app_id, or the login in the url",
    says: /401/,
    todo: /app_id|url|login/,
  }),
  fault("the body ends before its length", "short_body", {
    sentence: "the answer of the service breaks off",
    remedy: "Ask the operator",
    says: /broke|ended|closed|abort|terminated|length|answer/i,
    todo: /url|operator/,
  }),
]

export const STRANGER_PRICE_FAULTS: readonly StrangeFault[] = [
  fault("a list of prices", "upgrade_chain:eth", {
    sentence: "the source gives a list where a price belongs",
    remedy: "Repair path or source",
    says: /neither number nor text|is no price/,
    todo: /prices\.sources/,
  }),
  fault("a gateway without its source (521)", "origin_chain:eth", {
    sentence: "the source answers HTTP 521",
    remedy: "Replace the source",
    says: /521/,
    todo: /prices\.sources/,
  }),
  fault("the source has banned us (418)", "list_chain:eth", {
    sentence: "the source has banned this machine for its many requests (HTTP 418)",
    remedy: "Wait; ask less often",
    says: /418|rate limited until/,
    todo: /requests|limit|banned/i,
  }),
  fault("one of two sources is in euros", "prose_chain:eth", {
    sentence: "the two sources differ by 8 %",
    remedy: "Find the wrong one",
    says: /contradict|differ|apart/,
    todo: /wrong source/i,
  }),
]

export const STRANGER_RECEIVER_FAULTS: readonly StrangeFault[] = [
  fault("our messages are too large (413)", "small_desk", {
    sentence: "the receiver refuses the message for its size (HTTP 413)",
    remedy: "Raise its limit; the address is right",
    says: /413/,
    todo: /larger|size|limit/i,
  }),
  fault("the mailbox is unknown (550)", "nobody_desk", {
    sentence: "the mail server knows no such mailbox (550)",
    remedy: "Correct the mail address",
    says: /550/,
    todo: /address/i,
  }),
]

export const STRANGER_START_FAULTS: readonly StrangeFault[] = [
  fault("the keystore is no JSON", "no-keystore", {
    sentence: "the file is no keystore",
    remedy: "Name the right file",
    says: /keystore/i,
    todo: /keystore|JSON|ballast wallet new|file/i,
  }),
  fault("a share without a unit", "no-share", {
    sentence: "max_cost has no unit",
    remedy: "Write 60bps",
    says: /max_cost/,
    todo: /bps|%/,
  }),
  fault("the family has a slip", "family", {
    sentence: "there is no family evn",
    remedy: "Write evm",
    says: /evn/,
    todo: /evm/,
  }),
  fault("the chain id is a name", "chain-name", {
    sentence: "chain_id is no number",
    remedy: "Write 84532",
    says: /chain_id/,
    todo: /number/i,
  }),
  fault("a rule from an asset to itself", "circle", {
    sentence: "the rule swaps an asset into itself",
    remedy: "Name another asset",
    says: /same asset|itself|some_chain:eth/i,
    todo: /other|another|differ/i,
  }),
  fault("data_dir is below a file", "below-file", {
    sentence: "a part of the path of data_dir is a file",
    remedy: "Name a folder",
    says: /not a (folder|directory)|ENOTDIR|is a file/i,
    todo: /folder|path|data_dir/,
  }),
  fault("the file is empty", "empty-file", {
    sentence: "the configuration is empty",
    remedy: "Write one, or run init",
    says: /empty|service/i,
    todo: /init|service|expected/i,
  }),
  fault("the key does not belong to the certificate", "tls-pair", {
    sentence: "the key of ops.tls does not belong to its certificate",
    remedy: "Name the pair",
    says: /tls/i,
    todo: /key|certificate/i,
  }),
]

type Words = Pick<StrangeFault, "sentence" | "remedy" | "says" | "todo">

function fault(name: string, at: string, words: Words): StrangeFault {
  return { name, at, ...words }
}
