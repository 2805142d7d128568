import type { NetworkConfig } from '@lanyard/networks'
import type { Address } from 'viem'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { isPublicDevelopmentKey } from '../../../platform/keys/role-keys.ts'

/** @throws ConfigurationError for an address that anyone can sign for, on a network that is not local */
export function assertPrivate({ local, name }: NetworkConfig, addresses: readonly Address[]): void {
  const known = addresses.filter((address) => !local && isPublicDevelopmentKey(address))
  if (known.length === 0) return
  throw new ConfigurationError(
    'The roles',
    known.map((address) => `${address} has a public development key, and ${name} is not a local network`),
  )
}
