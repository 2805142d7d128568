/** @module-tag all */
import { expect, test } from 'vitest'
import { startConsole } from './start-console.ts'

const fullKey = { kind: 'secret', name: 'server' }

test('with break-glass only those operators sign in by passkey, and what they do is marked', async () => {
  await using console = await startConsole({
    ...{ CONSOLE_PASSKEYS: 'break-glass', CONSOLE_APPROVALS: 'keys.create:full' },
    CONSOLE_BREAK_GLASS_ALONE: 'true',
  })
  const glass = await console.local('glass', 'admin', { breakGlass: true })
  const plain = await console.local('plain', 'admin')
  expect((await plain.call('session.current')).data).toBeNull() // also an open session
  const signIn = async ({ passkey }: typeof glass) => {
    const browser = console.browser()
    const { data } = await browser.call('session.signInOptions')
    const response = passkey.get(data as Parameters<typeof passkey.get>[0])
    return browser.call('session.signIn', { input: { response } })
  }
  expect(await signIn(plain)).toMatchObject({ code: 'VERIFICATION_FAILED' })
  expect(await signIn(glass)).toMatchObject({ status: 200 })
  expect((await console.audit()).at(-1)).toMatchObject({
    ...{ act: 'operator.sign-in', identity: { breakGlass: true } },
  })
  expect((await glass.confirm('keys.create', fullKey)).needsSecond).toBe(false)
  expect(await glass.act('keys.create', fullKey)).toMatchObject({ status: 200 })
  expect((await console.audit()).at(-1)).toMatchObject({
    ...{ act: 'key.create', identity: { breakGlass: true, alone: true } },
  })
})

test('without the setting, a break-glass operator needs the second person, too', async () => {
  await using console = await startConsole({ CONSOLE_APPROVALS: 'keys.create:full' })
  const glass = await console.local('glass', 'admin', { breakGlass: true })
  expect(await glass.act('keys.create', fullKey)).toMatchObject({ code: 'FORBIDDEN' })
})

test('a name that is no act stops the start, which lists the names', async () => {
  await expect(startConsole({ CONSOLE_APPROVALS: 'keys.make' })).rejects.toThrow(
    /keys\.make.*keys\.create:full/,
  )
})
