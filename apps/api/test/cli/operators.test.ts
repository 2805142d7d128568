import { freshDatabase } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { contextOf } from './cli-context.ts'
import { runInProcess } from './run-in-process.ts'

test('default: an invitation is a link to the console; where its address is unknown, none is made', async () => {
  await using database = await freshDatabase()
  const run = (env: Readonly<Record<string, string>>, ...args: string[]) =>
    runInProcess(contextOf(database, env), 'operators', 'invite', 'alice', '--json', ...args)
  const DATABASE_URL = 'postgresql://lanyard.example/lanyard'
  const unknown = await run({ DATABASE_URL })
  expect(unknown).toMatchObject({ code: 1 })
  expect(unknown.json().error).toMatchObject({
    ...{ code: 'UNKNOWN_CONSOLE', message: expect.stringContaining('--origin') },
  })
  expect(await database.db.selectFrom('operators').selectAll().execute()).toEqual([])
  const link = async (...given: Parameters<typeof run>) => (await run(...given)).json().link
  expect(await link({ DATABASE_URL, CONSOLE_ORIGIN: 'https://console.example' })).toMatch(
    /^https:\/\/console\.example\/invitation#[\w-]{43}$/,
  )
  expect(await link({ DATABASE_URL }, '--origin', 'https://other.example')).toContain(
    'https://other.example/',
  )
  expect(await link({})).toContain('http://localhost:3100/invitation#')
})
