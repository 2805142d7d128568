import { type EndpointDeclaration, endpoints } from '@lanyard/contracts'
import { endpointList, findEndpoint } from '../endpoint-list.ts'
import { maxBatchSize } from '../http/limits.ts'
import { trpcPath } from '../http/reply-error.ts'

/** What is counted: every call, and again those that cost much more than others or write without a signature. */
export const buckets = ['calls', 'builds', 'ceremonies'] as const

export type Bucket = (typeof buckets)[number]

export type Calls = Readonly<Record<Bucket, number>>

const { login, owner, smartAccount, smartBalance, wallet, webauthn } = endpoints

/** They simulate, or read many accounts on every network. */
const builds: ReadonlySet<EndpointDeclaration> = new Set<EndpointDeclaration>([
  owner.add,
  owner.remove,
  smartAccount.build,
  smartAccount.gasFees,
  smartBalance.computeSolution,
  smartBalance.getQuote,
  wallet.faucet,
  webauthn.transactionOptions,
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

const byPath = new Map(endpointList.map(({ declaration }) => [declaration.path as string, declaration]))

/** The names in `/trpc/a.b,c.d`, as tRPC takes them from the path. */
function trpcNames(path: string): readonly string[] {
  const last = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last).split(',')
  } catch {
    return [last] // which tRPC refuses
  }
}

/** What a request is to be counted as, known from its path alone; undefined: it is not counted. */
export function callsOf(path: string): Calls | undefined {
  if (path === endpoints.system.health.path) return undefined
  // A longer batch is refused as a whole.
  const names = path.startsWith(`${trpcPath}/`) ? trpcNames(path).slice(0, maxBatchSize) : undefined
  const called = names ? names.map(findEndpoint) : [byPath.get(path)]
  const among = (some: ReadonlySet<EndpointDeclaration>) =>
    called.filter((endpoint) => endpoint !== undefined && some.has(endpoint)).length
  return { calls: called.length, builds: among(builds), ceremonies: among(ceremonies) }
}
