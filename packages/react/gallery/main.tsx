import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Activity, Guardians, Receive } from '../src/account.ts'
import { german } from '../src/german.ts'
import {
  AccountMenu,
  Balance,
  ConnectButton,
  LanyardProvider,
  Pay,
  SendButton,
  SignIn,
  SignInDialog,
  useLanyard,
} from '../src/index.ts'
import { answerFor, type State, signInto } from './canned-service.ts'

/*
 * Every component in every state, with canned answers, or at a service: `?look=shop&lang=de`, `?service=http://localhost:3000`.
 * `?dialog` opens the dialog of a person who is signed out.
 */

const query = new URLSearchParams(location.search)
const texts = query.get('lang') === 'de' ? german : {}
const service = query.get('service')
document.documentElement.lang = query.get('lang') ?? 'en'
document.documentElement.dataset.look = query.get('look') ?? ''

const payee = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const usdc = { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDC', decimals: 6 } as const

function Case({ name, state, children }: { name: string; state: State; children: ReactNode }) {
  return (
    <article aria-label={name}>
      <h2>{name}</h2>
      <LanyardProvider service={service ?? signInto(state)} network={31_337} texts={texts}>
        {children}
      </LanyardProvider>
    </article>
  )
}

function Gallery() {
  return (
    <>
      <h1>Components of @lanyard/react</h1>
      <Case name="ConnectButton, signed out" state="signed-out">
        <ConnectButton />
      </Case>
      <Case name="SignIn" state="signed-out">
        <SignIn />
      </Case>
      <Case name="SignIn, without a key" state="keyless">
        <SignIn />
      </Case>
      <Case name="AccountMenu" state="account">
        <AccountMenu />
      </Case>
      <Case name="Balance" state="account">
        <Balance decimals={4} /> · <Balance token="USDC" />
      </Case>
      <Case name="Pay" state="account">
        <Pay to={payee} amount="12.50" token={usdc} />
      </Case>
      <Case name="SendButton, without money" state="account">
        <SendButton calls={[{ to: payee, value: 1n }]}>Send</SendButton>
      </Case>
      <Case name="Receive" state="account">
        <Receive />
      </Case>
      <Case name="Activity" state="account">
        <Activity />
      </Case>
      <Case name="Activity, nothing yet" state="empty">
        <Activity />
      </Case>
      <Case name="Activity, service is down" state="down">
        <Activity />
      </Case>
      <Case name="Guardians" state="account">
        <Guardians />
      </Case>
      <Case name="Guardians, none" state="empty">
        <Guardians />
      </Case>
    </>
  )
}

/** One account at a service. */
function Account() {
  const { account, client } = useLanyard()
  return (
    <>
      <h1>Harbour Books</h1>
      <button
        type="button"
        className="lanyard-button"
        onClick={() => client.wallet.faucet({ walletAddress: account?.address ?? '', network: '31337' })}
      >
        Get test money
      </button>
      <ConnectButton app={{ name: 'Harbour Books' }} />
      <Balance />
      <Pay to={payee} amount="0.25" intent="invoice-1" />
      <Receive />
      <Activity />
      <Guardians />
    </>
  )
}

createRoot(document.querySelector('main') as HTMLElement).render(
  <StrictMode>
    {service ? (
      <Case name="One account" state="signed-out">
        <Account />
      </Case>
    ) : query.has('dialog') ? (
      <Case name="SignInDialog" state="signed-out">
        <SignInDialog onClose={() => undefined} />
      </Case>
    ) : (
      <Gallery />
    )}
  </StrictMode>,
)

if (!service) globalThis.fetch = answerFor
