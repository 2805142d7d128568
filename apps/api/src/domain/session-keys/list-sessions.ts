import type { Network } from '@lanyard/networks'
import { describePermissions, type SessionRule, type SessionState } from '@lanyard/session-keys'
import { type Address, getAddress, type Hex, isAddressEqual, slice, zeroAddress } from 'viem'
import { descriptionTerms } from './description-terms.ts'
import { readKeys, readSession } from './read-session.ts'

/**
 * The sessions of an account on a network, with the remaining limits, at the head of the chain.
 *
 * @throws NO_SESSION_KEYS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function listSessions(network: Network, account: Address) {
  const [keyIds, { timestamp }] = await Promise.all([
    readKeys(network, account),
    network.call((client) => client.getBlock()),
  ])
  const sessions = await Promise.all(
    keyIds.map(async (keyId) => {
      const state = await readSession(network, account, keyId)
      // The session was revoked after its key was read.
      return state ? [describe(network, keyId, state, Number(timestamp))] : []
    }),
  )
  return sessions.flat()
}

function describe(
  network: Network,
  keyId: Hex,
  { session, operationsLeft, left }: SessionState,
  now: number,
) {
  const { validAfter, validUntil, maxOperations, feePerOperation, paymaster } = session
  return {
    network: network.chainId,
    ...(isAddressId(keyId) && { sessionKey: getAddress(slice(keyId, 12)) }),
    keyId,
    state: stateAt(session, now),
    validAfter,
    validUntil,
    maxOperations,
    operationsLeft,
    feePerOperation: String(feePerOperation),
    ...named('paymaster', paymaster),
    allowances: session.allowances.map(({ token, period, amount }, index) => ({
      ...named('token', token),
      period,
      amount: String(amount),
      left: String(left[index] ?? 0n),
    })),
    rules: session.rules.map(toRule),
    description: describePermissions(session, descriptionTerms(network)),
  }
}

/** KeySignature.sol: an address is left-padded, and no hash has 12 leading zero bytes. */
const isAddressId = (keyId: Hex) => BigInt(slice(keyId, 0, 12)) === 0n

function stateAt({ validAfter, validUntil }: SessionState['session'], now: number) {
  if (now < validAfter) return 'pending' as const
  return now > validUntil ? ('expired' as const) : ('active' as const)
}

const toRule = ({ kind, target, selector, counterparty, maxValue }: SessionRule) => ({
  kind,
  ...named('target', target),
  ...(kind !== 'native' && { selector }),
  ...named('counterparty', counterparty),
  maxValue: String(maxValue),
})

/** The member is absent when the contract holds the zero address. */
const named = <Name extends string>(name: Name, address: Address) =>
  // TypeScript widens the computed name to string.
  (isAddressEqual(address, zeroAddress) ? {} : { [name]: getAddress(address) }) as { [N in Name]?: Address }
