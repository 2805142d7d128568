import { decodeRevert, type GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import {
  encodeSessionExecute,
  explainRefusal,
  type Session,
  type SessionKey,
  sessionKeyId,
  stubSessionSignature,
  stubShortfallGas,
} from '@lanyard/session-keys'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { Wallet } from '../accounts/accounts/kind.ts'
import { accountOf } from '../accounts/accounts/wallet.ts'
import type { NoncePosition } from '../operations/nonces.ts'
import type { OperationSigner, RevertReason, Validity } from '../operations/signers/signer.ts'
import { getSessionKeys, readSession } from './read-session.ts'
import { requireSessionFee, sessionRejected, unknownSession } from './session-rejected.ts'
import { toStoredSession } from './stored-session.ts'

/** An active session that signs an operation. */
export interface SessionSigner extends OperationSigner {
  readonly session: Session
  /** The next nonce of its key: a session has at most one pending operation. */
  readonly position: NoncePosition
}

/** Minimum remaining seconds, in which an operation is signed, submitted and included. */
const shortest = 30

/**
 * Reads the session of a key, and rejects it if it is not active according to the chain's clock, or is used
 * up.
 *
 * @throws UNKNOWN_SESSION, SESSION_REFUSED, NO_SESSION_KEYS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readSessionSigner(
  network: Network,
  { address }: Wallet,
  key: SessionKey,
): Promise<SessionSigner> {
  const sessionKeys = getSessionKeys(network)
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
    throw sessionRejected({
      rule: 'OperationsExhausted',
      message: `The session has used all of its ${session.maxOperations} operations.`,
    })
  }
  const sequence = BigInt.asUintN(64, nonce)
  return createSessionSigner({ key, sessionKeys, session, position: { key: nonceKey, sequence } })
}

interface SessionInForce extends Pick<SessionSigner, 'session' | 'position'> {
  readonly key: SessionKey
  /** Address of the contract. */
  readonly sessionKeys: Address
}

/**
 * A session's signature repeats the three gas limits, which are zero in its stub. Each has at most 4 non-zero
 * bytes, and the sequence has one. Each of these costs 30 gas more than a zero byte when EIP-7623's floor
 * applies.
 */
const sessionShortfall = { verification: stubShortfallGas, preVerification: 13n * 30n } as const

/**
 * The calls go through the contract that enforces the session's limits, and it names the call that it
 * rejects.
 */
function createSessionSigner({ key, sessionKeys, session, position }: SessionInForce): SessionSigner {
  const validityOf = ({ validUntil }: Pick<Validity, 'validUntil'>): Validity => ({
    validAfter: session.validAfter,
    validUntil: validUntil === 0 ? session.validUntil : Math.min(validUntil, session.validUntil),
  })
  return {
    signMode: 'SESSION_KEY',
    session,
    position,
    stored: toStoredSession({ key, sessionKeys }),
    encodeCallData: (calls, wallet) =>
      accountOf(wallet).encodeCalls([encodeSessionExecute({ sessionKeys, key, calls })]),
    validityOf,
    stubFor: async (_network, payer, operation) => ({
      signature: stubSessionSignature({ operation, ...validityOf(payer), sessionKeys, key }),
      simulation: { stateOverride: [] },
      shortfall: sessionShortfall,
    }),
    requireAllowed: (operation) => requireSessionFee(session, operation),
    explainRevert: explainSessionRevert,
  }
}

function requireInForce({ validAfter, validUntil }: Session, now: number): void {
  if (now >= validAfter && now + shortest <= validUntil) return
  const remark = now <= validUntil && now >= validAfter ? ' It expires too soon for another operation.' : ''
  throw sessionRejected({
    rule: 'SessionNotInForce',
    message: `The session is valid from ${validAfter} until ${validUntil} (Unix seconds), and the chain is at ${now}.${remark}`,
  })
}

/**
 * Why the calls of a session failed: the session's limits reject a call (SESSION_REFUSED), or the called
 * contract reverted (EXECUTION_REVERTED). SessionKeys names the call, so no call is simulated alone.
 */
function explainSessionRevert({ revertData }: GasEstimate['execution']): RevertReason {
  const rejection = explainRefusal(revertData)
  if (rejection && rejection.rule !== 'CallFailed')
    return { error: sessionRejected(rejection), isLasting: true }
  const { reason } = decodeRevert(rejection?.reason ?? revertData)
  const call = rejection?.call
  const error = new LanyardError('EXECUTION_REVERTED', {
    message: `${call === undefined ? 'The operation' : `Call ${call}`} would revert: ${reason}. Send allowRevert: true to build it anyway.`,
    ...(call !== undefined && { issues: [{ path: `transactionDetails.${call}`, message: reason }] }),
    details: {
      ...(rejection && { rule: rejection.rule }),
      ...(call !== undefined && { call }),
      reason,
      revertData: rejection?.reason ?? revertData,
    },
  })
  return { error, isLasting: false }
}
