/**
 * One word per concept: words that names of `src/` and `test/` may not use (file names, and the
 * words of an identifier: `readLooks` has `read` and `looks`). Exceptions are names that stored
 * data or other programs use; `name@folder` allows one below that folder alone.
 */
type LexiconLine = {
  readonly word: string
  readonly banned: readonly string[]
  readonly allowed?: readonly string[]
}

export const LEXICON: readonly LexiconLine[] = [
  // an on-chain transaction of ours
  // - move (key of a rule: how far it trades)
  // - moves (key of the backtest's report)
  // - moved (key of stored events and decisions)
  { word: "transaction", banned: ["move", "moves", "moved"], allowed: ["move", "moves", "moved"] },
  // a statement of the service, unproven
  // - gasLimitClaim (key of stored deposits)
  // - claim_amount (wire of live services)
  // - claimed_amount (wire)
  {
    word: "report, reported, request",
    banned: ["claim", "claims", "claimed"],
    allowed: [
      "gasLimitClaim",
      "claims@test/support/fake-chain.ts",
      "claim_amount",
      "claimed_amount",
    ],
  },
  // a signature that the journal registered before the key was used
  // - claimed_at (column)
  // - claim@src/edges/chains/solana/spend/build.ts (key of a refusal's details)
  {
    word: "claim",
    banned: [],
    allowed: [
      "claimSignature",
      "claimed_at",
      "SignatureClaim",
      "findOpenClaim",
      "claimDeposit",
      "claimGasless",
      "claimVoid",
      "claimRefund",
      "claimRedeem",
      "claim@src/edges/journal",
      "claim@src/core/ports",
      "claim@test",
      "claim@src/edges/chains/solana/spend/build.ts",
    ],
  },
  // all wallets of the daemon
  { word: "wallets", banned: ["house"] },
  // reading a chain or an order
  { word: "observe, observation", banned: ["look", "looks", "sight", "sights"] },
  // a negative answer
  { word: "refusal", banned: ["nos"] },
  // the room for an asset's balance within its bounds
  { word: "headroom", banned: ["rooms"] },
  // something that happened to an order
  { word: "event", banned: ["fact", "facts"] },
  // a thing that a state asks for
  // - effect (key of the sandbox's faults)
  { word: "work", banned: ["effect", "effects"], allowed: ["effect"] },
  // the end of an order
  { word: "outcome", banned: [] },
  // the counters of limits
  { word: "usage", banned: [] },
  // the account of money
  { word: "books, ledger", banned: [] },
  // failures that tests inject
  { word: "faults", banned: ["weather", "blow", "blows", "brew", "swarm"] },
  // leading a simulated order to a state
  { word: "steering, targets", banned: ["pursuit", "quarry"] },
  // judging a mutated answer in tests
  { word: "check", banned: ["court"] },
]

/**
 * The banned words in a file's name and in the identifiers of its code, each as
 * `identifier (word)`.
 */
export function findBannedNames(
  file: string,
  code: string,
  lexicon: readonly LexiconLine[] = LEXICON,
): string[] {
  const withoutStrings = code
    .replace(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/g, '""')
    .replace(/`(\\.|[^`\\])*`/g, keepExpressions)
  const identifiers = new Set(
    [...withoutStrings.matchAll(/[A-Za-z_$][\w$]*/g)].map((match) => match[0]),
  )
  const fileName = file.slice(file.lastIndexOf("/") + 1).replace(/(\.test)?\.ts$/, "")
  const exceptions = lexicon.flatMap(({ allowed = [] }) => allowed)
  const banned = lexicon.flatMap((line) => line.banned)
  return [fileName, ...identifiers]
    .filter((name) => !exceptions.some((exception) => excepts(exception, name, file)))
    .flatMap((name) =>
      banned.filter((word) => wordsOf(name).includes(word)).map((word) => `${name} (${word})`),
    )
}

/**
 * An exception is a name, or `name@folder` for a name that only files below that folder may use.
 */
function excepts(exception: string, name: string, file: string): boolean {
  const [allowed, folder = ""] = exception.split("@")
  return allowed === name && file.startsWith(folder)
}

/** The identifiers inside `${…}` of a template string; its prose is no name. */
function keepExpressions(template: string): string {
  return [...template.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1] ?? "").join(" ")
}

/** `readLooks` → read, looks; `MAX_MOVES` → max, moves; `look-at-swap` → look, at, swap. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[\s_$-]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== "")
}
