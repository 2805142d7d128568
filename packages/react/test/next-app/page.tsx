import { Balance, ConnectButton, SendButton } from '@lanyard/react'
import { parseEther } from 'viem'

const shop = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A server component: the three components below are client components of their own. */
export default function Page() {
  return (
    <main>
      <ConnectButton />
      <Balance />
      <SendButton calls={[{ to: shop, value: parseEther('0.01') }]}>Tip 0.01 ETH</SendButton>
    </main>
  )
}
