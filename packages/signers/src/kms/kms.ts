import { keccak256, type LocalAccount } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { createRemoteAccount, type ObserveSigning } from '../remote/remote-account.ts'
import { openAwsKms } from './aws-kms.ts'
import { openAzureKeyVault } from './azure-key-vault.ts'
import { openGcpKms } from './gcp-kms.ts'
import type { KmsKey, KmsService } from './kms-key.ts'
import type { Kms, KmsSettings } from './kms-service.ts'

const services: Readonly<Record<KmsService, (settings: KmsSettings) => Promise<Kms>>> = {
  'aws-kms': openAwsKms,
  'gcp-kms': openGcpKms,
  'azure-kv': openAzureKeyVault,
}

/** The services that keys of this process are in; each is opened once. */
export function createKmsOpener(settings: KmsSettings): (kind: KmsService) => Promise<Kms> {
  const opened = new Map<KmsService, Promise<Kms>>()
  return (kind) => {
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
  const known = address ?? publicKeyToAddress(await kms.publicKey(id))
  return createRemoteAccount(known, (preimage) => kms.sign(id, keccak256(preimage)), observe)
}
