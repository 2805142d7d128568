import { NetworkMark, Tag } from '@lanyard/ui'
import { Check, CircleDashed, Minus } from 'lucide-react'
import { isAddressEqual } from 'viem'
import { formatShortAmount } from '../../amounts/amounts.ts'
import { type Guardian, guardianName } from '../../guardians/guardian.ts'
import { useBalances } from '../../holdings/use-balances.ts'
import { t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import { type Network, useNetworks } from '../../networks/use-networks.ts'
import type { LossAnswer } from '../../owners/loss-answer.ts'
import { useRecipientNames } from '../../recipients/known-recipients.ts'
import { useDeposits } from '../../smart-balance/use-deposits.ts'
import { totalsOf } from '../home/total.ts'

interface LossTableProps {
  readonly answer: LossAnswer
  readonly members: readonly Guardian[]
  readonly networks: readonly Network[]
  readonly held: Held
}

/** More columns do not fit. */
const maxColumns = 4

/** A row a network, a column a guardian. On a phone, a card a network. */
export function LossTable({ answer, members, networks, held }: LossTableProps) {
  const contacts = useRecipientNames()
  const isWide = members.length <= maxColumns
  return (
    <table className="block w-full text-sm sm:table">
      <caption className="sr-only">{t('Who could get your account back on each network')}</caption>
      <thead className="sr-only sm:not-sr-only">
        <tr className="border-line border-t text-left text-muted text-xs">
          <th scope="col" className="px-5 py-2.5 font-medium">
            {t('Network')}
          </th>
          <th scope="col" className="whitespace-nowrap px-2 py-2.5 text-right font-medium">
            {t('You have there')}
          </th>
          {isWide ? (
            members.map((member) => (
              <th key={member.guardian} scope="col" className="max-w-20 px-2 py-2.5 text-center font-medium">
                <span className="block truncate" title={member.guardian}>
                  {guardianName(member, contacts)}
                </span>
              </th>
            ))
          ) : (
            <th scope="col" className="px-2 py-2.5 font-medium">
              {t('Guardians')}
            </th>
          )}
          <th scope="col" className="px-5 py-2.5 font-medium">
            {t('Today')}
          </th>
        </tr>
      </thead>
      <tbody className="block sm:table-row-group">
        {answer.networks.map(({ network: chainId, state, able }) => {
          const name = nameNetworks([chainId], networks)
          const amounts = held.get(chainId)
          return (
            <tr
              key={chainId}
              className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1 border-line border-t px-5 py-3 sm:table-row sm:p-0"
            >
              <th scope="row" className="text-left font-medium sm:px-5 sm:py-3">
                <span className="flex items-center gap-2 sm:whitespace-nowrap">
                  <NetworkMark chainId={chainId} name={name} />
                  {name}
                </span>
              </th>
              <td className="figures order-3 col-span-2 text-muted sm:px-2 sm:py-3 sm:text-right sm:text-ink">
                {amounts?.length === 0
                  ? t('nothing')
                  : amounts?.map((amount) => <Amount key={amount} text={amount} />)}
              </td>
              {isWide ? (
                members.map((member) => (
                  <td key={member.guardian} className="order-4 col-span-2 sm:px-2 sm:py-3 sm:text-center">
                    <Ability
                      isAble={able.some((one) => isAddressEqual(one, member.guardian))}
                      isKnown={isKnown(member, chainId)}
                      name={guardianName(member, contacts)}
                    />
                  </td>
                ))
              ) : (
                <td className="order-4 col-span-2 sm:px-2 sm:py-3">
                  {t('{able} of {count} can sign', {
                    able: able.length,
                    count: members.length,
                  })}
                </td>
              )}
              <td className="order-2 sm:whitespace-nowrap sm:px-5 sm:py-3">
                <Tag tone={states[state].tone}>{states[state].label}</Tag>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const Amount = ({ text }: { text: string }) => (
  <span className="mr-3 inline-block whitespace-nowrap sm:mr-0 sm:block">{text}</span>
)

const isKnown = ({ networks }: Guardian, chainId: number) =>
  networks.some(({ network, status }) => network === chainId && status === 'up')

interface AbilityProps {
  /** Whether the guardian is in force there and could sign. */
  readonly isAble: boolean
  readonly isKnown: boolean
  readonly name: string
}

/** Whether a guardian could sign here today. Beside the mark, a phone shows the name that is the column's heading elsewhere. */
function Ability({ isAble, isKnown, name }: AbilityProps) {
  const Icon = isAble ? Check : isKnown ? CircleDashed : Minus
  const colour = isAble ? 'text-accent' : isKnown ? 'text-cord-ink' : 'text-muted'
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <Icon className={`size-4 shrink-0 ${colour}`} aria-hidden="true" />
      <span className="truncate sm:sr-only">{name}</span>
      <span className={isAble ? 'sr-only' : 'text-muted sm:sr-only'}>
        {isAble ? t('can sign here') : isKnown ? t('cannot sign here yet') : t('not known today')}
      </span>
    </span>
  )
}

const states: Readonly<
  Record<LossAnswer['networks'][number]['state'], { label: string; tone: 'neutral' | 'waiting' | 'good' }>
> = {
  owner: { label: t('Another owner'), tone: 'good' },
  ready: { label: t('Ready'), tone: 'good' },
  tight: { label: t('Ready, none to spare'), tone: 'waiting' },
  other: { label: t('Other guardians'), tone: 'waiting' },
  lost: { label: t('Not covered'), tone: 'waiting' },
  unknown: { label: t('Not responding'), tone: 'neutral' },
}

/** Chain id → what the person has there, an amount a currency. Networks that do not answer are missing. */
export type Held = ReadonlyMap<number, readonly string[]>

/** What would be lost with the account, also what is deposited. */
export function useHeld(): Held {
  const { data: networks = [] } = useNetworks()
  const { data: balances = [] } = useBalances()
  const { data: deposits } = useDeposits()
  const totals = totalsOf(networks, balances, deposits)
  return new Map(
    balances
      .filter(({ available }) => available)
      .map(({ chainId }) => [
        chainId,
        totals.flatMap(({ currency, shares }) =>
          shares
            .filter(({ network }) => network.chainId === chainId)
            .map(({ amount }) => `${formatShortAmount(amount, currency.decimals)} ${currency.symbol}`),
        ),
      ]),
  )
}
