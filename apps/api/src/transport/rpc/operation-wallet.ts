import { computeAccountAddress, encodeInitCode, safeDeployment, type UserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { createEoaAccount, type Database, findAccount } from '@lanyard/database'
import { safeAbi, safeProxyFactoryAbi } from '@lanyard/onchain'
import type { Kysely } from 'kysely'
import { type Address, decodeFunctionData, isAddressEqual, slice } from 'viem'
import { reserveAccount } from '../../domain/accounts/accounts/reserve-account.ts'
import { toStoredDeployment } from '../../domain/accounts/accounts/stored-deployment.ts'
import { toWallet, type Wallet } from '../../domain/accounts/accounts/wallet.ts'

type Deploying = Pick<UserOperation, 'sender' | 'initCode'>

/**
 * The wallet of an operation's sender. An unregistered sender is accepted if its init code is that of an EOA's account
 * of this service.
 *
 * Only the account's own init code may deploy it: another factory could deploy the same account and run any code
 * besides, which a policy that pays would not see, and which could make a bundle revert that passed its simulation.
 *
 * @throws UNKNOWN_WALLET: the service accepts operations only of its own accounts; INVALID_INPUT for other init code
 */
export async function findOperationWallet(database: Kysely<Database>, operation: Deploying): Promise<Wallet> {
  const row = await findAccount(database, operation.sender)
  const wallet = row && toWallet(row)
  if (wallet && isAddressEqual(wallet.address, operation.sender)) {
    if (operation.initCode === '0x' || isInitCodeOf(wallet, operation)) return wallet
    const message = `${wallet.address} is deployed by its own factory, with the data of its first owner`
    throw new LanyardError('INVALID_INPUT', { issues: [{ path: 'factory', message }] })
  }
  const owner = eoaOwnerOf(operation)
  if (owner === undefined) throw new LanyardError('UNKNOWN_WALLET')
  return { address: operation.sender, owner: { kind: 'eoa', address: owner }, deployment: safeDeployment }
}

const isInitCodeOf = ({ owner, deployment }: Omit<Wallet, 'address'>, { initCode }: Deploying): boolean =>
  encodeInitCode(owner, deployment).toLowerCase() === initCode.toLowerCase()

/** Registers the wallet that {@link findOperationWallet} found, if it is not registered. */
export async function registerWallet(
  database: Kysely<Database>,
  { address, owner }: Wallet,
  now: Date,
): Promise<void> {
  if (owner.kind !== 'eoa') return
  await createEoaAccount(database, {
    beforeNew: reserveAccount,
    address,
    eoaAddress: owner.address,
    deployment: toStoredDeployment(safeDeployment),
    createdAt: now,
  })
}

/** The EOA whose account the init code deploys at the sender's address; undefined for any other init code. */
function eoaOwnerOf({ sender, initCode }: Deploying): Address | undefined {
  const owner = readOwner(initCode)
  if (owner === undefined) return undefined
  const expected = { owner: { kind: 'eoa', address: owner }, deployment: safeDeployment } as const
  const isOurs =
    isAddressEqual(computeAccountAddress(expected.owner), sender) &&
    isInitCodeOf(expected, { sender, initCode })
  return isOurs ? owner : undefined
}

function readOwner(initCode: UserOperation['initCode']): Address | undefined {
  try {
    const creation = decodeFunctionData({ abi: safeProxyFactoryAbi, data: slice(initCode, 20) })
    if (creation.functionName !== 'createProxyWithNonce') return undefined
    const setup = decodeFunctionData({ abi: safeAbi, data: creation.args[1] })
    return setup.functionName === 'setup' ? setup.args[0][0] : undefined
  } catch {
    return undefined // viem throws on an unknown selector, and on data that it cannot decode
  }
}
