import { LanyardProvider } from '@lanyard/react'
import type { ReactNode } from 'react'
import { network } from '../jar'
import '@lanyard/react/styles.css'
import '../style.css'

export const metadata = { title: 'Tip jar', icons: 'data:,' }

const service = process.env.NEXT_PUBLIC_LANYARD_URL ?? 'http://localhost:3000'

export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <LanyardProvider service={service} network={network}>
          {children}
        </LanyardProvider>
      </body>
    </html>
  )
}
