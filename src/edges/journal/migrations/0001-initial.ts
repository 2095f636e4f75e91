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
  fee_units text not null,
  counted_at integer not null,
  -- The service that the order is with; null before its first quote.
  service text,
  -- The transaction that paid the order out; our own node has shown it.
  payout_tx text,
  second_rule text,
  -- The events of an order lead back from its last one, so a step writes no index of them.
  last_event integer not null,
  -- The number of events back to the last whole snapshot, that one included.
  changes integer not null,
  work text,
  work_due integer,
  work_begun integer not null default 0,
  -- The ended order in the form of the books: a report reads no events, snapshots and entries.
  summary text
) strict;
-- Every step changes updated_at, so only the rows of ended and resting orders are in an index
-- of it.
create index orders_open on orders (outcome) where outcome is null;
create index orders_created on orders (created_at);
create index orders_secret on orders (secret_hash) where secret_hash is not null;
create index orders_payout on orders (payout_tx) where payout_tx is not null;
create index orders_pair_ended on orders (from_asset, to_asset, outcome, updated_at)
  where outcome is not null;
create index orders_rule_ended on orders (rule, outcome, updated_at) where outcome is not null;
create index orders_second_rule_ended on orders (second_rule, outcome, updated_at)
  where outcome is not null and second_rule is not null;
create index orders_ended on orders (outcome, service) where outcome is not null;
create index orders_ended_at on orders (updated_at) where outcome is not null;
create index orders_counted_ended on orders (counted_at)
  where outcome is not null or state = 'disarmed';
create index orders_resting on orders (from_asset, to_asset) where state in ('held', 'disarmed');

create table events (
  seq integer primary key,
  order_id text not null references orders (id),
  at integer not null,
  type text not null,
  state text not null,
  body text not null,
  previous integer,
  -- The whole snapshot of the order, or its change by this step.
  change text not null
) strict;

create table reservations (
  resource text primary key,
  order_id text not null references orders (id)
) strict, without rowid;
create index reservations_by_order on reservations (order_id);

-- Triggers keep the claimed rows; only the signed bytes are added, once.
create table signing_record (
  seq integer primary key,
  order_id text not null references orders (id),
  purpose text not null,
  chain text not null,
  account text not null,
  attempt integer not null,
  digest text not null,
  resources text not null,
  plan text,
  claimed_at integer not null,
  txid text,
  raw text,
  unique (order_id, purpose, digest)
) strict;
create index signing_record_by_digest on signing_record (digest);
create index signing_record_by_txid on signing_record (lower(txid));
create index signing_record_by_resources on signing_record (chain, resources);
create trigger signing_record_is_kept before delete on signing_record begin
  select raise(abort, 'the signing record is append-only');
end;
create trigger signing_record_is_not_replaced before insert on signing_record
when exists (
  select 1 from signing_record
  where seq = new.seq
    or (order_id = new.order_id and purpose = new.purpose and digest = new.digest)
) begin
  select raise(abort, 'the signing record is append-only');
end;
create trigger signing_record_is_final before update on signing_record
when old.raw is not null or new.raw is null or new.seq is not old.seq
  or new.order_id is not old.order_id or new.purpose is not old.purpose
  or new.chain is not old.chain or new.account is not old.account
  or new.attempt is not old.attempt or new.digest is not old.digest
  or new.resources is not old.resources or new.plan is not old.plan
  or new.claimed_at is not old.claimed_at
begin
  select raise(abort, 'the signing record is append-only');
end;

-- What the chain says about a signature is no part of the record.
create table settled_signatures (
  seq integer primary key references signing_record (seq)
) strict;

-- reveal: the secret may leave the process. withhold: it never does. lost: the revealed secret's
-- payout is finally back at the solver. An order has reveal or withhold, never both.
create table secret_decisions (
  order_id text not null,
  decision text not null check (decision in ('reveal', 'withhold', 'lost')),
  secret_hash text not null,
  decided_at integer not null,
  primary key (order_id, decision)
) strict;
create trigger secret_decisions_are_kept before delete on secret_decisions begin
  select raise(abort, 'the decisions about secrets are append-only');
end;
create trigger secret_decisions_are_final before update on secret_decisions begin
  select raise(abort, 'the decisions about secrets are append-only');
end;
create trigger secret_decisions_exclude_each_other before insert on secret_decisions
when exists (
  select 1 from secret_decisions
  where order_id = new.order_id and (decision = new.decision
    or (decision in ('reveal', 'withhold') and new.decision in ('reveal', 'withhold')))
) begin
  select raise(abort, 'the decisions about secrets are append-only');
end;

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
  body text not null,
  times integer not null default 1,
  last_at integer not null,
  inputs text,
  config_hash text
) strict;
create index decisions_rule on decisions (rule, seq);
create index decisions_inputs on decisions (inputs) where inputs is not null;

-- The inputs of a tick, once for all its rules, under their hash.
create table decision_inputs (
  hash text primary key,
  body text not null
) strict, without rowid;

create table decision_orders (
  seq integer primary key,
  decision text not null,
  order_id text not null references orders (id),
  unique (decision, order_id)
) strict;

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

-- Double entry. accounts has the running sums, written in the same transaction.
create table entries (
  id integer primary key,
  at integer not null,
  order_id text references orders (id),
  key text not null,
  kind text not null,
  tx text,
  note text,
  reverses integer unique references entries (id)
) strict;
create index entries_order on entries (order_id, key);
create index entries_at on entries (at);
create index entries_key on entries (key);

create table postings (
  entry_id integer not null references entries (id),
  line integer not null,
  account text not null,
  asset text not null,
  units text not null,
  fiat text,
  primary key (entry_id, line)
) strict, without rowid;
create trigger entries_are_kept before delete on entries begin
  select raise(abort, 'the ledger is append-only');
end;
create trigger entries_are_final before update on entries begin
  select raise(abort, 'the ledger is append-only');
end;
create trigger postings_are_kept before delete on postings begin
  select raise(abort, 'the ledger is append-only');
end;
create trigger postings_are_final before update on postings begin
  select raise(abort, 'the ledger is append-only');
end;

create table accounts (
  account text not null,
  asset text not null,
  units text not null,
  primary key (account, asset)
) strict, without rowid;

create table reconciliations (
  asset text primary key,
  at integer not null,
  state text not null,
  ledger_units text,
  chain_units text,
  since integer not null,
  alarmed_units text
) strict, without rowid;

-- Every changing request over the HTTP interface, written before it is carried out.
create table operator_calls (
  seq integer primary key,
  at integer not null,
  caller text not null,
  source text not null,
  action text not null,
  subject text,
  body text not null
) strict;
create index operator_calls_by_subject on operator_calls (subject, seq);
create trigger operator_calls_are_kept before delete on operator_calls begin
  select raise(abort, 'the record of operator calls is append-only');
end;
create trigger operator_calls_are_not_changed before update on operator_calls begin
  select raise(abort, 'the record of operator calls is append-only');
end;

-- The keys of requests from outside. A key without a request is withdrawn.
create table request_keys (
  key text primary key,
  request text,
  order_id text references orders (id),
  at integer not null
) strict, without rowid;
create index request_keys_at on request_keys (at);
`
