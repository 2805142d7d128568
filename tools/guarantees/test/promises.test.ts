import { expect, test } from 'vitest'
import { readPromises, readTestFiles, tagsOf } from '../src/promises/read-promises.ts'

const promises = readPromises()
const files = [...readTestFiles()].map(([file, text]) => ({ file, text, ids: tagsOf(text) }))
const isAttack = (id: string) => /^[A-Z]/.test(id)

test('behavior: numbers are unique and in order', () => {
  const numbers = promises.flatMap(({ id }) => (isAttack(id) ? [] : [id]))
  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1)))
  const attacks = promises.map(({ id }) => id).filter(isAttack)
  expect(attacks.length).toBeGreaterThan(20)
  expect(new Set(attacks).size).toBe(attacks.length)
})

test.each(promises)('behavior: a test shows $id $title', ({ tests }) => {
  expect(tests).not.toEqual([])
})

test('behavior: each tag names a promise', () => {
  const known = promises.map(({ id }) => id)
  const unknown = files.flatMap(({ file, ids }) =>
    ids.filter((id) => !known.includes(id)).map((id) => `${file}: ${id}`),
  )
  expect(unknown).toEqual([])
})

test('behavior: every test of an attack belongs to a promise', () => {
  const ofAttacks = files.filter(({ ids }) => ids.some(isAttack))
  expect(ofAttacks.length).toBeGreaterThan(20)
  expect(ofAttacks.filter(({ ids }) => ids.every(isAttack)).map(({ file }) => file)).toEqual([])
})

test('behavior: every test that reports a figure of a promise has its tag', () => {
  // The report itself is tested with made-up figures.
  const reports = files
    .filter(({ file }) => !file.startsWith('tools/testing/'))
    .flatMap(({ file, text, ids }) =>
      [...text.matchAll(/\breport(?:Figure|Passed)\(\s*(\d+)/g)].map(([, id = '']) => ({ file, id, ids })),
    )
  expect(reports.length).toBeGreaterThan(50)
  const missing = reports.filter(({ id, ids }) => !ids.includes(id))
  expect(missing.map(({ file, id }) => `${file}: ${id}`)).toEqual([])
})
