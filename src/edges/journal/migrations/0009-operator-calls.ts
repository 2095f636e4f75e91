/**
 * Every changing request over the HTTP interface, written before it is carried out. `caller` is the
 * name of its token.
 */
export const operatorCalls = `
create table operator_calls (
  seq integer primary key,
  at integer not null,
  caller text not null,
  source text not null,
  action text not null,
  subject text,
  body text not null
) strict;
create index operator_calls_by_subject on operator_calls (subject, seq);
create trigger operator_calls_are_kept before delete on operator_calls begin
  select raise(abort, 'the record of operator calls is append-only');
end;
create trigger operator_calls_are_not_changed before update on operator_calls begin
  select raise(abort, 'the record of operator calls is append-only');
end;
`
