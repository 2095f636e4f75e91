/**
 * One line of the lexicon in docs/GLOSSARY.md: words that names may not use, and names that other
 * programs rely on.
 */
export type LexiconLine = {
  readonly concept: string
  readonly banned: readonly string[]
  readonly allowed: readonly string[]
}

/**
 * Reads the table below `## Lexicon`. Throws when a line has not four cells, so that a broken table
 * cannot pass as an empty one.
 */
export function parseLexicon(glossary: string): LexiconLine[] {
  const section = glossary.split("\n## Lexicon\n")[1] ?? ""
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|(---|\s*concept)/.test(line))
  return rows.map((row) => {
    const cells = row.split("|").slice(1, -1)
    if (cells.length !== 4) throw new Error(`The lexicon line has ${cells.length} cells: ${row}`)
    const [concept = "", , banned = "", allowed = ""] = cells
    return {
      concept: concept.trim(),
      banned: listOf(banned),
      allowed: listOf(allowed.replace(/\([^)]*\)/g, "")),
    }
  })
}

function listOf(cell: string): string[] {
  return cell
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
}

/**
 * The banned words in a file's name and in the identifiers of its code, each as
 * `identifier (word)`.
 */
export function findBannedNames(
  file: string,
  code: string,
  lexicon: readonly LexiconLine[],
): string[] {
  const withoutStrings = code
    .replace(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/g, '""')
    .replace(/`(\\.|[^`\\])*`/g, keepExpressions)
  const identifiers = new Set(
    [...withoutStrings.matchAll(/[A-Za-z_$][\w$]*/g)].map((match) => match[0]),
  )
  const fileName = file.slice(file.lastIndexOf("/") + 1).replace(/(\.test)?\.ts$/, "")
  const exceptions = lexicon.flatMap(({ allowed }) => allowed)
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
