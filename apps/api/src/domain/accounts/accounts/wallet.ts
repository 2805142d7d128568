import { computeAccountAddress, type SmartAccount } from '@lanyard/accounts'
import { type AccountKind, LanyardError } from '@lanyard/contracts'
import {
  type AccountIdentity,
  type AccountWithUser,
  type Database,
  findAccounts,
  perDatabase,
} from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type Address, getAddress } from 'viem'
import { type AnyWallet, isSafe, rulesOf, toAnyWallet } from './kinds.ts'
import type { Wallet } from './safe-kind.ts'

export { type AnyWallet, isSafe, isSafeRow, toAnyWallet } from './kinds.ts'
export type { Wallet } from './safe-kind.ts'

/** How requests name an account. */
interface AccountName {
  readonly walletAddress: Address
  readonly type?: AccountKind | undefined
}

/** What depends on the account's contracts. */
export const accountOf = (wallet: AnyWallet): SmartAccount => rulesOf(wallet).account

export const accountKindOf = (wallet: AnyWallet): AccountKind => rulesOf(wallet).kind

/**
 * The same for what only Safes support.
 *
 * @throws NOT_SUPPORTED_BY_ACCOUNT
 */
export const toWallet = (row: AccountIdentity): Wallet => requireSafe(toAnyWallet(row))

/**
 * @param use - what to use instead; absent: what the endpoint's tag says
 * @throws NOT_SUPPORTED_BY_ACCOUNT
 */
export function requireSafe(wallet: AnyWallet, use?: string): Wallet {
  if (isSafe(wallet)) return wallet
  const details = { type: accountKindOf(wallet), ...(use !== undefined && { use }) }
  throw new LanyardError('NOT_SUPPORTED_BY_ACCOUNT', { details })
}

/**
 * Finds the Safe that a request names, by its address or that of the EOA in its initializer.
 *
 * @throws UNKNOWN_WALLET, AMBIGUOUS_WALLET, NOT_SUPPORTED_BY_ACCOUNT
 */
export const findWallet = async (database: Kysely<Database>, walletAddress: Address): Promise<Wallet> =>
  requireSafe(await findAnyWallet(database, { walletAddress }))

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
  if (found && (type ?? 'safe') === 'safe') return found
  const wallet = toAnyWallet(requireOne(await findAccounts(database, walletAddress), type))
  // An address commits to the first owner and the contracts, so what yields it can never change. An EOA may still get
  // a second account.
  if (!isSafe(wallet) || computeAccountAddress(wallet.owner, wallet.deployment) !== wallet.address)
    return wallet
  if (known.size >= maxKnownWallets) known.clear()
  known.set(wallet.address, wallet)
  return wallet
}

type NamedRow = AccountIdentity & Pick<AccountWithUser, 'signatures' | 'confirmed'>

/**
 * The account that an address and a type mean. Of an EOA's two accounts, one that anybody may have created does not count
 * until its user has signed something for it. If that holds for both, the EOA means the Safe, as without a type elsewhere.
 *
 * @throws UNKNOWN_WALLET, AMBIGUOUS_WALLET
 */
export function requireOne<R extends NamedRow>(rows: readonly R[], type?: AccountKind | undefined): R {
  const typed = rows.map((row) => ({ row, type: accountKindOf(toAnyWallet(row)) }))
  const [one, other] = type === undefined ? typed : typed.filter((candidate) => candidate.type === type)
  if (!one) throw new LanyardError('UNKNOWN_WALLET')
  // The address of a Safe means that Safe, even if it should own another one.
  if (!other || one.type === 'safe') return one.row
  if (!isMeant(one.row)) return other.row
  if (!isMeant(other.row)) return one.row
  const accounts = typed.map((account) => ({ type: account.type, address: getAddress(account.row.address) }))
  throw new LanyardError('AMBIGUOUS_WALLET', { details: { accounts } })
}

const isMeant = ({ confirmed, signatures }: NamedRow) => confirmed || signatures > 0

/** Safes by their checksummed addresses. */
const knownWallets = perDatabase(() => new Map<Address, Wallet>())

/** About 1 kB each. */
const maxKnownWallets = 10_000
