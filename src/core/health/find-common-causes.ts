import type { Reason } from "#domain/reason.ts"
import { formatSpan } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { EndpointReading, Readings } from "./readings.ts"

/** One cause of several symptoms, and the problems that it explains. */
type CommonCause = {
  readonly problem: Problem
  readonly explains: (symptom: Problem) => boolean
}

/** The causes that stand before their symptoms. Pure. */
export function findCommonCauses(
  readings: Readings,
  silentAfterMs: number,
): readonly CommonCause[] {
  const offline = findLostNetwork(readings, silentAfterMs)
  const clock = findWrongClock(readings)
  return [findDiskCause(readings), offline, clock].filter((cause) => cause !== null)
}

/** A disk that takes no write stops the signer and the log too. */
function findDiskCause({ diskFault }: Readings): CommonCause | null {
  if (diskFault === undefined) return null
  const symptoms = ["disk.low", "signer.down", "log.stuck"]
  return {
    problem: problem({
      level: "trouble",
      kind: "disk",
      code: diskFault.code,
      sentence: diskFault.message.split("; ")[0] ?? diskFault.message,
      todo: `${diskTodoOf(diskFault)}; Ballast goes on by itself.`,
      command: null,
      needsPerson: true,
    }),
    explains: ({ code }) => symptoms.includes(code),
  }
}

function diskTodoOf({ code, message }: Reason): string {
  if (message.includes("inodes")) return "Delete files on that disk (`df -i`)"
  return DISK_TODO[code] ?? "Repair it"
}

const DISK_TODO: Readonly<Record<string, string>> = {
  "system.disk_full": "Free some space on that disk",
  "system.disk_read_only": "Mount it writable (the kernel says why it is not)",
  "journal.write_failed": "Look at the disk of data_dir and at the words of SQLite, and restart",
  "system.disk_failed": "Check the disk (kernel messages, SMART)",
  "system.busy": "End the program that holds the journal's lock (`fuser -v` on the file names it)",
}

/** Errors of the name service, and of this machine's own network (getaddrinfo(3), connect(2)). */
const NAMES_FAIL = /\b(ENOTFOUND|EAI_AGAIN|EAI_FAIL)\b/
const NETWORK_FAILS = /\b(ENOTFOUND|EAI_AGAIN|EAI_FAIL|ENETUNREACH|EHOSTUNREACH|ENETDOWN)\b/
/** A firewall drops or rejects, and a name server that is away lets each request wait. */
const NO_ANSWER =
  /\b(E\w+UNREACH|ENETDOWN|ECONNREFUSED|ETIMEDOUT)\b|no connection in time|no whole answer/
/** All requests that leave this machine go through its proxy (`describeFailure`). */
const PROXY_FAILS = /the proxy (wants|answers)|through the proxy/
/** The page of a login, or of a filter, in the place of every answer. */
const PAGE = /\ba web page( "[^"]*")?/
const LOCAL_HOST = /^(localhost|127\.|\[::1\])/

/** Two hosts or more, and none of them can be reached from here. */
function findLostNetwork(
  { nodes, services, nowMs }: Readings,
  silentAfterMs: number,
): CommonCause | null {
  const asked = [...nodes.flatMap(({ endpoints }) => endpoints), ...services]
  const others = asked.filter(({ host }) => !LOCAL_HOST.test(host))
  const hosts = new Set(others.map(({ host }) => host))
  const isLasting = others.every(({ sinceMs }) => nowMs - sinceMs >= silentAfterMs)
  if (hosts.size < 2 || !isLasting) return null
  const errors = others.map(({ error }) => error ?? "")
  const way = LOST_WAYS.find(({ pattern }) => errors.every((error) => pattern.test(error)))
  if (way === undefined || (way.pattern === PAGE && !isOnePage(errors))) return null
  const sinceMs = Math.max(...others.map((one) => one.sinceMs))
  const sentence =
    `This machine ${way.what}: none of ${hosts.size} hosts was reached for ` +
    `${formatSpan(nowMs - sinceMs)} (${errors[0]})`
  const todo = `${way.todo} No endpoint is to be replaced.`
  const symptoms = [
    "node.silent",
    "service.away",
    "prices.unavailable",
    "asset.unchecked",
    "wallet.unread",
  ]
  return {
    problem: problem({
      level: "trouble",
      code: "machine.offline",
      sentence,
      todo,
      command: "ballast doctor",
      meaning: "Nothing moves until it is back: orders wait, and a refund may come late.",
      needsPerson: true,
    }),
    explains: ({ code }) => symptoms.includes(code),
  }
}

