/**
 * Double entry. `entries` and `postings` are append-only; `accounts` holds their running sums,
 * written in the same transaction.
 */
export const ledger = `
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

create trigger entries_are_kept before delete on entries begin select raise(abort, 'the ledger is append-only'); end;
create trigger entries_are_final before update on entries begin select raise(abort, 'the ledger is append-only'); end;
create trigger postings_are_kept before delete on postings begin select raise(abort, 'the ledger is append-only'); end;
create trigger postings_are_final before update on postings begin select raise(abort, 'the ledger is append-only'); end;

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
`
