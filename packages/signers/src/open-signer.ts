import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { KeySource } from './key-source.ts'
import { KeystoreError } from './keystore/keystore-error.ts'
import { openKeystore } from './keystore/open-keystore.ts'
import { createRemoteAccount, type ObserveSigning } from './remote/remote-account.ts'
import type { RemoteSigner } from './remote/remote-signer.ts'

export interface SignerSettings {
  /** Of every encrypted file. */
  readonly passphrase?: string | undefined
  /** Holds the keys that are elsewhere. */
  readonly remote?: RemoteSigner | undefined
  /** Around every request to the remote signer; keys of this process answer at once and are not observed. */
  readonly observe?: ObserveSigning | undefined
  /** Told every key that this process decrypts, without its 0x: logs must not have it. */
  readonly hide?: ((secret: string) => void) | undefined
}

/**
 * The account that signs with a key, wherever the key is. What uses it never learns the difference, but that a remote
 * signature takes time and can fail: it is asked for outside of database transactions.
 *
 * A remote key is not asked for anything yet: the service starts while its signer is away.
 *
 * @throws KeystoreError for a file that cannot be opened, or when a setting that the source needs is missing
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
    case 'remote':
      if (!settings.remote) throw new TypeError('a remote key without a remote signer')
      return createRemoteAccount(settings.remote, source, settings.observe)
  }
}
