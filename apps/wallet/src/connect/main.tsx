import { keepPresses } from '@lanyard/ui'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../api/query-client.ts'
import { LoadFailure } from '../shell/load-failure.tsx'
import '../styles.css'
import { openChannel } from './channel.ts'
import { ConnectApp } from './connect-app.tsx'

const root = document.getElementById('root')
if (!root) throw new TypeError('connect.html has no #root')

const channel = openChannel(window)
keepPresses(document)

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <LoadFailure>
        <ConnectApp channel={channel} />
      </LoadFailure>
    </QueryClientProvider>
  </StrictMode>,
)
