import { encodeCalls, encodeSignature, getSafeOperationHash, packUserOperation } from '@lanyard/accounts'
import { type Address, encodeFunctionData } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { startAlto } from '../programs/alto.ts'
import type { Postgres } from '../programs/postgres.ts'
import { startService } from '../programs/service.ts'
import { accountOf } from '../wallets/chain.ts'
import { createOurs, payment } from '../wallets/ours.ts'
import { createPeer, type PeerWallet } from '../wallets/peer.ts'
import type { EnterRace } from './race-fixture.ts'

/** Our service with its embedded bundler, on PGlite or this PostgreSQL. It responds after inclusion. */
export const lanyard =
  (postgres?: Postgres): EnterRace =>
  async ({ node, owners }) => {
    const service = await startService(node, await postgres?.fresh())
    const ours = createOurs(service.url)
    for (const owner of owners) await ours.create(owner)
    return {
      async prepare(owner) {
        const signature = await ours.sign(owner)
        return () => ours.submit(owner, signature)
      },
      processes: { service: service.pid, ...(postgres && { database: postgres.pid }) },
      [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    }
  }

/** Alto, with operations that permissionless prepared. It responds before inclusion. */
export const alto: EnterRace = async ({ node, owners }) => {
  const program = await startAlto(node.rpcUrl)
  const peer = createPeer({ rpcUrl: node.rpcUrl, bundlerUrl: program.url })
  const wallets = new Map<Address, PeerWallet>()
  for (const owner of owners) wallets.set(owner.address, await peer.wallet(owner))
  return {
    async prepare({ address }) {
      const operation = await wallets.get(address)?.sign()
      if (!operation) throw new TypeError(`${address} is not an owner of this fixture`)
      return () => peer.send(operation)
    },
    processes: { service: program.pid },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}

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
