import { encodeCalls, encodeSignature, getSafeOperationHash, packUserOperation } from '@lanyard/accounts'
import { encodeFunctionData } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { accountOf } from '../wallets/chain.ts'
import { payment } from '../wallets/ours.ts'
import type { EnterRace } from './race-fixture.ts'

/**
 * No bundler: sends a signed `handleOps` transaction to the node. This is the lower bound for every service.
 */
export const bareChain: EnterRace = async ({ chain }) => ({
  async prepare(owner) {
    const sender = accountOf(owner)
    const operation = {
      sender,
      nonce: await chain.readContract({
        address: entryPoint07Address,
        abi: entryPoint07Abi,
        functionName: 'getNonce',
        args: [sender, 0n],
      }),
      initCode: '0x',
      callData: encodeCalls([payment]),
      callGasLimit: 100_000n,
      verificationGasLimit: 200_000n,
      preVerificationGas: 100_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      paymasterAndData: '0x',
    } as const
    const signatures = await owner.sign({
      hash: getSafeOperationHash(operation, { chainId: chain.chain.id }),
    })
    const signature = encodeSignature({ validAfter: 0, validUntil: 0, signatures })
    const request = await chain.prepareTransactionRequest({
      to: entryPoint07Address,
      data: encodeFunctionData({
        abi: entryPoint07Abi,
        functionName: 'handleOps',
        args: [[packUserOperation({ ...operation, signature })], chain.account.address],
      }),
      gas: 1_000_000n,
    })
    const serializedTransaction = await chain.signTransaction(request)
    return () => chain.sendRawTransaction({ serializedTransaction })
  },
  processes: {},
  [Symbol.asyncDispose]: async () => {}, // the fixture stops the node
})
