/** @module-tag all */

import { ownershipAddress } from '@lanyard/devnet'
import { ownershipAbi, safeAbi, safeProxyFactoryAbi } from '@lanyard/onchain'
import { encodeFunctionData, hexToBytes, multicall3Abi, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AccountOwner,
  type Call,
  computeAccountAddress,
  computeSignerAddress,
  defaultDeployment,
  defaultVerifiers,
  encodeApplyChange,
  encodeExecuteRecovery,
  encodeInitializer,
  encodeStartRecovery,
  encodeWebAuthnSignature,
  getCancelRecoveryHash,
  getOwnerChangeHash,
  getRecoveryHash,
  getRecoveryResultHash,
  type OwnerChange,
  ownerChangeTypedData,
  recoveryTypedData,
  toGuardianSet,
} from '../src/index.ts'
import { startChain } from './entry-point.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

let chain: Awaited<ReturnType<typeof startChain>>
let otherChain: typeof chain
beforeAll(async () => {
  ;[chain, otherChain] = await Promise.all([startChain(), startChain()])
})
afterAll(async () => {
  await Promise.all([chain[Symbol.asyncDispose](), otherChain[Symbol.asyncDispose]()])
})

const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const module = ownershipAddress
const deployment = { ...defaultDeployment, ownership: module }
const first = privateKeyToAccount(`0x${'a1'.repeat(32)}`)
const second = privateKeyToAccount(`0x${'a2'.repeat(32)}`)
const guardians = [privateKeyToAccount(`0x${'b1'.repeat(32)}`), privateKeyToAccount(`0x${'b2'.repeat(32)}`)]
const firstOwner: AccountOwner = { kind: 'eoa', address: first.address }
const account = computeAccountAddress(firstOwner, deployment)
const authenticator = new SoftwareAuthenticator()
const passkey: AccountOwner = { kind: 'passkey', ...authenticator.publicKey, verifiers: defaultVerifiers }
const set = toGuardianSet({ members: guardians.map(({ address }) => address), threshold: 2, delay: 86_400 })
const changes: readonly OwnerChange[] = [
  { kind: 'replaceOwner', old: firstOwner, added: passkey },
  { kind: 'setGuardians', guardians: set },
]

const deploy: Call = {
  to: deployment.factory,
  value: 0n,
  data: encodeFunctionData({
    abi: safeProxyFactoryAbi,
    functionName: 'createProxyWithNonce',
    args: [deployment.singleton, encodeInitializer(firstOwner, deployment), deployment.saltNonce],
  }),
}

/** By nobody in particular, in one transaction. */
async function send({ client }: typeof chain, calls: readonly Call[]) {
  const { request } = await client.simulateContract({
    address: multicall3,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(({ to, data }) => ({ target: to, allowFailure: false, callData: data }))],
  })
  const receipt = await client.waitForTransactionReceipt({ hash: await client.writeContract(request) })
  expect(receipt.status).toBe('success')
}

const ownersOn = ({ client }: typeof chain) =>
  client.readContract({ address: account, abi: safeAbi, functionName: 'getOwners' })
const stateOn = ({ client }: typeof chain) =>
  client.readContract({ address: module, abi: ownershipAbi, functionName: 'stateOf', args: [account] })

test('behavior: signed once, an account deployed later has the same owners, and guardians recover both', async () => {
  const [replace, appoint] = changes
  if (!replace || !appoint) throw new Error('two changes')
  const byFirst = await first.signTypedData(ownerChangeTypedData(replace, { module, account, sequence: 0n }))
  const hash = getOwnerChangeHash(appoint, { module, account, sequence: 1n })
  const byPasskey = encodeWebAuthnSignature({
    hash,
    assertion: authenticator.get({ challenge: hexToBytes(hash) }),
    signer: computeSignerAddress(passkey),
  })
  if (!byPasskey.ok) throw new Error(byPasskey.message)
  const log = [
    encodeApplyChange(replace, byFirst, { module, account, sequence: 0n }),
    encodeApplyChange(appoint, byPasskey.signature, { module, account, sequence: 1n }),
  ]

  await send(chain, [deploy])
  await send(chain, log)
  // The other network: deployment and log in one transaction, without the first key.
  await send(otherChain, [deploy, ...log])
  expect(await ownersOn(otherChain)).toEqual([computeSignerAddress(passkey)])
  expect(await ownersOn(chain)).toEqual(await ownersOn(otherChain))
  expect(await stateOn(chain)).toEqual(await stateOn(otherChain))

  const context = { module, account, sequence: 2n, number: 1n }
  const newOwners: AccountOwner[] = [{ kind: 'eoa', address: second.address }]
  const signatures = await Promise.all(
    guardians.map(async (guardian) => ({
      guardian: guardian.address,
      signature: await guardian.signTypedData(recoveryTypedData(newOwners, context)),
    })),
  )
  for (const network of [chain, otherChain]) {
    await send(network, [encodeStartRecovery(newOwners, set, signatures, context)])
    expect((await stateOn(network)).recovery).toBe(getRecoveryHash(newOwners, context))
    await network.client.increaseTime({ seconds: set.delay })
    await network.client.mine({ blocks: 1 })
    await send(network, [encodeExecuteRecovery(newOwners, context)])
    expect(await ownersOn(network)).toEqual([second.address])
  }
  expect((await stateOn(chain)).head).toBe((await stateOn(otherChain)).head)
})

test('behavior: hashes are the contract’s', async () => {
  const abi = parseAbi([
    'struct Owner { uint8 kind; bytes key; }',
    'function changeHash(address account, uint64 sequence, bytes32 kind, bytes data) view returns (bytes32)',
    'function recoveryHash(address account, uint64 sequence, uint64 number, Owner[] newOwners, uint256 newThreshold) view returns (bytes32)',
    'function cancelHash(address account, uint64 sequence, uint64 number) view returns (bytes32)',
    'function resultHash(address account, uint64 sequence, Owner[] newOwners, uint256 newThreshold) view returns (bytes32)',
  ])
  const context = { module, account, sequence: 2n ** 64n - 1n, number: 2n ** 63n, newThreshold: 2n }
  for (const change of changes) {
    const { message } = ownerChangeTypedData(change, context)
    const onChain = await chain.client.readContract({
      address: module,
      abi,
      functionName: 'changeHash',
      args: [account, message.sequence, message.kind, message.data],
    })
    expect(getOwnerChangeHash(change, context)).toBe(onChain)
  }
  const newOwners = [firstOwner, passkey]
  const { newOwners: encoded } = recoveryTypedData(newOwners, context).message
  const { sequence, number, newThreshold } = context
  const contract = { address: module, abi } as const
  const [recovery, cancellation, result] = await Promise.all([
    chain.client.readContract({
      ...{ ...contract, functionName: 'recoveryHash' },
      args: [account, sequence, number, encoded, newThreshold],
    }),
    chain.client.readContract({
      ...{ ...contract, functionName: 'cancelHash' },
      args: [account, sequence, number],
    }),
    chain.client.readContract({
      ...{ ...contract, functionName: 'resultHash' },
      args: [account, sequence, encoded, newThreshold],
    }),
  ])
  expect(getRecoveryHash(newOwners, context)).toBe(recovery)
  expect(getCancelRecoveryHash(context)).toBe(cancellation)
  expect(getRecoveryResultHash(newOwners, context)).toBe(result)
})
