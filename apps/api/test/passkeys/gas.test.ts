import { randomPrivateKey } from '@lanyard/testing'
import type { Address, Hash, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type PasskeyService, type Submitted, startPasskeyService, transfer } from './passkey-service.ts'

/** Gas of the whole transaction that carries one operation: a transfer of 1 wei. */
async function gasOf({ chain }: PasskeyService, hash: Hash): Promise<number> {
  const { gasUsed } = await chain.getTransactionReceipt({ hash })
  return Number(gasUsed)
}

async function measureEoa(service: PasskeyService): Promise<number[]> {
  const owner = privateKeyToAccount(randomPrivateKey())
  const { body } = await service.post<{ wallet: { scw_address: Address } }>('/smart-account/create', {
    eoaAddress: owner.address,
  })
  const walletAddress = body.wallet.scw_address
  await service.chain.setBalance({ address: walletAddress, value: 10n ** 19n })
  const gas: number[] = []
  for (const _ of ['first', 'later']) {
    const built = await service.post<{ messageToSign: Hex }>('/smart-account/transaction/build', {
      network: '31337',
      walletAddress,
      transactionDetails: transfer(),
    })
    const signature = await owner.sign({ hash: built.body.messageToSign })
    const submitted = await service.post<Submitted>('/smart-account/transaction/submit', {
      walletAddress,
      signature,
    })
    expect(submitted.body.success).toBe(true)
    gas.push(await gasOf(service, submitted.body.txnHash))
  }
  return gas
}

async function measurePasskey(service: PasskeyService): Promise<number[]> {
  const user = await service.register('gas')
  const gas: number[] = []
  for (const _ of ['first', 'later']) {
    const { body } = await service.send(user, transfer())
    expect(body.success).toBe(true)
    gas.push(await gasOf(service, body.txnHash))
  }
  return gas
}

test("default: a passkey's first operation costs less than 2 times the gas of an EOA's, later ones less than 1.6 times", async () => {
  await using service = await startPasskeyService()
  await using without = await startPasskeyService({ hardfork: 'prague' })
  const rows = {
    EOA: await measureEoa(service),
    'passkey, P-256 precompile': await measurePasskey(service),
    'passkey, Solidity verifier': await measurePasskey(without),
  }
  const [eoaFirst = 0, eoaLater = 0] = rows.EOA
  for (const [name, [first = 0, later = 0]] of Object.entries(rows)) {
    const ratios = `${(first / eoaFirst).toFixed(2)} and ${(later / eoaLater).toFixed(2)} times the EOA`
    console.info(`${name}: first ${first} gas, later ${later} gas (${ratios})`)
  }
  // A passkey account stores its key and sets up two contracts. The precompile costs 6,900 gas per signature.
  const [first = 0, later = 0] = rows['passkey, P-256 precompile']
  expect(first / eoaFirst).toBeLessThan(2)
  expect(later / eoaLater).toBeLessThan(1.6)
})
