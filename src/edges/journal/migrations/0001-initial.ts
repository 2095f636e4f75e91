/** Amounts are TEXT: SQLite integers end at 2^63, and JavaScript's at 2^53. */
export const initial = `
create table orders (
  id text primary key,
  state text not null,
  outcome text,
  rule text not null,
  from_asset text not null,
  to_asset text not null,
  source_units text not null,
  source_fiat text,
  fee_fiat text,
  deposited integer not null,
  secret_hash text,
  created_at integer not null,
  updated_at integer not null,
  snapshot text not null
) strict;
create index orders_open on orders (outcome) where outcome is null;
create index orders_created on orders (created_at);
create index orders_secret on orders (secret_hash) where secret_hash is not null;

create table events (
  seq integer primary key,
  order_id text not null references orders (id),
  at integer not null,
  type text not null,
  state text not null,
  body text not null
) strict;
create index events_order on events (order_id, seq);

create table outbox (
  id integer primary key autoincrement,
  order_id text not null unique references orders (id),
  body text not null,
  due_at integer not null,
  begun integer not null default 0
) strict;
create index outbox_due on outbox (due_at);

create table reservations (
  resource text primary key,
  order_id text not null references orders (id)
) strict, without rowid;

create table signatures (
  order_id text not null references orders (id),
  purpose text not null,
  attempt integer not null,
  digest text not null,
  claims text not null,
  claimed_at integer not null,
  settled integer not null default 0,
  txid text,
  raw text,
  primary key (order_id, purpose, digest)
) strict;

create table occurrences (
  id text primary key,
  rule text not null,
  at integer not null,
  order_id text references orders (id),
  decision text,
  settled_at integer not null
) strict;

create table decisions (
  seq integer primary key,
  id text not null unique,
  at integer not null,
  rule text not null,
  verdict text not null,
  order_id text,
  body text not null,
  times integer not null default 1
) strict;
create index decisions_rule on decisions (rule, seq);

create table alerts (
  seq integer primary key,
  at integer not null,
  order_id text,
  reason text not null
) strict;

create table flags (
  key text primary key,
  value text not null
) strict, without rowid;
`
