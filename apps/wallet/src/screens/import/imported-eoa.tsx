import type { Address } from 'viem'
import type { trpc } from '../../api/trpc.ts'
import { rich, t } from '../../i18n/t.ts'
import { EoaWalletError } from '../../signers/eoa-wallet.ts'
import type { InjectedWallet } from '../../signers/injected-wallets.ts'

/** An EOA that has shown its key. */
export interface ImportedEoa {
  readonly wallet: InjectedWallet
  readonly address: Address
  readonly username: string
}

export type Holdings = Awaited<ReturnType<typeof trpc.wallet.balances.query>>['balances']

/** What a person with an exported key needs in place of a field. */
export const KeyFileHint = () => (
  <p className="mt-2">
    {rich(
      'If you exported the key of another service: {file} takes it. Save it, compare its SHA-256 ({hash}) with the published one, and open it from your disk.',
      { file: <SavedFile name="lanyard-key.html" />, hash: <SavedFile name="lanyard-key.html.sha256" /> },
    )}
  </p>
)

const SavedFile = ({ name }: { readonly name: string }) => (
  <a className="text-accent underline underline-offset-2" href={`/${name}`} download={name}>
    {name}
  </a>
)

/** What went wrong in the person's wallet, in words. Undefined for other errors. */
export function describeEoaProblem(error: Error | null): { title: string; children: string } | undefined {
  if (!(error instanceof EoaWalletError)) return undefined
  if (error.problem === 'OTHER_SAFE')
    return {
      title: t('Your wallet sees another Safe there.'),
      children: t(
        'What your own wallet reads on this network differs from what this service says. Nothing was signed. Check the network of your wallet, and read the Safe again.',
      ),
    }
  if (error.problem === 'OTHER_NETWORK')
    return {
      title: t('Your wallet is on another network.'),
      children: t('It did not switch. Add the network to your wallet, or choose it there, and try again.'),
    }
  if (error.problem === 'REVERTED')
    return { title: t('The transaction failed.'), children: t('Nothing was changed. Read the Safe again.') }
  return undefined
}
