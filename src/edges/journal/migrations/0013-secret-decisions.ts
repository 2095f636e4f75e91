/**
 * The decisions about our own secrets: append-only, one row for each order and decision. `reveal`:
 * the secret may leave the process. `withhold`: it never does. `lost`: the revealed secret's payout
 * is finally back at the solver. An order has `reveal` or `withhold`, never both.
 */
export const secretDecisions = `
create table secret_decisions (
  order_id text not null,
  decision text not null check (decision in ('reveal', 'withhold', 'lost')),
  secret_hash text not null,
  decided_at integer not null,
  primary key (order_id, decision)
);
create trigger secret_decisions_are_kept before delete on secret_decisions begin
  select raise(abort, 'the decisions about secrets are append-only');
end;
create trigger secret_decisions_are_final before update on secret_decisions begin
  select raise(abort, 'the decisions about secrets are append-only');
end;
create trigger secret_decisions_exclude_each_other before insert on secret_decisions
when exists (
  select 1 from secret_decisions
  where order_id = new.order_id
    and (decision = new.decision or (decision in ('reveal', 'withhold') and new.decision in ('reveal', 'withhold')))
) begin
  select raise(abort, 'the decisions about secrets are append-only');
end;
`
