import type { PlantedFault } from "./ordinary-faults.ts"

/**
 * A tenth list of faults, written after the ninth list was mended and before one of them was
 * planted: another plan, network or clock at nodes of each family, settings that let no order
 * begin, and calls of orders that fail in ways of their own.
 *
 * At its first run the daemon named 17 of the 20 rows: 8 of 8 in the idle world, 4 of 6 starts, 1
 * of 2 machines, 4 of 4 orders. One was planted wrongly (`signer-zero`: contracts without code stop
 * the start before), and one pattern was too narrow (`watch-half`).
 */
export const SUNDRY_NODE_FAULTS: readonly PlantedFault[] = [
  fault("only the balance needs a paid tier, said with 200", "paid_chain", {
    sentence: "the balance of paid_chain cannot be read: it requires a paid tier",
    remedy: "Raise the plan, or use another endpoint",
    says: /paid tier/,
    todo: /plan|limit|provider|Repair|another endpoint/i,
    shows: "the stub refused eth_getBalance",
  }),
  fault("Solana: only the balance is never answered", "mutebal_sol_chain", {
    sentence: "the balance of mutebal_sol_chain gets no answer",
    remedy: "Repair the node, or use another endpoint",
    says: /no (whole |complete )?answer|timed? ?out/i,
    todo: /Repair|replace|another endpoint/i,
    shows: "the stub left a request for the balance without an answer",
  }),
  fault("Starknet: only the chain's id is refused", "idless_stark_chain", {
    sentence: "idless_stark_chain does not tell its id: Method not found",
    remedy: "Correct the URL, or use another endpoint",
    says: /Method not found|chainId/i,
    todo: /URL|Repair|replace|another endpoint/i,
    shows: "the stub refused starknet_chainId",
  }),
  fault("Starknet: its blocks are twelve minutes in the future", "early_stark_chain", {
    sentence: "the newest block of early_stark_chain is 12 minutes in the future",
    remedy: "Compare the clocks, or use another endpoint",
    says: /ahead|future|clock/i,
    todo: /clock|Repair|replace|another endpoint/i,
    shows: "the stub gave blocks with a time ahead",
  }),
]

export const SUNDRY_SERVICE_FAULTS: readonly PlantedFault[] = [
  fault("it is closed for legal reasons (451)", "legal", {
    sentence: "legal answers HTTP 451",
    remedy: "Ask its operator",
    says: /451/,
    todo: /operator/i,
    shows: "the stub answered 451",
  }),
  fault("it redirects to itself (307)", "loop", {
    sentence: "loop redirects (HTTP 307)",
    remedy: "Correct its url",
    says: /307|redirect|moved/i,
    todo: /\burl\b/i,
    shows: "the stub answered 307",
  }),
]

export const SUNDRY_PRICE_FAULTS: readonly PlantedFault[] = [
  fault("the price is true", "paid_chain:eth", {
    sentence: "the value at path is no number",
    remedy: "Correct its path",
    says: /number|no price/i,
    todo: /\bpath\b|prices\.sources/i,
    shows: "the stub answered with true at path",
  }),
]

export const SUNDRY_RECEIVER_FAULTS: readonly PlantedFault[] = [
  fault("Discord: the message has another form (400)", "form_desk", {
    sentence: "Discord says: Invalid Form Body (HTTP 400)",
    remedy: "Compare the receiver with its kind, and try it",
    says: /400|Invalid Form Body/,
    todo: /receiver|address|secret|alerts test/i,
    shows: "the stub answered a message with 400",
  }),
]

