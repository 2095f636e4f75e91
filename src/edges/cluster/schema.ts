/**
 * The tables in PostgreSQL. Every time in them is the database's own, and only its clock decides
 * whether a lease holds.
 */
export const CLUSTER_SCHEMA = `
create schema if not exists ballast;
create table if not exists ballast.lease (
  treasury text primary key, epoch bigint not null, holder text not null, until timestamptz not null
);
create table if not exists ballast.log (
  treasury text not null, seq bigint not null, epoch bigint not null, changeset bytea not null,
  hash text not null, at timestamptz not null default clock_timestamp(), primary key (treasury, seq)
);
create table if not exists ballast.snapshot (
  treasury text primary key, seq bigint not null, hash text not null, schema integer not null,
  epoch bigint not null, parts integer not null
);
create table if not exists ballast.snapshot_part (
  treasury text not null, seq bigint not null, part integer not null, bytes bytea not null,
  primary key (treasury, seq, part)
);
create table if not exists ballast.member (
  treasury text not null, holder text not null, version text not null, seq bigint not null,
  seen timestamptz not null, primary key (treasury, holder)
);
create table if not exists ballast.wallet (
  chain text not null, account text not null, treasury text not null, primary key (chain, account)
);
`
