import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

/**
 * SmartBalance's deposit at EntryPoint, which pays for gas.
 *
 * @returns wei
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readGasDeposit(network: Network, smartBalance: Address): Promise<bigint> {
  return network.call((client) =>
    client.readContract({
      address: network.config.entryPoint,
      abi: entryPoint07Abi,
      functionName: 'balanceOf',
      args: [smartBalance],
    }),
  )
}

/**
 * Rejects an operation that the paymaster's deposit cannot pay for, before the bundler answers AA31. Only the
 * operator can resolve this.
 *
 * @throws PAYMASTER_REFUSED
 */
export function requireGasDeposit(
  { chainId, config }: Network,
  { deposit, required }: { readonly deposit: bigint; readonly required: bigint },
  log: Logger,
): void {
  if (deposit >= required) return
  log.error(
    {
      network: chainId,
      smartBalance: config.smartBalance,
      deposit: String(deposit),
      required: String(required),
    },
    'the gas deposit of SmartBalance is too low: top it up with depositGas',
  )
  throw new LanyardError('PAYMASTER_REFUSED', {
    message: `The service cannot pay for gas on ${config.name} at the moment. Try again later, or let the account pay.`,
  })
}
