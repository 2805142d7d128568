import { setTimeout as delay } from 'node:timers/promises'
import type { Transport } from 'viem'
import { type Circuit, type CircuitChange, createCircuit } from './circuit.ts'
import type { NetworkConfig } from './config.ts'
import { httpRpc } from './http-rpc.ts'
import { createRequestQueue, type RequestQueue } from './request-queue.ts'
import { assertUsable } from './rpc-answers.ts'
import {
  isPassing,
  isTransportFailure,
  ProbeTimeoutError,
  toLogsError,
  WrongChainError,
} from './rpc-errors.ts'

/** One RPC endpoint of a network. */
export interface Endpoint {
  readonly transport: Transport
  readonly circuit: Circuit
  readonly queue: Pick<RequestQueue, 'active' | 'waiting'>
}

interface EndpointOptions {
  readonly now: () => number
  readonly circuitChanged: (change: CircuitChange) => void
}

/** How long a chain check stays valid, milliseconds. */
const chainBelieved = 5_000

/** Time-out of a probe, milliseconds. */
const probeBound = 2_000

/** A request that failed within this time is retried once after the same delay, milliseconds. */
const fastFailure = 1_000
const secondTryAfter = 150

/**
 * An HTTP transport to one endpoint. Together with other requests it regularly checks that the endpoint still
 * serves the configured chain: an endpoint of another chain is rejected, and the fallback uses the next one.
 */
export function createEndpoint(
  url: string,
  { chainId, rpcTimeout, rpcConcurrency, rpcQueue }: NetworkConfig,
  { now, circuitChanged }: EndpointOptions,
): Endpoint {
  const transport = httpRpc(url, { timeout: rpcTimeout, batch: true })
  // Created here, because the fallback recreates its transports for each request.
  const queue = createRequestQueue({ concurrency: rpcConcurrency, capacity: rpcQueue, timeout: rpcTimeout })
  const inner = transport({})
  let verifiedAt: number | undefined
  let verifying: Promise<void> | undefined

  async function ask(method: string, parameters: readonly unknown[]): Promise<unknown> {
    // viem types requests by method; this code passes them on unchanged.
    const answer: unknown = await inner
      .request({ method, params: parameters } as never)
      .catch((error: unknown) => {
        throw method === 'eth_getLogs' ? toLogsError(error) : error
      })
    assertUsable(method, parameters, answer)
    return answer
  }
  async function verify(): Promise<void> {
    verifiedAt = undefined
    const actual = Number(await ask('eth_chainId', []))
    if (actual !== chainId) throw new WrongChainError(chainId, actual)
    verifiedAt = now()
  }
  const isVerified = (at: number | undefined) => at !== undefined && now() >= at && now() < at + chainBelieved

  /** Sends both in one round trip. Without the chain check no response counts, not even an error. */
  async function askBelieved(method: string, parameters: readonly unknown[]): Promise<unknown> {
    if (isVerified(verifiedAt)) return ask(method, parameters)
    verifying ??= verify().finally(() => {
      verifying = undefined
    })
    const [verified, answer] = await Promise.allSettled([verifying, ask(method, parameters)])
    if (verified.status === 'rejected') throw verified.reason
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }

  async function askTwice(method: string, parameters: readonly unknown[]): Promise<unknown> {
    const began = performance.now()
    try {
      return await askBelieved(method, parameters)
    } catch (error) {
      if (!isPassing(error) || performance.now() - began > fastFailure) throw error
      await delay(secondTryAfter)
      return askBelieved(method, parameters)
    }
  }

  async function probe(): Promise<void> {
    const stop = new AbortController()
    const bound = Math.min(probeBound, rpcTimeout)
    const late = async () => {
      await delay(bound, undefined, { signal: stop.signal })
      throw new ProbeTimeoutError()
    }
    try {
      await Promise.race([verify(), late()])
    } finally {
      stop.abort()
    }
  }

  const circuit = createCircuit({ now, probe, isFailure: isTransportFailure, changed: circuitChanged })
  return {
    circuit,
    queue,
    transport: (options) => {
      const made = transport(options)
      const request = ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
        queue.run(() => circuit.run(() => askTwice(method, params)))
      return { ...made, request: request as typeof made.request } // any request gets the unchanged response
    },
  }
}
