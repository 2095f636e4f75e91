/**
 * The service that an order is with. Empty: an order of an earlier version, which knew one service.
 * `null`: the order has no quote yet.
 */
export const services = `
alter table orders add column service text default '';
create index orders_service on orders (service, outcome);
`
