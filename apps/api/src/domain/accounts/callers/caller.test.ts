import { expect, test } from 'vitest'
import { callerOf } from './caller.ts'

const key = { kind: 'secret', name: 'server', origins: [] } as const

test('behavior: keys of a project count as one caller, and no other key can have its name', () => {
  const of = (apiKey: Parameters<typeof callerOf>[0]['apiKey']) =>
    callerOf({ apiKey, address: '203.0.113.7' })
  expect(of(key)).toEqual({ kind: 'key', name: 'server' })
  expect(of({ ...key, project: 'shop' })).toEqual({ kind: 'key', name: 'project:shop' })
  expect(of({ ...key, name: 'other', project: 'shop' })).toEqual(of({ ...key, project: 'shop' }))
  expect(of({ ...key, kind: 'publishable', project: 'shop' })).toEqual({
    kind: 'address',
    name: '203.0.113.7',
  })
})
