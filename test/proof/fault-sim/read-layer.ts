import type { Reason } from "#domain/reason.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { encodeJson } from "#lib/json.ts"
import type { Capabilities, TouchedLegs, WaitingLeg } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RouteLeg } from "#ports/route.ts"
import {
  type Ask,
  askEndpoints,
  askNewest,
  askOnce,
  type EndpointRead,
  type EndpointSet,
  tryEndpoint,
} from "./ask-endpoints.ts"
import { readLegCautiously, readTransactionCautiously } from "./cautious-reading.ts"

/** `local`: a port for everything that asks no node, such as addresses, decoding and the key. */
type Options = EndpointSet & { readonly local: ChainPort }

/**
 * One port over several endpoints, by the rules that every family follows. All endpoints are asked
 * about the same block, and only an answer that enough of them gave is believed.
 */
export function createReadLayer(options: Options): ChainPort {
  const { local, endpoints, needed, rules } = options
  const plain = <T>(ask: Ask<T>): Promise<T> => readPlain(options, ask)
  const ofLast = <T>(ask: Ask<T>): Promise<T> => readLast(options, ask)
  return {
    ...local,
    fetchHeight: () => plain((port) => port.fetchHeight()),
    fetchBalance: (...call) =>
      (rules.balanceOfOne ? ofLast : plain)((port) => port.fetchBalance(...call)),
    estimateFees: (...call) => plain((port) => port.estimateFees(...call)),
    findMissingApproval: (...call) => plain((port) => port.findMissingApproval(...call)),
    planTransaction: (intent, reserved, how) => {
      const ask: Ask<Awaited<ReturnType<ChainPort["planTransaction"]>>> = (port) =>
        port.planTransaction(intent, reserved, how)
      const protects = intent.action === "refund" || intent.action === "void"
      return protects ? askNewest(options, ask) : (rules.planOfOne ? ofLast : plain)(ask)
    },
    ...readCapabilities(options),
    ...readRouteLegs(options, plain),
    broadcastTransaction: (transaction) => broadcast(options, transaction),
    observeTransaction: (ours) => observeTransaction(options, ours),
    observeLeg: async (query) => {
      const read = await askEndpoints(options, (port) => port.observeLeg(query))
      const leg = believed(options, read)
      return leg === null
        ? { ...readLegCautiously(valuesOf(read)), agreed: false, doubts: doubtsOf(options, read) }
        : { ...leg, agreed: true }
    },
    proveUnfunded: async (query) => {
      const read = await askEndpoints(options, (port) => port.proveUnfunded(query))
      return believed(options, read) ?? { status: "unsure", reasons: doubtsOf(options, read) }
    },
    fetchAgreement: async () => {
      const read = await askOnce(options, (port) => port.fetchHeight())
      const isAgreed = read.agreement.status === "agreed"
      const dissent = read.agreement.status === "agreed" ? read.agreement.dissent.length : 0
      const agreeing = isAgreed ? valuesOf(read).length - dissent : 0
      return {
        endpoints: endpoints.length,
        needed,
        agreeing,
        reasons: isAgreed ? [] : doubtsOf(options, read),
      }
    },
  }
}

function readCapabilities(options: Options): Capabilities {
  const { local, rules } = options
  const { nonces, pairs, contracts, blockTime, touched, closing } = local
  const plain = <T>(ask: Ask<T>): Promise<T> => readPlain(options, ask)
  const planned = <T>(ask: Ask<T>): Promise<T> =>
    rules.planOfOne ? readLast(options, ask) : readPlain(options, ask)
  return {
    ...(nonces && {
      nonces: {
        ...nonces,
        bindPlan: (...call) =>
          planned((port) => mustExist(port.nonces, "a chain with nonces").bindPlan(...call)),
      },
    }),
    ...(pairs && {
      pairs: {
        canPair: (...call) =>
          plain((port) => mustExist(port.pairs, "a chain with tokens").canPair(...call)),
        bindPair: (...call) =>
          planned((port) => mustExist(port.pairs, "a chain with nonces").bindPair(...call)),
      },
    }),
    ...(contracts && {
      contracts: {
        ...contracts,
        fetchContractIdentity: (htlc) =>
          plain((port) =>
            mustExist(port.contracts, "a chain with contracts").fetchContractIdentity(htlc),
          ),
      },
    }),
    ...(blockTime && {
      blockTime: {
        fetchBlockTime: () =>
          plain((port) =>
            mustExist(port.blockTime, "a chain that tells its time").fetchBlockTime(),
          ),
      },
    }),
    ...(closing && {
      closing: {
        isClosed: (...call) =>
          plain((port) => mustExist(port.closing, "a chain without records").isClosed(...call)),
      },
    }),
    ...(touched && {
      touched: { listTouchedLegs: (...call) => listTouchedLegs(options, ...call) },
    }),
  }
}

