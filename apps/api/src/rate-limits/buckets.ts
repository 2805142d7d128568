import { type EndpointDeclaration, endpoints } from '@lanyard/contracts'
import { findEndpoint } from '../endpoint-list.ts'
import { calledNames } from '../http/called-names.ts'

/** What is counted: every call, and again those that cost much more than others or write without a signature. */
export const buckets = ['calls', 'builds', 'ceremonies'] as const

export type Bucket = (typeof buckets)[number]

export type Calls = Readonly<Record<Bucket, number>>

const { login, owner, sessionKey, smartAccount, smartBalance, wallet, webauthn } = endpoints

/** They simulate, look for the operation of a signature, or read many accounts or logs on every network. */
const builds: ReadonlySet<EndpointDeclaration> = new Set<EndpointDeclaration>([
  owner.add,
  owner.list,
  owner.remove,
  sessionKey.check,
  sessionKey.disable,
  sessionKey.enable,
  sessionKey.list,
  smartAccount.build,
  smartAccount.gasFees,
  smartAccount.submit,
  smartBalance.computeSolution,
  smartBalance.deposit,
  smartBalance.getQuote,
  smartBalance.terms,
  wallet.faucet,
  wallet.transfers,
  webauthn.credentialRemove,
  webauthn.transactionOptions,
  webauthn.transactionVerify,
])

/** They write challenges for strangers, verify signatures, or pay for a deployment. */
const ceremonies: ReadonlySet<EndpointDeclaration> = new Set<EndpointDeclaration>([
  login.message,
  login.verify,
  webauthn.authenticateOptions,
  webauthn.authenticateVerify,
  webauthn.credentialOptions,
  webauthn.credentialVerify,
  webauthn.discoverOptions,
  webauthn.discoverVerify,
  webauthn.registerOptions,
  webauthn.registerVerify,
])

/** What a request is to be counted as, known from its path alone; undefined: it is not counted. */
export function callsOf(path: string): Calls | undefined {
  if (path === endpoints.system.health.path) return undefined
  const names = calledNames(path)
  const called = names.length > 0 ? names.map(findEndpoint) : [undefined]
  const among = (some: ReadonlySet<EndpointDeclaration>) =>
    called.filter((endpoint) => endpoint !== undefined && some.has(endpoint)).length
  return { calls: called.length, builds: among(builds), ceremonies: among(ceremonies) }
}
