import { LanyardApiError, type LanyardClient } from '@lanyard/client'
import type { Hash } from 'viem'
import type { LanyardContextValue } from '../lanyard-context.ts'
import { isUnreachable, LanyardReactError } from '../react-error.ts'
import { hasEnded, type Operation, readOperation } from './read-operation.ts'

type SignedBody = Parameters<LanyardClient['webauthn']['transactionVerify']>[0]

/** An operation that was included. */
export interface SentCalls {
  readonly userOpHash: Hash
  readonly transactionHash: Hash
}

/** Milliseconds between polls of a pending operation. */
const pollInterval = 1_000

/** Milliseconds after which whoever waits is told that it is not included yet. */
const waitBound = 180_000

/**
 * Sends a signed operation and waits for its end. As long as nothing shows that the service has the signature, the same
 * one is sent again with the same Idempotency-Key: a signature is valid for one operation, so it cannot happen twice.
 *
 * @param body - absent: it was sent before, and is only followed
 * @throws LanyardReactError REVERTED, DROPPED, NOT_INCLUDED_YET; LanyardApiError when the service refuses it
 */
export async function deliver(
  { client, operations }: LanyardContextValue,
  userOpHash: Hash,
  body?: SignedBody,
): Promise<SentCalls> {
  const headers = { 'idempotency-key': userOpHash }
  const deadline = Date.now() + waitBound
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

  /** The operation as its status says; undefined where nothing does. */
  async function look(): Promise<Operation | undefined> {
    try {
      return await readOperation(client, userOpHash)
    } catch (error) {
      last = error
      return undefined
    }
  }

  /** Undefined where the service has it, or may. */
  async function send(signed: SignedBody): Promise<Operation | undefined> {
    const isFirst = !wasSent
    wasSent = true
    try {
      await client.webauthn.transactionVerify(signed, { headers })
    } catch (error) {
      last = error
      if (isUnreachable(error) || !isRefusal(error)) return undefined
      // A refusal of what was sent before says nothing of the first time.
      const known = isFirst ? undefined : await look()
      if (known && known.state !== 'built') return known
      operations.remove(userOpHash)
      throw error
    }
    return look()
  }
}

/** 4xx: nothing was sent. After 5xx and while the same request runs, the service may have it. */
const isRefusal = (error: unknown): boolean =>
  !(error instanceof LanyardApiError) ||
  (error.status < 500 && error.code !== 'REQUEST_IN_PROGRESS' && error.code !== 'RATE_LIMITED')

function toSentCalls({ userOpHash, state, success, transactionHash, reason }: Operation): SentCalls {
  const what =
    reason === undefined ? undefined : `The operation did not succeed: ${reason.replace(/\.$/, '')}.`
  if (state !== 'included') throw new LanyardReactError('DROPPED', { userOpHash, what })
  if (success === false || transactionHash === undefined)
    throw new LanyardReactError('REVERTED', { userOpHash, transactionHash, what })
  return { userOpHash, transactionHash }
}
