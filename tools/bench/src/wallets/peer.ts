import { localTransport } from '@lanyard/devnet'
import { createSmartAccountClient } from 'permissionless'
import { toSafeSmartAccount } from 'permissionless/accounts'
import { createPimlicoClient } from 'permissionless/clients/pimlico'
import { createPublicClient, http, type PrivateKeyAccount } from 'viem'
import { entryPoint07Address, formatUserOperationRequest, type UserOperation } from 'viem/account-abstraction'
import { foundry } from 'viem/chains'
import { payment } from './ours.ts'

const entryPoint = { address: entryPoint07Address, version: '0.7' } as const

/** Fees that replace those that the bundler suggests, wei per gas. */
interface PeerFees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** permissionless in this process with Alto, set up as its documentation says. */
export function createPeer({ rpcUrl, bundlerUrl }: { rpcUrl: string; bundlerUrl: string }) {
  const client = createPublicClient({ chain: foundry, transport: localTransport(rpcUrl) })
  const pimlico = createPimlicoClient({ chain: foundry, transport: http(bundlerUrl), entryPoint })

  return {
    /** The wallet of one owner, at the same address as ours. It is created once, as in an app. */
    async wallet(owner: PrivateKeyAccount) {
      const account = await toSafeSmartAccount({
        client,
        owners: [owner],
        version: '1.4.1',
        entryPoint,
        saltNonce: 0n,
        nonceKey: 0n,
        useMultiSendForSetup: false,
      })
      const wallet = createSmartAccountClient({
        account,
        chain: foundry,
        client,
        bundlerTransport: http(bundlerUrl),
        userOperation: {
          estimateFeesPerGas: async () => (await pimlico.getUserOperationGasPrice()).fast,
        },
      })
      const prepare = (fees: Partial<PeerFees> = {}) =>
        wallet.prepareUserOperation({ calls: [payment], ...fees })
      return {
        prepare,

        /** Prepares and signs: everything before `eth_sendUserOperation`. */
        async sign(fees: Partial<PeerFees> = {}) {
          const operation = await prepare(fees)
          return { ...operation, signature: await account.signUserOperation(operation) }
        },
      }
    },

    /** Resolves when Alto has accepted it. */
    send: (operation: UserOperation<'0.7'>) =>
      pimlico.request(
        {
          method: 'eth_sendUserOperation',
          params: [formatUserOperationRequest(operation), entryPoint07Address],
        },
        { retryCount: 0 },
      ),
  }
}

export type PeerWallet = Awaited<ReturnType<ReturnType<typeof createPeer>['wallet']>>
