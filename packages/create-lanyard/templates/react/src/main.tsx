import { LanyardProvider } from '@lanyard/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { network } from './jar'
import { TipJar } from './tip-jar'
import '@lanyard/react/styles.css'
import './style.css'

const service: string = import.meta.env.VITE_LANYARD_URL ?? 'http://localhost:3000'

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <LanyardProvider service={service} network={network}>
      <TipJar />
    </LanyardProvider>
  </StrictMode>,
)
