import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'

/**
 * The SessionKeys contract of a network.
 *
 * @throws NO_SESSION_KEYS
 */
export function getSessionKeys({ chainId, config }: Network): Address {
  if (config.sessionKeys) return config.sessionKeys
  throw new LanyardError('NO_SESSION_KEYS', {
    message: `${config.name} has no session keys.`,
    details: { network: chainId },
  })
}
