import type { AccountOwner } from '@lanyard/accounts'
import { numberToHex } from 'viem'
import type { RecoveryKit } from '../../kit/recovery-kit.ts'
import { RecoveryError } from '../../recovery-error.ts'
import { accountOfSecret, type SecretAccount } from '../../signers/account-of-secret.ts'
import { eoaSigner } from '../../signers/eoa.ts'
import type { OwnerSigner } from '../../signers/owner-signer.ts'
import { passkeySigner } from '../../signers/passkey.ts'
import { t } from '../../words.ts'
import { byId } from '../dom.ts'
import { assertInBrowser } from './browser-passkey.ts'
import { openBrowserWallet } from './browser-wallet.ts'

/** A way to sign that the page offers. */
interface PageSigner {
  /** Whether it needs the field for a key. */
  readonly hasKey?: true
  /** Whether browsers offer it on the kit's domain only. */
  readonly isBoundToDomain?: true
  /** @throws RecoveryError USAGE */
  read(kit: RecoveryKit): OwnerSigner | Promise<OwnerSigner>
}

const signerKey = byId('signer-key', HTMLInputElement)

/** By the value of their radio button in `page.html`. */
export const pageSigners: Readonly<Record<string, PageSigner>> = {
  key: { hasKey: true, read: () => eoaSigner(readKey(signerKey, t('Your twelve words'))) },
  passkey: {
    isBoundToDomain: true,
    read({ rpId, credentialIds }) {
      if (rpId !== undefined) return passkeySigner((hash) => assertInBrowser(hash, rpId, credentialIds))
      throw new RecoveryError('USAGE', t('This kit names no passkey. Choose another way to sign in step 2.'))
    },
  },
  'any-passkey': {
    isBoundToDomain: true,
    read: ({ rpId = window.location.hostname }) => passkeySigner((hash) => assertInBrowser(hash, rpId, [])),
  },
  wallet: { read: async () => (await openBrowserWallet()).signer },
}

/** What a person with this kit most likely signs with: words work in each file. */
export const likelySigner = (passkeyWorksHere: boolean, isFile: boolean): string =>
  passkeyWorksHere ? 'passkey' : isFile ? 'key' : 'wallet'

/** @throws RecoveryError USAGE, without repeating the key */
export function readKey({ value }: HTMLInputElement, name: string): SecretAccount {
  const account = accountOfSecret(value)
  if (account) return account
  throw new RecoveryError('USAGE', t('{name}: enter twelve words, or 0x and 64 hex digits.', { name }))
}

/** An owner for people: its address, or its public key. */
export function ownerInWords(owner: AccountOwner): string {
  if (owner.kind === 'eoa') return owner.address
  return t('the passkey {key}', {
    key: `${numberToHex(owner.x, { size: 32 })} ${numberToHex(owner.y, { size: 32 })}`,
  })
}
