/**
 * The text without this character at its end. A pattern such as `/+$/` would try every run of the
 * character anew: quadratic time.
 */
export function trimEndOf(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}
