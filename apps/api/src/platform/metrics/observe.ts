import type {
  Bundler,
  EstimateRequest,
  GasEstimate,
  RefillEvent,
  RefillOutcome,
  SenderEvent,
} from '@lanyard/bundler'
import { isRefusedUnrun } from '@lanyard/bundler'
import { isKnownAsCostly, type NetworkObserver, type Networks } from '@lanyard/networks'
import type { ObserveSigning } from '@lanyard/signers'
import type { Logger } from 'pino'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import { currentMeter } from '../log/current-request.ts'
import type { Tracing } from '../tracing/span.ts'
import { type SignerFailure, signerFailures } from './label-values.ts'
import type { Metrics, SignerRole } from './metrics.ts'

/**
 * Counts failures and rate limits of the networks' RPCs, and logs when an endpoint is no longer used, for which
 * of these reasons, and when it is used again.
 */
export const observeNetworks = (metrics: Metrics, log: Logger): NetworkObserver => ({
  failed: (network, code) => metrics.countFailure({ network, part: 'rpc', code }),
  unconfirmed(network, reason, origins) {
    metrics.countUnconfirmed({ network, reason })
    log.error(
      { network, reason, origins },
      'two RPCs did not confirm the state of a network: nothing is lent on it',
    )
  },
  circuitChanged(network, { state, endpoint, pause }) {
    if (state === 'closed') {
      log.info({ network, endpoint }, 'an RPC endpoint answers again')
      return
    }
    metrics.countOpening({ network, endpoint })
    log.warn({ network, endpoint, pause }, 'an RPC endpoint failed several times in a row and is paused')
  },
  waited: (network, kind, milliseconds) =>
    metrics.countRpcWait({ network, kind, seconds: milliseconds / 1_000 }),
  rateLimited(network, { endpoint, pause, details }) {
    metrics.countRateLimit({ network, endpoint })
    log.warn(
      { network, endpoint, pause, details },
      "an RPC endpoint's provider limits the number of requests",
    )
  },
})

/** Announces the networks and their RPC endpoints, so that their counters are shown from the start. */
export function announceNetworks(metrics: Pick<Metrics, 'announce'>, networks: Networks): void {
  for (const { chainId: network, config } of networks.list()) {
    metrics.announce('network', { network })
    // As `createNetworks` counts them: addresses for sending after those for reading.
    for (const index of [...config.rpcUrls, ...config.sendRpcUrls].keys())
      metrics.announce('endpoint', { network, endpoint: index + 1 })
  }
}

/** The networks that do not answer at present. */
export function addCircuitGauge(metrics: Metrics, networks: Networks): void {
  metrics.addGauge({
    name: 'network_circuit_open',
    help: '1 while every RPC endpoint of the network is paused after several failures in a row, otherwise 0',
    labels: ['network'],
    read: async () =>
      networks.list().map(({ chainId, circuit }) => ({
        labels: { network: chainId },
        value: circuit === 'open' ? 1 : 0,
      })),
  })
}

/** The networks whose providers let the service wait, and what it may ask for at once. */
export function addProviderGauges(metrics: Metrics, networks: Networks): void {
  metrics.addGauge({
    name: 'network_rate_limited_seconds',
    help: 'Seconds until an RPC endpoint of the network takes requests again, while all of them limit their number; otherwise 0',
    labels: ['network'],
    read: async () =>
      networks
        .list()
        .map(({ chainId, rateLimit }) => ({ labels: { network: chainId }, value: rateLimit / 1_000 })),
  })
  type Limits = ReturnType<Networks['list']>[number]['limits'][number]
  const addLimit = (name: string, help: string, valueIn: (limits: Limits) => number) =>
    metrics.addGauge({
      name,
      help,
      labels: ['network', 'endpoint'],
      read: async () =>
        networks.list().flatMap(({ chainId, limits }) =>
          limits.map((one, index) => ({
            labels: { network: chainId, endpoint: index + 1 },
            value: valueIn(one),
          })),
        ),
    })
  addLimit(
    'rpc_batch_limit',
    'Requests in one JSON-RPC batch to an endpoint, as configured or as its refusals taught',
    ({ batch }) => batch,
  )
  addLimit(
    'rpc_log_range_limit',
    'Blocks in one eth_getLogs to an endpoint, as configured or as its refusals taught',
    ({ logRange }) => logRange,
  )
  addLimit(
    'rpc_simulation_limit',
    'Usual simulations that an endpoint gets at once, as many as it answers without delay',
    ({ simulations }) => simulations.simulation,
  )
  addLimit(
    'rpc_costly_simulation_limit',
    'Costly simulations that an endpoint gets at once, as many as delay no usual one; below 1, the part of the time for one',
    ({ simulations }) => simulations.costly,
  )
}

/** Lines that somebody may have to act on; the others are usual. */
const warnings: ReadonlySet<SenderEvent['kind']> = new Set([
  'lost',
  'emptied',
  'refused',
  'reverted',
  'underpaid',
  'over-limit',
])

/** Who sends, as sentences name it. */
const subjects = {
  relayer: 'a relayer',
  settler: 'the settler',
  topUp: 'the top-up key',
  treasury: 'the treasury',
} as const

type SenderRole = keyof typeof subjects

