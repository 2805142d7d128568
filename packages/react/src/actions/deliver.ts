import { LanyardApiError, type LanyardClient } from '@lanyard/client'
import type { Hash } from 'viem'
import type { LanyardContextValue } from '../lanyard-context.ts'
import { LanyardReactError } from '../react-error.ts'
import { hasEnded, type Operation, readOperation } from './read-operation.ts'

type SignedBody = Parameters<LanyardClient['webauthn']['transactionVerify']>[0]

/** Sends what another signer than a passkey signed. */
type Submit = (options: { readonly headers: Readonly<Record<string, string>> }) => Promise<unknown>

/** An operation that was included. */
export interface SentCalls {
  readonly userOpHash: Hash
  readonly transactionHash: Hash
}

/** Milliseconds between polls of a pending operation. */
const pollInterval = 1_000

/** Milliseconds until callers learn that the operation is not included yet. */
const waitTimeout = 180_000

/**
 * Sends a signed operation and waits until it ends. Until the service is known to have the signature, the
 * same request is sent again with the same Idempotency-Key. A signature is valid for one operation, so the
 * operation cannot run twice.
 *
 * @param body - what a passkey signed, or a function that sends; absent if it was sent before; then the operation is only tracked
 * @throws LanyardReactError REVERTED, DROPPED, NOT_INCLUDED_YET; LanyardApiError if the service rejects it
 */
export async function deliver(
  { client, operations }: LanyardContextValue,
  userOpHash: Hash,
  body?: SignedBody | Submit,
): Promise<SentCalls> {
  const headers = { 'idempotency-key': userOpHash }
  const deadline = Date.now() + waitTimeout
  let wasSent = false
  let last: unknown
  for (;;) {
    let operation = body && !wasSent ? undefined : await look()
    if (body && (!operation || operation.state === 'built')) operation = (await send(body)) ?? operation
    if (operation && hasEnded(operation)) {
      operations.end(userOpHash)
      return toSentCalls(operation)
    }
    if (Date.now() > deadline) throw new LanyardReactError('NOT_INCLUDED_YET', { userOpHash, cause: last })
    await new Promise((resolve) => setTimeout(resolve, pollInterval))
  }

  /** Reads the operation's status. Undefined if the request fails. */
  async function look(): Promise<Operation | undefined> {
    try {
      return await readOperation(client, userOpHash)
    } catch (error) {
      last = error
      return undefined
    }
  }

  /** Undefined if the service has, or may have, the signature. */
  async function send(signed: SignedBody | Submit): Promise<Operation | undefined> {
    const isFirst = !wasSent
    wasSent = true
    try {
      await (typeof signed === 'function'
        ? signed({ headers })
        : client.webauthn.transactionVerify(signed, { headers }))
    } catch (error) {
      last = error
      if (!isRejection(error)) return undefined
      // Rejecting a repeated request does not mean that the first one was rejected.
      const known = isFirst ? undefined : await look()
      if (known && known.state !== 'built') return known
      operations.remove(userOpHash)
      throw error
    }
    return look()
  }
}

/**
 * After a 4xx, nothing was sent. After a 5xx, while the same request runs, or after an error that is no answer, the service may
 * have the signature.
 */
const isRejection = (error: unknown): boolean =>
  error instanceof LanyardApiError &&
  error.status < 500 &&
  error.code !== 'REQUEST_IN_PROGRESS' &&
  error.code !== 'RATE_LIMITED'

function toSentCalls({ userOpHash, state, success, transactionHash, reason }: Operation): SentCalls {
  const what =
    reason === undefined ? undefined : `The operation did not succeed: ${reason.replace(/\.$/, '')}.`
  if (state !== 'included') throw new LanyardReactError('DROPPED', { userOpHash, what })
  if (success === false || transactionHash === undefined)
    throw new LanyardReactError('REVERTED', { userOpHash, transactionHash, what })
  return { userOpHash, transactionHash }
}
