import { LanyardError } from '@lanyard/contracts'
import type { Network, Networks } from '@lanyard/networks'
import type { Address } from 'viem'

/** SmartBalance on one network. */
export interface SmartBalanceOn {
  readonly address: Address
  /** The settlement token. */
  readonly token: { readonly address: Address; readonly decimals: number }
  /** Base units of the token per unit with 6 decimals (Vault.sol, SCALE). */
  readonly scale: bigint
}

/**
 * The contract and the token of a network.
 *
 * @throws NO_SMART_BALANCE
 */
export function getSmartBalance({ chainId, config }: Network): SmartBalanceOn {
  const { smartBalance: address, settlementToken: token } = config
  if (address && token) return { address, token, scale: 10n ** BigInt(token.decimals - 6) }
  throw new LanyardError('NO_SMART_BALANCE', {
    message: `${config.name} has no smart balance.`,
    details: { network: chainId },
  })
}

/** The networks with a smart balance, ascending by chain id. */
export const smartBalanceNetworks = (networks: Networks): Network[] =>
  networks
    .list()
    .filter(({ config }) => config.smartBalance !== undefined)
    .toSorted((a, b) => a.chainId - b.chainId)
