import { createRequire } from 'node:module'
import { unpackUserOperation } from '@lanyard/accounts'
import { canonicalAddresses } from '@lanyard/devnet'
import { toSimpleSmartAccount } from 'permissionless/accounts'
import { concat, encodeAbiParameters, getCreate2Address, type Hex, zeroHash } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import type { Enter } from './contestant.ts'
import { eoa } from './owners.ts'

const require = createRequire(import.meta.url)

/** The reference account of the authors of ERC-4337: one EOA owner, no modules. */
export const simpleAccount: Enter = async ({ client }) => {
  // Reads a hardhat artifact.
  const { bytecode } = require('@account-abstraction/contracts/artifacts/SimpleAccountFactory.json') as {
    bytecode: Hex
  }
  const initCode = concat([bytecode, encodeAbiParameters([{ type: 'address' }], [entryPoint07Address])])
  const from = canonicalAddresses.deterministicDeployer
  const hash = await client.sendTransaction({ to: from, data: concat([zeroHash, initCode]) })
  await client.waitForTransactionReceipt({ hash })

  const account = await toSimpleSmartAccount({
    client,
    owner: eoa,
    entryPoint: { address: entryPoint07Address, version: '0.7' },
    factoryAddress: getCreate2Address({ from, salt: zeroHash, bytecode: initCode }),
    nonceKey: 0n,
  })
  const { factory, factoryData } = await account.getFactoryArgs()
  if (!factory || !factoryData) throw new TypeError('An account that is not deployed has a factory')
  return {
    sender: await account.getAddress(),
    initCode: concat([factory, factoryData]),
    encodeCalls: (calls) => account.encodeCalls(calls),
    stubSignature: `0x${'ec'.repeat(64)}1c`,
    sign: (operation) => account.signUserOperation(unpackUserOperation(operation)),
  }
}
