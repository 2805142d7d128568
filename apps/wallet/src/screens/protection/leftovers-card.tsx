import { useState } from 'react'
import { t } from '../../i18n/t.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { usePrepareOperation } from '../../operation/use-prepare-operation.ts'
import { type Leftover, useLeftovers } from '../../owners/leftovers.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { FullAddress } from '../../ui/full-address.tsx'

const idOf = ({ kind, address, network }: Leftover) => `${kind} ${address} ${network.chainId}`

/** Contracts that outlive a recovery, with a button for each that removes it. Hidden if there are none. */
export function LeftoversCard() {
  const leftovers = useLeftovers()
  const operation = usePrepareOperation()
  const [chosen, setChosen] = useState<string>()
  if (operation.data)
    return (
      <OperationReview
        prepared={operation.data}
        onBack={operation.reset}
        next={<Button onClick={operation.reset}>{t('Back to the list')}</Button>}
      />
    )
  if (leftovers.length === 0) return null
  return (
    <Card aria-labelledby="leftovers" className="grid gap-3 p-5">
      <h2 id="leftovers" className="font-semibold text-cord-ink">
        {t('Also in your account')}
      </h2>
      <p className="text-sm">
        {t(
          'This wallet does not know these contracts. New owners do not end them: remove what you did not add yourself.',
        )}
      </p>
      <ul className="divide-y divide-line border-line border-y">
        {leftovers.map((leftover) => {
          const { kind, address, network, call } = leftover
          const id = idOf(leftover)
          return (
            <li key={id} className="grid gap-2 py-3">
              <div className="flex flex-wrap items-center justify-between gap-3">
                <span className="grid min-w-0 flex-1">
                  <span className="font-medium">{titleOf(leftover)}</span>
                  <span className="text-muted text-sm">{effects[kind]}</span>
                </span>
                <Button
                  variant="danger"
                  size="small"
                  aria-label={t('Remove {address} on {network}', { address, network: network.name })}
                  busy={operation.isPending && chosen === id}
                  onClick={() => {
                    setChosen(id)
                    operation.mutate({ network, calls: [call] })
                  }}
                >
                  {t('Remove')}
                </Button>
              </div>
              <FullAddress address={address} />
              {operation.error && chosen === id && <ErrorNotice error={operation.error} />}
            </li>
          )
        })}
      </ul>
      <p className="text-muted text-sm">
        {t(
          'Which contracts may still spend your tokens cannot be listed here. Check the approvals of your account in an explorer.',
        )}
      </p>
    </Card>
  )
}

function titleOf({ kind, network: { name } }: Leftover): string {
  switch (kind) {
    case 'module':
      return t('A module on {network}', { network: name })
    case 'guard':
      return t('A guard on {network}', { network: name })
    case 'handler':
      return t('Another fallback handler on {network}', { network: name })
  }
}

const effects: Readonly<Record<Leftover['kind'], string>> = {
  module: t('It can do anything with your account, without a signature.'),
  guard: t('It can refuse what your account does.'),
  handler: t('It decides which signatures of your account count.'),
}
