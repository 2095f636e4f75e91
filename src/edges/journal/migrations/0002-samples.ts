/** Readings over time, which plots show; no decision reads them. `value` is null for no reading. */
export const samples = `
create table samples (
  series text not null,
  at integer not null,
  value text,
  primary key (series, at)
) strict, without rowid;
`
