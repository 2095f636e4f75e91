/**
 * Breaks each line that is wider than a terminal, at a space where there is one; the rest of a line
 * is indented by two, or stands below the text of a line `name  text`. `null` leaves the text as it
 * is, for files and pipes.
 */
export function fitWidth(text: string, columns: number | null): string {
  if (columns === null || columns < LEAST_COLUMNS) return text
  return text
    .split("\n")
    .flatMap((line) => breakLine(line, columns))
    .join("\n")
}

/** A narrower terminal breaks its lines by itself. */
const LEAST_COLUMNS = 20

/**
 * The column where the text of a line `name  text` begins, if that leaves most of the width to the
 * text.
 */
function textColumn(line: string, columns: number): number | null {
  const [name] = /^ *\S+(?: \S+)* {2,}(?=\S)/.exec(line) ?? []
  return name !== undefined && name.length <= columns / 3 ? name.length : null
}

function breakLine(line: string, columns: number): string[] {
  if (line.length <= columns) return [line]
  const own = line.length - line.trimStart().length
  const indent = " ".repeat(Math.min(textColumn(line, columns) ?? own + 2, Math.floor(columns / 2)))
  const lines: string[] = []
  let rest = line
  while (rest.length > columns) {
    const space = rest.lastIndexOf(" ", columns)
    const at = space > indent.length ? space : columns
    lines.push(rest.slice(0, at).trimEnd())
    rest = `${indent}${rest.slice(at).trimStart()}`
  }
  return [...lines, rest]
}
