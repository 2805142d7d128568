import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  defaultDeployment,
  readCreation,
  toOwner,
} from '@lanyard/accounts'
import { type Address, getAddress, isAddress, isHex } from 'viem'
import { z } from 'zod'
import { RecoveryError } from '../recovery-error.ts'

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

const address = z
  .string()
  .refine((text) => isAddress(text, { strict: false }), 'Expected an address')
  .transform((text) => getAddress(text))
const hex = z.custom<`0x${string}`>((value) => isHex(value), 'Expected 0x and hex digits')

const network = z.object({
  network: z.int().positive(),
  name: z.string(),
  nativeCurrency: z
    .object({ name: z.string().max(40), symbol: z.string().max(12), decimals: z.int().min(0).max(36) })
    .exactOptional(),
  rpcUrl: z.url().exactOptional(),
  smartBalance: address.exactOptional(),
  tokens: z.array(address),
})

/** The recovery kit as the wallet writes it or as the service returns it. Additional members are allowed. */
const kitFile = z.object({
  walletAddress: address,
  factory: address,
  singleton: address,
  saltNonce: z.string().regex(/^\d+$/, 'Expected a decimal number'),
  initializer: hex,
  module: address,
  entryPoint: address,
  ownership: address.exactOptional(),
  eoaAddress: address.optional(),
  passkey: z.object({ rpId: z.string(), x: hex, y: hex, verifiers: hex, sharedSigner: address }).optional(),
  credentialIds: z.array(z.string()).default([]),
  networks: z.array(network),
})

type KitFile = z.output<typeof kitFile>
