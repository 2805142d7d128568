import type { Balances } from '@lanyard/database'
import { entryPointsOf, multicall3, type Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, erc20Abi, multicall3Abi } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

/**
 * What accounts have after a block, in one `eth_call`: native coin with their gas deposits in EntryPoints, the settlement token,
 * and the deposit in the smart balance.
 *
 * @returns without accounts of which a contract does not answer
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, also if the node has no state of that block
 */
export async function readLedgerBalances(
  { config, call }: Network,
  accounts: readonly string[],
  blockNumber: bigint,
): Promise<ReadonlyMap<string, Balances>> {
  const { settlementToken, smartBalance } = config
  const entryPoints = entryPointsOf(config)
  const questions = (account: Address) => [
    { address: multicall3, abi: multicall3Abi, functionName: 'getEthBalance', args: [account] } as const,
    ...entryPoints.map(
      (address) => ({ address, abi: entryPoint07Abi, functionName: 'balanceOf', args: [account] }) as const,
    ),
    ...(settlementToken
      ? [
          {
            address: settlementToken.address,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [account],
          } as const,
        ]
      : []),
    ...(settlementToken && smartBalance
      ? [{ address: smartBalance, abi: smartBalanceAbi, functionName: 'accounts', args: [account] } as const]
      : []),
  ]
  const asked = accounts.map((account) => questions(account as Address)) // rows hold 0x and 40 digits
  const answers = await call((client) =>
    client.multicall({ contracts: asked.flat(), blockNumber, batchSize: 0, multicallAddress: multicall3 }),
  )
  const balances = new Map<string, Balances>()
  for (const [index, account] of accounts.entries()) {
    const own = answers.splice(0, asked[index]?.length ?? 0)
    const amounts = own.flatMap(({ result }) =>
      result === undefined ? [] : [typeof result === 'bigint' ? result : BigInt(result[0])],
    )
    if (amounts.length < own.length) continue
    const native = amounts.splice(0, 1 + entryPoints.length).reduce((sum, amount) => sum + amount, 0n)
    const [tokens, deposit] = amounts
    const token = settlementToken?.address.toLowerCase()
    balances.set(account, {
      'account:native': String(native),
      ...(tokens !== undefined && { [`account:${token}`]: String(tokens) }),
      ...(deposit !== undefined && { [`smart_balance:${token}`]: String(deposit) }),
    })
  }
  return balances
}