/** The parts of other kinds: their reads are asked of all endpoints too. */
function readRouteLegs(
  { local, rules, ...set }: Options,
  plain: <T>(ask: Ask<T>) => Promise<T>,
): Pick<Capabilities, "routeLegs"> {
  if (local.routeLegs === undefined) return {}
  const options = { local, rules, ...set }
  const legs = [...local.routeLegs].map(([kind, leg]): [string, RouteLeg] => {
    const at = (port: ChainPort): RouteLeg => mustExist(port.routeLegs?.get(kind), "the leg")
    return [
      kind,
      {
        ...leg,
        checkDeposit: (deposit) => plain((port) => at(port).checkDeposit(deposit)),
        checkPayout: (...call) => plain((port) => at(port).checkPayout(...call)),
        checkVoucher: (...call) => plain((port) => at(port).checkVoucher(...call)),
        isOver: (...call) => plain(async (port) => (await at(port).isOver?.(...call)) === true),
        planRedemption: (...call) => {
          const ask: Ask<Awaited<ReturnType<RouteLeg["planRedemption"]>>> = (port) =>
            at(port).planRedemption(...call)
          return rules.planOfOne ? readLast(options, ask) : plain(ask)
        },
      },
    ]
  })
  return { routeLegs: new Map(legs) }
}

async function listTouchedLegs(
  options: Options,
  since: bigint | null,
  waiting: readonly WaitingLeg[],
): Promise<TouchedLegs> {
  const read = await askOnce(options, (port) =>
    mustExist(port.touched, "a chain that names touched HTLCs").listTouchedLegs(since, waiting),
  )
  const [first, ...others] = valuesOf(read)
  // Any endpoint's event counts, because it only leads to an observation.
  const { height, secretHashes, blockMs } = mustExist(first, "an endpoint that answers")
  const isWhole = [first, ...others].every(
    (each) => each?.isWhole === true && each.height === height,
  )
  return {
    height,
    secretHashes: [secretHashes, ...others.map((each) => each.secretHashes)].flat(),
    isWhole,
    ...(blockMs === undefined ? {} : { blockMs }),
  }
}

async function observeTransaction(
  options: Options,
  ours: SignedTransaction,
): Promise<TransactionObservation> {
  const { anyExcludes, absenceExcludes } = options.rules
  const read = await askEndpoints(options, (port) => port.observeTransaction(ours))
  const [excluded] = valuesOf(read).filter((one) => one.status === "excluded" && one.final)
  if (anyExcludes && excluded !== undefined) return excluded
  const seen = believed(options, read) ?? readTransactionCautiously(valuesOf(read))
  if (absenceExcludes === null || seen.status === "mined" || seen.status === "excluded") return seen
  const again = await askNewest(options, (port) => port.observeTransaction(ours))
  const isUsed = again.status === "mined" || again.status === "excluded"
  return isUsed ? { status: "excluded", by: absenceExcludes, final: true } : seen
}

function readLast<T>(options: Options, ask: Ask<T>): Promise<T> {
  return readPlain({ ...options, rules: { ...options.rules, believes: "last" } }, ask)
}

/** A plain question has one agreed answer, or none. */
async function readPlain<T>(options: Options, ask: Ask<T>): Promise<T> {
  const read = await askEndpoints(options, ask)
  const agreed = believedAt(options, read)
  if (agreed !== null) return agreed.value
  const { family } = options.local
  const isSplit = read.agreement.status === "split"
  throw new AppError({
    code: isSplit ? `${family}.disagreement` : `${family}.agreement_short`,
    disposition: "transient",
    message: isSplit ? "The endpoints contradict each other" : "Too few endpoints answer",
    details: { answers: describe(read), needed: options.needed },
  })
}

function believed<T>(options: EndpointSet, read: EndpointRead<T>): T | null {
  return believedAt(options, read)?.value ?? null
}

/** The answer of enough endpoints about one block; `null` without agreement. */
function believedAt<T>(
  { rules }: EndpointSet,
  { agreement }: EndpointRead<T>,
): { readonly value: T } | null {
  if (agreement.status === "agreed") return agreement.value
  return rules.shortIsEnough && agreement.status === "short" ? agreement.value : null
}

/** The bytes go to every living endpoint. One that takes them is enough. */
async function broadcast(
  { endpoints, rules }: Options,
  transaction: SignedTransaction,
): Promise<void> {
  const open = endpoints.map((endpoint) =>
    tryEndpoint(rules, endpoint, () => {
      const connection = endpoint.connect()
      return connection.at(connection.head).port
    }),
  )
  const [living] = open.flatMap((one) => (one.ok ? [one.value] : []))
  if (living !== undefined) return living.broadcastTransaction(transaction)
  throw new AppError({
    code: "endpoint.silent",
    disposition: "uncertain",
    message: "Simulated: no endpoint answers",
  })
}

function valuesOf<T>({ answers }: EndpointRead<T>): T[] {
  return answers.flatMap((answer) => (answer.ok ? [answer.value.value] : []))
}

function doubtsOf<T>({ needed }: EndpointSet, read: EndpointRead<T>): Reason[] {
  const answers = describe(read)
  return read.agreement.status === "split"
    ? [{ code: "chain.disagreement", message: "The endpoints contradict each other", answers }]
    : [{ code: "chain.agreement_short", message: `Fewer than ${needed} endpoints answer`, answers }]
}

function describe<T>({ answers }: EndpointRead<T>): string {
  const told = answers.map(
    (one) => `${one.endpoint}: ${one.ok ? encodeJson(one.value).slice(0, 200) : "no answer"}`,
  )
  return told.join("; ")
}
