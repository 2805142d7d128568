import { LanyardError } from '@lanyard/contracts'
import type { ConsoleContext } from './console-context.ts'

/**
 * Ceremonies cost signatures, rows and requests to the identity provider, so each address has few of them. Those of a signed-in
 * operator are counted apart: others at their address cannot use up what they need to revoke a key.
 *
 * @throws RATE_LIMITED
 */
export async function countCeremony({
  countCeremony: count,
  services,
  address,
  operator,
}: Pick<ConsoleContext, 'countCeremony' | 'services' | 'address'> &
  Partial<Pick<ConsoleContext, 'operator'>>): Promise<void> {
  if (services.env.RATE_LIMITS === 'off') return
  const { refused, reset } = await count(operator?.id ?? address, 1)
  if (refused) {
    throw new LanyardError('RATE_LIMITED', {
      message: `Too many ${operator ? 'confirmations' : 'sign-ins from this address'}. Try again in ${reset} seconds.`,
    })
  }
}
