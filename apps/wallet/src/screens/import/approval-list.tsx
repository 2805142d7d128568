import { Button, FullAddress, Notice, shortAddress } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { readApprovals } from './approvals.ts'
import { describeEoaProblem, type Holdings, type ImportedEoa } from './imported-eoa.tsx'

interface ApprovalListProps {
  readonly eoa: Pick<ImportedEoa, 'wallet' | 'address'>
  readonly networks: readonly Network[]
  readonly holdings: Holdings
}

/** The approvals that stay with the old address: those that apps need again from the new one. */
export function ApprovalList({ eoa, networks, holdings }: ApprovalListProps) {
  const reading = useMutation({
    mutationFn: async () => {
      const found = []
      // One after the other: the wallet is on one network at a time.
      for (const { chainId } of networks)
        found.push(...(await readApprovals(eoa, chainId, (token) => symbolOf(token) !== undefined)))
      return found
    },
  })
  const problem = describeEoaProblem(reading.error)
  const symbolOf = (token: string) =>
    holdings
      .flatMap(({ tokens }) => tokens)
      .find(({ address }) => address.toLowerCase() === token.toLowerCase())?.symbol
  const nameOf = (chainId: number) => networks.find((one) => one.chainId === chainId)?.name ?? chainId
  return (
    <div className="grid gap-2.5 text-sm">
      {problem && <Notice tone="error" {...problem} />}
      {reading.error && !problem && (
        <ErrorNotice
          error={reading.error}
          undone={t('The approvals were not read. An explorer of the network lists them too.')}
        />
      )}
      {reading.data?.length === 0 && <Notice title={t('No approval is in force.')} />}
      {reading.data && reading.data.length > 0 && (
        <>
          <p>{t('To be approved again from the new account, if you still use the app:')}</p>
          <p>{t('Of tokens that this wallet does not list, only the newest 30 are read.')}</p>
          <ul aria-label={t('Approvals')} className="grid gap-3">
            {reading.data.map(({ chainId, token, spender }) => (
              <li key={`${chainId} ${token} ${spender}`} className="grid gap-1">
                <span>
                  {symbolOf(token) ?? shortAddress(token)} · {nameOf(chainId)}
                </span>
                <FullAddress address={spender} />
              </li>
            ))}
          </ul>
        </>
      )}
      {!reading.data && (
        <Button
          variant="secondary"
          size="small"
          className="justify-self-start"
          busy={reading.isPending}
          onClick={() => reading.mutate()}
        >
          {t('List the approvals with your wallet')}
        </Button>
      )}
    </div>
  )
}
