import type { Secret } from "#lib/secret.ts"

/** How and to whom alerts go. Durations in milliseconds. */
export type AlertsConfig = {
  readonly receivers: readonly Receiver[]
  /** A new alert waits this long, so that several of one kind share a message. */
  readonly groupMs: number
  /**
   * A cause that is gone for this long is over. One that comes back before continues its alert, so
   * a flapping cause stays quiet.
   */
  readonly overAfterMs: number
  /** An alert whose cause lasts is repeated after this time, until it is acknowledged. */
  readonly repeatMs: number
  /** `null`: never. */
  readonly escalateAfterMs: number | null
  readonly escalateTo: readonly string[]
  /**
   * The address of the dashboard, without a slash at the end; `null` for messages without links.
   */
  readonly dashboard: string | null
  readonly heartbeat: Heartbeat | null
  /** When the daily message goes to the receivers that ask for it, in local time. */
  readonly daily: { readonly at: string; readonly timezone: string }
}

/** Where a message goes; `headers` of each request. */
export type Place = {
  readonly url: Secret
  readonly headers?: Readonly<Record<string, Secret>>
}

export type Heartbeat = Place & {
  readonly everyMs: number
  readonly method: "GET" | "POST"
}

/**
 * `least`: the lowest level that the receiver gets; `escalation` for those alerts alone that are
 * not acknowledged in time.
 */
export type Receiver = {
  readonly name: string
  readonly least: "attention" | "trouble" | "escalation"
  /** Whether it is told when a cause is gone. */
  readonly tellsEnd: boolean
  /** The changes that it gets as well as alerts. */
  readonly events: readonly ChangeSubject[]
} & Channel

/** The kinds of changes that a receiver may get as well as alerts. */
export type ChangeSubject = "orders" | "decisions" | "missed" | "daily"

export type Channel =
  | (Place & { readonly kind: "webhook"; readonly key: Secret | null })
  | (Place & { readonly kind: "slack" | "discord" })
  | {
      readonly kind: "ntfy"
      readonly api: string
      readonly topic: Secret
      readonly token: Secret | null
    }
  | {
      readonly kind: "matrix"
      readonly api: string
      readonly token: Secret
      readonly room: string
    }
  | {
      readonly kind: "telegram"
      readonly api: string
      readonly token: Secret
      readonly chat: string
      /** The accounts that may approve in the chat, with the names of their people. */
      readonly approvers: Readonly<Record<string, string>>
    }
  | {
      readonly kind: "email"
      readonly host: string
      readonly port: number
      readonly tls: "tls" | "starttls" | "none"
      readonly user: string | null
      readonly password: Secret | null
      readonly from: string
      readonly to: readonly string[]
    }

/**
 * One alert as a message shows it. Texts are those of the model; parts of them come from nodes and
 * services.
 */
export type AlertNote = {
  readonly id: string
  readonly kind: string
  readonly code: string
  readonly level: "attention" | "trouble"
  readonly sentence: string
  /** The meaning for the money. */
  readonly meaning: string
  readonly todo: string
  readonly command: string | null
  readonly order: string | null
  readonly deadlineMs: number | null
  readonly openedMs: number
  readonly closedMs: number | null
}

/**
 * `open`: the first message about these alerts. `over`: their causes are gone. `test`: a person
 * tries the receiver.
 */
export type MessageReason = "open" | "repeat" | "escalation" | "over" | "test"

/** A message for one receiver. `id` stays the same when it is sent again. */
export type Message = {
  readonly id: string
  readonly reason: MessageReason
  readonly treasury: string
  readonly atMs: number
  readonly notes: readonly AlertNote[]
  readonly dashboard: string | null
}

/**
 * The parts of a message as plain text. Each part is one line, because a node or service chose
 * words of it.
 */
export type MessageText = {
  readonly title: string
  readonly notes: readonly NoteText[]
  readonly rest: string | null
}
export type NoteText = {
  readonly sentence: string
  readonly lines: readonly string[]
  readonly command: string | null
  readonly link: string | null
}

/** An alert or a change in the two forms that receivers take: text, and JSON for a webhook. */
export type Parcel = {
  readonly id: string
  readonly text: MessageText
  readonly isUrgent: boolean
  readonly body: object
}

/**
 * Sends one message. A failure is an answer: the delivery is tried again. `waitMs`: the receiver
 * asks for this pause.
 */
export type SendMessage = (receiver: Receiver, message: Message) => Promise<Sent>
export type SendParcel = (receiver: Receiver, parcel: Parcel) => Promise<Sent>
export type Sent =
  | { readonly ok: true; readonly answer: string }
  | { readonly ok: false; readonly error: string; readonly waitMs: number | null }
