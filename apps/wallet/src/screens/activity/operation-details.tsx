import { CopyButton, Fact, Identicon, shortAddress } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { type Address, isAddressEqual } from 'viem'
import { trpc } from '../../api/trpc.ts'
import { requesterOf } from '../../connections/requesters.ts'
import { rich, t } from '../../i18n/t.ts'
import { CallFacts } from '../../operation/call-facts.tsx'
import { knownApp } from '../../session-keys/known-apps.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { knownSteps, OperationHistory } from './operation-history.tsx'
import { stateOf } from './operation-state.ts'
import type { OperationEntry } from './timeline.ts'

interface OperationDetailsProps {
  readonly entry: OperationEntry
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

/** What a receipt leaves out: each call decoded, the app and the owner behind it, the history and the hash. */
export function OperationDetails({
  entry: { operation, network, calls, raw },
  names,
}: OperationDetailsProps) {
  const { account } = useSession()
  const { userOpHash, state, final } = operation
  // An operation that was sent without this service has no history there.
  const status = useQuery({
    queryKey: ['history', userOpHash, state, final],
    queryFn: ({ signal }) => trpc.smartAccount.status.query({ userOpHash, history: true }, { signal }),
  })
  const currencies = network?.currencies ?? []
  const apps = calls.flatMap((call) =>
    call.kind === 'grant-session' || call.kind === 'revoke-session'
      ? (knownApp(account, Number(operation.network), call.keyId) ?? [])
      : [],
  )
  const requester = requesterOf(account, userOpHash)
  const signer = status.data?.signer
  return (
    <div className="grid gap-4 py-2 text-sm">
      {/* The receipt shows payments already. */}
      <ol className="grid gap-4 empty:hidden">
        {calls.map((description, index) => {
          const call = raw[index]
          return (
            call &&
            description.kind !== 'transfer' && (
              // biome-ignore lint/suspicious/noArrayIndexKey: calls can be equal, and their order is fixed
              <li key={index}>
                <CallFacts
                  call={call}
                  description={description}
                  names={names}
                  smartBalance={network?.smartBalance?.address}
                  currencies={currencies}
                  past={stateOf(operation).done}
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
        {requester && (
          <Fact term={t('Requested by')}>
            <span className="wrap-anywhere">{requester}</span>
          </Fact>
        )}
        {signer && (
          <Fact term={t('Signed by')}>
            <Signer address={signer} sessionKeys={network?.sessionKeys} names={names} />
          </Fact>
        )}
        <Fact term={t('Permanent')}>{final ? t('Yes') : t('Not yet')}</Fact>
      </dl>
      <OperationHistory
        steps={status.data?.history ?? knownSteps(operation)}
        explorerUrl={network?.explorerUrl}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
        <p className="min-w-0 text-muted">
          {rich('User operation {code}', {
            code: <code className="break-all font-mono text-xs">{userOpHash}</code>,
          })}
        </p>
        <CopyButton text={userOpHash} label={t('Copy the hash of the user operation')} />
      </div>
    </div>
  )
}

interface SignerProps {
  readonly address: Address
  readonly sessionKeys: Address | undefined
  readonly names: ReadonlyMap<string, string>
}

/** The owner that signed, by the name that the person gave it. */
function Signer({ address, sessionKeys, names }: SignerProps) {
  return sessionKeys && isAddressEqual(address, sessionKeys) ? (
    t('A session key')
  ) : (
    <Counterparty address={address} names={names} />
  )
}

interface CounterpartyProps {
  readonly address: Address
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

/** The other party of a transfer. A known name is always shown with the address. */
function Counterparty({ address, names }: CounterpartyProps) {
  const name = names.get(address.toLowerCase())
  return (
    <span className="inline-flex min-w-0 max-w-full flex-wrap items-center gap-1.5" title={address}>
      <Identicon address={address} className="size-4" />
      {name && <span className="truncate font-medium text-ink">{name}</span>}
      <span className="shrink-0 font-mono text-xs">{shortAddress(address)}</span>
    </span>
  )
}