const sentences = {
  sent: 'WHO sent a transaction',
  resent: 'WHO sent a transaction again',
  lost: 'a node dropped a transaction of WHO and does not take it again: its contents wait again',
  replaced: 'WHO replaced a stuck transaction',
  emptied: 'WHO replaced a stuck transaction by an empty one',
  refused: 'a node did not accept a transaction of WHO',
  reverted: 'a transaction of WHO reverted, and nobody pays its gas',
  underpaid: 'the operations of a transaction paid less than it cost WHO',
  'over-limit':
    'a transaction of WHO waits: what its contents do not pay is more than its hourly limit allows',
} as const satisfies Record<SenderEvent['kind'], string>

/** Logs each send, refusal and replacement of an account's transaction. Fees and losses in wei. */
export const logSender =
  (log: Logger, role: SenderRole) =>
  ({ network, sender, nonce, hash, fees, age, reason, kind, loss }: SenderEvent): void => {
    const line = {
      ...{ network, [role]: sender, nonce, hash, age, reason },
      maxFeePerGas: String(fees.maxFeePerGas),
      maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
      ...(loss > 0n && { loss: String(loss) }),
    }
    log[warnings.has(kind) ? 'warn' : 'info'](line, sentences[kind].replace('WHO', subjects[role]))
  }

/** Counts and logs each send, refusal and replacement of a relayer's transaction. */
export const observeRelayers = (metrics: Metrics, log: Logger): ((event: SenderEvent) => void) => {
  const logRelayer = logSender(log, 'relayer')
  return (event) => {
    metrics.countRelayerEvent(event)
    logRelayer(event)
  }
}

interface Observers {
  readonly metrics: Metrics
  readonly tracing: Tracing
}

/** Gas of a simulation that fails before it is measured: the simulator gives no phase more. */
const unmeasuredGas = 2n ** 24n

/** Records the gas of a simulation for the current request. What its caller simulated before says how it begins. */
async function metered(bundler: Bundler, request: EstimateRequest): Promise<GasEstimate> {
  const meter = currentMeter()
  const isCostly = meter !== undefined && isKnownAsCostly(meter.nodeUser())
  let gas = unmeasuredGas
  try {
    const answer = await bundler.estimate({ ...request, isCostly })
    gas = answer.callGasLimit + answer.verificationGasLimit + (answer.paymasterVerificationGasLimit ?? 0n)
    return answer
  } catch (error) {
    if (isRefusedUnrun(error)) gas = 0n
    throw error
  } finally {
    meter?.addGas(gas)
  }
}

/** The reason of a failure that is no outage: the provider limits the number of requests. */
const providerLimit = 'PROVIDER_LIMIT'

/** Wraps a bundler: counts its failures and records its calls as spans. */
export function observeBundler(bundler: Bundler, network: number, { metrics, tracing }: Observers): Bundler {
  const observed = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await tracing.span(`bundler.${name}`, { attributes: { network } }, call)
    } catch (error) {
      const { code, details } = toLanyardError(error)
      const isLimit = details?.reason === providerLimit
      metrics.countFailure({ network, part: 'bundler', code: isLimit ? providerLimit : code })
      throw error
    }
  }
  const { check, sendOwn } = bundler
  return {
    entryPoint: bundler.entryPoint,
    estimate: (request) => observed('estimate', () => metered(bundler, request)),
    deliver: (...operation) => observed('deliver', () => bundler.deliver(...operation)),
    ...(check && { check: (...operation) => observed('check', () => check(...operation)) }),
    drive: () => observed('drive', () => bundler.drive()),
    ...(sendOwn && { sendOwn: (call) => observed('sendOwn', () => sendOwn(call)) }),
  }
}

const refillSentences = {
  sent: 'the treasury filled up a relayer',
  empty: 'the treasury has too little for a relayer, which stops when its own coins are used up',
  'over-budget': 'relayers spend faster than relayerRefill.perHour fills them up',
  refused: 'the node did not accept a transfer to a relayer',
} as const satisfies Record<RefillOutcome, string>

/** Counts and logs what the treasury does for relayers. Amounts in wei. */
export const observeRefills =
  (metrics: Pick<Metrics, 'countRefill'>, log: Logger) =>
  (event: RefillEvent): void => {
    metrics.countRefill(event)
    const { outcome, network, treasury, relayer, balance, funds, amount, spent, nonce, hash, answer } = event
    const line = {
      ...{ network, treasury, relayer, nonce, hash, answer },
      ...{ balance: String(balance), funds: String(funds), amount: String(amount), spent: String(spent) },
    }
    log[outcome === 'sent' ? 'info' : 'error'](line, refillSentences[outcome])
  }

/** Counts and times the requests to a remote signer for keys of one role. */
export const observeSigner =
  (metrics: Pick<Metrics, 'countSignature'>, role: SignerRole): ObserveSigning =>
  async (sign) => {
    const began = performance.now()
    const count = (code?: SignerFailure) =>
      metrics.countSignature({ role, seconds: (performance.now() - began) / 1000, code })
    try {
      const signature = await sign()
      count()
      return signature
    } catch (error) {
      count(signerFailures.find((code) => code === toLanyardError(error).code) ?? 'SIGNER_FAILED')
      throw error
    }
  }
