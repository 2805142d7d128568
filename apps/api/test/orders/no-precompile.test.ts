/** @module-tag all */
/** @module-tag first */
import { expect, test } from 'vitest'
import { payee, startOrderService } from './order-service.ts'

/**
 * Without the precompile SmartBalance checks passkeys in Solidity. The gas of that check depends on the key and the
 * signature.
 */
test('behavior: a passkey spends on a chain without the P-256 precompile', async () => {
  await using service = await startOrderService({
    production: true,
    chainIds: [31337, 31338],
    hardfork: 'prague',
  })
  const output = 31338
  for (const _ of ['one key', 'another', 'a third']) {
    const user = await service.createPasskeyUser()
    await service.deposit(31337, user.address, 100_000_000n, user.signer)
    const before = await service.balanceOf(output, payee)
    for (const amount of [30_000_000n, 20_000_000n]) {
      const options = await user.options({
        network: String(output),
        transactionDetails: [service.transfer(output, payee, amount)],
        orderData: { amount: String(amount) },
      })
      expect(options.status).toBe(200)
      expect(await user.verify(options.body)).toMatchObject({ status: 200, body: { success: true } })
    }
    expect((await service.balanceOf(output, payee)) - before).toBe(50_000_000n)
  }
})
