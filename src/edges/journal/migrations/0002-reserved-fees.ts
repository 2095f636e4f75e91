/**
 * Limits also count the network fees that an order may still need, and the time from which it
 * counts.
 */
export const reservedFees = `
alter table orders add column fee_units text not null default '0';
alter table orders add column counted_at integer not null default 0;
update orders set counted_at = created_at;
create index orders_counted on orders (counted_at);
create index orders_pair on orders (from_asset, to_asset, updated_at);
create index orders_rule on orders (rule, updated_at);
`
