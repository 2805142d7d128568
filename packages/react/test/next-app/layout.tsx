import { LanyardProvider } from '@lanyard/react'
import '@lanyard/react/styles.css'
import type { ReactNode } from 'react'

export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <LanyardProvider service="http://localhost:3000" network={31337}>
          {children}
        </LanyardProvider>
      </body>
    </html>
  )
}
