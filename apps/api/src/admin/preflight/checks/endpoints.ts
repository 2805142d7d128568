import { httpRpc, RateLimitResponse, toProviderError } from '@lanyard/networks'
import { BaseError, createPublicClient, HttpRequestError, TimeoutError } from 'viem'
import { type Findings, finding } from '../finding.ts'
import type { Subject } from '../subject.ts'
import { rateLimited } from './provider.ts'

/** A head that is older than this many blocks, and this many milliseconds, makes its RPC count as lagging. */
const blocksBehind = 30
const minBehind = 60_000

/** Milliseconds: a head that is further in the future indicates a wrong clock of this machine. */
const maxAhead = 15_000

/** The result for the endpoints of a network. */
export interface EndpointsResult {
  readonly findings: Findings
  /** Whether at least one of them serves the network, so that the other checks can run. */
  readonly usable: boolean
}

/**
 * Checks every RPC endpoint separately. They are named by their position in the file, because an address may
 * contain a key.
 */
export async function checkEndpoints(subject: Subject): Promise<EndpointsResult> {
  const { rpcUrls } = subject.network.config
  const results = await Promise.all(
    rpcUrls.map((url, index) => checkEndpoint(subject, url, `rpcUrls[${index}]`)),
  )
  const answering = results.filter(({ answers }) => answers)
  const usable = results.some(({ serves }) => serves)
  if (answering.length > 0) return { usable, findings: results.flatMap(({ findings }) => findings) }
  return {
    usable,
    findings: finding('RPC_UNREACHABLE', {
      message: `None of its ${rpcUrls.length} RPC endpoints answers.`,
      expected: 'an answer to eth_chainId',
      seen: results.map(({ why }) => why).join('; '),
      fix: 'Correct rpcUrls in NETWORKS_FILE, or bring the node back.',
    }),
  }
}

interface EndpointResult {
  readonly answers: boolean
  readonly serves: boolean
  readonly findings: Findings
  readonly why: string
}

async function checkEndpoint(
  { network: { config }, now }: Subject,
  url: string,
  place: string,
): Promise<EndpointResult> {
  const { chainId, rpcTimeout, blockTime } = config
  const client = createPublicClient({ transport: httpRpc(url, { timeout: rpcTimeout }) })
  try {
    const actual = await client.getChainId()
    if (actual !== chainId) {
      return { answers: true, serves: false, findings: wrongChain(place, { chainId, actual }), why: '' }
    }
    const { timestamp, number } = await client.getBlock()
    const age = now().getTime() - Number(timestamp) * 1000
    return {
      answers: true,
      serves: true,
      findings: ageFindings(place, age, number, Math.max(minBehind, blocksBehind * blockTime)),
      why: '',
    }
  } catch (error) {
    const why = reasonOf(error)
    // A provider that limits requests answers: this is no outage.
    const findings = limitFindings(error, place)
    if (findings.length > 0) return { answers: true, serves: false, findings, why }
    const down = finding('RPC_ENDPOINT_DOWN', {
      message: `${place} does not answer. The others replace it.`,
      seen: why,
      fix: `Correct ${place} in NETWORKS_FILE, or bring the node back.`,
    })
    return { answers: false, serves: false, findings: down, why }
  }
}

/** What an error says about the number of requests: one finding, or none. */
export function limitFindings(error: unknown, place: string): Findings {
  const said = toProviderError(error, { method: 'eth_chainId', params: [], now: Date.now() })
  return said instanceof RateLimitResponse ? rateLimited(place, said.details) : []
}

function ageFindings(place: string, age: number, block: bigint, limit: number): Findings {
  const seconds = Math.round(Math.abs(age) / 1000)
  if (age > limit) {
    return finding('HEAD_OLD', {
      message: `The newest block of ${place} is old: the node is behind, or the chain has stopped.`,
      expected: `at most ${Math.round(limit / 1000)} s`,
      seen: `block ${block}, ${seconds} s old`,
      fix: 'Wait until the node has caught up, or put another one first in rpcUrls.',
    })
  }
  if (age >= -maxAhead) return []
  return finding('CLOCK_BEHIND', {
    message: `The newest block of ${place} is in the future of this machine's clock.`,
    expected: `at most ${maxAhead / 1000} s`,
    seen: `block ${block}, ${seconds} s ahead`,
    fix: 'Set the clock (NTP): challenges, tokens and price feeds depend on it.',
  })
}

export const wrongChain = (
  place: string,
  { chainId, actual }: { readonly chainId: number; readonly actual: number },
): Findings =>
  finding('WRONG_CHAIN', {
    message: `${place} serves another chain.`,
    expected: `chain ${chainId}`,
    seen: `chain ${actual}`,
    fix: `Correct ${place} of network ${chainId} in NETWORKS_FILE.`,
  })

/** Removes the endpoint's address, which viem includes in its messages. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return 'no usable answer'
  if (error.walk((inner) => inner instanceof TimeoutError)) return 'no answer in time'
  const failed = error.walk((inner) => inner instanceof HttpRequestError)
  if (failed instanceof HttpRequestError) {
    if (failed.status === 200) return 'HTTP status 200, but no JSON-RPC'
    return failed.status === undefined ? 'no connection' : `HTTP status ${failed.status}`
  }
  return 'no usable answer'
}