export const SUNDRY_START_FAULTS: readonly PlantedFault[] = [
  fault("the heartbeat's host has no address", "heartbeat-name", {
    sentence: "the name of the heartbeat's host is unknown",
    remedy: "Correct alerts.heartbeat",
    says: /heartbeat.*(ENOTFOUND|EAI_AGAIN|resolve|no address|name)/i,
    todo: /heartbeat|\burl\b|address/i,
    shows: "the file has a heartbeat at a name of .invalid",
  }),
  fault("the watched address is half of one", "watch-half", {
    sentence: "the address to watch of some_chain is no EVM address",
    remedy: "Write the whole address",
    says: /address|40 hex digits after watch:/i,
    todo: /address|0x/i,
    shows: "the file has watch: with twenty digits",
  }),
  fault("a rule for gas without a source", "gas-sources", {
    sentence: "the rule fees has no sources, so it can never act",
    remedy: "Add sources",
    says: /sources/,
    todo: /sources|add/i,
    shows: "the file has the rule with no source",
  }),
  fault("the signer may sign nothing of the sold asset in a day", "signer-zero", {
    sentence: "signer.limits.per_day is zero, so weekly never trades",
    remedy: "Raise per_day",
    says: /per_day|signer\.limits/,
    todo: /per_day|signer|raise/i,
    shows: "the file has per_day: 0",
  }),
  fault("PostgreSQL: its disk fails (58030)", "pg-58030", {
    sentence: "PostgreSQL says: could not write to file: Input/output error (58030)",
    remedy: "Look at the disk of the server",
    says: /58030|Input\/output error/,
    todo: /disk|server|PostgreSQL/i,
    shows: "the stub refused a connection by 58030",
  }),
  fault("the keystore is of version 1", "keystore-old", {
    sentence: "the keystore has version 1, and 3 is expected",
    remedy: "Export it anew",
    says: /version|keystore/i,
    todo: /version|export|wallet|3/i,
    shows: "the keystore's file says version 1",
  }),
]

export const SUNDRY_MACHINE_FAULTS: readonly PlantedFault[] = [
  fault("the clock is ten minutes ahead", "clock_ahead", {
    sentence: "the clock differs from the newest block by 10 minutes",
    remedy: "Set the clock right (NTP)",
    says: /\bclock\b|\bold\b|behind/i,
    todo: /NTP|clock|Repair/i,
    shows: "the daemon's environment shifts its clock",
  }),
  fault("a file takes the name of the running daemon's socket", "sock_file", {
    sentence: "the socket was replaced by a file",
    remedy: "Restart the daemon",
    says: /socket/i,
    todo: /restart/i,
    shows: "ballast.sock is a file after the planting",
  }),
]

export const SUNDRY_CALL_FAULTS: readonly PlantedFault[] = [
  fault("quotes need another login (401)", "quote_login", {
    sentence: "quotes are refused with HTTP 401: not allowed to quote",
    remedy: "Correct app_id, or ask its operator",
    says: /401|not allowed/,
    todo: /app_id|operator|service/,
    shows: "the stub refused a quote of the pair",
  }),
  fault("new orders are put off (503)", "create_busy", {
    sentence: "new orders fail with HTTP 503: maintenance",
    remedy: "Wait, or ask its operator",
    says: /503|maintenance/,
    todo: /operator|service|wait/i,
    shows: "the stub refused a new order by 503",
  }),
  fault("an order that was made is a list when it is read", "order_list", {
    sentence: "the answers to orders of order_list have another form",
    remedy: "Ask its operator",
    says: /\bform\b|malformed|list|array|expected/i,
    todo: /operator|service|order/,
    shows: "the stub answered the read of an order with a list",
  }),
]

export const SUNDRY_METHOD_FAULTS: readonly PlantedFault[] = [
  fault("calls of contracts run out of time", "callslow_ethereum_sepolia", {
    sentence: "the balance cannot be read: execution aborted (timeout = 5s)",
    remedy: "Repair the node, or use another endpoint",
    says: /execution aborted/,
    todo: /node|endpoint/i,
    shows: "the proxy refused eth_call",
  }),
]

type Words = Omit<PlantedFault, "name" | "at">

function fault(name: string, at: string, words: Words): PlantedFault {
  return { name, at, ...words }
}
