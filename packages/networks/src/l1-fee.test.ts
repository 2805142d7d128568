import { expect, test } from 'vitest'
import { createNetworks, gasPriceOracle, networkConfig } from './index.ts'

test('behavior: a network that does not charge for L1 data is not queried', async () => {
  // The discard port: nothing listens.
  const config = networkConfig.parse({ chainId: 137, name: 'Polygon', rpcUrls: ['http://127.0.0.1:9'] })
  const fee = await createNetworks([config]).get(137).l1Fee({ to: gasPriceOracle, data: '0x' })
  expect(fee).toEqual({ wei: 0n, gas: 0n, operatorFee: { constant: 0n, perMillionGas: 0n } })
})
