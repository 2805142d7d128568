import { accountReads, eoaOf } from '@lanyard/accounts'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import type { Network, Networks } from '@lanyard/networks'
import { type Address, decodeFunctionResult, encodeFunctionData, isAddressEqual, zeroAddress } from 'viem'
import { withReadTimeout } from '../../../platform/timeouts.ts'
import { isImported, type Wallet } from '../accounts/kind.ts'
import { type AnyWallet, isContractAccount, rulesOf } from '../accounts/wallet.ts'

/** The answer of a network, or that it is down. */
type NetworkAnswer<T> = T | { readonly network: number; readonly status: 'down' }

const downCodes: readonly ErrorCode[] = ['NETWORK_UNAVAILABLE', 'NETWORK_FAILED']

/** Whether a network did not answer, which says nothing about what was asked. */
export const isDown = (error: unknown): boolean =>
  error instanceof LanyardError && downCodes.includes(error.code)

/**
 * Queries all networks in parallel. A network that does not answer is reported as down and does not delay the
 * others.
 */
export async function onEachNetwork<T>(
  networks: Networks,
  ask: (network: Network) => Promise<T>,
): Promise<NetworkAnswer<T>[]> {
  return Promise.all(
    networks.list().map(async (network) => {
      try {
        return await withReadTimeout(network, ask(network))
      } catch (error) {
        if (!isDown(error)) throw error
        return { network: network.chainId, status: 'down' as const }
      }
    }),
  )
}

/** The owners of an account on one network. */
interface AccountOwners {
  readonly deployed: boolean
  /** In the account's order; removing an owner needs this order. */
  readonly owners: readonly Address[]
}

/** The same call for every account, so it is encoded once. */
const ownersRead = accountReads(zeroAddress).owners
const getOwners = encodeFunctionData(ownersRead)

/**
 * Reads the owners from the chain in one round trip. For an account that is not deployed, the result is the
 * owner in its initializer; an imported account has none there. An EOA that is the account owns itself.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readOwners(network: Network, wallet: AnyWallet): Promise<AccountOwners> {
  if (!isContractAccount(wallet)) {
    const code = await network.call((client) => client.getCode({ address: wallet.address }))
    return { deployed: rulesOf(wallet).isDeployed(code), owners: [wallet.address] }
  }
  return network.call(async (client) => {
    const [code, { data = '0x' }] = await Promise.all([
      client.getCode({ address: wallet.address }),
      client.call({ to: wallet.address, data: getOwners }),
    ])
    if (!rulesOf(wallet).isDeployed(code))
      return { deployed: false, owners: isImported(wallet) ? [] : [firstOwner(wallet)] }
    return { deployed: true, owners: decodeFunctionResult({ ...ownersRead, data }) }
  })
}

/** The owner in the account's initializer, as the account stores it. */
function firstOwner({ owner, deployment }: Wallet): Address {
  return eoaOf(owner) ?? deployment.sharedSigner
}

/**
 * The owners of a wallet on any network, and the EOA that it was created with. Networks that are down add
 * none.
 */
export async function readOwnersAnywhere(networks: Networks, wallet: AnyWallet): Promise<readonly Address[]> {
  const answers = await onEachNetwork(networks, (network) => readOwners(network, wallet))
  const first = eoaOf(wallet.owner)
  return [
    ...(first ? [first] : []),
    ...answers.flatMap((answer) => ('owners' in answer ? answer.owners : [])),
  ]
}

/**
 * Requires that an EOA owns a wallet: as its first owner, or on at least one network now. An imported account's address names no
 * owner, and a stranger may have deployed another Safe at it on another network: an owner owns it on each network that has it.
 *
 * @throws UNKNOWN_OWNER; NETWORK_UNAVAILABLE when a network that may know the owner does not answer
 */
export async function requireOwnerSomewhere(
  networks: Networks,
  wallet: AnyWallet,
  eoaAddress: Address,
): Promise<void> {
  const answers = await onEachNetwork(networks, (network) => readOwners(network, wallet))
  const isIncomplete = answers.some((answer) => 'status' in answer)
  const lists = answers.flatMap((answer) => ('owners' in answer ? [answer] : []))
  const owns = ({ owners }: AccountOwners) => owners.some((owner) => isAddressEqual(owner, eoaAddress))
  if (isImported(wallet)) {
    const foreign = lists.filter((list) => list.deployed && !owns(list))
    if (foreign.length === 0 && !isIncomplete && lists.some(owns)) return
    if (foreign.length > 0 && lists.some(owns))
      throw new LanyardError('UNKNOWN_OWNER', {
        message: `${eoaAddress} owns this Safe on some networks only. To sign in, an EOA owns it on each network that has it.`,
      })
  } else if (lists.some(owns)) return
  if (isIncomplete) throw new LanyardError('NETWORK_UNAVAILABLE')
  throw new LanyardError('UNKNOWN_OWNER')
}
