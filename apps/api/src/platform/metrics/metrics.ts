import { type RefillEvent, refillOutcomes, type SenderEvent } from '@lanyard/bundler'
import { type RateBucket, rateBuckets } from '@lanyard/contracts'
import type { ReplicaOutcome } from '@lanyard/database'
import { type RequestKind, type UnconfirmedReason, unconfirmedReasons } from '@lanyard/networks'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import {
  type FailingPart,
  failureCode,
  networkFailures,
  type PolicyRejection,
  policyRejections,
  procedureStatuses,
  relayerEvents,
  type ScreeningVerdict,
  type SignerFailure,
  type Suspension,
  screeningPurposes,
  screeningVerdicts,
  signerFailures,
  statuses,
  suspensions,
  transports,
} from './label-values.ts'
import { combine, createZeroedCounters, type ZeroedCounters } from './zeroed-counters.ts'

/** A gauge that is read when the metrics are requested. */
export interface GaugeSource {
  /** Without the prefix: `liquidity_units` is shown as `lanyard_liquidity_units`. */
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** It reads only the database: all such gauges of a process share one connection, and wait for each other. */
  readonly ofDatabase?: true
  /** All current values; a failed reading leaves the gauge out and is counted. */
  read(): Promise<readonly GaugeReading[]>
}

