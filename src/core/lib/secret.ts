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
