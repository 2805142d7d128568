/** @module-tag all */
import { openDatabase } from '@lanyard/database'
import { testEngines } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { createIdentityProvider } from '../../src/domain/operators/identity-provider.ts'
import { findProvedSession } from '../../src/domain/operators/provider-sessions.ts'
import { startConsole } from './start-console.ts'

test.skipIf(!testEngines().includes('postgresql'))(
  'of two processes one uses the refresh token, which works once, and the session goes on in both',
  async () => {
    await using console = await startConsole({}, 'postgresql')
    const { env, origin, now } = console
    const browser = await console.person('alice', ['support'])
    const cookie = browser.jar().get('lanyard-console') ?? ''
    const url = console.database.url ?? ''
    await using first = await openDatabase({ url })
    await using second = await openDatabase({ url })
    const processes = [first, second].map(({ db: database }) => ({
      ...{ database, now, provider: createIdentityProvider(env, origin) },
      ...{ mapping: env.CONSOLE_OIDC_ROLES ?? [], passkeys: env.CONSOLE_PASSKEYS },
    }))
    for (let renewal = 0; renewal < 5; renewal++) {
      console.pass(60_000)
      const found = await Promise.all(
        Array.from({ length: 6 }, () =>
          processes.map((process) => findProvedSession(process, cookie)),
        ).flat(),
      )
      expect(found.map((session) => session?.role)).toEqual(Array(12).fill('viewer'))
    }
    expect(await browser.call('keys.list')).toMatchObject({ status: 200 })
    expect(await console.acts()).not.toContain('operator.session-end')
  },
)
