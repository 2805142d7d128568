/**
 * The values of labels that counters have besides networks and the like. A value that is not listed does not compile, so
 * that every series exists from the start.
 */

import { senderEvents } from '@lanyard/bundler'
import { errorsOf, errorTable, statusOf } from '@lanyard/contracts'
import { endpointList } from '../endpoint-list.ts'

/** What the operator's screening said: its answers, or what no answer means. */
export const screeningVerdicts = ['allow', 'deny', 'hold', 'failed', 'allowed unanswered'] as const
export type ScreeningVerdict = (typeof screeningVerdicts)[number]

/** What is screened. */
export const screeningPurposes = ['sponsor', 'lend', 'relay'] as const

/** How a request arrived. */
export const transports = ['rest', 'trpc', 'rpc', 'page'] as const

/** Statuses of answers, over all transports. */
export const statuses: readonly number[] = [
  ...new Set([200, 304, ...Object.values(errorTable).map(({ status }) => status)]),
]

/** Every procedure with the statuses that it declares. */
export const procedureStatuses = endpointList.flatMap(({ name, declaration }) => {
  const own = new Set([200, ...errorsOf(declaration).map((code) => statusOf(code, declaration))])
  return [...own].map((status) => ({ procedure: name, status }))
})

/** Why an RPC failed: the error's code, or the provider's reason. */
const rpcFailures = [
  'NETWORK_UNAVAILABLE',
  'NETWORK_FAILED',
  'PROVIDER_LIMIT',
  'ACCESS_REFUSED',
  'NODE_BEHIND',
  'METHOD_MISSING',
  'NO_STATE_OVERRIDE',
  'STATE_PRUNED',
  'LIMIT_TOO_LOW',
  'NO_FINALITY_TAG',
] as const

/** Failures and rejections of a bundler. The service's own failures are `INTERNAL`. */
const bundlerFailures = [
  'BUNDLER_UNAVAILABLE',
  'BUNDLER_FAILED',
  'NETWORK_UNAVAILABLE',
  'NETWORK_FAILED',
  'SIGNER_UNAVAILABLE',
  'SIGNER_FAILED',
  'DATABASE_UNAVAILABLE',
  'OPERATION_REFUSED',
  'PAYMASTER_REFUSED',
  'INSUFFICIENT_FUNDS',
  'FEE_TOO_LOW',
  'REBUILD',
  'INTERNAL',
] as const

/** The parts of a network that fail, and how; `OTHER` is any other code. */
const failureCodes = { rpc: [...rpcFailures, 'OTHER'], bundler: [...bundlerFailures, 'OTHER'] } as const

export type FailingPart = keyof typeof failureCodes

export const networkFailures = (['rpc', 'bundler'] as const).flatMap((part) =>
  failureCodes[part].map((code): { part: FailingPart; code: string } => ({ part, code })),
)

/** The label for an error's code, which a remote part may have made. */
export const failureCode = (part: FailingPart, code: string): string =>
  failureCodes[part].find((known) => known === code) ?? 'OTHER'

/** What happens to a relayer's transactions, and why. */
export const relayerEvents = Object.entries(senderEvents).flatMap(([event, reasons]) =>
  reasons.map((reason) => ({ event, reason })),
)

/** Why no policy pays for an operation. */
export const policyRejections = [
  'no_policy',
  'denied',
  'no_paymaster',
  'operation',
  'call_gas',
  'unsent',
  'account_day',
  'account_total',
  'caller_day',
  'caller_total',
  'api_key_day',
  'api_key_total',
  'all_day',
  'all_total',
  'token_fee',
] as const

export type PolicyRejection = (typeof policyRejections)[number]

/** What callers did who get no more sponsored gas. */
export const suspensions = ['foreign', 'idle', 'unpaid'] as const

export type Suspension = (typeof suspensions)[number]

/**
 * Governance events of SmartBalance and its AttestorSet that announce a change, or that move power or money
 * immediately: the operator must confirm that they are intended.
 */
export const alarmingGovernance = [
  'VerifierProposed',
  'AttestorProposed',
  'ThresholdProposed',
  'VerifierSet',
  'AttestorAdded',
  'ThresholdSet',
  'OwnershipTransferStarted',
  'OwnershipTransferred',
  'LiquidityWithdrawn',
] as const

/** All events of actions that govern them. */
export const governanceEvents = [
  ...alarmingGovernance,
  'AttestorRemoved',
  'OperatorSet',
  'SettlerSet',
  'PauserSet',
  'OutflowCapSet',
  'PausedSet',
  'SettlementPaused',
] as const

export type GovernanceEvent = (typeof governanceEvents)[number]

/** Why a remote signer gave no signature. */
export const signerFailures = ['SIGNER_UNAVAILABLE', 'SIGNER_FAILED'] as const

export type SignerFailure = (typeof signerFailures)[number]
