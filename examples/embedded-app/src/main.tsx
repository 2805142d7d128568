import { LanyardProvider, useBalance, useLanyard, useSendCalls } from '@lanyard/react'
import { createRoot } from 'react-dom/client'
import { formatEther, parseEther } from 'viem'

function App() {
  const { account, createAccount, signIn, client, error } = useLanyard()
  const { data, error: unread, refetch } = useBalance()
  const tx = useSendCalls()
  const fund = () => client.wallet.faucet({ walletAddress: account?.address ?? '', network: '31337' })
  const pay = () => tx.send([{ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: parseEther('0.01') }])
  return account ? (
    <section>
      <h2>{data ? `${Number(formatEther(data.native)).toFixed(4)} ETH` : (unread?.message ?? 'Loading…')}</h2>
      <input type="button" value="Get test money" onClick={() => fund().then(() => refetch())} />
      <input type="button" value="Tip 0.01 ETH" disabled={!data?.native || tx.isBusy} onClick={pay} />
      <p role="status">{tx.error?.message ?? (tx.status === 'idle' ? '' : tx.status)}</p>
    </section>
  ) : (
    <form action={(form) => void createAccount(String(form.get('name')))}>
      <input name="name" aria-label="Your name" placeholder="Your name" autoComplete="username" required />
      <input type="submit" value="Create an account" />
      <input type="button" value="Sign in" onClick={() => signIn()} />
      <p role="alert">{error?.message}</p>
    </form>
  )
}

createRoot(document.querySelector('main') as HTMLElement).render(
  <LanyardProvider service="http://localhost:3000" network={31337}>
    <App />
  </LanyardProvider>,
)
