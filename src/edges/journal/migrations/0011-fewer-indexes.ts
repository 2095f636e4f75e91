/**
 * Every step of an order changes `updated_at`, so an index with that column is written at every
 * step. Failures are found among ended and resting orders, and those rows hardly change. Open
 * orders, their sums and the outbox are kept in memory (`open-orders.ts`).
 */
export const fewerIndexes = `
drop index orders_pair;
drop index orders_rule;
drop index orders_service;
drop index outbox_due;
create index orders_pair_ended on orders (from_asset, to_asset, outcome, updated_at) where outcome is not null;
create index orders_rule_ended on orders (rule, outcome, updated_at) where outcome is not null;
create index orders_ended on orders (outcome, service) where outcome is not null;
create index orders_resting on orders (from_asset, to_asset) where state in ('held', 'disarmed');
`
