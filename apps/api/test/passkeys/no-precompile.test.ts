/** @module-tag all */
/** @module-tag first */
import { expect, test } from 'vitest'
import { startPasskeyService, transfer } from './passkey-service.ts'

test('behavior: passkeys sign operations on a chain without the P-256 precompile', async () => {
  await using service = await startPasskeyService({ hardfork: 'prague' })
  const [network] = service.service.services.networks.list()
  expect(await network?.hasP256Precompile()).toBe(false)
  await service.register('floor')
  const { body } = await service.transactionOptions({
    username: 'floor',
    network: '31337',
    transactionDetails: transfer(),
  })
  expect(Number(body.userOp.verificationGasLimit)).toBeGreaterThanOrEqual(500_000)
  // The test uses several keys because the gas of the Solidity verifier depends on the key and the signature.
  for (const username of ['one', 'two', 'three', 'four']) {
    const user = await service.register(username)
    for (const round of ['first', 'later', 'later']) {
      const answer = await service.send(user, transfer())
      expect(answer).toMatchObject({ status: 200, body: { success: true } })
      const { gasUsed } = await service.chain.getTransactionReceipt({ hash: answer.body.txnHash })
      console.info(`passkey without precompile, ${round}: ${gasUsed} gas`)
    }
  }
})
