import type { Call } from '@lanyard/accounts'
import { isSameCall, removalStep } from '@lanyard/calls'
import { sessionKeysAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { toCall } from '../calls/to-call.ts'
import { WalletError } from '../errors/wallet-error.ts'
import type { SessionKeysNetwork } from './use-sessions.ts'

/** The expected revocation. */
interface ExpectedRevocation {
  readonly account: Address
  readonly sessionKeys: Address
  /** The key whose session ends. */
  readonly keyId: Hex
}

/** A revocation in two parts. The second is optional. */
export interface Revocation {
  readonly revoke: Call
  /** Removes the contract from the account's owners and modules. Empty unless the service proposes it. */
  readonly removal: readonly Call[]
}

/**
 * Verifies that the calls end the session of this key and of no other, and otherwise only remove the contract
 * from the account. A wrong neighbour in the lists of owners and modules only makes a call revert, so it is
 * not checked.
 *
 * @throws WalletError CALLS_DIFFER
 */
export function verifyRevocation(
  calls: readonly Call[],
  { account, sessionKeys, keyId }: ExpectedRevocation,
): Revocation {
  const data = encodeFunctionData({ abi: sessionKeysAbi, functionName: 'revoke', args: [keyId] })
  const revoke = { to: sessionKeys, value: 0n, data } as const
  const [first, ...removal] = calls
  const steps = removal.map((call) => removalStep(call, account, sessionKeys))
  if (!isSameCall(first, revoke) || steps.includes(undefined) || new Set(steps).size !== steps.length)
    throw new WalletError('CALLS_DIFFER')
  return { revoke, removal }
}

/**
 * The calls that end the session of a key. For the last session, the service also proposes removing the
 * contract from the account.
 *
 * @throws WalletError CALLS_DIFFER; errors of the service
 */
export async function planRevocation(
  account: Address,
  { chainId, sessionKeys }: SessionKeysNetwork,
  keyId: Hex,
  signal: AbortSignal,
): Promise<Revocation> {
  const { transactionDetails } = await trpc.sessionKey.disable.mutate(
    { network: chainId, walletAddress: account, sessionKey: keyId },
    { signal },
  )
  return verifyRevocation(transactionDetails.map(toCall), { account, sessionKeys, keyId })
}
