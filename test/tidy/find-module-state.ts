/**
 * Names at module level that can change: `let`, and a map, set or list without a read-only type.
 * A table that nothing changes says so by its type: `ReadonlyMap`, `ReadonlySet`, `readonly T[]`.
 */
export function findModuleState(text: string): string[] {
  const found: string[] = []
  for (const line of text.split("\n")) {
    const [, kind, name = "", type = "", value = ""] =
      /^(?:export )?(let|const) (\w+)(: [^=]*?)?(?: =(.*))?$/.exec(line) ?? []
    const isMutable =
      /^ new (Map|Set|WeakMap|WeakSet)\b/.test(value) &&
      (type === "" || /: (Weak)?(Map|Set)</.test(type))
    const isList = /^ \[\]$/.test(value) && type !== "" && !type.includes("readonly")
    if (kind === "let" || (kind === "const" && (isMutable || isList))) found.push(name)
  }
  return found
}

/** State of the process itself, or an answer that is the same for every reader. */
export const PROCESS_STATE: Readonly<Record<string, string>> = {
  "src/core/lib/known-keys.ts known": "every text of this process hides the keys that it has read",
  "src/edges/pkcs11/cryptoki.ts loaded": "a process loads a token's library once",
  "src/edges/pkcs11/cryptoki.ts handles": "a library whose handle is collected ends the process",
  "src/edges/signer/short-path.ts opened": "the descriptors of the process",
  "src/core/policy/schedule/list-occurrences.ts caches": "the times of a schedule never change",
  "src/core/order/step.ts fieldTexts": "data never changes in place, so its text does not either",
  "src/edges/journal/open-orders.ts revisions":
    "unique in the process, also when a journal is read again",
  "src/engine/rules/solver/solve-in-worker.ts highs": "the solver of this thread",
  "src/engine/orders/pay/share-text.ts known": "equal texts share their memory",
  "src/engine/orders/isolate-damaged.ts known": "the work of a row, which never changes",
  "src/engine/orders/choose-work.ts known": "the work of a row, which never changes",
}
