import {
  type AccountDeployment,
  type Call,
  computeAccountAddress,
  type SmartAccount,
} from '@lanyard/accounts'
import { type AccountKind, LanyardError, type TransactionDetail } from '@lanyard/contracts'
import {
  type AccountIdentity,
  type AccountWithUser,
  type Database,
  findAccounts,
  type OperationRow,
  perDatabase,
} from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import { RecentMap } from '../../../platform/recent-map.ts'
import { delegatedKind } from '../eip7702/delegated-kind.ts'
import type { DelegatedWallet } from '../eip7702/delegated-wallet.ts'
import { safeKind } from '../safe/safe-kind.ts'
import { defaultKind, isImported, type Kind, type KindRules, type SentBy, type Wallet } from './kind.ts'

/** An account of any kind. */
export type AnyWallet = Wallet | DelegatedWallet

/** The kinds of accounts. A deployment names its kind; that of the first kind, the contract account, names none. */
const kinds = { safe: safeKind, eip7702: delegatedKind } satisfies {
  [K in AccountKind]: Kind<Wallet> | Kind<DelegatedWallet>
}

/**
 * Whether an account is a contract account (modules, owners that change), and not an EOA with code. Safes are the only
 * kind of contract account.
 */
export const isContractAccount = <W extends AnyWallet>(wallet: W): wallet is Extract<W, Wallet> =>
  !('kind' in wallet.deployment)

/** The same of a row, which may be incomplete. */
export const isContractAccountRow = ({ deployment }: Pick<AccountIdentity, 'deployment'>): boolean =>
  !(typeof deployment === 'object' && deployment !== null && 'kind' in deployment)

const known = new WeakMap<AnyWallet, KindRules>()

/** The same object for the same wallet: it computes the account's init code once. */
export function rulesOf(wallet: AnyWallet): KindRules {
  const found = known.get(wallet)
  if (found) return found
  const rules = isContractAccount(wallet) ? kinds[defaultKind].rulesOf(wallet) : kinds.eip7702.rulesOf(wallet)
  known.set(wallet, rules)
  return rules
}

/** Converts a row of any kind to the form that the account functions take. */
export const toAnyWallet = (row: AccountIdentity): AnyWallet =>
  (isContractAccountRow(row) ? kinds[defaultKind] : kinds.eip7702).read(row)

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
  (ofEntryPoint(row.entry_point as Address) ?? kinds[defaultKind]).isDeployedOtherwise(network, row)

/** How requests name an account. */
interface AccountName {
  readonly walletAddress: Address
  readonly type?: AccountKind | undefined
}

/** What depends on the account's contracts. */
export const accountOf = (wallet: AnyWallet): SmartAccount => rulesOf(wallet).account

/**
 * The init code of an operation: what deploys the account if it is not there.
 *
 * @throws ACCOUNT_NOT_ON_NETWORK for an imported account: nothing here deploys it
 */
export function initCodeOf(
  wallet: AnyWallet,
  network: Network,
  { deployed }: { readonly deployed: boolean },
): Hex {
  if (deployed) return '0x'
  requireDeployable(network, wallet)
  return accountOf(wallet).encodeInitCode()
}

/** @throws ACCOUNT_NOT_ON_NETWORK for an imported account: nothing here deploys it */
export function requireDeployable({ config, chainId }: Network, wallet: AnyWallet): void {
  if (!isImported(wallet)) return
  throw new LanyardError('ACCOUNT_NOT_ON_NETWORK', {
    message: `${wallet.address} is no Safe on ${config.name}, and this service cannot deploy it there: it was imported.`,
    details: { network: chainId },
  })
}

/**
 * Checks the code of an imported account: another program deployed it, so its address says nothing of its code on this
 * network. Accounts of this service need no request.
 *
 * @throws ACCOUNT_NOT_ON_NETWORK, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function requireKnownCode(network: Network, wallet: AnyWallet): Promise<void> {
  if (!isImported(wallet)) return
  const code = await network.call((client) => client.getCode({ address: wallet.address }))
  if (!rulesOf(wallet).isDeployed(code)) requireDeployable(network, wallet)
}

export const accountKindOf = (wallet: AnyWallet): AccountKind => rulesOf(wallet).kind

/**
 * The same for what only contract accounts support.
 *
 * @throws NOT_SUPPORTED_BY_ACCOUNT
 */
