'use client'

import { Balance, ConnectButton, Pay, useBalance, useLanyard } from '@lanyard/react'
import { Activity } from '@lanyard/react/account'
import { useState } from 'react'
import { network, parseTip, recipient } from './jar'

const app = { name: 'Tip jar' }

export function TipJar() {
  const { account } = useLanyard()
  return (
    <>
      <header>
        <h1>Tip jar</h1>
        <ConnectButton app={app} />
      </header>
      <main>
        {account && (
          <section aria-label="Balance">
            <p className="balance">
              <Balance decimals={4} />
            </p>
            <TestMoney />
          </section>
        )}
        <Tip />
        {account && (
          <section>
            <h2>Activity</h2>
            <Activity />
          </section>
        )}
      </main>
    </>
  )
}

function Tip() {
  const [text, setText] = useState('0.01')
  const [paid, setPaid] = useState(0)
  const [isPaid, setIsPaid] = useState(false)
  const amount = parseTip(text)
  return (
    <section>
      <h2>Leave a tip</h2>
      <label htmlFor="amount">Amount in ETH</label>
      <input
        id="amount"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={amount === undefined}
        onChange={({ target }) => {
          setText(target.value)
          setIsPaid(false)
        }}
      />
      {amount ? (
        // Another key begins another payment.
        <Pay key={paid} to={recipient} amount={amount} app={app} onPaid={() => setIsPaid(true)} />
      ) : (
        <p role="alert">A tip is a number above 0, and at most 1.</p>
      )}
      {isPaid && (
        <button
          type="button"
          onClick={() => {
            setPaid(paid + 1)
            setIsPaid(false)
          }}
        >
          Tip again
        </button>
      )}
    </section>
  )
}

/** Local networks give money away. On any other network, remove this. */
function TestMoney() {
  const { account, client } = useLanyard()
  const { data, refetch } = useBalance()
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  if (!account || !data || data.native > 0n) return null
  const get = async () => {
    setState('busy')
    try {
      await client.wallet.faucet({ walletAddress: account.address, network: String(network) })
      await refetch()
      setState('idle')
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      <button type="button" disabled={state === 'busy'} onClick={get}>
        Get test money
      </button>
      {state === 'failed' && <p role="alert">There is no test money now. Try again in a minute.</p>}
    </>
  )
}
