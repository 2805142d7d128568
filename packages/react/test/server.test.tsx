import { readFile } from 'node:fs/promises'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Activity, Guardians, Receive } from '../src/account.ts'
import {
  AccountMenu,
  Balance,
  ConnectButton,
  LanyardProvider,
  Pay,
  SignIn,
  useLanyard,
} from '../src/index.ts'

import RootLayout from './next-app/layout.tsx'
import Page from './next-app/page.tsx'

/* A server that renders React, such as Next.js: no window, no storage, no passkeys. */

function Who() {
  return <p>{useLanyard().status}</p>
}

describe('rendering on a server', () => {
  test('behavior: everybody is signed out, and nothing of a browser is needed', () => {
    expect(globalThis).not.toHaveProperty('window')
    const html = renderToString(
      <LanyardProvider service="https://wallet.example" network={8453}>
        <Who />
        <SignIn />
        <ConnectButton />
        <Balance token="USDC" />
        <Pay to="0x70997970C51812dc3A010C7d01b50e0d17dc79C8" amount="1" />
        <AccountMenu />
        <Activity />
        <Guardians />
        <Receive />
      </LanyardProvider>,
    )
    expect(html).toContain('<p>signed-out</p>')
    expect(html).toContain('Continue with a passkey')
    // A strict Content-Security-Policy rejects styles in markup.
    expect(html).not.toContain('style=')
  })

  test('behavior: the pages of the guide for Next.js render', () => {
    const html = renderToString(
      <RootLayout>
        <Page />
      </RootLayout>,
    )
    expect(html).toContain('Sign in')
    expect(html).toContain('Tip 0.01 ETH')
  })

  test.each(['index.ts', 'account.ts', 'core.ts', 'keep-address.ts'])(
    'behavior: %s is a boundary of client components, and names each export',
    async (file) => {
      const text = await readFile(new URL(`../src/${file}`, import.meta.url), 'utf8')
      expect(text).toMatch(/^'use client'\n/)
      expect(text).not.toMatch(/^export \* /m)
    },
  )
})
