import { Button } from '@lanyard/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Droplet } from 'lucide-react'
import { trpc } from '../../api/trpc.ts'
import { describeError } from '../../errors/describe-error.ts'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useSession } from '../../sign-in/session-context.tsx'

interface FaucetButtonProps {
  readonly network: Network
  /** What the button shows, where the words around it say the rest. */
  readonly text?: string
}

/** Requests test money on a local network. The request goes on when the person leaves the screen. */
export function FaucetButton({ network, text = t('Get test money') }: FaucetButtonProps) {
  const { account } = useSession()
  const queryClient = useQueryClient()
  const faucet = useMutation({
    mutationFn: () => trpc.wallet.faucet.mutate({ walletAddress: account, network: network.chainId }),
    onSuccess: () =>
      Promise.all(
        ['balances', 'transfers'].map((key) => queryClient.invalidateQueries({ queryKey: [key, account] })),
      ),
  })
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        variant="secondary"
        size="small"
        busy={faucet.isPending}
        aria-label={t('Get test money on {network}', { network: network.name })}
        onClick={() => faucet.mutate()}
      >
        {!faucet.isPending && <Droplet className="size-3.5" aria-hidden="true" />}
        {text}
      </Button>
      <span role="status" className={`text-sm ${faucet.error ? 'text-danger' : 'sr-only'}`}>
        {faucet.error && `${describeError(faucet.error).title} ${describeError(faucet.error).advice}`}
        {faucet.isSuccess && t('Test money arrived on {network}.', { network: network.name })}
      </span>
    </div>
  )
}
