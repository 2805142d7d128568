import type { Address } from 'viem'
import type { trpc } from '../../api/trpc.ts'
import { t } from '../../i18n/t.ts'
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
    {t(
      'If you exported the key of another service: the file lanyard-key.html takes it, opened from your disk. Ask the operator of this wallet for it, and compare its hash with the published one.',
    )}
  </p>
)
