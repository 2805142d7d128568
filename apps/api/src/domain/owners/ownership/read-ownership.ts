import { encodeEnableModule } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network, Networks } from '@lanyard/networks'
import { ownershipAbi } from '@lanyard/onchain'
import { type Address, type Hash, parseAbi, zeroHash } from 'viem'
import type { Wallet } from '../../accounts/accounts/kind.ts'

/** An account's state in the Ownership module of one network. */
export interface OwnershipState {
  readonly deployed: boolean
  /** Whether the account has the module, or will have it when it is deployed. */
  readonly enabled: boolean
  readonly sequence: bigint
  /** The highest number that guardians have started or taken back at this sequence. */
  readonly number: bigint
  readonly head: Hash
  readonly guardians: Hash | undefined
  /** Guardians who count from a time on, Unix seconds; the zero hash: none. */
  readonly nextGuardians: { readonly hash: Hash; readonly from: number } | undefined
  readonly recovery: { readonly hash: Hash; readonly readyAt: number } | undefined
}

const moduleManagerAbi = parseAbi(['function isModuleEnabled(address module) view returns (bool)'])

/** The Ownership module, whose address is part of what is signed: the same on every network that has it. */
export const findOwnership = (networks: Networks): Address | undefined =>
  networks.list().find(({ config }) => config.ownership)?.config.ownership

/** @throws NO_OWNERSHIP */
export function getOwnership(networks: Networks): Address {
  const found = findOwnership(networks)
  if (found) return found
  throw new LanyardError('NO_OWNERSHIP')
}

/** The networks that have the module. */
export const networksOf = (networks: Networks, module: Address): readonly number[] =>
  networks.list().flatMap(({ chainId, config }) => (config.ownership === module ? [chainId] : []))

/**
 * Reads an account's state at a block.
 *
 * @param blockNumber - absent: the head
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readOwnership(
  network: Network,
  module: Address,
  { address: account, deployment }: Wallet,
  blockNumber?: bigint,
): Promise<OwnershipState> {
  const at = blockNumber === undefined ? {} : { blockNumber }
  return network.call(async (client) => {
    const [code, state] = await Promise.all([
      client.getCode({ address: account, ...at }),
      client.readContract({
        address: module,
        abi: ownershipAbi,
        functionName: 'stateOf',
        args: [account],
        ...at,
      }),
    ])
    const deployed = code !== undefined
    const enabled = deployed
      ? await client.readContract({
          address: account,
          abi: moduleManagerAbi,
          functionName: 'isModuleEnabled',
          args: [module],
          ...at,
        })
      : deployment.ownership === module
    const { sequence, number, head, guardians, nextGuardians, nextGuardiansFrom } = state
    const { recovery, recoveryReadyAt } = state
    return {
      deployed,
      enabled,
      sequence,
      number,
      head,
      guardians: guardians === zeroHash ? undefined : guardians,
      nextGuardians: nextGuardiansFrom === 0 ? undefined : { hash: nextGuardians, from: nextGuardiansFrom },
      recovery: recovery === zeroHash ? undefined : { hash: recovery, readyAt: Number(recoveryReadyAt) },
    }
  })
}

/** The call that enables the module, to put in a build. */
export const planEnabling = (module: Address, { address }: Wallet) =>
  encodeEnableModule({ module, account: address })
