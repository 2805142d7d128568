import { type DelegatedSigner, signDelegatedBuild } from '@lanyard/client'
import type { LanyardContextValue } from '../lanyard-context.ts'
import { callService } from './call-service.ts'
import { deliver, type SentCalls } from './deliver.ts'
import type { Call } from './send-calls.ts'

export interface KeepAddressRequest {
  /**
   * The EOA in the app's wallet: a local viem account, or the functions of a wallet SDK. It has to sign EIP-7702
   * authorisations, which most wallets of browsers do not.
   */
  readonly signer: DelegatedSigner
  /** What the first operation does. Default: one empty call of the address to itself. */
  readonly calls?: readonly Call[]
  /** Chain id. Default: the provider's. */
  readonly network?: number
  /** Whether an EOA that runs another contract is switched. Default: false, which rejects with DELEGATED_ELSEWHERE. */
  readonly replaceDelegate?: boolean
}

/**
 * Has an EOA run the account's contract, under its own address, by an operation that it signs with the authorisation. Once it runs
 * it, the same call sends operations. What the EOA signs is verified first.
 */
export async function keepAddress(
  context: LanyardContextValue,
  { signer, calls, network = context.network, replaceDelegate = false }: KeepAddressRequest,
  signal: AbortSignal,
): Promise<SentCalls> {
  const { client } = context
  const { address } = signer
  await callService(client.smartAccount.create({ eoaAddress: address, type: 'eip7702' }, { signal }))
  const request = {
    ...{ network: String(network), walletAddress: address, type: 'eip7702' as const },
    transactionDetails: (calls ?? [{ to: address }]).map(({ to, value = 0n, data = '0x' }) => ({
      ...{ targetContractAddress: to, value: String(value), encodedData: data },
    })),
    ...(replaceDelegate && { replaceDelegate }),
  }
  const build = await callService(client.smartAccount.build(request, { signal }))
  const signed = await signDelegatedBuild({ build, request, signer })
  signal.throwIfAborted()
  const body = { walletAddress: address, type: 'eip7702' as const, ...signed }
  return deliver(context, signed.userOpHash, (options) => client.smartAccount.submit(body, options))
}
