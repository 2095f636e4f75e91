/**
 * A text for a terminal. Services, contracts and nodes chose parts of many texts: control characters could move the cursor, change the
 * window's title or hide what was printed before. Tabs and line ends stay, also CRLF (the line end of CSV, RFC 4180).
 */
export function printable(text: string): string {
  return text.replace(CONTROL, "\ufffd")
}

/** C0 and C1 controls, and the characters that reverse the direction of writing. */
const CONTROL = /(?![\n\t]|\r\n)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
