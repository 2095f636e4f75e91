import { inspect } from "node:util"
import type { AppError } from "./app-error.ts"

/**
 * A key or token that cannot be printed, logged or put into JSON by accident. Only signers and the
 * HTTP guard reveal one.
 */
export class Secret {
  readonly #value: string
  /** The source of the value, such as `env:EVM_KEY`: safe to show. */
  readonly reference: string
  /**
   * Why the value is empty although its reference should give one; `null` for a value that was
   * found or not looked up.
   */
  readonly missing: AppError | null

  constructor(value: string, reference: string, missing: AppError | null = null) {
    this.#value = value
    this.reference = reference
    this.missing = missing
  }

  reveal(): string {
    return this.#value
  }

  /** Whether both hide the same value. */
  isSame(other: Secret): boolean {
    return this.#value === other.#value
  }

  /** False for a value that was not found, or not looked up. */
  isKnown(): boolean {
    return this.#value !== ""
  }

  toString(): string {
    return `[secret ${this.reference}]`
  }

  toJSON(): string {
    return this.toString()
  }

  [inspect.custom](): string {
    return this.toString()
  }
}

/**
 * The usual mistakes in the form of a pasted key, such as ` (it stands in quotes: remove them)`;
 * empty where none is seen. It shows nothing of the value.
 */
export function describeForm(secret: Secret): string {
  const text = secret.reveal()
  const found = FORMS.find(([pattern]) => pattern.test(text))?.[1]
  return found === undefined ? "" : ` (${found})`
}

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^(["'`\u201c\u2018]).*(["'`\u201d\u2019])$/s, "it stands in quotes: remove them"],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: UTF-16 has a zero in each letter.
  [/\u0000/, "it is UTF-16: save it as UTF-8"],
  [/^\{.*"crypto"\s*:/is, "it is a keystore: write keystore: in place of file:"],
  [/^-----BEGIN/, "it is a PEM file"],
  [/^0x[0-9a-f]{40}$/i, "it is an address"],
  [/^([a-z]+\s+){11,23}[a-z]+$/, "it has the words of a mnemonic, not a key"],
]
