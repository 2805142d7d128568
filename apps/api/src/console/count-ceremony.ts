import { LanyardError } from '@lanyard/contracts'
import type { ConsoleContext } from './console-context.ts'

/**
 * Ceremonies cost signatures, rows and requests to the identity provider, so each address has few of them.
 *
 * @throws RATE_LIMITED
 */
export async function countCeremony({
  countCeremony: count,
  services,
  address,
}: Pick<ConsoleContext, 'countCeremony' | 'services' | 'address'>): Promise<void> {
  if (services.env.RATE_LIMITS === 'off') return
  const { refused, reset } = await count(address, 1)
  if (refused) {
    throw new LanyardError('RATE_LIMITED', {
      message: `Too many sign-ins from this address. Try again in ${reset} seconds.`,
    })
  }
}
