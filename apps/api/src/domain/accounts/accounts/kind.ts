import type {
  AccountDeployment,
  AccountOwner,
  SignedUserOperation,
  SmartAccount,
  UserOperation,
} from '@lanyard/accounts'
import type { AccountKind, EndpointResult, endpoints } from '@lanyard/contracts'
import type { AccountIdentity, OperationRow, StoredAuthorization } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'
import type { Address, Hex } from 'viem'

/** The kind of the account that an EOA or a passkey gets if the request names none. */
export const defaultKind = 'safe' satisfies AccountKind

/** A contract account of this service, in the form that the account functions take. */
export interface Wallet {
  /** Checksummed. */
  readonly address: Address
  /** The first owner: the address and the init code follow from it. */
  readonly owner: AccountOwner
  readonly deployment: AccountDeployment
}

/** What the owner signs besides the hash, or in its place. */
type SigningTerms = Partial<
  Pick<EndpointResult<typeof endpoints.smartAccount.build>, 'typedData' | 'authorization'>
>

/** The columns of a row that name an account. */
interface StoredAccount {
  readonly address: Address
  /** The owner that the address commits to; null if the address is the owner. */
  readonly eoaAddress: Address | null
  /** The contracts, as JSON. */
  readonly deployment: unknown
}

/** Whether an account is imported: another program deployed it, and nothing here deploys it on a further network. */
export const isImported = ({ deployment }: { readonly deployment: object }): boolean =>
  'address' in deployment && deployment.address !== undefined

/** What names the sender of an operation that a client built. */
export type SentBy = Pick<UserOperation, 'sender' | 'initCode' | 'entryPoint'> &
  Pick<SignedUserOperation, 'authorization'>

/** A kind of account: what the service asks of its rows, and of the accounts of that kind. `kinds` lists all. */
export interface Kind<Wallet> {
  /** What an owner uses instead of what an endpoint does that the kind does not support, by the endpoint's tag. */
  readonly substitutes: Readonly<Record<string, string>>
  /** The account of a row. */
  read(row: AccountIdentity): Wallet
  /** The account of this kind that an EOA gets. */
  ofEoa(eoa: Address, deployment: AccountDeployment): Wallet
  /** The EntryPoint of this kind alone. Absent: the network's, for all others. */
  readonly entryPoint?: Address
  /**
   * The sender of an operation through {@link entryPoint}, without a row. Absent: only a row or a factory names it.
   *
   * @throws INVALID_INPUT for a factory or an authorisation that is not the account's
   */
  ofSender?(operation: SentBy): Wallet
  /** Whether an account got its code in another way than by this operation, which can then never be included. */
  isDeployedOtherwise(network: Network, row: OperationRow): Promise<boolean>
  rulesOf(wallet: Wallet): KindRules
}

/** What a kind of account knows of one account. `SmartAccount` has what depends on no chain and no row. */
export interface KindRules {
  readonly kind: AccountKind
  readonly account: SmartAccount
  /** Whether a network has the account's code at its address: `code` is what the network returns for it. */
  isDeployed(code: Hex | undefined): boolean
  toStored(): StoredAccount
  /**
   * Checks that the account can have an operation on a network.
   *
   * @param replaces - whether the operation may switch the account from another contract
   * @returns what its owner signs besides the hash
   * @throws UNSUPPORTED_ACCOUNT_KIND, DELEGATED_ELSEWHERE, NETWORK_UNAVAILABLE, NETWORK_FAILED
   */
  requireUsable(network: Network, replaces?: boolean): Promise<(operation: UserOperation) => SigningTerms>
  /**
   * The authorisation to send a signed operation with, verified.
   *
   * @throws INVALID_AUTHORIZATION, NETWORK_UNAVAILABLE, NETWORK_FAILED
   */
  requireAuthorization(
    networks: Pick<Networks, 'get'>,
    row: OperationRow,
    given: StoredAuthorization | undefined,
  ): Promise<StoredAuthorization | undefined>
}
