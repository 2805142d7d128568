import { type Address, createWalletClient, custom, type EIP1193Provider } from 'viem'
import { RecoveryError } from '../../recovery-error.ts'
import { eoaSigner } from '../../signers/eoa.ts'
import type { OwnerSigner } from '../../signers/owner-signer.ts'
import { t } from '../../words.ts'

declare global {
  interface Window {
    /** EIP-1193: the provider that a wallet extension injects. */
    readonly ethereum?: EIP1193Provider
  }
}

export interface BrowserWallet {
  readonly provider: EIP1193Provider
  readonly address: Address
  readonly signer: OwnerSigner
}

/** @throws RecoveryError USAGE if there is no wallet, or it returns no account */
export async function openBrowserWallet(): Promise<BrowserWallet> {
  const provider = window.ethereum
  if (!provider) {
    throw new RecoveryError(
      'USAGE',
      window.location.protocol === 'file:'
        ? t('This browser has no wallet. Most do not work in a saved file: choose a key in step 2.')
        : t('This browser has no wallet. Choose another way in step 2.'),
    )
  }
  const [address] = await provider.request({ method: 'eth_requestAccounts' })
  if (!address) throw new RecoveryError('USAGE', t('The wallet named no account.'))
  const client = createWalletClient({ account: address, transport: custom(provider) })
  return {
    provider,
    address,
    signer: eoaSigner({ address, signTypedData: (message) => client.signTypedData(message) }),
  }
}