export const toWallet = (row: AccountIdentity): Wallet => requireContractAccount(toAnyWallet(row))

/**
 * @param use - what to use instead; absent: what the endpoint's tag says
 * @throws NOT_SUPPORTED_BY_ACCOUNT
 */
export function requireContractAccount(wallet: AnyWallet, use?: string): Wallet {
  if (isContractAccount(wallet)) return wallet
  const details = { type: accountKindOf(wallet), ...(use !== undefined && { use }) }
  throw new LanyardError('NOT_SUPPORTED_BY_ACCOUNT', { details })
}

/**
 * Finds the contract account that a request names, by its address or that of the EOA in its initializer.
 *
 * @throws UNKNOWN_WALLET, AMBIGUOUS_WALLET, NOT_SUPPORTED_BY_ACCOUNT
 */
export const findWallet = async (database: Kysely<Database>, walletAddress: Address): Promise<Wallet> =>
  requireContractAccount(await findAnyWallet(database, { walletAddress }))

/**
 * Finds the account of any kind that a request names.
 *
 * @throws UNKNOWN_WALLET, AMBIGUOUS_WALLET
 */
export async function findAnyWallet(
  database: Kysely<Database>,
  { walletAddress, type }: AccountName,
): Promise<AnyWallet> {
  const known = knownWallets(database)
  const found = known.get(walletAddress)
  if (found && (type ?? defaultKind) === defaultKind) return found
  const wallet = toAnyWallet(requireOne(await findAccounts(database, walletAddress), type))
  // An address commits to the first owner and the contracts, so what yields it can never change. An EOA may still get
  // a second account, and an imported one gives way to its proof.
  const isFixed =
    isContractAccount(wallet) &&
    !isImported(wallet) &&
    computeAccountAddress(wallet.owner, wallet.deployment) === wallet.address
  if (!isFixed) return wallet
  known.set(wallet.address, wallet)
  return wallet
}

type NamedRow = AccountIdentity & Pick<AccountWithUser, 'signatures' | 'confirmed'>

/**
 * The account that an address and a type mean. Of an EOA's two accounts, one that anybody may have created does not count
 * until its user has signed something for it. If that holds for both, the EOA means the contract account, as without a type elsewhere.
 *
 * @throws UNKNOWN_WALLET, AMBIGUOUS_WALLET
 */
export function requireOne<R extends NamedRow>(rows: readonly R[], type?: AccountKind | undefined): R {
  const typed = rows.map((row) => ({ row, type: accountKindOf(toAnyWallet(row)) }))
  const [one, other] = type === undefined ? typed : typed.filter((candidate) => candidate.type === type)
  if (!one) throw new LanyardError('UNKNOWN_WALLET')
  // The address of a contract account means that account, even if it should own another one.
  if (!other || one.type === defaultKind) return one.row
  if (!isMeant(one.row)) return other.row
  if (!isMeant(other.row)) return one.row
  const accounts = typed.map((account) => ({ type: account.type, address: getAddress(account.row.address) }))
  throw new LanyardError('AMBIGUOUS_WALLET', { details: { accounts } })
}

const isMeant = ({ confirmed, signatures }: NamedRow) => confirmed || signatures > 0

/** Contract accounts by their checksummed addresses. */
const knownWallets = perDatabase(() => new RecentMap<Address, Wallet>(maxKnownWallets))

/** About 1 kB each. */
const maxKnownWallets = 10_000

/** Converts `transactionDetails` to the calls that the account functions take. */
export const toCalls = (details: readonly TransactionDetail[]): Call[] =>
  details.map(({ targetContractAddress, value, encodedData }) => ({
    to: targetContractAddress,
    value,
    data: encodedData,
  }))
