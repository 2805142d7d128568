import { encodeFunctionData, erc20Abi } from 'viem'
import { requireSettlementToken } from '../open-network.ts'
import { formatTokens, type SendOptions } from '../options.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** As parsed from the command line. */
export interface FundOptions extends SendOptions {
  readonly amount: bigint
}

/** `lanyard liquidity fund`: a plain transfer; who sends it gets no claim on it. */
export async function fundLiquidity(options: FundOptions): Promise<void> {
  const { amount } = options
  const { network, contract, owner, send, finish } = await openAsOwner(options, { caller: 'anyone' })
  const token = requireSettlementToken(network.config)
  const scale = await network.call((client) => client.readContract({ ...contract, functionName: 'SCALE' }))
  const sent = await send([
    {
      description: `add ${formatTokens(amount)} tokens of ${owner.account.address} to liquidity`,
      to: token.address,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [contract.address, amount * scale],
      }),
    },
  ])
  finish({ amount, sent })
}
