/** @module-tag all */
import { safeWebAuthnSharedSignerAbi } from '@lanyard/onchain'
import { bytesToBigInt, encodeFunctionData, parseAbi, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { Authenticator } from '../passkeys/authenticator.ts'
import { startOwnershipService } from './ownership-service.ts'

const network = 31337
const moduleAbi = parseAbi([
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool)',
])

test('attack: a thief’s key in the shared signer is not shown as the passkey of the user', async () => {
  await using service = await startOwnershipService([network])
  const { rest } = service
  const { chain } = service.on(network)
  const { address, signer, options, verify } = await service.createPasskeyUser()
  const { body: status } = await service.statusOf(address)
  await chain.setBalance({ address, value: parseEther('1') })
  const { transactionDetails } = status.networks[0]
  const built = await options({ network: String(network), transactionDetails })
  expect(await verify(built.body)).toMatchObject({ status: 200 })
  const ownersOf = async () =>
    (await rest.get(`/smart-account/owner?walletAddress=${address}&parts=true`)).body.networks[0]
  const before = await ownersOf()
  expect(before.owners).toMatchObject([{ kind: 'passkey' }])

  // What the thief signs with the phone once: the account configures its signer anew. Its list of owners stays the same.
  const thief = new Authenticator('http://localhost:3000')
  const [x, y] = [thief.x, thief.y].map((bytes) => bytesToBigInt(bytes))
  const { verifiers } = signer
  const configured = encodeFunctionData({
    ...{ abi: safeWebAuthnSharedSignerAbi, functionName: 'configure' },
    args: [{ x: x ?? 0n, y: y ?? 0n, verifiers }],
  })
  const [sharedSigner] = before.owners.map((owner: { address: string }) => owner.address)
  await service.callAs(
    network,
    before.parts.fallbackHandler,
    address,
    encodeFunctionData({
      ...{ abi: moduleAbi, functionName: 'execTransactionFromModule' },
      args: [sharedSigner, 0n, configured, 1],
    }),
  )
  const after = await ownersOf()
  expect(after.owners).toEqual([{ address: sharedSigner, kind: 'contract' }])
})
