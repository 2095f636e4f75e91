import { rmSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  addMember,
  findDepositFaults,
  findDoubleSignatures,
  MEMBER_CHAINS,
  MEMBER_SWAP,
  type Member,
  restartMember,
  untilAnswers,
} from "../support/cluster-members.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { acceptSwap } from "../support/e2e-orders.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
  writeDaemonConfig,
} from "../support/sandbox-process.ts"
import { hasPostgres, type PostgresPair, startPostgres } from "../support/start-postgres.ts"

const TAKE_OVERS = 10

type ClusterStatus = {
  readonly level: string
  readonly lease: { readonly epoch: number }
  readonly standbys: readonly { readonly holder: string }[]
}

describe.skipIf(!hasPostgres())("two daemons with one treasury", () => {
  let pair: PostgresPair
  let sandbox: SandboxProcess
  const members: Member[] = []
  beforeAll(async () => {
    pair = await startPostgres()
    sandbox = await startSandboxProcess()
  }, 180_000)
  afterAll(async () => {
    for (const { process } of members) {
      process.child.kill("SIGCONT")
      process.child.kill("SIGKILL")
    }
    await sandbox?.stop()
    pair?.stop()
  })

  test("ten leaders die or freeze during orders, and nothing is lost or paid twice", {
    timeout: 600_000,
  }, async () => {
    let leader = await add("a")
    await leader.process.ready()
    let standby = await add("b")
    await untilAnswers(standby)
    expect(await readiness(standby)).toEqual({ status: 503, state: "standby" })

    const accepted: string[] = []
    const takeOversMs: number[] = []
    for (let round = 0; round < TAKE_OVERS; round++) {
      accepted.push(await placeOrder(leader, `0.00${110 + round}`))
      // Each leader ends at another moment of its order.
      await pause(round * 150)
      const freezes = round % 2 === 1
      const endedMs = performance.now()
      leader.process.child.kill(freezes ? "SIGSTOP" : "SIGKILL")
      await until("the standby has the lease", async () => hasLease(standby), 20_000)
      takeOversMs.push(performance.now() - endedMs)
      await standby.process.ready()
      if (freezes) {
        leader.process.child.kill("SIGCONT")
        expect((await leader.process.exited).code, leader.process.output().slice(-2_000)).toBe(75)
      }
      await restartMember(leader)
      ;[leader, standby] = [standby, leader]
      await untilAnswers(standby)
    }
    for (const id of accepted) await waitForOutcome(leader, id)
    process.stderr.write(`take-overs in ms: ${takeOversMs.map(Math.round).join(" ")}\n`)
    expect(Math.max(...takeOversMs)).toBeLessThan(6_000)

    const orders = await Promise.all(accepted.map((id) => leader.process.order(id)))
    expect(await findDepositFaults(sandbox, orders)).toEqual([])

    // The standby shows the leader's orders, and refuses each change.
    const last = accepted.at(-1) ?? ""
    await until("the standby shows the last order", async () => {
      const { status, body } = await standby.process.call("GET", `/api/v1/orders/${last}`)
      return status === 200 && (body as { outcome: string }).outcome === "completed"
    })
    const swap = { ...MEMBER_SWAP, amount: "0.001" }
    expect(await standby.process.call("POST", "/api/v1/swap", swap)).toMatchObject({
      status: 503,
      body: { reasons: [{ code: "cluster.standby" }] },
    })
    ;[leader, standby] = await handOver(leader, standby)

    await leader.process.stop()
    await until(
      "the standby took over from a leader that stopped",
      async () => hasLease(standby),
      5_000,
    )
    await standby.process.ready()
    await standby.process.stop()
    const { signatures, doubles } = findDoubleSignatures(sandbox.dir, members)
    expect(doubles).toEqual([])
    expect(signatures).toBeGreaterThanOrEqual(TAKE_OVERS)
    expect(await findEpochRegressions(pair.url)).toEqual([])
  })

  test("without PostgreSQL a person takes one machine out of the cluster, paused", {
    timeout: 120_000,
  }, async () => {
    const [member] = members
    if (member === undefined) throw new Error("the first test starts the members")
    const promote = (): ReturnType<typeof runBallast> =>
      runBallast(["cluster", "promote", "--local", "--config", member.config.file])
    const alive = await promote()
    expect([alive.code, alive.stderr]).toEqual([1, expect.stringContaining("cluster.alive")])
    const status = await readStatus(member)
    expect([status.code, status.body.level]).toEqual([2, "trouble"])
    pair.stop()
    const paused = await runBallast(["pause", "--config", member.config.file])
    expect([paused.code, paused.stdout]).toEqual([0, expect.stringContaining("PAUSE")])
    rmSync(join(sandbox.dir, member.name, "PAUSE"))
    const done = await promote()
    expect([done.code, done.stdout, done.stderr]).toEqual([
      0,
      expect.stringContaining("paused"),
      expect.anything(),
    ])
    const config = await writeDaemonConfig(
      sandbox,
      member.name,
      { treasury: "main" },
      { deposit: "onchain", only: MEMBER_CHAINS },
    )
    const alone = startDaemonProcess(config)
    members.push({ ...member, process: alone })
    await alone.ready()
    expect(await alone.call("GET", "/api/v1/status")).toMatchObject({
      body: { paused: true, pause: { by: "operator" } },
    })
    await alone.stop()
  })

  /** During an order, with the command. Returns the new leader and the new standby. */
  async function handOver(leader: Member, standby: Member): Promise<[Member, Member]> {
    const before = await readStatus(leader)
    expect(before).toMatchObject({
      code: 0,
      body: { level: "ok", synchronous: true, standbys: [{ version: expect.any(String) }] },
    })
    const id = await placeOrder(leader, "0.0025")
    const { code, stdout, stderr } = await runBallast([
      "cluster",
      "hand-over",
      "--json",
      "--config",
      leader.config.file,
    ])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const { to, epoch, tookMs } = JSON.parse(stdout)
    expect(to).toBe(before.body.standbys[0]?.holder)
    expect(epoch).toBe(before.body.lease.epoch + 1)
    process.stderr.write(`a hand-over in ms: ${tookMs}\n`)
    expect((await leader.process.exited).code).toBe(75)
    await standby.process.ready()
    await waitForOutcome(standby, id)
    expect(await standby.process.order(id)).toMatchObject({ outcome: "completed" })
    const alone = await runBallast(["cluster", "hand-over", "--config", standby.config.file])
    expect([alone.code, alone.stderr + alone.stdout]).toEqual([
      1,
      expect.stringContaining("cluster.alone"),
    ])
    await restartMember(leader)
    await untilAnswers(leader)
    return [standby, leader]
  }

  async function readStatus({
    config,
  }: Member): Promise<{ code: number | string; body: ClusterStatus }> {
    const { code, stdout } = await runBallast([
      "cluster",
      "status",
      "--json",
      "--config",
      config.file,
    ])
    return { code, body: JSON.parse(stdout) }
  }

  async function add(name: string): Promise<Member> {
    const member = await addMember(sandbox, pair.url, name)
    members.push(member)
    return member
  }

  async function readiness({ process }: Member): Promise<unknown> {
    const { status, body } = await process.call("GET", "/readyz")
    return { status, state: (body as { status: string }).status }
  }

  function hasLease({ process }: Member): boolean {
    if (process.child.exitCode !== null) throw new Error(process.output().slice(-3_000))
    return process.output().includes("This daemon holds the treasury's lease")
  }

  function placeOrder({ process }: Member, amount: string): Promise<string> {
    return acceptSwap(process, { ...MEMBER_SWAP, amount })
  }

  async function waitForOutcome({ process }: Member, id: string): Promise<void> {
    await until(
      `the order ${id} has an outcome`,
      async () => (await process.order(id)).outcome != null,
      120_000,
    ).catch(async (error: unknown) => {
      throw new Error(
        `${String(error)}: ` +
          `${JSON.stringify(await process.order(id))}\n${process.output().slice(-6_000)}`,
      )
    })
  }
})

async function findEpochRegressions(url: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(
    `select seq from (
       select seq, epoch, lag(epoch) over w as before, lag(seq) over w as previous
       from ballast.log window w as (order by seq)) as each
     where epoch < before or seq <> previous + 1`,
  )
  const { rows: all } = await client.query(
    "select count(*) as n, count(distinct epoch) as epochs from ballast.log",
  )
  await client.end()
  expect(Number(all[0].epochs)).toBeGreaterThanOrEqual(TAKE_OVERS)
  return rows
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
