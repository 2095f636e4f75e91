/**
 * A step writes the change of the order's snapshot with its event, instead of the whole snapshot
 * again. The row of an order is small, and has the order's work. The events of an order lead back
 * from `last_event` by `previous`, so a step writes no index of them.
 *
 * `changes` is the number of events back to the last whole snapshot; 0: `snapshot` of the row is
 * whole, as in an earlier version.
 */
export const orderChanges = `
alter table events add column previous integer;
alter table events add column change text;
alter table orders add column last_event integer;
alter table orders add column changes integer not null default 0;
alter table orders add column work text;
alter table orders add column work_due integer;
alter table orders add column work_begun integer not null default 0;
update events set previous = (select max(before.seq) from events before where before.order_id = events.order_id and before.seq < events.seq);
update orders set last_event = (select max(seq) from events where order_id = orders.id);
update orders set work = outbox.body, work_due = outbox.due_at, work_begun = outbox.begun from outbox where outbox.order_id = orders.id;
drop table outbox;
drop index events_order;
drop index orders_updated;
`
