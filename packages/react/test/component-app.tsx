import { Balance, ConnectButton, LanyardProvider, SendButton } from '@lanyard/react'
import '@lanyard/react/styles.css'
import { createRoot } from 'react-dom/client'
import { parseEther } from 'viem'

const tip = { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: parseEther('0.01') } as const

createRoot(document.querySelector('main') as HTMLElement).render(
  <LanyardProvider service="http://localhost:3000" network={31337}>
    <ConnectButton />
    <Balance />
    <SendButton calls={[tip]}>Tip 0.01 ETH</SendButton>
  </LanyardProvider>,
)
