import { computeAccountAddress, defaultDeployment, encodeInitCode, readInitCode } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { createEoaAccount, type Database, findAccounts } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type Address, isAddressEqual } from 'viem'
import type { SentBy, Wallet } from '../../domain/accounts/accounts/kind.ts'
import { reserveAccount } from '../../domain/accounts/accounts/lock-account.ts'
import {
  type AnyWallet,
  isContractAccount,
  rulesOf,
  toAnyWallet,
  walletOfSender,
} from '../../domain/accounts/accounts/wallet.ts'
import { invalidMember } from './user-operation.ts'

/**
 * The wallet of an operation's sender. An unregistered sender is accepted if its init code is that of an EOA's account
 * of this service.
 *
 * Only the account's own init code may deploy it: another factory could deploy the same account and run any code
 * besides, which a policy that pays would not see, and which could make a bundle revert that passed its simulation.
 *
 * @throws UNKNOWN_WALLET: the service accepts operations only of its own accounts; INVALID_INPUT for other init code
 */
export async function findOperationWallet(database: Kysely<Database>, operation: SentBy): Promise<AnyWallet> {
  const rows = await findAccounts(database, operation.sender)
  const row = rows.find(({ address }) => address === operation.sender.toLowerCase())
  const wallet = row && toAnyWallet(row)
  const { entryPoint } = operation
  if (entryPoint && wallet && !isAddressEqual(entryPoint, wallet.deployment.entryPoint)) {
    const message = `Operations of this account go through the entry point ${wallet.deployment.entryPoint}`
    throw invalidMember('sender', message)
  }
  const sender = walletOfSender(operation)
  if (sender) return sender
  if (operation.authorization) {
    const message = 'Only an EOA whose operations go through EntryPoint v0.8 is delegated'
    throw invalidMember('eip7702Auth', message)
  }
  if (wallet && isContractAccount(wallet)) {
    if (operation.initCode === '0x' || isInitCodeOf(wallet, operation)) return wallet
    const message = `${wallet.address} is deployed by its own factory, with the data of its first owner`
    throw new LanyardError('INVALID_INPUT', { issues: [{ path: 'factory', message }] })
  }
  const owner = eoaOwnerOf(operation)
  if (owner === undefined) throw new LanyardError('UNKNOWN_WALLET')
  return { address: operation.sender, owner: { kind: 'eoa', address: owner }, deployment: defaultDeployment }
}

const isInitCodeOf = (
  { owner, deployment }: Omit<Wallet, 'address'>,
  { initCode }: Pick<SentBy, 'initCode'>,
): boolean => encodeInitCode(owner, deployment).toLowerCase() === initCode.toLowerCase()

/**
 * Registers the wallet that {@link findOperationWallet} found, if it is not registered. Anybody can ask for it: only a
 * signature shows that its EOA means it.
 */
export async function registerWallet(
  database: Kysely<Database>,
  wallet: AnyWallet,
  now: Date,
): Promise<void> {
  if (wallet.owner.kind !== 'eoa') return
  await createEoaAccount(database, {
    beforeNew: reserveAccount,
    confirmed: false,
    createdAt: now,
    ...rulesOf(wallet).toStored(),
  })
}

/** The EOA whose account the init code deploys at the sender's address; undefined for any other init code. */
function eoaOwnerOf({ sender, initCode }: SentBy): Address | undefined {
  const owner = readInitCode(initCode)
  if (owner?.kind !== 'eoa') return undefined
  const isOurs =
    isAddressEqual(computeAccountAddress(owner), sender) &&
    isInitCodeOf({ owner, deployment: defaultDeployment }, { initCode })
  return isOurs ? owner.address : undefined
}
