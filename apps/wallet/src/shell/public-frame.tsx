import { brand, Logo, ThemeToggle, useFont } from '@lanyard/ui'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Footer } from '../i18n/footer.tsx'

/** The frame of a screen that needs no sign-in. */
export function PublicFrame({ children }: { children: ReactNode }) {
  useFont(true)
  return (
    <div className="min-h-dvh pb-10">
      <header className="mx-auto flex min-h-16 w-full max-w-5xl items-center justify-between px-4 sm:px-6">
        <Link
          to="/"
          className="flex min-h-11 min-w-0 items-center gap-1.5 rounded font-semibold tracking-tight"
        >
          <Logo className="size-7" />
          <span className="truncate">{brand.name}</span>
        </Link>
        <ThemeToggle />
      </header>
      <main className="mx-auto max-w-5xl px-4 pt-6 sm:px-6">
        {children}
        <Footer className="mt-10 border-line border-t pt-5" />
      </main>
    </div>
  )
}
