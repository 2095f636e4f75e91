import { inspect } from "node:util"

/** A key or token that cannot be printed, logged or put into JSON by accident. Only signers and the HTTP guard reveal one. */
export class Secret {
  readonly #value: string
  /** The source of the value, such as `env:EVM_KEY`: safe to show. */
  readonly reference: string

  constructor(value: string, reference: string) {
    this.#value = value
    this.reference = reference
  }

  reveal(): string {
    return this.#value
  }

  /** Whether both hide the same value. */
  isSame(other: Secret): boolean {
    return this.#value === other.#value
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
