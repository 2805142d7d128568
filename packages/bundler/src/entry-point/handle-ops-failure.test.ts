import { describe, expect, test } from 'vitest'
import { aaCodes, findAaCode } from './handle-ops-failure.ts'

describe('findAaCode', () => {
  test.each([
    ['EntryPoint', "AA21 didn't pay prefund", 'AA21'],
    ['Alto', 'UserOperation reverted during simulation with reason: AA25 invalid account nonce', 'AA25'],
    ['Rundler', 'Invalid user operation for entry point: Entry point reverted: AA24 signature error', 'AA24'],
    ['eth-infinitism', 'FailedOp(0,"AA33 reverted: no")', 'AA33'],
  ])('args: a message worded by %s', (_who, text, code) => {
    expect(findAaCode(text)).toBe(code)
  })

  test.each(['', 'AA', 'BAA21', 'AA211', '0xAA21ff', 'AA99', 'toString'])('args: no code in "%s"', (text) => {
    expect(findAaCode(text)).toBeUndefined()
  })
})

test('aaCodes', () => {
  expect(
    Object.fromEntries(Object.entries(aaCodes).map(([name, { code }]) => [name, code])),
  ).toMatchInlineSnapshot(`
    {
      "AA10": "REBUILD",
      "AA13": "OPERATION_REFUSED",
      "AA14": "OPERATION_REFUSED",
      "AA15": "OPERATION_REFUSED",
      "AA20": "OPERATION_REFUSED",
      "AA21": "INSUFFICIENT_FUNDS",
      "AA22": "REBUILD",
      "AA23": "OPERATION_REFUSED",
      "AA24": "INVALID_SIGNATURE",
      "AA25": "REBUILD",
      "AA26": "OPERATION_REFUSED",
      "AA30": "PAYMASTER_REFUSED",
      "AA31": "PAYMASTER_REFUSED",
      "AA32": "PAYMASTER_REFUSED",
      "AA33": "PAYMASTER_REFUSED",
      "AA34": "PAYMASTER_REFUSED",
      "AA36": "PAYMASTER_REFUSED",
      "AA40": "OPERATION_REFUSED",
      "AA41": "OPERATION_REFUSED",
      "AA50": "PAYMASTER_REFUSED",
      "AA51": "OPERATION_REFUSED",
      "AA90": "BUNDLER_FAILED",
      "AA91": "BUNDLER_FAILED",
      "AA92": "OPERATION_REFUSED",
      "AA93": "PAYMASTER_REFUSED",
      "AA94": "OPERATION_REFUSED",
      "AA95": "OPERATION_REFUSED",
      "AA96": "OPERATION_REFUSED",
    }
  `)
})
