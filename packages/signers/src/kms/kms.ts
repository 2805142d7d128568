import { createPublicKey } from 'node:crypto'
import { type Hex, hexToBytes, keccak256, type LocalAccount } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { KeystoreError } from '../keystore.ts'
import { createRemoteAccount, type ObserveSigning } from '../remote/remote-account.ts'
import { openAwsKms } from './aws-kms.ts'
import { openAzureKeyVault } from './azure-key-vault.ts'
import { openGcpKms } from './gcp-kms.ts'
import type { KmsKey, KmsService } from './kms-key.ts'
import { type Kms, type KmsSettings, unusable } from './kms-service.ts'

const services: Readonly<Record<KmsService, (settings: KmsSettings) => Promise<Kms>>> = {
  'aws-kms': openAwsKms,
  'gcp-kms': openGcpKms,
  'azure-kv': openAzureKeyVault,
}

/**
 * The services that keys of this process are in; each is opened once.
 *
 * @throws KeystoreError for a second service if there is an endpoint: the token of one would be sent to the other
 */
export function createKmsOpener(settings: KmsSettings): (kind: KmsService) => Promise<Kms> {
  const opened = new Map<KmsService, Promise<Kms>>()
  return async (kind) => {
    const [other] = [...opened.keys()].filter((one) => one !== kind)
    if (settings.endpoint !== undefined && other !== undefined)
      throw new KeystoreError('KMS_ENDPOINT', `${other} and ${kind} have no endpoint in common`)
    const known = opened.get(kind) ?? services[kind](settings)
    opened.set(kind, known)
    return known
  }
}

/**
 * The account of a key in a key service. The service gets the Keccak-256 of what is signed, because no cloud computes it.
 * Every signature is checked before it is used (`createRemoteAccount`).
 *
 * @throws SIGNER_UNAVAILABLE, SIGNER_FAILED if the key has no address in the configuration and its public key cannot be read
 */
export async function openKmsAccount(
  kms: Kms,
  { id, address }: KmsKey,
  observe?: ObserveSigning,
): Promise<LocalAccount> {
  const known = address ?? publicKeyToAddress(assertPoint(await kms.publicKey(id)))
  return createRemoteAccount(known, (preimage) => kms.sign(id, keccak256(preimage)), observe)
}

/**
 * Coins at the address of something else could never be moved.
 *
 * @throws SIGNER_FAILED if it is no point of secp256k1
 */
function assertPoint(publicKey: Hex): Hex {
  const bytes = hexToBytes(publicKey)
  const [x = '', y = ''] = [bytes.subarray(1, 33), bytes.subarray(33)].map((one) =>
    Buffer.from(one).toString('base64url'),
  )
  try {
    createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'secp256k1', x, y } })
    return publicKey
  } catch {
    throw unusable('the public key is no point of secp256k1')
  }
}
