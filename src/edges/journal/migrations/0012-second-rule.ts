/**
 * The second rule that an order serves: the order counts for both. In an earlier journal the
 * decisions of an order name its rules. The index has only ended orders, as that of the first rule
 * (`0011-fewer-indexes.ts`).
 */
export const secondRule = `
alter table orders add column second_rule text;
create index decision_orders_once on decision_orders (order_id);
update orders set second_rule = (
  select decisions.rule from decision_orders join decisions on decisions.id = decision_orders.decision
  where decision_orders.order_id = orders.id and decisions.rule <> orders.rule
  order by decision_orders.seq limit 1
);
drop index decision_orders_once;
create index orders_second_rule_ended on orders (second_rule, outcome, updated_at)
  where outcome is not null and second_rule is not null;
`