export interface GaugeReading {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

/** The metrics for the service's operator, in Prometheus' terms. */
export interface Metrics {
  /** Announces what has series of its own, so that its counters are shown from the start. */
  readonly announce: ZeroedCounters['announce']
  /** Adds a gauge for any part of the service; at most once for each name. */
  addGauge(source: GaugeSource): void
  /** Counts a procedure call over either transport. `seconds`: until its answer was known. */
  countCall(call: { readonly procedure: string; readonly status: number; readonly seconds: number }): void
  /** Counts an answered request, for any path. */
  countRequest(request: { readonly transport: Transport; readonly status: number }): void
  /** Counts what an ended call cost, in seconds of one processor, by the counter that it belongs to. */
  countCost(cost: { readonly bucket: RateBucket; readonly seconds: number }): void
  /** Counts a call that was rejected because its caller, or the network of its address, had used its share. */
  countExhausted(holder: { readonly holder: 'address' | 'key' | 'network' }): void
  /** Counts a failure or rejection by a network's RPC or its bundler. */
  countFailure(failure: { readonly network: number; readonly part: FailingPart; readonly code: string }): void
  /** Counts that an RPC endpoint of a network failed several times in a row and is not used for a while. */
  countOpening(opening: { readonly network: number; readonly endpoint: number }): void
  /** Counts that the provider of an RPC endpoint limited the number of requests, once for each pause. */
  countRateLimit(limit: { readonly network: number; readonly endpoint: number }): void
  /** Counts a request to an RPC that waited because the endpoint was busy, before it was sent or rejected. */
  countRpcWait(wait: { readonly network: number; readonly kind: RequestKind; readonly seconds: number }): void
  /** Counts that RPCs of different origin did not confirm the state of a network. */
  countUnconfirmed(rejection: { readonly network: number; readonly reason: UnconfirmedReason }): void
  /** Counts a send, refusal or replacement of a relayer's transaction. */
  countRelayerEvent(event: SenderEvent): void
  /** Counts what the treasury did for a relayer that has too little. */
  countRefill(event: RefillEvent): void
  /** Counts one run of a pass, done or failed. */
  countPass(pass: { readonly pass: string; readonly outcome: 'done' | 'failed' }): void
  /** Counts that a gas policy did not pay for an operation, or that no policy applied (empty). */
  countScreening(outcome: {
    readonly purpose: (typeof screeningPurposes)[number]
    readonly verdict: ScreeningVerdict
  }): void
  countPolicyRefusal(rejection: { readonly policy: string; readonly reason: PolicyRejection }): void
  /** Counts that a caller turned sponsorship into money, and gets none for a day. */
  countReplicaRead(read: { readonly outcome: ReplicaOutcome }): void
  countSuspension(suspension: { readonly network: number; readonly reason: Suspension }): void
  /**
   * Counts a signature request to a remote signer. `code` is the error's code when there was no signature.
   */
  countSignature(request: {
    readonly role: SignerRole
    readonly seconds: number
    readonly code?: SignerFailure | undefined
  }): void
  /** Everything in Prometheus' text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** The role of a key. */
export type SignerRole = 'relayer' | 'operator' | 'attestor' | 'settler' | 'topUp' | 'treasury'

export type Transport = (typeof transports)[number]

const prefix = 'lanyard_'

/** Seconds: from a database read to a wait for inclusion. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(log: Logger): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: `${prefix}call_duration_seconds`,
    help: 'Calls of procedures over both transports, by the status of the answer',
    labelNames: ['procedure', 'status'],
    buckets,
    registers,
  })
  const { counter, announce, read } = createZeroedCounters(registry)
  const answered = counter({
    name: `${prefix}calls_total`,
    help: 'Calls of procedures over both transports, by the status of the answer',
    subject: 'process',
    values: procedureStatuses,
  })
  const requests = counter({
    name: `${prefix}http_requests_total`,
    help: 'Answered requests, including those that reached no procedure',
    subject: 'process',
    values: combine({ transport: transports, status: statuses }),
  })
  const costs = counter({
    name: `${prefix}cost_seconds_total`,
    help: 'What ended calls cost, in seconds of one processor, by the counter that they belong to',
    subject: 'process',
    values: combine({ bucket: rateBuckets }),
  })
  const exhausted = counter({
    name: `${prefix}cost_refusals_total`,
    help: 'Calls rejected because their caller (address, key) or the network of the address had used its share',
    subject: 'process',
    values: combine({ holder: ['address', 'key', 'network'] }),
  })
  const failures = counter({
    name: `${prefix}network_failures_total`,
    help: 'Failed requests to the RPCs and the bundler of a network, by the code of the error',
    subject: 'network',
    values: networkFailures,
  })
  const openings = counter({
    name: `${prefix}network_circuit_openings_total`,
    help: 'How often an RPC endpoint (the first is 1) failed several times in a row and was paused',
    subject: 'endpoint',
  })
  const rateLimits = counter({
    name: `${prefix}rpc_rate_limits_total`,
    help: "How often an RPC endpoint's provider (the first is 1) limited the number of requests and was left alone for as long as it said",
    subject: 'endpoint',
  })
  const rpcWaits = new Histogram({
    name: `${prefix}rpc_wait_seconds`,
    help: 'Requests that waited because an RPC endpoint of the network was busy, by what they ask for: simulation or read; those that did not wait are not counted',
    labelNames: ['network', 'kind'],
    buckets,
    registers,
  })
  const unconfirmed = counter({
    name: `${prefix}rpc_unconfirmed_total`,
    help: 'How often two RPCs of different origin did not confirm the state of a network, so that nothing is lent: disagree, silent, apart, alone',
    subject: 'balance',
    values: combine({ reason: unconfirmedReasons }),
  })
  const relayerTransactions = counter({
    name: `${prefix}relayer_transactions_total`,
    help: 'What this process did with transactions of relayers (sent, resent, lost, replaced, emptied, refused, reverted, underpaid, over-limit), and why',
    subject: 'relayer',
    values: relayerEvents,
  })
  const relayerLosses = counter({
    name: `${prefix}relayer_loss_wei_total`,
    help: 'What a relayer paid for reverted transactions, and at most for replacements, empty transactions and calls of its own, because operations do not pay it',
    subject: 'relayer',
  })
  const refills = counter({
    name: `${prefix}relayer_refills_total`,
    help: 'Looks of this process at relayers with too little, by outcome: sent, empty (the treasury has too little), over-budget, refused',
    subject: 'refilled',
    values: combine({ outcome: refillOutcomes }),
  })
  const passes = counter({
    name: `${prefix}passes_total`,
    help: 'Passes of background work in this process, by outcome: done, failed',
    subject: 'pass',
    values: combine({ outcome: ['done', 'failed'] }),
  })
  const readElsewhere = counter({
    name: `${prefix}replica_reads_total`,
    help: 'Reads for DATABASE_READ_URL, by who answered: the replica, or the primary because it was behind or away',
    subject: 'process',
    values: combine({ outcome: ['replica', 'behind', 'away'] }),
  })
  const suspended = counter({
    name: `${prefix}sponsorship_suspensions_total`,
    help: 'Accounts that got no more sponsored gas for a day, by what they did: foreign or idle',
    subject: 'network',
    values: combine({ reason: suspensions }),
  })
  const screened = counter({
    name: `${prefix}screenings_total`,
    help: 'Operations that the screening of SCREENING_URL judged, by what for and by its verdict',
    subject: 'process',
    values: combine({ purpose: screeningPurposes, verdict: screeningVerdicts }),
  })
  const rejectedByPolicy = counter({
    name: `${prefix}policy_refusals_total`,
    help: 'Operations that no gas policy paid for, by the policy that should have paid (empty: none) and the reason',
    subject: 'policy',
    values: combine({ reason: policyRejections }),
  })
  const signatures = new Histogram({
    name: `${prefix}signer_request_duration_seconds`,
    help: 'Signatures requested from a remote signer, including failed ones, by the role of the key',
    labelNames: ['role'],
    buckets,
    registers,
  })
  const unsigned = counter({
    name: `${prefix}signer_failures_total`,
    help: 'Failed signature requests to a remote signer, by the role of the key and the code of the error',
    subject: 'signer',
    values: combine({ code: signerFailures }),
  })
  const unread = counter({
    name: `${prefix}metric_failures_total`,
    help: 'Gauges that could not be read',
    subject: 'gauge',
  })

  let last: Promise<unknown> = Promise.resolve()
  /** After what was asked before, whether that succeeded or not. */
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const next = last.then(read)
    last = next.catch(() => undefined)
    return next
  }

