import { presets } from '@lanyard/networks'
import { type Address, erc20Abi, isAddressEqual } from 'viem'
import { finding, findingIf } from '../finding.ts'
import { ifContractMatches } from '../not-that-contract.ts'
import type { Check } from '../subject.ts'

/**
 * The settlement token exists, is a token, and has the configured decimals (6 on real networks) and symbol.
 */
export const checkToken: Check = async ({ network }) => {
  const { settlementToken, chainId, preset, local } = network.config
  if (!settlementToken) return []
  const { address, decimals, symbol } = settlementToken
  const contract = { address, abi: erc20Abi } as const
  const fix = `Correct settlementToken of network ${chainId} in NETWORKS_FILE.`
  const read = await ifContractMatches(
    network.call((client) =>
      Promise.all([
        client.readContract({ ...contract, functionName: 'decimals' }),
        client.readContract({ ...contract, functionName: 'symbol' }),
      ]),
    ),
  )
  if (!read) {
    const code = await network.call((client) => client.getCode({ address }))
    return finding('TOKEN_MISSING', {
      message: 'The settlement token is not a token.',
      expected: `an ERC-20 token at ${address}`,
      seen: code === undefined ? 'no code' : 'code that answers neither decimals() nor symbol()',
      fix,
    })
  }
  const [seenDecimals, seenSymbol] = read
  const usual = (preset && presets[preset].settlementToken?.address) ?? address
  const isAsConfigured = seenDecimals === decimals
  return [
    ...findingIf(!isAsConfigured, 'TOKEN_DECIMALS', {
      message: 'The settlement token has other decimals: every amount would be wrong.',
      expected: `${decimals}`,
      seen: `${seenDecimals}`,
      fix,
    }),
    ...findingIf(isAsConfigured && !local && decimals !== 6, 'TOKEN_DECIMALS', {
      message:
        'The settlement token does not have 6 decimals. The limit of 100 tokens on flat fees assumes 6.',
      expected: '6',
      seen: `${seenDecimals}`,
      fix: `Use a token with 6 decimals on network ${chainId}, or none.`,
    }),
    ...findingIf(seenSymbol !== symbol, 'TOKEN_SYMBOL', {
      message: 'The settlement token has another symbol. Is it the right one?',
      expected: symbol,
      seen: seenSymbol,
      fix,
    }),
    ...findingIf(!isAddressEqual(usual as Address, address), 'TOKEN_NOT_OF_PRESET', {
      message: "The settlement token is not Circle's USDC of the preset.",
      expected: usual,
      seen: address,
      fix: 'Nothing, if this is intended.',
    }),
  ]
}