/** The servers of one chain may share a page; a page of all of them is that of the way there. */
function isOnePage(errors: readonly string[]): boolean {
  return new Set(errors.map((error) => PAGE.exec(error)?.[0])).size === 1
}

/** The first that explains every error counts. */
const LOST_WAYS: readonly {
  readonly pattern: RegExp
  readonly what: string
  readonly todo: string
}[] = [
  {
    pattern: PROXY_FAILS,
    what: "reaches nothing through its proxy",
    todo:
      "Repair the proxy, or correct HTTPS_PROXY (with USER:PASSWORD@ where it wants a login) or " +
      "NO_PROXY, and restart.",
  },
  {
    pattern: NAMES_FAIL,
    what: "cannot resolve any name (DNS)",
    todo: "Repair the name service of this machine (/etc/resolv.conf).",
  },
  { pattern: NETWORK_FAILS, what: "has no network", todo: "Repair the network of this machine." },
  {
    pattern: new RegExp(`${NO_ANSWER.source}|${NAMES_FAIL.source}`),
    what: "reaches no host",
    todo: "Check the network, firewall and name service of this machine.",
  },
  {
    pattern: PAGE,
    what: "gets the same web page from every host",
    todo: "Log in to this machine's network, or let its filter or proxy admit these hosts.",
  },
]

/** Blocks are minutes apart at most, so that heads this far from our clock show a wrong clock. */
const LEAST_SKEW_MS = 15 * 60_000
/** Chains with a block each minute or more often show a smaller skew, and all of them the same. */
const FAST_BLOCK_MS = 60_000
const LEAST_FAST_SKEW_MS = 3 * 60_000
const FAST_SPREAD_MS = 30_000

/** The heads of all chains, two or more, are off by the same time: our clock is the odd one. */
function findWrongClock({ nodes, nowMs }: Readings): CommonCause | null {
  const dated = nodes.filter(({ staleMs }) => staleMs !== null)
  const fast = dated.filter(({ blockMs }) => blockMs <= FAST_BLOCK_MS)
  const skew =
    findSkew(fast, nowMs, LEAST_FAST_SKEW_MS, () => FAST_SPREAD_MS) ??
    findSkew(dated, nowMs, LEAST_SKEW_MS, (least) => least / 2)
  if (skew === null) return null
  const { ms, chains } = skew
  const side = ms > 0 ? "behind" : "ahead of"
  const sentence =
    `The clock of this machine is ${formatSpan(Math.abs(ms))} ${side} the newest blocks of all ` +
    `${chains} chains`
  const symptoms = ["node.behind", "node.ahead", "clock.jump"]
  return {
    problem: problem({
      level: "trouble",
      code: "clock.differs",
      sentence,
      todo:
        "Set this machine's clock (NTP). Only if all of the chains stand still, wait for them; " +
        "confirm no clock before.",
      command: "timedatectl status",
      needsPerson: true,
    }),
    explains: ({ code }) => symptoms.includes(code),
  }
}

/** `null` where a chain has no head, or where they are off by less, or by different times. */
function findSkew(
  chains: Readings["nodes"],
  nowMs: number,
  leastMs: number,
  spreadOf: (leastMs: number) => number,
): { readonly ms: number; readonly chains: number } | null {
  const skews = chains.flatMap(({ endpoints }) => newestSkew(endpoints, nowMs) ?? [])
  const [least = 0, ...others] = skews.toSorted((a, b) => Math.abs(a) - Math.abs(b))
  const most = others.at(-1) ?? least
  if (skews.length < 2 || skews.length < chains.length || Math.abs(least) < leastMs) return null
  return Math.abs(most - least) < spreadOf(Math.abs(least))
    ? { ms: least, chains: skews.length }
    : null
}

/** Of the newest head that any endpoint shows: positive where it is in our future. */
function newestSkew(endpoints: readonly EndpointReading[], nowMs: number): number | null {
  const heads = endpoints.flatMap(({ error, blockAtMs }) =>
    error === null && blockAtMs !== null ? [blockAtMs - nowMs] : [],
  )
  return heads.length === 0 ? null : Math.max(...heads)
}
