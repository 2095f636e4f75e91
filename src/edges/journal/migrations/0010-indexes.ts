/** A step releases the reservations of its order, and must not read those of all others for it. */
export const indexes = `
create index reservations_by_order on reservations (order_id);
`
