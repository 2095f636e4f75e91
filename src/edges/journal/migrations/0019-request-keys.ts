/**
 * The keys of requests from outside (`Idempotency-Key`), each with the hash of its request. The
 * order of a key is written in the same transaction, so a request that is sent again finds it.
 * Without an order the key is withdrawn: no request may use it any more.
 */
export const requestKeys = `
create table request_keys (
  key text primary key,
  request text,
  order_id text references orders (id),
  at integer not null
) strict, without rowid;
create index request_keys_at on request_keys (at);
`
