import { type ApiKey, callerName } from '../../domain/accounts/api-keys/api-key.ts'
import { groupOf } from '../../domain/accounts/callers/caller.ts'
import { findEndpoint } from '../../platform/endpoint-list.ts'
import { calledNames } from './called-names.ts'
import { livenessPath, readinessPath } from './probes.ts'

/** Maximum number of characters: a batch names each of its calls in the path. */
const loggedPathLength = 200

/** One in so many requests of callers who are over their limit: they can make as many as they like. */
const rejectedStep = 100

/**
 * Whether a request is logged.
 *
 * @param percent - REQUEST_LOG
 * @param chance - from 0 to 1
 */
export function isLogged(
  { status, path }: { readonly status: number; readonly path: string },
  percent: number,
  chance: number,
): boolean {
  if (status === 429) return chance < 1 / rejectedStep
  if (status >= 400) return true
  return path !== livenessPath && path !== readinessPath && chance < percent / 100
}

interface Sent {
  readonly requestId: string
  readonly apiKey: ApiKey | undefined
  /** As `addressKey` returns it. */
  readonly address: string
}

interface Answered {
  readonly method: string | undefined
  /** Without the query, which may name a user. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
}

/** The fields of a request's line. None of them identifies a person: of the address, only its network is kept. */
export function requestLine(
  { requestId, apiKey, address }: Sent,
  { method, path, status, milliseconds }: Answered,
) {
  const names = calledNames(path).filter((name) => findEndpoint(name))
  return {
    requestId,
    ...(apiKey && { key: callerName(apiKey) }),
    from: addressPrefix(address),
    method,
    path: path.slice(0, loggedPathLength),
    ...(names.length > 0 && { endpoint: names.join(',') }),
    status,
    milliseconds,
  }
}

/**
 * The network of an address: its /24, or its /48, which providers give to one customer.
 *
 * @param address - as `addressKey` returns it
 */
export function addressPrefix(address: string): string {
  const group = groupOf({ kind: 'address', name: address })
  if (address.includes(':')) return `${group}::/48`
  return address.includes('.') ? `${group}.0/24` : address
}
