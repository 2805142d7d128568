/** @module-tag all */
import { expect, test } from 'vitest'
import { startConsole } from './start-console.ts'

test('whoever shares the address of an operator cannot use up their confirmations', async () => {
  await using console = await startConsole({ RATE_LIMITS: 'on' })
  const admin = await console.local('root', 'admin')
  const stranger = console.browser()
  const answers = await Promise.all(Array.from({ length: 25 }, () => stranger.call('session.signInOptions')))
  expect(answers.map(({ code }) => code)).toContain('RATE_LIMITED')
  const input = { kind: 'secret', name: 'reader', scope: 'read' }
  expect(await admin.act('keys.create', input)).toMatchObject({ status: 200 })
})
