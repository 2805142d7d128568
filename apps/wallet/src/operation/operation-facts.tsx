import type { Call } from '@lanyard/accounts'
import {
  type CallContext,
  type CallDescription,
  callContext,
  describeCall,
  nativeOf,
  serves,
} from '@lanyard/calls'
import { Details, Fact, formatAmount, Identicon, Notice } from '@lanyard/ui'
import { ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AbiFunction } from 'viem'
import { formatFee, formatShortAmount } from '../amounts/amounts.ts'
import { useBalances, useHoldings } from '../holdings/use-balances.ts'
import { Worth } from '../holdings/worth.tsx'
import { rich, t } from '../i18n/t.ts'
import { readRecipients } from '../recipients/known-recipients.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { balancesAfter } from './balance-after.ts'
import { CallFacts } from './call-facts.tsx'
import { findRisks } from './find-risks.ts'
import { PaymentFacts } from './payment-facts.tsx'
import type { PreparedOperation } from './prepare-operation.ts'
import { RiskNotices } from './risk-notices.tsx'
import { ServiceClaims } from './service-claims.tsx'

interface OperationFactsProps {
  readonly prepared: PreparedOperation
  readonly names?: ReadonlyMap<string, string> | undefined
  readonly abi?: AbiFunction | undefined
}

/** Describes the operation as its bytes define it, including the fee. */
export function OperationFacts({ prepared, names, abi }: OperationFactsProps) {
  const { network, verified, payment, sponsored, feeCurrency, replaced } = prepared
  const { tokenFee } = verified
  const { account, username } = useSession()
  const context = callContext(account, network)
  const { data: balances } = useBalances()
  const described = verified.calls.map((call) => ({ call, description: describeCall(call, context) }))
  const known = new Set(
    readRecipients(account).flatMap(({ address, contact, paidAt }) =>
      contact || paidAt !== undefined ? [address.toLowerCase()] : [],
    ),
  )
  const held = useHoldings(network)
  const native = nativeOf(network.currencies)
  const risks = findRisks({ calls: described, context, known, names: names ?? new Map(), held })
  const left = payment
    ? []
    : balancesAfter(
        described.map(({ description }) => description),
        feeOf(prepared),
        balances?.find(({ chainId }) => chainId === network.chainId),
        context,
      )
  return (
    <div className="grid gap-4">
      {replaced && (
        <Notice
          title={
            replaced.how === 'faster'
              ? t('This takes the place of: {summary}', { summary: replaced.summary })
              : t('This cancels: {summary}', { summary: replaced.summary })
          }
        >
          {replaced.how === 'faster'
            ? t('The calls stay the same. Only one of the two can be included.')
            : t(
                'It moves nothing and costs only the network fee. If the first one is included before it, that one counts.',
              )}
        </Notice>
      )}
      {visible(described, context).map(({ call, description }, index) => (
        <CallFacts
          // biome-ignore lint/suspicious/noArrayIndexKey: calls can be equal, and their order is fixed
          key={index}
          call={call}
          description={description}
          names={names}
          abi={abi}
          smartBalance={network.smartBalance?.address}
          currencies={network.currencies}
          chainId={network.chainId}
        />
      ))}
      <ServiceClaims prepared={prepared} />
      <RiskNotices risks={risks} />
      <dl className="grid gap-2.5 border-line border-t pt-4 text-sm">
        <Fact term={t('From')}>
          <span className="inline-flex items-center gap-2">
            <Identicon address={account} className="size-5" />
            {rich('{username}’s account', { username })}
          </span>
        </Fact>
        {payment ? (
          <PaymentFacts network={network} payment={payment} />
        ) : (
          <>
            <Fact term={t('Network')}>{network.name}</Fact>
            {sponsored ? (
              <Fact term={t('Network fee')}>{t('Paid by this service')}</Fact>
            ) : tokenFee && feeCurrency ? (
              <Fact term={t('Network fee, at most')}>
                <span className="figures">
                  {formatFee(tokenFee.maximum, feeCurrency.decimals)} {feeCurrency.symbol}
                </span>{' '}
                <Worth
                  chainId={network.chainId}
                  currency={feeCurrency}
                  amount={tokenFee.maximum}
                  round="up"
                />
                <span className="ml-auto block max-w-80 text-muted">
                  {t(
                    'You have too little {symbol} here for the fee, so you pay it in {token}. You keep what is not needed.',
                    {
                      symbol: native.symbol,
                      token: feeCurrency.symbol,
                    },
                  )}
                </span>
              </Fact>
            ) : (
              <Fact term={t('Network fee, at most')}>
                <span className="figures">
                  {formatFee(verified.maxFee, native.decimals)} {native.symbol}
                </span>{' '}
                <Worth chainId={network.chainId} currency={native} amount={verified.maxFee} round="up" />
              </Fact>
            )}
          </>
        )}
        {replaced && (
          <Fact term={t('Network fee so far, at most')}>
            <span className="figures">
              {formatFee(replaced.maxFee, native.decimals)} {native.symbol}
            </span>
          </Fact>
        )}
        {left.map(({ currency, amount }) => (
          <Fact key={currency.token ?? 'native'} term={t('Balance after, at least')}>
            <span className="figures">
              {formatShortAmount(amount, currency.decimals)} {currency.symbol}
            </span>
          </Fact>
        ))}
        {verified.deploysAccount && (
          <Fact term={t('First transaction here')}>{t('Also deploys your account')}</Fact>
        )}
      </dl>
      <div className="grid gap-2 rounded-field bg-accent-soft p-3.5">
        <p className="flex gap-2 text-sm">
          <ShieldCheck className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
          {t('Recomputed on this device: your passkey signs this and nothing else.')}
        </p>
        <Details summary={t('Technical details')}>
          <dl className="grid gap-3 break-all font-mono text-xs leading-5">
            <RawFact term={t('SafeOp hash, the passkey’s challenge')}>{verified.operationHash}</RawFact>
            <RawFact term={t('User operation hash')}>{verified.userOpHash}</RawFact>
            <RawFact term={t('Network fee, at most')}>
              {formatAmount(verified.maxFee, native.decimals)} {native.symbol}
            </RawFact>
            {payment && <RawFact term={t('Order hash')}>{payment.orderHash}</RawFact>}
            {[...(tokenFee?.approvals ?? []), ...verified.calls].map((call, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <RawFact key={index} term={t('Call {index}', { index: index + 1 })}>
                {rich('to {to}, {value} wei, data {data}', {
                  to: call.to,
                  value: call.value.toString(),
                  data: call.data,
                })}
              </RawFact>
            ))}
          </dl>
        </Details>
      </div>
    </div>
  )
}

/** The most that the account can pay for the operation, and in which currency. */
function feeOf({ verified, sponsored, feeCurrency, network }: PreparedOperation) {
  const { tokenFee, maxFee } = verified
  if (tokenFee && feeCurrency) return { currency: feeCurrency, amount: tokenFee.maximum }
  return { currency: nativeOf(network.currencies), amount: sponsored ? 0n : maxFee }
}

/** Every call. The calls that the person requested come first, then those that only serve them. */
function visible(
  described: readonly { readonly call: Call; readonly description: CallDescription }[],
  context: CallContext,
) {
  const serving = described.filter(({ description }) => serves(description, context))
  return [...described.filter((shown) => !serving.includes(shown)), ...serving]
}

function RawFact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-sans text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
