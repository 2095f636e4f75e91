/** A file of the project, by its text without comments and the files that it imports. */
export type SourceFile = { readonly text: string; readonly imports: readonly string[] }

const EXPORT = /^export (?:async )?(?:function\*?|const|class|type) (\w+)/gm

/**
 * The exports of `subjects` that no other file uses, as `file: name`. A file uses a name when it
 * imports the file of the name and has the name in its text.
 */
export function findLoneExports(
  subjects: readonly string[],
  files: ReadonlyMap<string, SourceFile>,
): string[] {
  const wordsIn = new Map<string, Set<string>>()
  for (const { text, imports } of files.values()) {
    const words = text.match(/\w+/g) ?? []
    for (const target of new Set(imports)) {
      const known = wordsIn.get(target) ?? new Set()
      for (const word of words) known.add(word)
      wordsIn.set(target, known)
    }
  }
  return subjects.flatMap((file) =>
    [...(files.get(file)?.text ?? "").matchAll(EXPORT)]
      .map(([, name = ""]) => name)
      .filter((name) => wordsIn.get(file)?.has(name) !== true)
      .map((name) => `${file}: ${name}`),
  )
}
