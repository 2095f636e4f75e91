/** Generic mutants that no test can notice, or need not, by name; each with the reason. */
export const SURVIVORS: Readonly<Record<string, string>> = {
  "src/guards/choose-quote.ts: an operator turned: return nameOf(a) < nameOf(b) ? -1 : nameOf(a) [> -> <=] nameOf(b) ? 1 : 0":
    "the sort asks only whether an element comes before another one, so 0 and 1 mean the same",
  "src/guards/choose-quote.ts: an operator turned: const sorted = amounts.toSorted((a, b) => (a < b ? -1 : a [> -> >=] b ? 1 : 0))":
    "equal amounts may stand in either order",
  "src/guards/order-value.ts: an operator turned: return value [> -> >=] 0n ? value : 0n":
    "for a value of zero both sides are zero",
  "src/books/out-of-band.ts: an operator turned: if (end [> -> >=] start) total += end - start":
    "an empty span adds zero",
  "src/journal/back-up-journal.ts: a statement removed: [flush(dirname(to)) -> ;]":
    "only a power cut could show it, and no test cuts the power",
  "src/journal/back-up-journal.ts: a statement removed: [db.close() -> ;] (2)":
    "the process closes the file when it ends; a backup is a command of its own",
  'src/journal/back-up-journal.ts: a condition always true: return new AppError({ code, disposition: "refused", message, ...([cause === undefined -> true] ? {} : { cause }) })':
    "the cause of a failed backup is for the log alone; code and message stay the same",
  'src/journal/open-database.ts: a condition always true: if ([file !== ":memory:" -> true]) makeFolder(dirname(file))':
    "the folder of `:memory:` is the current one, which exists",
  'src/journal/open-database.ts: a number off by one: const version = Number(db.prepare("pragma user_version").get()?.["user_version"] ?? [0 -> 1])':
    "SQLite always answers `pragma user_version`, so the default is never used",
  "src/engine/perform/read-in-time.ts: an operator turned: const message = `No answer within ${READ_WAIT_MS [/ -> *] 1000} s; the read goes on, and its answer counts when it comes`":
    "a text for people",
  "src/engine/tick/flight.ts: a condition dropped: return [data.deposit !== null && data.terms !== null && data.serviceOrder !== null -> (data.deposit !== null && data.terms !== null)] && wasDepositSigned(data)":
    "a verified deposit is stored together with the service's order, so both are null or neither is",
  'src/engine/worker.ts: an operator turned: if (known.code [!== -> ===] "journal.resource_taken") context.log.warn(fields, "Work is deferred")':
    "a line of the log alone",
  "src/chains/evm/read-orders.ts: a number off by one: const [initiator = [0n -> 1n], redeemer = 0n, initiatedAt = 0n, timelock = 0n, units = 0n] = isOlder ? rest : words":
    "the answer always has six words, so the default is never used",
}
