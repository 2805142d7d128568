import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  readDelegation,
  type SmartAccount,
  toDelegatedAccount,
  toSafeAccount,
} from '@lanyard/accounts'
import { type AccountKind, LanyardError } from '@lanyard/contracts'
import {
  type AccountIdentity,
  type AccountWithUser,
  type Database,
  findAccounts,
  perDatabase,
} from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type Address, getAddress, type Hex } from 'viem'
import { type DelegatedWallet, isDelegated, toDelegatedWallet } from '../eip7702/delegated-wallet.ts'
import { fromStoredDeployment } from './stored-deployment.ts'

/** A Safe of this service, in the form that the account functions take. */
export interface Wallet {
  /** Checksummed. */
  readonly address: Address
  /** The first owner: the address and the init code follow from it. */
  readonly owner: AccountOwner
  readonly deployment: AccountDeployment
}

/** An account of any kind. */
export type AnyWallet = Wallet | DelegatedWallet

/** How requests name an account. */
interface AccountName {
  readonly walletAddress: Address
  readonly type?: AccountKind | undefined
}

/** What depends on the account's contracts. */
export const accountOf = (wallet: AnyWallet): SmartAccount =>
  isDelegated(wallet)
    ? toDelegatedAccount(wallet.address, wallet.deployment)
    : toSafeAccount(wallet.owner, wallet.deployment)

/** Whether an account is a Safe: what only Safes have (modules, owners that change) exists for it. */
export const isSafe = <W extends AnyWallet>(wallet: W): wallet is Extract<W, Wallet> => !isDelegated(wallet)

/** The same of a row, which may be incomplete. */
export const isSafeRow = (row: Pick<AccountIdentity, 'address' | 'deployment'>): boolean =>
  toDelegatedWallet(row) === undefined

export const accountKindOf = (wallet: AnyWallet): AccountKind => (isDelegated(wallet) ? 'eip7702' : 'safe')

/** Whether a network has the code of an account at its address: `code` is what the network returns for it. */
export const isDeployed = (wallet: Pick<AnyWallet, 'deployment'>, code: Hex | undefined): boolean =>
  isDelegated(wallet) ? readDelegation(code, wallet.deployment).kind === 'delegated' : code !== undefined

/** Converts a row of any kind to the form that the account functions take. */
export function toAnyWallet(row: AccountIdentity): AnyWallet {
  return (
    toDelegatedWallet(row) ?? {
      address: getAddress(row.address),
      owner: toOwner(row),
      deployment: fromStoredDeployment(row.deployment),
    }
  )
}

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

function toOwner({
  address,
  eoa_address,
  passkey_x,
  passkey_y,
  passkey_verifiers,
}: AccountIdentity): AccountOwner {
  if (eoa_address !== null) return { kind: 'eoa', address: getAddress(eoa_address) }
  if (passkey_x === null || passkey_y === null || passkey_verifiers === null) {
    throw new LanyardError('INTERNAL', { cause: `account ${address} has no owner` })
  }
  return { kind: 'passkey', x: passkey_x, y: passkey_y, verifiers: passkey_verifiers }
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
  if (isDelegated(wallet) || computeAccountAddress(wallet.owner, wallet.deployment) !== wallet.address)
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
