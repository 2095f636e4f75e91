/**
 * The signing record replaces the table `signatures`. Triggers keep its rows as they were claimed;
 * only the signed bytes are added, once. What the chain says about a signature is no part of the
 * record, so `settled_signatures` is a table of its own.
 *
 * An earlier version reserved a nonce with the plan. Such a nonce without a signature is free
 * again: now the claim reserves it.
 */
export const signingRecord = `
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

create table settled_signatures (
  seq integer primary key references signing_record (seq)
) strict;

insert into signing_record (seq, order_id, purpose, chain, account, attempt, digest, resources, claimed_at, txid, raw)
  select signatures.rowid, order_id, purpose, substr(from_asset, 1, instr(from_asset, ':') - 1), '', attempt, digest, claims,
    claimed_at, txid, raw
  from signatures join orders on orders.id = order_id order by signatures.rowid;
insert into settled_signatures select rowid from signatures where settled = 1;
delete from reservations where resource like '%/nonce:%' and not exists (
  select 1 from signatures, json_each(signatures.claims) claimed
  where signatures.order_id = reservations.order_id
    and substr(reservations.resource, -length(claimed.value) - 1) = '/' || claimed.value
);
drop table signatures;

create trigger signing_record_is_kept before delete on signing_record begin
  select raise(abort, 'the signing record is append-only');
end;
create trigger signing_record_is_not_replaced before insert on signing_record
when exists (
  select 1 from signing_record
  where seq = new.seq or (order_id = new.order_id and purpose = new.purpose and digest = new.digest)
) begin
  select raise(abort, 'the signing record is append-only');
end;
create trigger signing_record_is_final before update on signing_record
when old.raw is not null or new.raw is null or new.seq is not old.seq or new.order_id is not old.order_id
  or new.purpose is not old.purpose or new.chain is not old.chain or new.account is not old.account
  or new.attempt is not old.attempt or new.digest is not old.digest or new.resources is not old.resources
  or new.plan is not old.plan or new.claimed_at is not old.claimed_at
begin
  select raise(abort, 'the signing record is append-only');
end;
`
