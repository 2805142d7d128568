// @promise 18
import { expect, test } from 'vitest'
import { checkGas } from '../src/gas/snapshot.ts'

test('behavior: no figure of gas is above gas.snapshot.json, or above the same Safe of permissionless', {
  timeout: 120_000,
}, async () => {
  expect(await checkGas()).toBe(true)
})
