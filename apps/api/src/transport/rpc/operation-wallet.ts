import { defaultDeployment, eoaOf, readInitCode } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { createEoaAccount, type Database, findAccounts } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { isAddressEqual } from 'viem'
import { defaultKind, type SentBy } from '../../domain/accounts/accounts/kind.ts'
import { reserveAccount } from '../../domain/accounts/accounts/reserve-account.ts'
import {
  type AnyWallet,
  accountOf,
  isContractAccount,
  requireDeployable,
  requireKnownCode,
  rulesOf,
  toAnyWallet,
  walletOfEoa,
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
 * @throws UNKNOWN_WALLET: the service accepts operations only of its own accounts; INVALID_INPUT for other init code;
 * ACCOUNT_NOT_ON_NETWORK for an imported account
 */
export async function findOperationWallet(
  { database, network }: { readonly database: Kysely<Database>; readonly network: Network },
  operation: SentBy,
): Promise<AnyWallet> {
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
    if (operation.initCode === '0x') {
      await requireKnownCode(network, wallet)
      return wallet
    }
    requireDeployable(network, wallet)
    if (isInitCodeOf(wallet, operation)) return wallet
    const message = `${wallet.address} is deployed by its own factory, with the data of its first owner`
    throw new LanyardError('INVALID_INPUT', { issues: [{ path: 'factory', message }] })
  }
  const named = walletOfInitCode(operation)
  if (named === undefined) throw new LanyardError('UNKNOWN_WALLET')
  return named
}

const isInitCodeOf = (wallet: AnyWallet, { initCode }: Pick<SentBy, 'initCode'>): boolean =>
  accountOf(wallet).encodeInitCode().toLowerCase() === initCode.toLowerCase()

/**
 * Registers the wallet that {@link findOperationWallet} found, if it is not registered. Anybody can ask for it: only a
 * signature shows that its EOA means it.
 */
export async function registerWallet(
  database: Kysely<Database>,
  wallet: AnyWallet,
  now: Date,
): Promise<void> {
  if (!eoaOf(wallet.owner)) return
  await createEoaAccount(database, {
    beforeNew: reserveAccount,
    confirmed: false,
    createdAt: now,
    ...rulesOf(wallet).toStored(),
  })
}

/** The account that an init code deploys at the sender's address, if it is that of an EOA; undefined for any other. */
function walletOfInitCode({ sender, initCode }: SentBy): AnyWallet | undefined {
  const owner = readInitCode(initCode)
  const eoa = owner && eoaOf(owner)
  const wallet = eoa && walletOfEoa(defaultKind, eoa, defaultDeployment)
  return wallet && isAddressEqual(wallet.address, sender) && isInitCodeOf(wallet, { initCode })
    ? wallet
    : undefined
}
