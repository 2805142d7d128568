/** @module-tag all */
import { altoProgram, startAlto } from '@lanyard/bundler/testing'
import { parseEther } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { expect, test } from 'vitest'
import { ecdsaKey, fees, payment, startSessionService, webCryptoKey } from './session-service.ts'

const chainId = 31337
const ether = { type: 'native-token-allowance', allowance: parseEther('1').toString() }
const included = { status: 200, body: { success: true } }

test.skipIf(altoProgram === undefined)(
  'behavior: Alto estimates and accepts operations of sessions',
  async () => {
    await using service = await startSessionService({
      chainIds: [chainId],
      startBundler: (network) => startAlto(network, entryPoint07Address),
    })
    const wallet = await service.createFundedWallet([chainId])
    for (const key of [ecdsaKey(), await webCryptoKey()]) {
      const plan = await service.enable(wallet, chainId, key, [ether, fees])
      expect(await service.approve(wallet, plan)).toMatchObject(included)
      for (const value of [1n, 2n]) {
        expect(await service.act(wallet, { chainId, key, calls: [payment(value)] })).toMatchObject(included)
      }
      const tooMuch = { chainId, key, calls: [payment(parseEther('2'))] }
      expect(await service.act(wallet, tooMuch)).toMatchObject({
        status: 400,
        body: { rule: 'ValueTooHigh' },
      })
    }
  },
)

/** The contract verifies P-256 in Solidity here. The gas of that check depends on the key and the signature. */
test('behavior: a P-256 key works on a chain without the precompile', async () => {
  await using service = await startSessionService({ chainIds: [chainId], hardfork: 'prague' })
  const wallet = await service.createFundedWallet([chainId])
  for (const _ of ['one key', 'another', 'a third']) {
    const key = await webCryptoKey()
    const plan = await service.enable(wallet, chainId, key, [ether, fees])
    expect(await service.approve(wallet, plan)).toMatchObject(included)
    for (const value of [1n, 2n]) {
      expect(await service.act(wallet, { chainId, key, calls: [payment(value)] })).toMatchObject(included)
    }
  }
})
