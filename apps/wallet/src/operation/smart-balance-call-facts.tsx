import type { SmartBalanceCall } from '@lanyard/calls'
import { Details, formatAmount } from '@lanyard/ui'
import type { ReactNode } from 'react'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { t } from '../i18n/t.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { useTrustedSigners } from '../sign-in/trusted-signers.ts'
import { BigAmount, Party } from './party.tsx'

interface SmartBalanceCallFactsProps {
  readonly description: SmartBalanceCall
  readonly names?: ReadonlyMap<string, string> | undefined
  /** The SmartBalance contract. */
  readonly contract: Address
  /** Whether it was done. */
  readonly past: boolean
}

/** Describes a SmartBalance call. */
export function SmartBalanceCallFacts({ description, names, contract, past }: SmartBalanceCallFactsProps) {
  const { account } = useSession()
  switch (description.kind) {
    case 'deposit':
      return (
        <div className="grid gap-3">
          <BigAmount
            verb={t(past ? 'Deposited' : 'Deposit')}
            amount={description.amount}
            currency={description.unit}
          />
          {description.beneficiary ? (
            <Party term={t('into the combined balance of')} address={description.beneficiary} names={names} />
          ) : (
            <Party term={t('into your combined balance, held by this contract')} address={contract} />
          )}
        </div>
      )
    case 'withdraw': {
      const { amount, fee, unit, to } = description
      return isAddressEqual(to, account) ? (
        <Aside>
          {t(
            fee > 0n
              ? past
                ? 'Used {amount} {symbol} that you deposited on this network, and took {fee} {symbol} of the fee from there.'
                : 'Uses {amount} {symbol} that you deposited on this network, and takes {fee} {symbol} of the fee from there.'
              : past
                ? 'Used {amount} {symbol} that you deposited on this network.'
                : 'Uses {amount} {symbol} that you deposited on this network.',
            {
              amount: formatAmount(amount, unit.decimals),
              fee: formatAmount(fee, unit.decimals),
              symbol: unit.symbol,
            },
          )}
        </Aside>
      ) : (
        <div className="grid gap-3">
          <BigAmount
            verb={t(past ? 'Moved out of the combined balance' : 'Move out of the combined balance')}
            amount={amount}
            currency={unit}
          />
          <Party term={t('to')} address={to} names={names} />
        </div>
      )
    }
    case 'claim':
      return (
        <Aside>
          {t(past ? 'Used your deposits on other networks.' : 'Uses your deposits on other networks.')}
        </Aside>
      )
    case 'add-signer':
      return <SignerFacts signer={description.signer} />
    case 'remove-signer':
      return (
        <SignerFact signer={description.signer}>
          {t(
            past
              ? 'Removed a key’s right to spend the combined balance, with effect a day later.'
              : 'Removes a key’s right to spend the combined balance. This takes effect after a day.',
          )}
        </SignerFact>
      )
    case 'request-exit':
      return (
        <div className="grid gap-3">
          <BigAmount
            verb={t(past ? 'Started withdrawal' : 'Start withdrawal')}
            amount={description.amount}
            currency={description.unit}
          />
          <Aside>
            {t(
              past
                ? 'It left your combined balance. It can be collected on this network seven days later.'
                : 'It leaves your combined balance now. You can collect it on this network after seven days, and cancel until then.',
            )}
          </Aside>
        </div>
      )
    case 'cancel-exit':
      return (
        <div className="grid gap-1">
          <p className="font-semibold text-xl">{t(past ? 'Cancelled withdrawal' : 'Cancel withdrawal')}</p>
          <Aside>
            {t(
              past
                ? 'The amount returned to your combined balance.'
                : 'The amount returns to your combined balance.',
            )}
          </Aside>
        </div>
      )
    case 'finalize-exit':
      return (
        <div className="grid gap-3">
          <p className="font-semibold text-xl">
            {t(past ? 'Collected your withdrawal' : 'Collect your withdrawal')}
          </p>
          <Party term={t('to')} address={description.to} names={names} />
        </div>
      )
  }
}

/**
 * Describes a pin. Pinning the owner's own key is a formality; pinning any other key gives the deposits away.
 */
function SignerFacts({ signer }: { signer: Hex }) {
  const trusted = useTrustedSigners()
  const known = trusted.data?.some((candidate) => candidate.toLowerCase() === signer.toLowerCase())
  return (
    <SignerFact signer={signer}>
      {t(
        known
          ? 'Lets your passkey spend this deposit on other networks, too.'
          : 'Lets a key spend your deposit on this network.',
      )}
    </SignerFact>
  )
}

function SignerFact({ signer, children }: { signer: Hex; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <Aside>{children}</Aside>
      <Details summary={t('Key')}>
        <code className="break-all font-mono text-xs">{signer}</code>
      </Details>
    </div>
  )
}

function Aside({ children }: { children: ReactNode }) {
  return <p className="text-muted text-sm">{children}</p>
}
