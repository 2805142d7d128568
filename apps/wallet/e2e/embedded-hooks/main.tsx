import { createSessionKey } from '@lanyard/client'
import {
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

/** Every hook of @lanyard/react, within reach of a test: `page.evaluate('hooks.…')`. */
function Hooks() {
  const [followed, follow] = useState<Hex>()
  const [isShown, show] = useState(true)
  const [sessionKeys, setSessionKeys] = useState<Address>('0x')
  const lanyard = useLanyard()
  const hooks = {
    lanyard,
    // A query renders again for what was read of it: here all.
    balance: { ...useBalance() },
    operation: { ...useOperation(followed) },
    send: useSendCalls(),
    authorize: useAuthorize({ sessionKeys }),
    createSessionKey,
    follow,
    show,
    setSessionKeys,
  }
  Object.assign(window, { hooks })
  return isShown && <Signer />
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
