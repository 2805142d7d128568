import { Button } from '@lanyard/ui'
import type { InjectedWallet } from '../../signers/injected-wallets.ts'

interface WalletButtonsProps {
  readonly wallets: readonly InjectedWallet[]
  readonly label: (wallet: InjectedWallet) => string
  readonly busy: boolean
  readonly onPress: (wallet: InjectedWallet) => void
}

/** One button for each wallet of this browser. */
export const WalletButtons = ({ wallets, label, busy, onPress }: WalletButtonsProps) => (
  <div className="grid gap-2.5">
    {wallets.map((wallet) => (
      <Button key={wallet.id} size="large" busy={busy} onClick={() => onPress(wallet)}>
        {label(wallet)}
      </Button>
    ))}
  </div>
)
