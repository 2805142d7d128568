import type { Call } from '@lanyard/accounts'
import { encodeRevoke, type SessionKey, sessionKeyId } from '@lanyard/session-keys'
import type { Hex } from 'viem'
import type { BuildTarget } from '../operations/build-request.ts'
import { getSessionKeys, readAttachment, readKeys } from './read-session.ts'
import { unknownSession } from './session-rejected.ts'

interface RevocationRequest extends BuildTarget {
  /** The key, or its id when the public key is lost. */
  readonly key: SessionKey | { readonly keyId: Hex }
}

/**
 * The account's calls that end a session. With the last session, the contract is removed from the owners and
 * modules, so that the account is as it was before the first.
 *
 * If a session is granted between this plan and its inclusion, it loses the contract: it does nothing until
 * the key is enabled again.
 *
 * @throws UNKNOWN_SESSION, NO_SESSION_KEYS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function planRevocation({ wallet, network, key }: RevocationRequest): Promise<Call[]> {
  const sessionKeys = getSessionKeys(network)
  const [keys, { owners, modules }] = await Promise.all([
    readKeys(network, wallet.address),
    readAttachment(network, wallet),
  ])
  const named = toKey(key)
  if (!keys.includes(sessionKeyId(named))) throw unknownSession(network.chainId)
  return encodeRevoke({
    account: wallet.address,
    sessionKeys,
    key: named,
    ...(keys.length === 1 && { remove: { owners, modules } }),
  })
}

/** An id can be used as a key: padded to 32 bytes like an address, it stays the same. */
const toKey = (key: RevocationRequest['key']): SessionKey =>
  typeof key === 'object' && 'keyId' in key ? key.keyId : key
