import { defaultVerifiers, encodeInitializer, type PasskeyOwner, safeDeployment } from '@lanyard/accounts'
import type { Address } from 'viem'
import type { Network } from '../networks/use-networks.ts'
import type { PasskeyPublicKey } from '../passkey/public-key.ts'

/**
 * Everything that is needed to find and operate the account without this service: with it and a recovery owner's
 * key, any Safe tool or a few lines of viem do. It holds no secret.
 */
export function recoveryKit(
  { username, account, publicKey }: { username: string; account: Address; publicKey: PasskeyPublicKey },
  networks: readonly Network[],
): string {
  const owner: PasskeyOwner = { kind: 'passkey', ...publicKey, verifiers: defaultVerifiers }
  const { saltNonce, ...contracts } = safeDeployment
  const kit = {
    about: 'Recovery kit of a Lanyard account. It holds no secret; keep it beside your recovery key.',
    version: 1,
    username,
    account,
    passkey: {
      rpId: location.hostname,
      x: `0x${owner.x.toString(16).padStart(64, '0')}`,
      y: `0x${owner.y.toString(16).padStart(64, '0')}`,
      verifiers: `0x${owner.verifiers.toString(16).padStart(44, '0')}`,
    },
    initializer: encodeInitializer(owner),
    deployment: { ...contracts, saltNonce: saltNonce.toString() },
    networks: networks.map(({ chainId, name }) => ({ chainId, name })),
  }
  return `${JSON.stringify(kit, null, 2)}\n`
}