  return {
    contentType: registry.contentType,
    announce,
    addGauge({ name, help, labels, ofDatabase, read }) {
      announce('gauge', { metric: name })
      const gauge = new Gauge({
        name: `${prefix}${name}`,
        help,
        labelNames: [...labels],
        registers,
        async collect() {
          gauge.reset() // a label that has disappeared must not keep its last value
          try {
            const readings = await (ofDatabase ? inTurn(read) : read())
            for (const reading of readings) gauge.set(reading.labels, reading.value)
          } catch (error) {
            unread({ metric: name })
            log.warn({ err: error, metric: name }, 'a metric could not be read')
          }
        },
      })
    },
    countCall({ procedure, status, seconds }) {
      answered({ procedure, status })
      calls.observe({ procedure, status }, seconds)
    },
    countRequest: requests,
    countCost: ({ bucket, seconds }) => costs({ bucket }, seconds),
    countExhausted: ({ holder }) => exhausted({ holder }),
    countFailure: ({ network, part, code }) => failures({ network, part, code: failureCode(part, code) }),
    countOpening: openings,
    countRateLimit: rateLimits,
    countRpcWait: ({ network, kind, seconds }) => rpcWaits.observe({ network, kind }, seconds),
    countUnconfirmed: unconfirmed,
    countRelayerEvent({ network, sender: relayer, kind: event, reason, loss }) {
      relayerTransactions({ network, relayer, event, reason })
      const isPaid = event !== 'refused' && event !== 'over-limit'
      if (isPaid && loss > 0n) relayerLosses({ network, relayer }, Number(loss))
    },
    countRefill: ({ network, relayer, outcome }) => refills({ network, relayer, outcome }),
    countPass: passes,
    countReplicaRead: readElsewhere,
    countSuspension: suspended,
    countPolicyRefusal: rejectedByPolicy,
    countScreening: screened,
    countSignature({ role, seconds, code }) {
      signatures.observe({ role }, seconds)
      if (code !== undefined) unsigned({ role, code })
    },
    text: read,
  }
}
