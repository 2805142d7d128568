import { LanyardError } from '@lanyard/contracts'
import type { AgreedBlock, Network, Networks } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { multicallAtBlock, readOf } from '../ledger/multicall-at-block.ts'
import type { SmartBalanceServices } from '../model/services.ts'

/** The dependencies of the workers for orders. */
export type SettlementDependencies = Pick<
  SmartBalanceServices,
  'database' | 'networks' | 'now' | 'log' | 'checkpoint'
>

/** A network's SmartBalance, in viem's form of a contract. */
interface SmartBalanceContract {
  readonly address: Address
  readonly abi: typeof smartBalanceAbi
}

/** A network with a smart balance. */
export interface BalanceNetwork {
  readonly network: Network
  readonly contract: SmartBalanceContract
}

/** The networks that have a SmartBalance. */
export const balanceNetworks = (networks: Networks): BalanceNetwork[] =>
  networks.list().flatMap((network) => {
    const { smartBalance: address } = network.config
    return address === undefined ? [] : [{ network, contract: { address, abi: smartBalanceAbi } }]
  })

/**
 * Refuses to attest for a network whose configured SmartBalance does not exist, or uses another EntryPoint or
 * token than configured: its attestations would be worthless.
 *
 * @throws NO_SMART_BALANCE, NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function requireSmartBalance(
  { network, contract }: BalanceNetwork,
  block: AgreedBlock,
): Promise<void> {
  const { entryPoint, settlementToken, name } = network.config
  const [[entryPointThere, tokenThere]] = await multicallAtBlock(network, block, [
    [
      { ...readOf(contract, 'ENTRY_POINT', []), reverted: zeroAddress },
      { ...readOf(contract, 'token', []), reverted: zeroAddress },
    ],
  ])
  const matches =
    settlementToken !== undefined &&
    isAddressEqual(entryPointThere, entryPoint) &&
    isAddressEqual(tokenThere, settlementToken.address)
  if (matches) return
  throw new LanyardError('NO_SMART_BALANCE', {
    message: `${name}: ${contract.address} is not a SmartBalance for this EntryPoint and this token.`,
    details: { network: network.chainId },
  })
}
