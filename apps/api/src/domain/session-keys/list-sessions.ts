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
      ...resetOf(session, period, now),
      ...recipientsOf(session.rules, token),
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

/** Periods follow each other from `validAfter` on (`_windowOf` in Sessions.sol). */
function resetOf({ validAfter, validUntil }: SessionState['session'], period: number, now: number) {
  if (period === 0) return {}
  const next = now < validAfter ? validAfter + period : now + period - ((now - validAfter) % period)
  return next > validUntil ? {} : { resetsAt: next }
}

/** Those that the rules name for a token, or for the native one. Without a name in one of the rules: anyone. */
function recipientsOf(rules: readonly SessionRule[], token: Address): { readonly to?: Address[] } {
  const native = isAddressEqual(token, zeroAddress)
  const named = rules
    .filter(({ kind, target, maxValue }) =>
      native ? kind === 'native' || maxValue > 0n : kind === 'token' && isAddressEqual(target, token),
    )
    .map(({ target, counterparty }) => (native ? target : counterparty))
  if (named.length === 0 || named.some((one) => isAddressEqual(one, zeroAddress))) return {}
  return { to: [...new Set(named.map((one) => getAddress(one)))] }
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
