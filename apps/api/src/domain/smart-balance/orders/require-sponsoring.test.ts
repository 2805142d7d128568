import { describe, expect, test } from 'vitest'
import { networkOf } from '../../../../test/network.ts'
import { requireSponsoring } from './require-sponsoring.ts'

const ether = 10n ** 18n
const nothing = { SPONSORED_GAS: undefined, SPONSORED_GAS_PER_ACCOUNT: undefined }
const real = networkOf({ local: false })
const refused = expect.objectContaining({
  code: 'PAYMASTER_REFUSED',
  message: expect.stringContaining('Test'),
})

describe('requireSponsoring', () => {
  test('default: a local network', () => {
    expect(requireSponsoring(networkOf(), nothing)).toEqual({ all: 10n * ether, account: ether })
  })

  test('behavior: on a real network nothing is paid unless the operator says so', () => {
    expect(() => requireSponsoring(real, nothing)).toThrow(refused)
    expect(() => requireSponsoring(real, { ...nothing, SPONSORED_GAS_PER_ACCOUNT: 5n })).toThrow(refused)
    expect(requireSponsoring(real, { ...nothing, SPONSORED_GAS: 5n })).toEqual({ all: 5n, account: 5n })
  })

  test('behavior: what the operator says counts everywhere', () => {
    const said = { SPONSORED_GAS: 7n, SPONSORED_GAS_PER_ACCOUNT: 3n }
    for (const network of [real, networkOf()])
      expect(requireSponsoring(network, said)).toEqual({ all: 7n, account: 3n })
    expect(requireSponsoring(networkOf(), { ...nothing, SPONSORED_GAS: 7n })).toEqual({
      all: 7n,
      account: ether,
    })
  })

  test('error: PAYMASTER_REFUSED, a budget of nothing', () => {
    for (const said of [{ SPONSORED_GAS: 0n }, { SPONSORED_GAS_PER_ACCOUNT: 0n }])
      expect(() => requireSponsoring(networkOf(), { ...nothing, ...said })).toThrow(refused)
  })

  test('error: PAYMASTER_REFUSED, without a smart balance', () => {
    const without = networkOf({ smartBalance: undefined, nativePrice: undefined })
    expect(() => requireSponsoring(without, { ...nothing, SPONSORED_GAS: 5n })).toThrow(refused)
  })
})
