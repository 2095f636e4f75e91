import type { SqliteJournal } from "#journal/sqlite-journal.ts"

/** Reads that checkers and engine repeat often, mostly without a write in between. */
const CACHED = [
  "listOrders",
  "listDecisions",
  "listAlerts",
  "listAccounts",
  "listEntries",
  "listUnsettled",
  "countEndings",
  "readFailures",
  "findOrder",
  "readFlag",
] as const
/** Every method by name, so that the compiler asks for each new method whether it writes. */
const WRITES: { readonly [method in keyof SqliteJournal]: boolean } = {
  openOrder: true,
  commit: true,
  beginWork: true,
  postponeWork: true,
  restWork: false,
  hastenWork: false,
  claimSignature: true,
  decideSecret: true,
  storeSignature: true,
  settleSignatures: true,
  restoreSignature: true,
  settleOccurrence: true,
  recordDecision: true,
  book: true,
  saveReconciliation: true,
  addSample: true,
  raiseAlert: true,
  writeFlag: true,
  abandon: true,
  noteFlag: true,
  recordOperatorCall: true,
  withdrawRequestKey: true,
  keepAnswer: true,
  beginAnswer: true,
  dropBegun: true,
  findRequestKey: false,
  countRefused: false,
  lastRefusal: false,
  noteAcknowledged: false,
  close: true,
  durable: false,
  isPending: false,
  keepSpace: false,
  findPlace: false,
  saveTo: false,
  durableHere: false,
  isPendingHere: false,
  areDecisionsDurable: false,
  findOrder: false,
  listOrders: false,
  listSamples: false,
  findLastSample: false,
  listOpenRefs: false,
  listEndedRefs: false,
  listPaidBy: false,
  listChangedSince: false,
  listRejectedFor: false,
  listEvents: false,
  listAlerts: false,
  listDueWork: false,
  hasWork: false,
  listReserved: false,
  findHolder: false,
  isSecretHashKnown: false,
  listSigners: false,
  findOpenClaim: false,
  listOf: false,
  listUnsettled: false,
  isOurs: false,
  isDigestKnown: false,
  listRecorded: false,
  listSummaries: false,
  findSummary: false,
  listRouteSummaries: false,
  findDueMs: false,
  listSecretDecisions: false,
  isResourceSigned: false,
  sumRule: false,
  sumWindow: false,
  countInFlight: false,
  sumFiatWith: false,
  countPaidOn: false,
  countRedeemedOn: false,
  countEndings: false,
  sumCorrections: false,
  countOrders: false,
  sumReservedFees: false,
  sumCommitted: false,
  readFailures: false,
  findOccurrence: false,
  listOccurrences: false,
  findDecision: false,
  findInputs: false,
  listDecisions: false,
  listEntries: false,
  listLastPostings: false,
  sumBooks: false,
  listAccounts: false,
  listReconciliations: false,
  readFlag: false,
  listOperatorCalls: false,
  countAlerts: false,
}

/** A journal that caches frequent reads. Every write clears the cache, a failed one too. */
export function cacheReads(journal: SqliteJournal): SqliteJournal {
  const known = new Map<string, unknown>()
  const wrapped = Object.entries(journal).map(([method, real]) => [method, wrap(method, real)])
  // CAST: the same methods, each with its own arguments and answers.
  return Object.fromEntries(wrapped) as SqliteJournal

  function wrap(method: string, real: (...args: unknown[]) => unknown): typeof real {
    // CAST: every method of a journal is in the list.
    if (WRITES[method as keyof SqliteJournal])
      return (...args) => {
        try {
          return real(...args)
        } finally {
          known.clear()
        }
      }
    if (!CACHED.some((name) => name === method)) return real
    return (...args) => {
      const [first] = args
      const question =
        typeof first === "string" ? `${method} ${first}` : `${method} ${JSON.stringify(args)}`
      if (!known.has(question)) known.set(question, Object.freeze(real(...args)))
      return known.get(question)
    }
  }
}
