import { afterEach, expect, test, vi } from 'vitest'
import { readStored, readStoredList, writeStored } from './browser-storage.ts'

/** The storage of a browser, or one that blocks every access. */
function openStorage(isBlocked = false): Map<string, string> {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  }
  vi.stubGlobal('window', {
    get localStorage() {
      if (isBlocked) throw new DOMException('The operation is insecure.', 'SecurityError')
      return storage
    },
  })
  return stored
}

afterEach(() => vi.unstubAllGlobals())

test('default: reads what it wrote, until it is removed', () => {
  openStorage()
  writeStored('draft', { amount: '1' })
  expect(readStored('draft')).toEqual({ amount: '1' })
  writeStored('draft', undefined)
  expect(readStored('draft')).toBeUndefined()
})

test('behavior: other content, or another shape, counts as nothing', () => {
  const stored = openStorage()
  stored.set('text', 'not JSON')
  stored.set('object', '{}')
  expect(readStored('text')).toBeUndefined()
  expect(readStoredList('text')).toEqual([])
  expect(readStoredList('object')).toEqual([])
})

test('behavior: a browser that blocks storage keeps nothing', () => {
  openStorage(true)
  writeStored('list', [1])
  expect(readStored('list')).toBeUndefined()
  expect(readStoredList('list')).toEqual([])
})
