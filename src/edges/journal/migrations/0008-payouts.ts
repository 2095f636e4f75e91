/**
 * The transaction that paid an order out, as our own node shows it, so that every order of one
 * payout is found. Orders that changed lately are found by their time.
 */
export const payouts = `
alter table orders add column payout_tx text;
update orders set payout_tx = json_extract(snapshot, '$.data.seen.destinationRedeemed.txid') where json_valid(snapshot);
create index orders_payout on orders (payout_tx) where payout_tx is not null;
create index orders_updated on orders (updated_at);
`
