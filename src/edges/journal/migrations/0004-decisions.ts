/**
 * Decisions can be replayed: each refers to its inputs, stored once for all rules of a tick under
 * their hash, and to every order that it led to.
 */
export const decisions = `
alter table decisions add column last_at integer not null default 0;
alter table decisions add column inputs text;
alter table decisions add column config_hash text;
update decisions set last_at = at;

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
insert into decision_orders (decision, order_id) select id, order_id from decisions where order_id in (select id from orders);
`
