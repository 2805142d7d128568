import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { KeySource } from './key-source.ts'
import { KeystoreError, openKeystore } from './keystore.ts'
import { type createKmsOpener, openKmsAccount } from './kms/kms.ts'
import { createRemoteAccount, type ObserveSigning } from './remote/remote-account.ts'
import type { RemoteSigner } from './remote/remote-signer.ts'

export interface SignerSettings {
  /** The passphrase of every encrypted file. */
  readonly passphrase?: string | undefined
  /** The remote signer, for keys that are stored there. */
  readonly remote?: RemoteSigner | undefined
  /** Opens the key services, for keys that are stored there. */
  readonly kms?: ReturnType<typeof createKmsOpener> | undefined
  /** Wraps every request to the remote signer; keys of this process sign immediately and are not observed. */
  readonly observe?: ObserveSigning | undefined
  /** Called with every key that this process decrypts, without its 0x, so that logs can redact it. */
  readonly hide?: ((secret: string) => void) | undefined
}

/**
 * The account that signs with a key, wherever the key is. For callers, remote keys differ only in that a
 * signature takes time and can fail, so request it outside database transactions.
 *
 * A remote key causes no request yet: the service can start while its signer is unavailable.
 *
 * A key in a key service is asked for its public key, unless the source names its address.
 *
 * @throws KeystoreError if a file cannot be opened, or if a setting or a package that the source needs is missing; SIGNER_UNAVAILABLE,
 * SIGNER_FAILED
 */
export async function openSigner(source: KeySource, settings: SignerSettings): Promise<LocalAccount> {
  switch (source.kind) {
    case 'inline':
      return privateKeyToAccount(source.privateKey)
    case 'keystore': {
      const { passphrase, hide } = settings
      if (passphrase === undefined) throw new KeystoreError(source.path, 'no passphrase was given')
      const privateKey = await openKeystore(source.path, passphrase)
      hide?.(privateKey.slice(2))
      return privateKeyToAccount(privateKey)
    }
    case 'remote': {
      const { remote } = settings
      if (!remote) throw new TypeError('a remote key without a remote signer')
      return createRemoteAccount(source.address, (data) => remote.sign(source, data), settings.observe)
    }
    default:
      if (!settings.kms) throw new TypeError('a key in a key service without its settings')
      return openKmsAccount(await settings.kms(source.kind), source, settings.observe)
  }
}
