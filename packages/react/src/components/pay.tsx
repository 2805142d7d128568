import { useState } from 'react'
import { type Address, encodeFunctionData, parseUnits } from 'viem'
import type { SentCalls } from '../actions/deliver.ts'
import type { Call, SendOptions } from '../actions/send-calls.ts'
import { useLanyardContext } from '../lanyard-context.ts'
import { LanyardReactError, toReactError } from '../react-error.ts'
import { webAddress } from '../safe-values.ts'
import { fill, type Texts } from '../texts.ts'
import { transferAbi } from '../transfer-abi.ts'
import { useAccount } from '../use-account.ts'
import { useNetworks } from '../use-networks.ts'
import { useSendCalls } from '../use-send-calls.ts'
import { useTexts } from '../use-texts.ts'
import { ErrorMessage } from './error-message.tsx'
import { type AppBrand, SignInDialog } from './sign-in-dialog.tsx'

/** A token by its contract. The app names it, so the service cannot pass off another contract as the token. */
export interface PayToken {
  readonly address: Address
  readonly symbol: string
  readonly decimals: number
}

export interface PayProps extends Omit<SendOptions, 'onStep' | 'key'> {
  readonly className?: string
  readonly to: Address
  /** A decimal number such as `12.50`. */
  readonly amount: string
  /** Default: the native coin, with 18 decimals. */
  readonly token?: PayToken
  /** The native coin's symbol. Default: ETH. */
  readonly nativeSymbol?: string
  /** Your name for what is paid, such as an invoice number. On one network it is paid once, even after a reload or in another tab; this browser remembers 50. */
  readonly intent?: string
  /** Called once the payment is included. */
  readonly onPaid?: (sent: SentCalls) => void
  /** Name and logo of the dialog for people who are not signed in. Default: those of the service. */
  readonly app?: AppBrand
  /** Other words. */
  readonly texts?: Texts
}

/** Pays an amount, and shows each step and the receipt. Signed out, it first opens the dialog to sign in. */
export function Pay(properties: PayProps) {
  const account = useAccount()
  const { to, amount, token, network, intent } = properties
  // Its state belongs to one payment of one account: another one begins anew.
  const payment = JSON.stringify([account?.address, to, amount, token, network, intent])
  return <Payment key={payment} {...properties} />
}

function Payment({
  className = '',
  to,
  amount,
  token,
  nativeSymbol = 'ETH',
  intent,
  onPaid,
  app,
  texts,
  ...options
}: PayProps) {
  const account = useAccount()
  const { network: usual, service } = useLanyardContext()
  const { status, isBusy, error, send, transactionHash } = useSendCalls()
  const { data: networks } = useNetworks()
  const [isSigningIn, setSigningIn] = useState(false)
  const [mistake, setMistake] = useState<LanyardReactError>()
  const say = useTexts(texts)
  const what = `${amount} ${token?.symbol ?? nativeSymbol}`

  const pay = () => {
    if (!account) return setSigningIn(true)
    let call: Call
    try {
      call = toCall(to, amount, token)
    } catch (cause) {
      return setMistake(toReactError(cause, service))
    }
    send([call], { ...options, ...(intent !== undefined && { key: intent }) }).then(
      (sent) => {
        if (sent) onPaid?.(sent)
      },
      () => undefined, // shown below
    )
  }
  if (status === 'included') {
    const chain = networks?.find(({ network }) => network === (options.network ?? usual))
    const explorer = webAddress(chain?.explorerUrl)?.replace(/\/$/, '')
    return (
      <p role="status" className={`lanyard lanyard-paid ${className}`}>
        <strong>
          {say.paid} · {what}
        </strong>{' '}
        {explorer && transactionHash && (
          <a href={`${explorer}/tx/${transactionHash}`} target="_blank" rel="noopener">
            {say.receipt}
          </a>
        )}
      </p>
    )
  }
  const steps: Readonly<Record<string, string>> = {
    preparing: say.preparing,
    signing: say.signing,
    sending: say.paying,
  }
  return (
    <div className={`lanyard lanyard-stack ${className}`}>
      <button type="button" disabled={isBusy} aria-busy={isBusy} className="lanyard-button" onClick={pay}>
        {isBusy ? steps[status] : fill(say.pay, { amount: what })}
      </button>
      <p role="status" className="lanyard-hint">
        {status === 'cancelled' ? say.cancelled : options.sponsored ? '' : say.feeOnTop}
      </p>
      <ErrorMessage error={error ?? mistake} texts={texts} />
      {isSigningIn && !account && (
        <SignInDialog onClose={() => setSigningIn(false)} app={app} texts={texts} />
      )}
    </div>
  )
}

/** @throws LanyardReactError INVALID_REQUEST for an amount that is no decimal number, or has more decimals than the token */
function toCall(to: Address, amount: string, token: PayToken | undefined): Call {
  const decimals = token?.decimals ?? 18
  const [, fraction = ''] = /^\d+(?:\.(\d+))?$/.exec(amount) ?? ['', '-'.repeat(decimals + 1)]
  if (fraction.length > decimals)
    throw new LanyardReactError('INVALID_REQUEST', {
      what: `The amount ${JSON.stringify(amount)} is no decimal number of at most ${decimals} decimals.`,
    })
  const value = parseUnits(amount, decimals)
  if (!token) return { to, value }
  return {
    to: token.address,
    data: encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [to, value] }),
  }
}
