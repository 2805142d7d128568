import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Env } from '../../../platform/environment/env.ts'

/** What the service pays in a day (UTC) on one network, wei. */
export interface SponsorshipBudgets {
  readonly all: bigint
  readonly account: bigint
}

const ether = 10n ** 18n

/** On local networks nothing is worth anything, but a loop that never ends should still be noticed. */
const localBudgets: SponsorshipBudgets = { all: 10n * ether, account: ether }

/**
 * The budgets of a network. On a real one, nothing is paid unless the operator says so.
 *
 * @throws PAYMASTER_REFUSED when there is none
 */
export function requireSponsoring(
  { config }: Pick<Network, 'config'>,
  env: Pick<Env, 'SPONSORED_GAS' | 'SPONSORED_GAS_PER_ACCOUNT'>,
): SponsorshipBudgets {
  const fallback = config.local ? localBudgets : { all: 0n, account: 0n }
  const all = env.SPONSORED_GAS ?? fallback.all
  const account = env.SPONSORED_GAS_PER_ACCOUNT ?? (config.local ? fallback.account : all)
  if (config.smartBalance !== undefined && all > 0n && account > 0n) return { all, account }
  throw new LanyardError('PAYMASTER_REFUSED', {
    message: `The service pays for no gas on ${config.name}. Fund the account, spend the smart balance by orderData, or send paymasterData of your own.`,
  })
}
