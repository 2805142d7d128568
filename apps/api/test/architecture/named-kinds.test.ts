/** @module-tag all */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findNamedKinds, namesIn } from './named-kinds.ts'

const page = readFileSync(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8')

test('behavior: no more files name Safe or a kind of signer than the page says', () => {
  const [, safe, signers] = /\| Files that name Safe; .*\| (\d+); (\d+) \|/.exec(page) ?? []
  const found = findNamedKinds()
  expect(found.safe.length, found.safe.join('\n')).toBeLessThanOrEqual(Number(safe))
  expect(found.signers.length, found.signers.join('\n')).toBeLessThanOrEqual(Number(signers))
})

test.for([
  ['const account = toSafeAccount(owner)', { safe: ['toSafeAccount'], signers: [] }],
  ["if (kind === 'safe' || owner.kind === `eoa`) return", { safe: ["'safe'"], signers: ["'eoa'"] }],
  ["type Kind = 'passkey' | 'contract'", { safe: [], signers: ["'passkey'"] }],
  ["const text = 'a Safe of an eoa' // isSafe", { safe: [], signers: [] }],
  ['Number.isSafeInteger(row.safe_op_hash)', { safe: [], signers: [] }],
] as const)('behavior: names in %j', ([text, names]) => {
  expect(namesIn('a.ts', text)).toEqual(names)
})
