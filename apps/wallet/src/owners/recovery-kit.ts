import {
  type AccountOwner,
  computeAccountAddress,
  encodeInitializer,
  safeDeployment,
} from '@lanyard/accounts'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { type Address, hexToBigInt, isAddressEqual } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'

export type RecoveryKit = EndpointOutput<typeof endpoints.owner.recoveryKit>

/**
 * Checks that the kit is this account's: its address has to follow from the owner, the contracts and the initializer
 * in the kit. A kit that is wrong would only be found out on the day when it is needed.
 *
 * @throws WalletError KIT_DIFFERS
 */
export function verifyRecoveryKit(kit: RecoveryKit, account: Address): void {
  const owner = readOwner(kit)
  const deployment = {
    ...safeDeployment,
    factory: kit.factory,
    singleton: kit.singleton,
    saltNonce: BigInt(kit.saltNonce),
    module: kit.module,
    sharedSigner: kit.passkey?.sharedSigner ?? safeDeployment.sharedSigner,
  }
  const isOurs =
    owner !== undefined &&
    isAddressEqual(kit.walletAddress, account) &&
    isAddressEqual(computeAccountAddress(owner, deployment), account) &&
    encodeInitializer(owner, deployment) === kit.initializer.toLowerCase() &&
    // The address does not depend on it: the module has it built in.
    isAddressEqual(kit.entryPoint, safeDeployment.entryPoint)
  if (!isOurs) throw new WalletError('KIT_DIFFERS')
}

/** The first owner, which determines the address. */
export function readOwner({ passkey, eoaAddress }: RecoveryKit): AccountOwner | undefined {
  if (eoaAddress) return { kind: 'eoa', address: eoaAddress }
  if (!passkey) return undefined
  const { x, y, verifiers } = passkey
  return { kind: 'passkey', x: hexToBigInt(x), y: hexToBigInt(y), verifiers: hexToBigInt(verifiers) }
}

/**
 * The kit as the person keeps it. It holds no secret.
 *
 * @param recoveryPage where the page is that moves everything out with this file alone (apps/recovery)
 */
export function formatRecoveryKit(kit: RecoveryKit, username: string, recoveryPage: string): string {
  const about =
    'Recovery kit of a Lanyard account. It holds no secret; keep it beside your recovery key. The page of recoveryPage moves everything out with this file, without the service: save that page now, it is one file that works from anywhere.'
  return `${JSON.stringify({ about, version: 2, username, recoveryPage, ...kit }, null, 2)}\n`
}
