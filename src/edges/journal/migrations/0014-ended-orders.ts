/**
 * A tick of the rules asks which orders ended in the last minutes. Without this index it reads each
 * open order with a recent step too.
 */
export const endedOrders = `
create index orders_ended_at on orders (updated_at) where outcome is not null;
`
