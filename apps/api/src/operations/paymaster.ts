import { LanyardError } from '@lanyard/contracts'
import type { Hex } from 'viem'

/**
 * The caller's `paymasterData` as the operation's paymasterAndData.
 *
 * @throws PAYMASTER_REFUSED for `sponsored`: no network has a paymaster of the service's own yet
 */
export function toPaymasterAndData(paymasterData: 'sponsored' | Hex): Hex {
  if (paymasterData !== 'sponsored') return paymasterData
  throw new LanyardError('PAYMASTER_REFUSED', {
    message:
      'No sponsoring paymaster is configured on this network. Fund the account, or send paymasterData of your own.',
  })
}
