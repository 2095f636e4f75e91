import { z } from "zod"
import { addressText, receiverAddress } from "#schema/address.ts"
import {
  choice,
  duration,
  flag,
  httpUrl,
  integer,
  list,
  secretReference,
  text,
} from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"

const mailAddress = text(
  /^[^\s<>,;\x22]{1,64}@[A-Za-z0-9.-]{1,200}$/,
  "a mail address such as desk@example.com",
)

const shared = {
  least: withDefault(
    choice(["attention", "trouble", "escalation"]),
    "attention",
    "The lowest level that it gets. trouble: money, an order or the daemon itself is " +
      "affected. escalation: only alerts that were not acknowledged in time.",
  ),
  tells_end: withDefault(flag, true, "Whether it is told when a cause is gone."),
  events: withDefault(
    list(
      choice(["orders", "decisions", "missed", "daily"]),
      "a list of orders, decisions, missed and daily",
    ),
    [],
    "The changes that it gets too: those of orders, decisions, runs of scheduled rules " +
      "that came to no swap (missed), each at least once; and the daily message, at most once.",
  ),
}

const webhook = section({
  kind: required(z.literal("webhook"), "A POST of JSON, signed as Standard Webhooks describes."),
  url: required(
    receiverAddress,
    "The address: a URL, a reference to one, or a map of url and headers.",
  ),
  key: orNone(
    secretReference,
    "The key of the signature in base64, by reference. Without it messages are not signed.",
  ),
  ...shared,
})

const slack = section({
  kind: required(z.literal("slack"), "An incoming webhook of Slack."),
  url: required(secretReference, "The webhook's URL, by reference, because it is a secret."),
  ...shared,
})

const discord = section({
  kind: required(z.literal("discord"), "A webhook of Discord."),
  url: required(secretReference, "The webhook's URL, by reference, because it is a secret."),
  ...shared,
})

const ntfy = section({
  kind: required(z.literal("ntfy"), "A topic of ntfy."),
  topic: required(
    secretReference,
    "The topic, by reference: without a login it is all that one needs to read it.",
  ),
  token: orNone(secretReference, "An access token, by reference, for a protected topic."),
  api: withDefault(addressText, "https://ntfy.sh", "The address of the server."),
  ...shared,
})

const matrix = section({
  kind: required(z.literal("matrix"), "A room of Matrix, without encryption."),
  token: required(secretReference, "The access token of a user in the room, by reference."),
  room: required(
    text(/^![\x21-\x7e]{1,254}$/, 'the id of a room, such as "!abc:example.com"'),
    "The room.",
  ),
  api: required(addressText, "The address of the home server."),
  ...shared,
})

const telegram = section({
  kind: required(z.literal("telegram"), "A bot of Telegram."),
  token: required(secretReference, "The bot's token, by reference."),
  chat: required(
    text(/^(-?\d{1,20}|@\w{4,40})$/, 'a chat id in quotes, such as "-1001234567890"'),
    "The chat.",
  ),
  api: withDefault(addressText, "https://api.telegram.org", "The address of the Bot API."),
  approvers: withDefault(
    z.record(text(/^\d{1,20}$/, "the number of an account of Telegram"), text(/\S/, "a name"), {
      error: "expected a map of account to the name of a token",
    }),
    {},
    "The accounts that may approve or reject an order in this chat by a one-time code, by their " +
      "numbers, each with its person: a name of ops.tokens with the scope approve. Only orders " +
      "that need one person.",
  ),
  ...shared,
})

const email = section({
  kind: required(z.literal("email"), "E-mail through an SMTP server."),
  host: required(text(/^[A-Za-z0-9.:-]{1,253}$/, "a host name"), "The SMTP server."),
  port: withDefault(integer(1, 65_535), 465, "Its port."),
  tls: withDefault(
    choice(["tls", "starttls", "none"]),
    "tls",
    "tls: from the first byte (port 465). starttls: refuses to go on without it (port 587). " +
      "none: only on this machine.",
  ),
  user: orNone(
    text(/\S/, "a user name"),
    "The user at the SMTP server. Without it there is no login.",
  ),
  password: orNone(secretReference, "Its password, by reference."),
  from: required(mailAddress, "The sender."),
  to: required(list(mailAddress, "a list of mail addresses", 1), "The recipients."),
  ...shared,
})

const receiver = z.discriminatedUnion(
  "kind",
  [webhook, slack, discord, ntfy, matrix, telegram, email],
  { error: "expected webhook, slack, discord, ntfy, matrix, telegram or email" },
)

const heartbeat = section({
  url: required(
    receiverAddress,
    "The address: a URL, a reference to one, or a map of url and headers.",
  ),
  every: withDefault(duration(1_000), "1m", "The interval."),
  method: withDefault(choice(["GET", "POST"]), "GET", "The HTTP method."),
})

export const alertsSchema = section({
  receivers: withDefault(
    z.record(text(/^[a-z][a-z0-9_-]{0,31}$/, "a name in lower case"), receiver, {
      error: "expected a map of name to receiver",
    }),
    {},
    "The receivers, by a name of their own.",
  ),
  group_for: withDefault(
    duration(1_000),
    "10s",
    "A new alert waits this long, so that several of one kind share a message.",
  ),
  over_after: withDefault(
    duration(1_000),
    "5m",
    "A cause that is gone for this long is over. One that comes back before continues its " +
      "alert, without a new message.",
  ),
  repeat_every: withDefault(
    duration(1_000),
    "6h",
    "An alert whose cause lasts is repeated after this time, until `ballast alerts ack`.",
  ),
  escalate_after: orNone(
    duration(1_000),
    "An alert of level trouble, or one that needs a person, goes to escalate_to if it is not " +
      "acknowledged in this time.",
  ),
  escalate_to: withDefault(
    list(text(/\S/, "a receiver"), "a list of receivers"),
    [],
    "The receivers of escalations.",
  ),
  dashboard: orNone(httpUrl, "The address of the dashboard, for the links in messages."),
  daily: withDefault(
    section({
      at: withDefault(
        text(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as "07:00", in quotes'),
        "07:00",
        "The time of day.",
      ),
      timezone: withDefault(
        text(/^[A-Za-z]/, "an IANA time zone such as Europe/Zurich"),
        "UTC",
        "The IANA time zone.",
      ),
    }),
    {},
    "When the receivers with the event daily are told what happened since the last time.",
  ),
  heartbeat: orNone(
    heartbeat,
    "A call that stops with the daemon, and with an engine that stands still. Its receiver " +
      "raises the alarm when no call comes.",
  ),
})

export type AlertsFile = z.output<typeof alertsSchema>
