import { createSessionKey, type SessionKeySigner, signSessionBuild } from '@lanyard/client'
import {
  type Lanyard,
  LanyardProvider,
  useAuthorize,
  useBalance,
  useLanyard,
  useOperation,
  useSendCalls,
} from '@lanyard/react'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { Address, Hex } from 'viem'

/** Exposes every hook of @lanyard/react to tests: `page.evaluate('hooks.…')`. */
function Hooks() {
  const [followed, follow] = useState<Hex>()
  const [isShown, show] = useState(true)
  const [sessionKeys, setSessionKeys] = useState<Address>('0x')
  const lanyard = useLanyard()
  const hooks = {
    lanyard,
    // A query re-renders only for the properties that were read. Spreading reads all of them.
    balance: { ...useBalance() },
    operation: { ...useOperation(followed) },
    send: useSendCalls(),
    authorize: useAuthorize({ sessionKeys }),
    createSessionKey,
    payAs: (signer: SessionKeySigner, to: Address, value: bigint) =>
      payAs({ ...lanyard, sessionKeys, signer, to, value }),
    follow,
    show,
    setSessionKeys,
  }
  Object.assign(window, { hooks })
  return isShown && <Signer />
}

interface Payment extends Pick<Lanyard, 'account' | 'client'> {
  readonly sessionKeys: Address
  readonly signer: SessionKeySigner
  readonly to: Address
  readonly value: bigint
}

/** A payment signed only by a session key, written as an app would write it. */
async function payAs({ account, client, sessionKeys, signer, to, value }: Payment) {
  if (!account) throw new TypeError('Nobody is signed in.')
  const request = {
    network: '31337',
    walletAddress: account.address,
    signMode: 'SESSION_KEY',
    sessionKey: signer.sessionKey,
    transactionDetails: [{ targetContractAddress: to, value: String(value), encodedData: '0x' }],
  }
  const build = await client.smartAccount.build(request)
  const signature = await signSessionBuild({ build, request, account: account.address, sessionKeys, signer })
  const signed = { walletAddress: account.address, signature, signatureType: 'SESSION_KEY' }
  return client.smartAccount.submit(signed)
}

/** A component that a test can unmount while its prompt is open. */
function Signer() {
  Object.assign(window, { signer: useLanyard() })
  return <p>Signer</p>
}

createRoot(document.querySelector('main') as HTMLElement).render(
  <StrictMode>
    <LanyardProvider service="http://localhost:3000" network={31337}>
      <Hooks />
    </LanyardProvider>
  </StrictMode>,
)
