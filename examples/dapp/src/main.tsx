import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { WagmiProvider } from 'wagmi'
import { config } from './config.ts'
import { Dapp } from './dapp.tsx'

const root = document.getElementById('root')
if (!root) throw new TypeError('index.html has no #root')

createRoot(root).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <Dapp />
    </QueryClientProvider>
  </WagmiProvider>,
)
