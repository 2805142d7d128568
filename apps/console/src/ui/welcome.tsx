import { Card, Logo } from '@lanyard/ui'
import type { ReactNode } from 'react'

/** The frame of the screens before the sign-in. */
export function Welcome({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <Card className="grid w-full max-w-md gap-5 p-6">
        <Logo className="size-9" />
        <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
        {children}
      </Card>
    </main>
  )
}
