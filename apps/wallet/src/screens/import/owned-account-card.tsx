import { Button, Card, Details, Notice } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import type { Address } from 'viem'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useAddressField, useKnownPeople } from './address-field.tsx'
import { describeEoaProblem, type ImportedEoa } from './imported-eoa.tsx'
import { enableModule, importOwned, type OwnedOnNetwork } from './owned-account.ts'
import { PayFromAddress } from './pay-from-address.tsx'

interface OwnedAccountProps {
  readonly eoa: ImportedEoa
  readonly networks: readonly Network[]
}

/** A Safe that the address owns: what it lacks on each network, the one transaction that adds it, and a payment. */
export function OwnedAccountCard({ eoa, networks }: OwnedAccountProps) {
  const people = useKnownPeople(eoa.address)
  const field = useAddressField(people)
  const reading = useMutation({
    mutationFn: async (account: Address) => ({ account, states: await importOwned(eoa, account) }),
  })
  const enabling = useMutation({
    mutationFn: (network: Network) =>
      reading.data ? enableModule(eoa, reading.data.account, network) : Promise.resolve(),
    onSuccess: () => reading.data && reading.mutate(reading.data.account),
  })
  const read = () => {
    const account = field.read()
    enabling.reset()
    if (account) reading.mutate(account)
  }
  const states = reading.data?.states ?? []
  const ready = networks.filter(({ chainId }) =>
    states.some(({ network, state }) => network === chainId && state === 'ready'),
  )
  const problem = describeEoaProblem(enabling.error)
  return (
    <Card className="p-5">
      <Details summary={t('Use a Safe that this address owns')}>
        <div className="grid gap-4 pt-3">
          <p className="text-muted text-sm">
            {t(
              'A Safe 1.4.1 or 1.5.0 that one owner signs for keeps its address and what it holds. Your other tools go on working.',
            )}
          </p>
          {field.render(t('Address of the Safe'))}
          <Button variant="secondary" className="justify-self-start" busy={reading.isPending} onClick={read}>
            {reading.isPending ? t('Reading the networks…') : t('Read the Safe')}
          </Button>
          {reading.error && <ErrorNotice error={reading.error} />}
          {states.length > 0 && (
            <ul aria-label={t('Networks of the Safe')} className="divide-y divide-line border-line border-y">
              {states.map((state) => {
                const network = networks.find(({ chainId }) => chainId === state.network)
                return (
                  <li key={state.network} className="grid gap-2 py-3 text-sm">
                    <span className="font-medium">{network?.name ?? state.network}</span>
                    <StateText state={state} />
                    {state.state === 'incomplete' && network && (
                      <Button
                        size="small"
                        className="justify-self-start"
                        busy={enabling.isPending && enabling.variables === network}
                        onClick={() => enabling.mutate(network)}
                      >
                        {t('Add the module with your wallet')}
                      </Button>
                    )}
                  </li>
                )
              })}
            </ul>
          )}
          {enabling.error &&
            (problem ? <Notice tone="error" {...problem} /> : <ErrorNotice error={enabling.error} />)}
          {reading.data && ready.length > 0 && (
            <PayFromAddress eoa={eoa} owned={reading.data.account} networks={ready} onPaid={() => {}} />
          )}
        </div>
      </Details>
    </Card>
  )
}

function StateText({ state: { state, version, problems = [] } }: { readonly state: OwnedOnNetwork }) {
  switch (state) {
    case 'ready':
      return <span>{t('Safe {version}, ready.', { version: version ?? '' })}</span>
    case 'incomplete':
      return (
        <span>
          {t(
            'Safe {version}. It lacks the module for ERC-4337. One transaction of your wallet adds it; from then on a signature of an owner moves the account.',
            { version: version ?? '' },
          )}
        </span>
      )
    case 'absent':
      return <span>{t('It does not exist here. Send nothing to it on this network.')}</span>
    case 'down':
      return <span>{t('The network does not answer. Send nothing to it until it does.')}</span>
    case 'unsupported':
      return (
        <ul className="grid gap-1">
          {problems.map(({ message }) => (
            <li key={message} className="wrap-anywhere">
              {message}
            </li>
          ))}
        </ul>
      )
  }
}
