import { nativeOf } from '../../amounts/currency.ts'
import { formatAmount } from '../../amounts/format-amount.ts'
import { rich, t } from '../../i18n/t.ts'
import { CallFacts } from '../../operation/call-facts.tsx'
import { knownApp } from '../../session-keys/known-apps.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Time } from '../../ui/time.tsx'
import type { OperationEntry } from './timeline.ts'

interface OperationDetailsProps {
  readonly entry: OperationEntry
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

/** Everything about one operation: each call decoded, the app behind a session key, times, fee and hash. */
export function OperationDetails({
  entry: { operation, network, calls, raw },
  names,
}: OperationDetailsProps) {
  const { account } = useSession()
  const currencies = network?.currencies ?? []
  const native = nativeOf(currencies)
  const apps = calls.flatMap((call) =>
    call.kind === 'grant-session' || call.kind === 'revoke-session'
      ? (knownApp(account, Number(operation.network), call.keyId) ?? [])
      : [],
  )
  return (
    <div className="grid gap-4 py-2">
      <ol className="grid gap-4">
        {calls.map((description, index) => {
          const call = raw[index]
          return (
            call && (
              // biome-ignore lint/suspicious/noArrayIndexKey: calls can be equal, and their order is fixed
              <li key={index}>
                <CallFacts
                  call={call}
                  description={description}
                  names={names}
                  smartBalance={network?.smartBalance?.address}
                  currencies={currencies}
                />
              </li>
            )
          )
        })}
      </ol>
      <dl className="grid gap-1.5 border-line border-t pt-3 text-sm">
        {apps.map(({ name, origin }) => (
          <Fact key={`${name} ${origin}`} term={t('App, as it calls itself')}>
            <span className="wrap-anywhere">
              {name}, {origin}
            </span>
          </Fact>
        ))}
        <Fact term={t('Signed')}>
          <Time at={operation.signedAt} />
        </Fact>
        {operation.includedAt && (
          <Fact term={t('Included in a block')}>
            <Time at={operation.includedAt} />
          </Fact>
        )}
        {operation.gasCost && (
          <Fact term={t('Network fee')}>
            <span className="figures wrap-anywhere">
              {formatAmount(BigInt(operation.gasCost), native.decimals)} {native.symbol}
            </span>
          </Fact>
        )}
        <Fact term={t('Permanent')}>{operation.final ? t('Yes') : t('Not yet')}</Fact>
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
        <p className="min-w-0 text-muted">
          {rich('User operation {code}', {
            code: <code className="break-all font-mono text-xs">{operation.userOpHash}</code>,
          })}
        </p>
        <CopyButton text={operation.userOpHash} label={t('Copy the hash of the user operation')} />
      </div>
    </div>
  )
}
