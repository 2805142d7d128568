import type { Call } from '@lanyard/accounts'
import type { CallDescription } from '@lanyard/calls'
import { type Currency, decodeArguments, findAssetFunction, nativeOf } from '@lanyard/calls'
import { formatAmount } from '@lanyard/ui'
import { type AbiFunction, type Address, type Hex, isAddressEqual } from 'viem'
import { Worth } from '../holdings/worth.tsx'
import { rich, t } from '../i18n/t.ts'
import { BigAmount, Party } from './party.tsx'
import { SessionCallFacts, SessionSetUpFacts } from './session-call-facts.tsx'
import { SmartBalanceCallFacts } from './smart-balance-call-facts.tsx'

interface CallFactsProps {
  readonly call: Call
  readonly description: CallDescription
  /** Lower-case address → name. */
  readonly names?: ReadonlyMap<string, string> | undefined
  readonly abi?: AbiFunction | undefined
  /** The network's SmartBalance contract. */
  readonly smartBalance?: Address | undefined
  /** The currencies of the network's amounts. */
  readonly currencies?: readonly Currency[]
  /** The network of a call that is to be signed: its amount has a price. */
  readonly chainId?: number
  /** Whether it was done: it is read in the activity list, not before signing. */
  readonly past?: boolean
}

/** One call, in large type. */
export function CallFacts({
  call,
  description,
  names,
  abi,
  smartBalance,
  currencies = [],
  chainId,
  past = false,
}: CallFactsProps) {
  switch (description.kind) {
    case 'transfer':
      return (
        <div className="grid gap-3">
          <BigAmount
            verb={t(past ? 'Sent' : 'Send')}
            amount={description.amount}
            currency={description.currency}
          />
          {chainId !== undefined && (
            <Worth chainId={chainId} currency={description.currency} amount={description.amount} />
          )}
          <Party term={t('to')} address={description.to} names={names} />
        </div>
      )
    case 'approve':
      return smartBalance && isAddressEqual(description.spender, smartBalance) ? (
        <p className="text-muted text-sm">
          {rich(
            past
              ? 'Let the combined balance contract take {amount} {symbol}, once.'
              : 'Lets the combined balance contract take {amount} {symbol}, once.',
            {
              amount: formatAmount(description.amount, description.currency.decimals),
              symbol: description.currency.symbol,
            },
          )}
        </p>
      ) : (
        <div className="grid gap-3">
          <BigAmount
            verb={t(past ? 'Allowed spending of' : 'Allow spending of')}
            amount={description.amount}
            currency={description.currency}
          />
          <Party term={t('by')} address={description.spender} names={names} />
        </div>
      )
    case 'add-owner':
      return (
        <div className="grid gap-3">
          <p className="font-semibold text-xl">{t(past ? 'Added an owner' : 'Add an owner')}</p>
          <Party
            term={t(past ? 'This owner can act alone' : 'This owner can then act alone')}
            address={description.owner}
            names={names}
          />
        </div>
      )
    case 'remove-owner':
      return (
        <div className="grid gap-3">
          <p className="font-semibold text-xl">{t(past ? 'Removed an owner' : 'Remove an owner')}</p>
          <Party
            term={t(past ? 'This owner can no longer act' : 'This owner can then no longer act')}
            address={description.owner}
            names={names}
          />
        </div>
      )
    case 'create-signer':
      return (
        <p className="text-muted text-sm">
          {t(
            past
              ? 'Created the contract that verifies the new passkey.'
              : 'Creates the contract that verifies the new passkey.',
          )}
        </p>
      )
    case 'enable-guardians':
      return (
        <div className="grid gap-2">
          <p className="font-semibold text-xl">{t(past ? 'Turned guardians on' : 'Turn guardians on')}</p>
          <p className="text-muted text-sm">
            {t(
              'Lets the guardians contract change the owners, but only as you sign it, or as your guardians recover the account. It is not audited yet.',
            )}
          </p>
        </div>
      )
    case 'remove-module':
      return (
        <div className="grid gap-3">
          <p className="font-semibold text-xl">{t(past ? 'Removed a module' : 'Remove a module')}</p>
          <Party
            term={
              past
                ? t('This contract can no longer act for your account')
                : t('This contract can then no longer act for your account')
            }
            address={description.module}
            names={names}
          />
        </div>
      )
    case 'remove-guard':
      return (
        <div className="grid gap-2">
          <p className="font-semibold text-xl">{t(past ? 'Removed the guard' : 'Remove the guard')}</p>
          <p className="text-muted text-sm">{t('Without it, no contract refuses what your account does.')}</p>
        </div>
      )
    case 'reset-handler':
      return (
        <div className="grid gap-2">
          <p className="font-semibold text-xl">
            {t(past ? 'Restored the fallback handler' : 'Restore the fallback handler')}
          </p>
          <p className="text-muted text-sm">
            {t('The contract that your account began with decides which signatures count.')}
          </p>
        </div>
      )
    case 'end-sessions':
      return (
        <div className="grid gap-2">
          <p className="font-semibold text-xl">
            {t(past ? 'Ended all session keys' : 'End all session keys')}
          </p>
          <p className="text-muted text-sm">
            {t(
              'Apps with a session key here cannot act for your account any more. Grant a key again to the ones you keep.',
            )}
          </p>
        </div>
      )
    case 'grant-session':
    case 'revoke-session':
    case 'act-in-session':
      return (
        <SessionCallFacts description={description} contract={call.to} currencies={currencies} past={past} />
      )
    case 'install-sessions':
    case 'remove-sessions':
      return <SessionSetUpFacts description={description} past={past} />
    case 'contract':
      return (
        <div className="grid gap-3">
          <p className="font-semibold text-xl">{t(past ? 'Called a contract' : 'Call a contract')}</p>
          <Party term={t('at')} address={description.to} names={names} />
          {description.value > 0n && (
            <p className="figures text-sm">
              {rich('with {amount} {symbol}', {
                amount: formatAmount(description.value, nativeOf(currencies).decimals),
                symbol: nativeOf(currencies).symbol,
              })}
            </p>
          )}
          <FunctionFacts
            data={call.data}
            selector={description.selector}
            abi={abi ?? findAssetFunction(call.data)?.abi}
          />
        </div>
      )
    default:
      return <SmartBalanceCallFacts description={description} names={names} contract={call.to} past={past} />
  }
}

interface FunctionFactsProps {
  readonly data: Hex
  readonly selector: Hex
  readonly abi: AbiFunction | undefined
}

/** The called function. Its arguments are decoded from the bytes if the person named the function. */
function FunctionFacts({ data, selector, abi }: FunctionFactsProps) {
  const args = abi && decodeArguments(abi, data)
  if (!args)
    return (
      <p className="text-sm">
        {rich('Function {code}', { code: <code className="font-mono">{selector}</code> })}
      </p>
    )
  return (
    <div className="grid gap-2 text-sm">
      <p>{rich('Function {code}', { code: <code className="font-medium font-mono">{abi.name}</code> })}</p>
      <dl className="grid gap-1.5 border-line border-l-2 pl-3">
        {args.map(({ name, value }) => (
          <div key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="break-all font-mono">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
