import type { Call } from '@lanyard/accounts'
import { type AbiFunction, type Address, isAddressEqual } from 'viem'
import { nativeCurrency } from '../amounts/currency.ts'
import { formatAmount } from '../amounts/format-amount.ts'
import type { CallDescription } from '../calls/describe-call.ts'
import { useSession } from '../session/session-context.tsx'
import { FullAddress } from '../ui/full-address.tsx'
import { Notice } from '../ui/notice.tsx'
import { FunctionFacts } from './function-facts.tsx'

interface CallFactsProps {
  readonly call: Call
  readonly description: CallDescription
  /** Lower-case address → name. */
  readonly names?: ReadonlyMap<string, string> | undefined
  readonly abi?: AbiFunction | undefined
}

/** One call, large enough to be read before it is signed. */
export function CallFacts({ call, description, names, abi }: CallFactsProps) {
  const { account } = useSession()
  switch (description.kind) {
    case 'transfer':
      return (
        <div className="grid gap-3">
          <BigAmount verb="Send" amount={description.amount} currency={description.currency} />
          <Party term="to" address={description.to} names={names} />
        </div>
      )
    case 'approve':
      return (
        <div className="grid gap-3">
          <BigAmount verb="Allow spending of" amount={description.amount} currency={description.currency} />
          <Party term="by" address={description.spender} names={names} />
        </div>
      )
    case 'add-owner':
      return (
        <div className="grid gap-3">
          <p className="font-semibold text-xl">Add an owner</p>
          <Party term="who can then act alone" address={description.owner} names={names} />
        </div>
      )
    case 'remove-owner':
      return (
        <div className="grid gap-3">
          <p className="font-semibold text-xl">Remove an owner</p>
          <Party term="who can then act no more" address={description.owner} names={names} />
        </div>
      )
    case 'create-signer':
      return <p className="text-muted text-sm">Creates the contract that verifies the new passkey.</p>
    case 'contract':
      return (
        <div className="grid gap-3">
          <p className="font-semibold text-xl">Call a contract</p>
          <Party term="at" address={description.to} names={names} />
          {description.value > 0n && (
            <p className="figures text-sm">
              with {formatAmount(description.value, nativeCurrency.decimals)} {nativeCurrency.symbol}
            </p>
          )}
          <FunctionFacts data={call.data} selector={description.selector} abi={abi} />
          {isAddressEqual(call.to, account) && (
            <Notice tone="warning" title="This changes your account itself.">
              Sign only if you know exactly what this function does. It can lock you out for good.
            </Notice>
          )}
        </div>
      )
  }
}

interface BigAmountProps {
  readonly verb: string
  readonly amount: bigint
  readonly currency: { readonly symbol: string; readonly decimals: number }
}

function BigAmount({ verb, amount, currency }: BigAmountProps) {
  return (
    <p className="grid gap-0.5">
      <span className="text-muted text-sm">{verb}</span>
      <span className="figures break-all font-semibold text-3xl tracking-tight">
        {formatAmount(amount, currency.decimals)}{' '}
        <span className="font-medium text-muted text-xl tracking-normal">{currency.symbol}</span>
      </span>
    </p>
  )
}

interface PartyProps {
  readonly term: string
  readonly address: Address
  readonly names: ReadonlyMap<string, string> | undefined
}

function Party({ term, address, names }: PartyProps) {
  const name = names?.get(address.toLowerCase())
  return (
    <div className="grid gap-1">
      <p className="text-muted text-sm">
        {term} {name && <strong className="font-semibold text-ink">{name}</strong>}
      </p>
      <FullAddress address={address} />
    </div>
  )
}
