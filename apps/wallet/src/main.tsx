import { keepPresses } from '@lanyard/ui'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { queryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { SessionProvider } from './sign-in/session-context.tsx'
import './styles.css'

const root = document.getElementById('root')
if (!root) throw new TypeError('index.html has no #root')

keepPresses(document)

// Registers the service worker after loading everything that the first screen needs. Insecure addresses have
// no service worker, and the wallet works without one.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  addEventListener('load', () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined))

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <BrowserRouter>
          <App />
        </BrowserRouter>
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
)
