import type { AccountDeployment } from '@lanyard/accounts'
import type { AccountKind } from '@lanyard/contracts'
import type { AccountIdentity, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Address, isAddressEqual } from 'viem'
import { delegatedKind } from '../eip7702/delegated-kind.ts'
import type { DelegatedWallet } from '../eip7702/delegated-wallet.ts'
import type { Kind, KindRules, SentBy } from './kind.ts'
import { safeKind, type Wallet } from './safe-kind.ts'

/** An account of any kind. */
export type AnyWallet = Wallet | DelegatedWallet

/** The kinds of accounts. A deployment names its kind; that of a Safe, the first kind, names none. */
const kinds = { safe: safeKind, eip7702: delegatedKind } satisfies {
  [K in AccountKind]: Kind<Wallet> | Kind<DelegatedWallet>
}

/** Whether an account is a Safe: what only Safes have (modules, owners that change) exists for it. */
export const isSafe = <W extends AnyWallet>(wallet: W): wallet is Extract<W, Wallet> =>
  !('kind' in wallet.deployment)

/** The same of a row, which may be incomplete. */
export const isSafeRow = ({ deployment }: Pick<AccountIdentity, 'deployment'>): boolean =>
  !(typeof deployment === 'object' && deployment !== null && 'kind' in deployment)

const known = new WeakMap<AnyWallet, KindRules>()

/** The same object for the same wallet: it computes the account's init code once. */
export function rulesOf(wallet: AnyWallet): KindRules {
  const found = known.get(wallet)
  if (found) return found
  const rules = isSafe(wallet) ? kinds.safe.rulesOf(wallet) : kinds.eip7702.rulesOf(wallet)
  known.set(wallet, rules)
  return rules
}

/** Converts a row of any kind to the form that the account functions take. */
export const toAnyWallet = (row: AccountIdentity): AnyWallet =>
  (isSafeRow(row) ? kinds.safe : kinds.eip7702).read(row)

/** The account of a kind that an EOA gets. */
export const walletOfEoa = (kind: AccountKind, eoa: Address, deployment: AccountDeployment): AnyWallet =>
  kinds[kind].ofEoa(eoa, deployment)

/** What an owner of a kind of account uses instead of what endpoints with a tag do. */
export const substituteOf = (kind: AccountKind, tag: string): string | undefined =>
  kinds[kind].substitutes[tag]

const ofEntryPoint = (entryPoint: Address): Kind<AnyWallet> | undefined =>
  Object.values(kinds).find((kind) => kind.entryPoint && isAddressEqual(kind.entryPoint, entryPoint))

/**
 * The account that sends an operation, if its EntryPoint tells.
 *
 * @throws INVALID_INPUT
 */
export const walletOfSender = (operation: SentBy): AnyWallet | undefined =>
  operation.entryPoint && ofEntryPoint(operation.entryPoint)?.ofSender?.(operation)

/** Whether an account got its code in another way than by this operation, which can then never be included. */
export const isDeployedOtherwise = (network: Network, row: OperationRow): Promise<boolean> =>
  // The column holds an address.
  (ofEntryPoint(row.entry_point as Address) ?? kinds.safe).isDeployedOtherwise(network, row)
