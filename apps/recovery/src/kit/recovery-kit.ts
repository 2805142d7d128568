import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  defaultDeployment,
  readCreation,
  toOwner,
} from '@lanyard/accounts'
import type { Address } from 'viem'
import { RecoveryError } from '../recovery-error.ts'
import { type KitFile, kitFile } from './kit-file.ts'

/** The currency that pays for gas. */
export interface NativeCurrency {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/** A network listed in the kit. */
export interface KitNetwork {
  readonly chainId: number
  readonly name: string
  /** Absent in kits that were saved before kits named it. */
  readonly nativeCurrency?: NativeCurrency
  readonly rpcUrl?: string
  readonly smartBalance?: Address
  readonly tokens: readonly Address[]
}

/** The account data that a recovery kit contains. */
export interface RecoveryKit {
  readonly account: Address
  /** The first owner, which determines the address. Other owners are recorded only on chain. */
  readonly owner: AccountOwner
  readonly deployment: AccountDeployment
  /** The domain on which the account's passkeys work. */
  readonly rpId?: string
  /** base64url. */
  readonly credentialIds: readonly string[]
  readonly networks: readonly KitNetwork[]
}

/**
 * Reads a recovery kit: the file that the wallet writes, or the raw response of the service's endpoint. The
 * address must follow from the other fields, so a modified file cannot lead to somebody else's account.
 *
 * @throws RecoveryError NOT_A_KIT
 */
export function readRecoveryKit(text: string): RecoveryKit {
  const file = parse(text)
  if (!file.eoaAddress && !file.passkey)
    throw new RecoveryError('NOT_A_KIT', 'The kit does not name a first owner.')
  const creation = readCreation(file)
  if (!creation)
    throw new RecoveryError('NOT_A_KIT', 'The kit was changed: its address does not match its content.')
  return {
    account: file.walletAddress,
    ...creation,
    ...(file.passkey && { rpId: file.passkey.rpId }),
    credentialIds: file.credentialIds,
    networks: file.networks.map(({ network: chainId, ...rest }) => ({ chainId, ...rest })),
  }
}

/**
 * Builds the kit of an EOA's account, for people who have no kit.
 *
 * @param account - required if the EOA became an owner later; such an owner can only act where the account is
 * deployed
 */
export function recoveryKitOf(eoa: Address, account?: Address): RecoveryKit {
  const owner = toOwner({ address: eoa })
  return {
    account: account ?? computeAccountAddress(owner),
    owner,
    deployment: defaultDeployment,
    credentialIds: [],
    networks: [],
  }
}

function parse(text: string): KitFile {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw new RecoveryError('NOT_A_KIT', 'This is not a recovery kit: it is not JSON.', { cause })
  }
  const parsed = kitFile.safeParse(content)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RecoveryError(
    'NOT_A_KIT',
    `This is not a recovery kit: ${issue?.path.join('.')}: ${issue?.message}.`,
  )
}
