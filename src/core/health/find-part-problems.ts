import { formatSpan } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { PartReading, Readings } from "./readings.ts"

/** Parts of the daemon that fail again and again, each with its own error. Pure. */
export function findPartProblems(
  { parts = [], orders, nowMs }: Readings,
  silentAfterMs: number,
): readonly Problem[] {
  const isOver = ({ part, lastMs = nowMs }: PartReading): boolean =>
    nowMs - lastMs > QUIET_MS ||
    (part.startsWith(ORDER) && !orders.some(({ id }) => part === `${ORDER}${id}`))
  return parts
    .filter((one) => isLasting(one, nowMs - one.sinceMs, silentAfterMs) && !isOver(one))
    .map((one) => describe(one, nowMs))
}

/** One failure may be chance, unless the next try is far away. */
function isLasting({ part, times }: PartReading, lastsMs: number, silentAfterMs: number): boolean {
  // A person may mistype a token.
  if (part.startsWith(PORT) && times < LEAST_KNOCKS) return false
  return lastsMs >= (times > 1 ? silentAfterMs : 1.5 * silentAfterMs)
}

/**
 * A watch that asks a node, a signer or the disk fails with it, and their own problem says more.
 */
export function isOfFailingPlace({ code, about }: Problem, found: readonly Problem[]): boolean {
  if (code !== CODE || !about?.startsWith(WATCH)) return false
  return found.some(({ kind }) => PLACES.includes(kind))
}

const CODE = "daemon.part_failing"
const ORDER = "order "
const PORT = "port: "
const LEAST_KNOCKS = 5
const QUIET_MS = 60_000
const WATCH = "watch "
const PLACES: readonly string[] = ["node", "signer", "disk", "cluster", "service", "clock"]

type Part = {
  readonly pattern: RegExp
  readonly what: (name: string) => string
  readonly todo: string
  readonly command?: string
  readonly meaning: string
}

function describe({ part, sinceMs, times, error }: PartReading, nowMs: number): Problem {
  const {
    what,
    todo,
    command = null,
    meaning,
  } = PARTS.find(({ pattern }) => pattern.test(part)) ?? OTHER
  const span = formatSpan(nowMs - sinceMs)
  return problem({
    level: "attention",
    code: CODE,
    about: part,
    sentence: `${what(part)} for ${span}, ${times} times: ${error}`,
    todo,
    command,
    meaning,
    order: part.startsWith(ORDER) ? part.slice(ORDER.length) : null,
    needsPerson: true,
  })
}

const REPORT = "Read the log around it; if no node and no disk fails, report it with the log line."

const OTHER: Omit<Part, "pattern"> = {
  what: (part) => `The ${part} has failed`,
  todo: REPORT,
  command: "ballast logs",
  meaning: "It is tried again; orders and refunds go on.",
}

const PARTS: readonly Part[] = [
  {
    pattern: /^rules$/,
    what: () => "The rules could not be evaluated",
    todo: REPORT,
    command: "ballast logs",
    meaning: "No rule makes an order until then; open orders and refunds go on.",
  },
  {
    pattern: /^(comparison|checks) of /,
    what: (part) => `The ${part} ${part.startsWith("checks") ? "have" : "has"} failed`,
    todo: REPORT,
    command: "ballast logs",
    meaning: "What Ballast shows of them is old until then; orders and refunds go on.",
  },
  {
    pattern: /^order /,
    what: (part) => `Order ${part.slice(ORDER.length, ORDER.length + 8)} could not go on`,
    todo: "Read the order and the log, keep a copy of data_dir, and report it with the log line.",
    command: "ballast logs",
    meaning: "This order stands still; a refund of it may come late. Others go on.",
  },
  {
    pattern: /^port: tokens$/,
    what: () => "Requests with a wrong token have come to ops.listen",
    todo:
      "Find out whose address it is: give your own program its new token; else close ops.listen " +
      "to it (a firewall), or listen on another address.",
    meaning: "No request passed. An address that guesses waits for up to a minute each time.",
  },
  {
    pattern: /^port: names$/,
    what: () => "Requests for a name that ops.hosts lacks have come to ops.listen",
    todo:
      "If the name is yours, such as that of a proxy before the daemon, add it to ops.hosts, and " +
      "reload; else a stranger's page asks: find its address, and close ops.listen to it.",
    command: "ballast reload",
    meaning: "These requests are refused, the page and the checks of a proxy too; orders go on.",
  },
  {
    pattern: /^port: pages$/,
    what: () => "Requests of a page of another origin have come to ops.listen",
    todo:
      "If the page is yours, let the proxy before the daemon pass Host and Origin on as they " +
      "came; else a stranger's page asks in your browser: close it.",
    meaning: "These requests are refused, a login on the page too; orders go on.",
  },
  {
    pattern: /^port: connections$/,
    what: () => "Connections to ops.listen have been turned away",
    todo:
      "Find out which clients hold the connections, and end them; else close ops.listen to their " +
      "addresses (a firewall). The commands of this machine use the socket, and work.",
    meaning: "The page and other programs may not reach the daemon; orders go on.",
  },
  {
    pattern: /^event loop$/,
    what: () => "The daemon is too slow, its event loop was late",
    todo:
      "End other work on this machine, or give the daemon more of its processor; if nothing else " +
      "runs, report it with the log.",
    meaning: "Orders and refunds go on, only slower: a deadline may pass.",
  },
  {
    pattern: /^traces$/,
    what: () => "The collector of traces has taken no spans",
    todo: "Start the collector, or correct telemetry.otlp and restart; spans are lost until then.",
    meaning: "No money is at risk: traces are lost, and the journal has all of it.",
  },
  {
    pattern: /^changes /,
    what: (part) => `The receiver ${part.slice(8)} has taken no change`,
    todo:
      "Correct the address or secret of the receiver, and reload; the changes of a week wait " +
      "in the journal.",
    command: "ballast reload",
    meaning: "A person may not hear of what happens to the orders.",
  },
  {
    pattern: /^chat /,
    what: (part) => `The chat of approvals of the receiver ${part.slice(5)} has not answered`,
    todo:
      "Correct its token and chat, and end another program that reads with the same token; " +
      "approve on the page or by `ballast approve` meanwhile.",
    meaning: "No approval arrives from the chat; the other ways to approve work.",
  },
]
