import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { HashLink, Time } from '@lanyard/ui'
import { t } from '../../i18n/t.ts'
import type { Activity } from '../../operation/use-activity.ts'

export type OperationStep = NonNullable<
  EndpointOutput<typeof endpoints.smartAccount.status>['history']
>[number]

/** The steps that the list of the activity knows by itself. The service knows more, and when it was final. */
export const knownSteps = ({
  signedAt,
  includedAt,
  success,
  txnHash,
}: Pick<Activity, 'signedAt' | 'includedAt' | 'success' | 'txnHash'>): readonly OperationStep[] => [
  { what: 'signed', at: signedAt },
  ...(includedAt
    ? [
        {
          what: success === false ? ('reverted' as const) : ('included' as const),
          at: includedAt,
          ...(txnHash && { txnHash }),
        },
      ]
    : []),
]

interface OperationHistoryProps {
  readonly steps: readonly OperationStep[]
  readonly explorerUrl: string | undefined
}

/** What happened to an operation over time, oldest first, with the transactions that carried it. */
export function OperationHistory({ steps, explorerUrl }: OperationHistoryProps) {
  return (
    <ol className="grid gap-2.5 text-sm" aria-label={t('History')}>
      {steps.map(({ what, at, txnHash }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a step can repeat, and the order is fixed
          key={index}
          className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 border-line border-l-2 pl-3"
        >
          <span className={isBad(what) ? 'font-medium text-danger' : 'font-medium'}>{textOf(what)}</span>
          <span className="text-muted">
            <Time at={at} seconds />
          </span>
          {txnHash && (
            <span className="basis-full">
              <HashLink hash={txnHash} explorerUrl={explorerUrl} />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

const isBad = (what: OperationStep['what']) => what === 'reverted' || what === 'dropped'

function textOf(what: OperationStep['what']): string {
  switch (what) {
    case 'built':
      return t('Prepared')
    case 'signed':
      return t('Signed')
    case 'sent':
      return t('Sent to the network')
    case 'included':
      return t('Included in a block')
    case 'reverted':
      return t('Failed in a block')
    case 'reorged':
      return t('The network removed its block')
    case 'dropped':
      return t('Not included')
    case 'replaced':
      return t('Replaced by another transaction')
    case 'final':
      return t('Permanent')
  }
}
