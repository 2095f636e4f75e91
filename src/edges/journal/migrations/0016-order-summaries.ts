/**
 * The order as the books show it once it has ended, as text of `books`, so that a report of many
 * orders reads no events, no snapshots and no entries. `null`: the order has not ended, or ended
 * under an earlier version.
 */
export const orderSummaries = "alter table orders add column summary text;"
