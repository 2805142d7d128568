import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** A gauge that is read when somebody asks for the metrics. */
interface GaugeSource {
  /** Without the prefix: `liquidity_units` is shown as `lanyard_liquidity_units`. */
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** Every value at this moment; a reading that fails leaves the gauge out and is counted. */
  read(): Promise<readonly GaugeReading[]>
}

export interface GaugeReading {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

/** What a person who operates the service can see from outside, in Prometheus' terms. */
export interface Metrics {
  /** Adds a gauge of whatever part of the service; at most once for each name. */
  addGauge(source: GaugeSource): void
  /** A procedure was called over either transport. `seconds`: until its answer was known. */
  countCall(call: { readonly procedure: string; readonly status: number; readonly seconds: number }): void
  /** A request was answered, whatever it was for. */
  countRequest(request: { readonly transport: Transport; readonly status: number }): void
  /** An RPC of a network, or its bundler, failed or refused. */
  countFailure(failure: {
    readonly network: number
    readonly part: 'rpc' | 'bundler'
    readonly code: string
  }): void
  /** An RPC endpoint of a network failed several times in a row and is left alone for a while. */
  countOpening(opening: { readonly network: number; readonly endpoint: number }): void
  /** Somebody who governs SmartBalance did something: the name of its event. */
  countGovernance(event: { readonly network: number; readonly event: string }): void
  /** SmartBalance paid for an operation that this service did not sign. */
  countUnexplainedGas(gas: { readonly network: number; readonly wei: bigint }): void
  /** Background work is repeated from now on: it is shown although none was done yet. */
  announcePass(pass: string): void
  /** Background work was done once, or failed and is tried again. */
  countPass(pass: { readonly pass: string; readonly outcome: 'done' | 'failed' }): void
  /** A gas policy did not pay for an operation, or none applied (empty). */
  countPolicyRefusal(refusal: { readonly policy: string; readonly reason: string }): void
  /** A remote signer was asked for a signature. `code`: of the error, where it gave none. */
  countSignature(request: {
    readonly role: SignerRole
    readonly seconds: number
    readonly code?: string | undefined
  }): void
  /** Everything in Prometheus' text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** What a key is for. */
export type SignerRole = 'relayer' | 'operator' | 'attestor' | 'settler' | 'topUp'

export type Transport = 'rest' | 'trpc' | 'rpc' | 'page'

const prefix = 'lanyard_'

/** Seconds: from a read of the database to a wait for inclusion. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(log: Logger): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: `${prefix}call_duration_seconds`,
    help: 'Calls of procedures over both transports, by the status that they were answered with',
    labelNames: ['procedure', 'status'],
    buckets,
    registers,
  })
  const requests = new Counter({
    name: `${prefix}http_requests_total`,
    help: 'Answered requests, those included that no procedure saw',
    labelNames: ['transport', 'status'],
    registers,
  })
  const failures = new Counter({
    name: `${prefix}network_failures_total`,
    help: 'Requests to the RPCs and the bundler of a network that failed, by the code of the error',
    labelNames: ['network', 'part', 'code'],
    registers,
  })
  const openings = new Counter({
    name: `${prefix}network_circuit_openings_total`,
    help: 'How often an RPC endpoint (the first is 1) failed in a row and was left alone for a while',
    labelNames: ['network', 'endpoint'],
    registers,
  })
  const governance = new Counter({
    name: `${prefix}governance_events_total`,
    help: 'Events by which SmartBalance or its AttestorSet was governed, as this process has seen them',
    labelNames: ['network', 'event'],
    registers,
  })
  const unexplained = new Counter({
    name: `${prefix}unexplained_gas_wei_total`,
    help: 'Gas that SmartBalance paid for operations that this service did not sign, as this process has seen it',
    labelNames: ['network'],
    registers,
  })
  const passes = new Counter({
    name: `${prefix}passes_total`,
    help: 'Passes of background work in this process, by how they ended: done, failed',
    labelNames: ['pass', 'outcome'],
    registers,
  })
  const policyRefusals = new Counter({
    name: `${prefix}policy_refusals_total`,
    help: 'Operations that no gas policy paid for, by the policy that was to pay (none: empty) and the reason',
    labelNames: ['policy', 'reason'],
    registers,
  })
  const signatures = new Histogram({
    name: `${prefix}signer_request_duration_seconds`,
    help: 'Signatures that a remote signer was asked for, failed ones included, by the role of the key',
    labelNames: ['role'],
    buckets,
    registers,
  })
  const unsigned = new Counter({
    name: `${prefix}signer_failures_total`,
    help: 'Signatures that a remote signer did not give, by the role of the key and the code of the error',
    labelNames: ['role', 'code'],
    registers,
  })
  const unread = new Counter({
    name: `${prefix}metric_failures_total`,
    help: 'Gauges that could not be read',
    labelNames: ['metric'],
    registers,
  })

  return {
    contentType: registry.contentType,
    addGauge({ name, help, labels, read }) {
      const gauge = new Gauge({
        name: `${prefix}${name}`,
        help,
        labelNames: [...labels],
        registers,
        async collect() {
          gauge.reset() // a label that has gone must not keep its last value
          try {
            for (const reading of await read()) gauge.set(reading.labels, reading.value)
          } catch (error) {
            unread.inc({ metric: name })
            log.warn({ err: error, metric: name }, 'a metric could not be read')
          }
        },
      })
    },
    countCall: ({ procedure, status, seconds }) => calls.observe({ procedure, status }, seconds),
    countRequest: ({ transport, status }) => requests.inc({ transport, status }),
    countFailure: ({ network, part, code }) => failures.inc({ network, part, code }),
    countOpening: ({ network, endpoint }) => openings.inc({ network, endpoint }),
    countGovernance: ({ network, event }) => governance.inc({ network, event }),
    countUnexplainedGas: ({ network, wei }) => unexplained.inc({ network }, Number(wei)),
    announcePass(pass) {
      for (const outcome of ['done', 'failed']) passes.inc({ pass, outcome }, 0)
    },
    countPass: ({ pass, outcome }) => passes.inc({ pass, outcome }),
    countPolicyRefusal: ({ policy, reason }) => policyRefusals.inc({ policy, reason }),
    countSignature({ role, seconds, code }) {
      signatures.observe({ role }, seconds)
      if (code !== undefined) unsigned.inc({ role, code })
    },
    text: () => registry.metrics(),
  }
}
