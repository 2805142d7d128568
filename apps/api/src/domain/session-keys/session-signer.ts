import type { Network } from '@lanyard/networks'
import { type Session, type SessionKey, sessionKeyId } from '@lanyard/session-keys'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { Wallet } from '../accounts/accounts/wallet.ts'
import type { NoncePosition } from '../operations/lanes.ts'
import { readSession } from './read-session.ts'
import { sessionKeysOn } from './session-keys-on.ts'
import { sessionRefused, unknownSession } from './session-refused.ts'

/** A session that is in force and is going to sign an operation. */
export interface SessionSigner {
  readonly kind: 'session'
  readonly key: SessionKey
  /** The contract. */
  readonly sessionKeys: Address
  readonly session: Session
  /** The next nonce of its key: one operation of a session is under way at a time. */
  readonly position: NoncePosition
}

/** Seconds that must be left for an operation to be signed, submitted and included. */
const shortest = 30

/**
 * Reads the session of a key, and refuses where it is not in force, by the chain's clock, or is used up.
 *
 * @throws UNKNOWN_SESSION, SESSION_REFUSED, NO_SESSION_KEYS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readSessionSigner(
  network: Network,
  { address }: Wallet,
  key: SessionKey,
): Promise<SessionSigner> {
  const sessionKeys = sessionKeysOn(network)
  const state = await readSession(network, address, sessionKeyId(key))
  if (!state) throw unknownSession(network.chainId)
  const { session, nonceKey, operationsLeft } = state
  const [nonce, { timestamp }] = await network.call((client) =>
    Promise.all([
      client.readContract({
        address: network.config.entryPoint,
        abi: entryPoint07Abi,
        functionName: 'getNonce',
        args: [address, nonceKey],
      }),
      client.getBlock(),
    ]),
  )
  requireInForce(session, Number(timestamp))
  if (operationsLeft === 0) {
    throw sessionRefused({
      rule: 'OperationsExhausted',
      message: `The session has used all of its ${session.maxOperations} operations.`,
    })
  }
  const sequence = BigInt.asUintN(64, nonce)
  return { kind: 'session', key, sessionKeys, session, position: { key: nonceKey, sequence } }
}

function requireInForce({ validAfter, validUntil }: Session, now: number): void {
  if (now >= validAfter && now + shortest <= validUntil) return
  const remark = now <= validUntil && now >= validAfter ? ' It ends too soon for another operation.' : ''
  throw sessionRefused({
    rule: 'SessionNotInForce',
    message: `The session counts from ${validAfter} until ${validUntil} (Unix seconds); the chain is at ${now}.${remark}`,
  })
}

/** Unix seconds; 0: without a bound. */
export interface Validity {
  readonly validAfter: number
  readonly validUntil: number
}

/** The validity of a session's operation: the session's, or less where the payer bounds it. */
export const sessionValidity = (
  { session }: SessionSigner,
  { validUntil }: Pick<Validity, 'validUntil'>,
): Validity => ({
  validAfter: session.validAfter,
  validUntil: validUntil === 0 ? session.validUntil : Math.min(validUntil, session.validUntil),
})
