import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { judgeServer, readServer } from "#cluster/judge-server.ts"
import { openClusterDatabase } from "#cluster/open-cluster-database.ts"
import { Secret } from "#lib/secret.ts"
import { freePort } from "../../support/free-port.ts"
import { hasPostgres, type PostgresPair, startPostgres } from "../../support/start-postgres.ts"

const POOLER = "/usr/sbin/pgbouncer"

describe.skipIf(!hasPostgres())("a PostgreSQL that may lose a commit", { timeout: 60_000 }, () => {
  let pair: PostgresPair
  beforeAll(async () => {
    pair = await startPostgres()
  }, 60_000)
  afterAll(() => pair?.stop())

  const open = (url: string) => openClusterDatabase(new Secret(url, "test"), () => undefined)
  const command = async (sql: string): Promise<void> => {
    const client = new pg.Client(pair.url)
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }

  test("is refused with `options` in the URL that turn the wait off", async () => {
    const options = encodeURIComponent("-c synchronous_commit=off")
    await expect(open(`${pair.url}?options=${options}`)).rejects.toMatchObject({
      code: "cluster.unreachable",
      message: expect.stringContaining("synchronous_commit waits for no standby"),
    })
  })

  test("takes our setting before that of the role", async () => {
    await command("alter role postgres set synchronous_commit = off")
    const database = await open(pair.url)
    const { rows } = await database.query("select current_setting('synchronous_commit') as on", [])
    expect(rows).toEqual([{ on: "on" }])
    await database.close()
    await command("alter role postgres reset synchronous_commit")
  })

  test("is refused while a logical subscriber counts as its standby", async () => {
    await command("alter system set wal_level = logical")
    pair.stopPrimary()
    pair.startPrimary()
    const database = await open(pair.url)
    const before = await readServer(database)
    expect(judgeServer(null, before, true)).toEqual(before)
    await command("select pg_create_logical_replication_slot('copier', 'pgoutput')")
    await command("create publication everything for all tables")
    const { port } = new URL(pair.url)
    const subscriber = spawn(
      "/usr/lib/postgresql/15/bin/pg_recvlogical",
      ["-h", "127.0.0.1", "-p", port, "-U", "postgres", "-d", "postgres", "-S", "copier"].concat([
        "--start",
        "-f",
        "-",
        "-o",
        "proto_version=1",
        "-o",
        "publication_names=everything",
      ]),
      { stdio: "ignore" },
    )
    try {
      await expect
        .poll(async () => (await readServer(database)).synchronous, { timeout: 20_000 })
        .toBe(false)
      const found = await readServer(database)
      expect(() => judgeServer(null, found, true)).toThrow(
        expect.objectContaining({
          code: "cluster.not_replicated",
          message: expect.stringContaining("logical subscriber"),
        }),
      )
    } finally {
      subscriber.kill("SIGKILL")
      await database.close()
    }
  })

  describe.skipIf(!existsSync(POOLER))("behind a pooler", () => {
    test.each(["transaction", "session"])("is refused by name in mode %s", async (mode) => {
      const home = mkdtempSync("/tmp/ballast-pooler-")
      const { port: server } = new URL(pair.url)
      const port = await freePort()
      for (const ignored of ["", ",options"]) {
        const file = join(home, "pooler.ini")
        writeFileSync(join(home, "users"), '"postgres" ""\n')
        const lines = [
          `[databases]\npostgres = host=127.0.0.1 port=${server} user=postgres`,
          `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any`,
          `auth_file = ${join(home, "users")}\npool_mode = ${mode}\nunix_socket_dir =`,
          `ignore_startup_parameters = extra_float_digits${ignored}\n`,
        ]
        writeFileSync(file, lines.join("\n"))
        const isRoot = process.getuid?.() === 0
        // It gives up the rights of root, and must still read its files.
        if (isRoot) execFileSync("chown", ["-R", "postgres", home])
        const user = isRoot ? ["-u", "postgres"] : []
        const pooler = spawn(POOLER, ["-q", ...user, file], { stdio: "ignore" })
        try {
          const url = pair.url.replace(`:${server}/`, `:${port}/`)
          const ask = () =>
            open(url).then(
              async (database) => {
                await database.close()
                return "opened"
              },
              (error: Error) => error.message,
            )
          await expect.poll(ask, { timeout: 10_000 }).not.toMatch(/ECONNREFUSED/)
          expect(await ask()).toMatch(/a connection pooler/)
        } finally {
          pooler.kill("SIGTERM")
          await expect.poll(() => pooler.exitCode ?? pooler.signalCode).not.toBeNull()
        }
      }
      rmSync(home, { recursive: true })
    })
  })
})
