import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openClusterDatabase, type QueryAnswer } from "#cluster/open-cluster-database.ts"
import { Secret } from "#lib/secret.ts"
import { hasPostgres, type PostgresPair, startPostgres } from "../../support/start-postgres.ts"

describe.skipIf(!hasPostgres())("a PostgreSQL that has to prove itself", () => {
  let pair: PostgresPair
  let directory: string
  beforeAll(async () => {
    pair = await startPostgres()
    directory = mkdtempSync("/tmp/ballast-proven-")
    if (process.getuid?.() === 0) execFileSync("chown", ["-R", "postgres", directory])
  }, 60_000)
  afterAll(() => {
    pair?.stop()
    rmSync(directory, { recursive: true })
  })

  /** The server's certificate from now on, which signs itself. Returns its file. */
  async function useCertificate(subjectAltName: string): Promise<string> {
    const cert = `${directory}/${subjectAltName}.crt`
    const key = `${directory}/${subjectAltName}.key`
    const subject = ["-subj", "/CN=database", "-addext", `subjectAltName=${subjectAltName}`]
    const kind = [
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
    ]
    execFileSync("openssl", ["req", "-x509", ...kind, ...subject, "-out", cert, "-keyout", key], {
      stdio: "ignore",
    })
    if (process.getuid?.() === 0) execFileSync("chown", ["postgres", cert, key])
    const loadedAt = async (...statements: readonly string[]): Promise<string> => {
      const client = new pg.Client(pair.url)
      await client.connect()
      const { rows } = await client.query("select pg_conf_load_time()::text as loaded")
      for (const statement of statements) await client.query(statement)
      await client.end()
      return rows[0].loaded
    }
    const settings = Object.entries({ ssl_cert_file: cert, ssl_key_file: key, ssl: "on" })
    const changes = settings.map(([setting, value]) => `alter system set ${setting} = '${value}'`)
    const before = await loadedAt(...changes, "select pg_reload_conf()")
    // The server is told, and reads its configuration a moment later.
    await expect.poll(() => loadedAt()).not.toBe(before)
    return cert
  }

  /**
   * The end of a connection by this name of the server, with `sslmode=verify-full` as a main
   * network wants it. Only the certificate `root` is trusted.
   */
  async function open(host: string, root: string): Promise<"encrypted" | "plain"> {
    const url = new URL(pair.url)
    url.hostname = host
    for (const [key, value] of Object.entries({ sslmode: "verify-full", sslrootcert: root }))
      url.searchParams.set(key, value)
    const database = await openClusterDatabase(new Secret(url.href, "test"), () => undefined)
    try {
      const { rows } = await database.query(
        "select ssl from pg_stat_ssl where pid = pg_backend_pid()",
        [],
      )
      return rows[0]?.["ssl"] === true ? "encrypted" : "plain"
    } finally {
      await database.close()
    }
  }

  const refused = (message: RegExp) => ({
    code: "cluster.unreachable",
    message: expect.stringMatching(message),
  })

  test(
    "is refused while it is a standby, whose answers may be old, also behind an address that " +
      "led to the primary before",
    async () => {
      let port = new URL(pair.url).port
      const sockets: Socket[] = []
      const proxy = createServer((client) => {
        const server = connect(Number(port), "127.0.0.1")
        sockets.push(client, server)
        for (const socket of [client, server]) socket.on("error", () => undefined)
        client.pipe(server).pipe(client)
      })
      await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve))
      const url = new URL(pair.url)
      // CAST: a server on a port has an address with it.
      url.port = String((proxy.address() as AddressInfo).port)
      const database = await openClusterDatabase(new Secret(url.href, "test"), () => undefined)
      const query = (): Promise<QueryAnswer> => database.query("select seq from ballast.log", [])
      expect(await query()).toEqual({ rows: [], count: 0 })
      port = new URL(pair.standbyUrl).port
      for (const socket of sockets) socket.destroy()
      await expect
        .poll(() => query().catch(({ message }: Error) => message))
        .toMatch(/it is a standby of PostgreSQL/)
      await expect(query()).rejects.toMatchObject({ code: "cluster.unreachable" })
      port = new URL(pair.url).port
      expect(await query()).toEqual({ rows: [], count: 0 })
      await database.close()
      proxy.close()
    },
  )

  test("is refused without TLS", async () => {
    const certificate = join(directory, "any.crt")
    writeFileSync(certificate, "")
    await expect(open("localhost", certificate)).rejects.toMatchObject(
      refused(/does not support SSL/),
    )
  })

  test(
    "is refused with a certificate of no trusted issuer, and with one for another name or " +
      "address",
    async () => {
      const trusted = await useCertificate("DNS:other.example")
      await expect(open("localhost", trusted)).rejects.toMatchObject(
        refused(/certificate is that of another host/),
      )
      await expect(open("127.0.0.1", trusted)).rejects.toMatchObject(
        refused(/certificate is that of another host/),
      )
      await useCertificate("DNS:localhost")
      await expect(open("localhost", trusted)).rejects.toMatchObject(
        refused(/the issuer of the TLS certificate is not known here/),
      )
      await expect(open("localhost", `${directory}/none`)).rejects.toMatchObject(
        refused(/no such file/),
      )
    },
  )

  test("is accepted by its name or address", async () => {
    expect(await open("localhost", await useCertificate("DNS:localhost"))).toBe("encrypted")
    expect(await open("127.0.0.1", await useCertificate("IP:127.0.0.1"))).toBe("encrypted")
  })
})
