/**
 * Every admission sums the ended orders of the windows. The index of all orders by this time led it
 * to each open order too, which the memory has summed already, and each step that moved the time
 * wrote it.
 */
export const countedOrders = `
drop index orders_counted;
create index orders_counted_ended on orders (counted_at) where outcome is not null or state = 'disarmed';
`
